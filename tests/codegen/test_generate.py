from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evalcontract.catalog import Catalogue
from evalcontract.codegen import TARGETS, FileChange, generate
from evalcontract.errors import UsageError
from tests.support.cli import Finished, run
from tests.support.projects import PROJECT, copy_archive, edit_json

FOLDERS = {"bundles": "bundles", "flat": "flat", "python": "evalcontract_models"}
SCHEMAS = ("bundles", "flat")


def bring_up_to_date(project: Path, *options: str, check: bool = False) -> list[FileChange]:
    folders = {option: project / FOLDERS[option] for option in options or FOLDERS}
    return generate(Catalogue.load(project / "schemas"), folders, check=check)


def command(project: Path, *options: str) -> Finished:
    folders = [argument for option in SCHEMAS for argument in (f"--{option}", str(project / FOLDERS[option]))]
    return run("schema", "generate", "--schemas", str(project / "schemas"), *folders, *options)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with released, superseded and withdrawn versions, with its generated files."""
    project = copy_archive(tmp_path_factory.mktemp("archive"))
    bring_up_to_date(project)
    return project


@pytest.fixture
def project(archive: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(archive, tmp_path / "project"))


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_every_target_has_an_option_and_every_option_its_target() -> None:
    hint = run("schema", "generate", "--schemas", str(PROJECT / "schemas"))
    assert (hint.code, hint.err.splitlines()[0]) == (2, "error: nothing was asked for")
    assert hint.err.splitlines()[1].split(": ")[2] == ", ".join(f"--{target.option}" for target in TARGETS)


def test_generating_again_changes_nothing(project: Path) -> None:
    assert command(project) == Finished(0, "", "")
    assert bring_up_to_date(project, "python") == []


def test_every_version_has_a_bundle_and_a_flat_file(archive: Path) -> None:
    versions = {
        "note-1.0",
        "note-1.9",
        "note-1.10",
        "note-2.0",
        "reminder-1.0",
        "reminder-1.1",
        "telegram-1.0",
        "binder-1.0",
        "binder-2.0",
    }
    assert names_in(archive / "flat") == {f"{version}.schema.json" for version in versions}
    assert names_in(archive / "flat") < names_in(archive / "bundles")


def test_the_file_without_a_number_is_the_newest_released_version(archive: Path) -> None:
    bundles = archive / "bundles"
    unnumbered = {name for name in names_in(bundles) if "-" not in name}
    assert unnumbered == {"binder.schema.json", "note.schema.json", "reminder.schema.json"}
    for name, newest in (("note", "1.10"), ("binder", "2.0")):
        copied = (bundles / f"{name}.schema.json").read_bytes()
        assert copied == (bundles / f"{name}-{newest}.schema.json").read_bytes()


def test_there_is_no_file_without_a_number_while_all_versions_are_drafts(tmp_path: Path) -> None:
    project = copy_archive(tmp_path)
    for name in ("reminder", "telegram", "binder"):
        shutil.rmtree(project / "schemas" / name)
    for version in ("1.0", "1.9", "1.10"):
        (project / "schemas" / "note" / f"{version}.json").unlink()
    catalog = {
        "base_uri": "https://evalcontract.example/schemas/",
        "schema_types": {},
        "contracts": {"note": {"2.0": {"status": "draft"}}},
    }
    (project / "schemas" / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    bring_up_to_date(project, "bundles")
    assert names_in(project / "bundles") == {"note-2.0.schema.json"}


def test_edited_missing_and_stray_files_are_named_and_then_repaired(project: Path) -> None:
    edited, missing = (project / "bundles" / f"note-1.{minor}.schema.json" for minor in (0, 9))
    stray = project / "flat" / "gone-1.0.schema.json"
    stray.write_bytes((project / "flat" / "note-1.9.schema.json").read_bytes())
    edited.write_bytes(edited.read_bytes() + b"\n")
    missing.unlink()
    printed = f"{edited}: edited\n{missing}: missing\n{stray}: stray\n"
    assert command(project, "--check") == Finished(1, printed, "")
    assert stray.exists()
    assert command(project) == Finished(0, printed, "")
    assert not stray.exists()
    assert command(project, "--check") == Finished(0, "", "")


def test_an_edited_schema_makes_what_is_derived_from_it_out_of_date(project: Path) -> None:
    edit_json(project / "schemas" / "note" / "2.0.json", description="A text that somebody will write.")
    changes = bring_up_to_date(project, check=True)
    assert {change.path.relative_to(project).as_posix() for change in changes} == {
        "bundles/note-2.0.schema.json",
        "flat/note-2.0.schema.json",
    }


@pytest.mark.parametrize("name", ["notes.md", "__init__.py", "package.json", "other.schema.json"])
def test_a_file_of_somebody_else_is_neither_overwritten_nor_removed(project: Path, name: str) -> None:
    precious = project / "flat" / name
    precious.write_bytes(b"{}" if name.endswith("json") else b"mine")
    missing = project / "bundles" / "note-1.9.schema.json"
    missing.unlink()
    done = command(project)
    assert (done.code, done.err.splitlines()[0]) == (2, f"error: {precious} is not a generated file")
    assert precious.exists()
    assert not missing.exists(), "nothing is written when something is refused"
    assert command(project, "--check").out == f"{missing}: missing\n{precious}: stray\n"


def test_a_file_of_somebody_else_in_the_place_of_a_generated_one_is_kept(project: Path) -> None:
    wanted = project / "bundles" / "note-1.9.schema.json"
    wanted.write_bytes(b'{"mine": true}')
    assert command(project).code == 2
    assert wanted.read_bytes() == b'{"mine": true}'


def test_a_link_is_nobodys_and_what_it_leads_to_is_kept(project: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").touch()
    link = project / "flat" / "link"
    link.symlink_to(precious)
    assert command(project, "--check").out == f"{link}: stray\n"
    assert command(project).code == 2
    assert (precious / "file").exists()


def test_what_other_tools_build_in_a_package_is_no_stray(project: Path) -> None:
    for built in ("__pycache__", "node_modules", "dist", "target"):
        folder = project / "evalcontract_models" / built
        folder.mkdir()
        (folder / "file").touch()
    assert bring_up_to_date(project, "python") == []


def test_a_folder_in_the_place_of_a_file_is_refused(project: Path) -> None:
    (project / "evalcontract_models" / "py.typed").unlink()
    (project / "evalcontract_models" / "py.typed").mkdir()
    with pytest.raises(UsageError, match=r"py\.typed is not a generated file"):
        bring_up_to_date(project, "python")


@pytest.mark.parametrize(("first", "second"), [("out", "out"), ("out", "out/inner"), ("out/inner", "out")])
def test_folders_of_two_targets_may_not_overlap(project: Path, first: str, second: str) -> None:
    folders = {"bundles": project / first, "flat": project / second}
    with pytest.raises(UsageError, match="overlap"):
        generate(Catalogue.load(project / "schemas"), folders)
    assert not (project / "out").exists()


def test_nothing_is_generated_from_schemas_that_break_a_rule(project: Path) -> None:
    edit_json(project / "schemas" / "note" / "2.0.json", title="Telegram")
    shutil.rmtree(project / "flat")
    done = command(project)
    assert (done.code, done.out) == (2, "")
    assert "unique-title: the title Telegram belongs to" in done.err
    assert not (project / "flat").exists()


def test_a_damaged_catalogue_is_one_line(project: Path) -> None:
    (project / "schemas" / "catalog.json").write_bytes(b"{}")
    done = command(project, "--check")
    assert done.code == 2
    assert done.err.startswith(
        f"error: {project}/schemas/catalog.json is damaged: the key 'base_uri' is missing\n"
    )


def test_a_class_that_the_code_generator_renames_is_refused(project: Path) -> None:
    catalog, folder = project / "schemas" / "catalog.json", project / "schemas" / "telegram"
    contracts = json.loads(catalog.read_bytes())["contracts"]
    contracts["telegram"]["1.1"] = {"status": "draft"}
    edit_json(catalog, contracts=contracts)
    shutil.copy(folder / "1.0.json", folder / "1.1.json")
    address = "https://evalcontract.example/schemas/telegram/1.1.json"
    edit_json(folder / "1.1.json", **{"$id": address, "title": "Field"})
    done = run("schema", "generate", "--schemas", str(project / "schemas"), "--python", str(project / "out"))
    assert (done.code, done.err.splitlines()[0]) == (
        2,
        "error: one class for each type was expected, but these differ: Field, FieldModel",
    )
    assert not (project / "out").exists()


def test_without_the_code_generator_the_way_out_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evalcontract.codegen.python.datamodel.find_spec", lambda name: None)
    with pytest.raises(UsageError) as refused:
        bring_up_to_date(project, "python")
    assert refused.value.hint == "pip install 'evalcontract[codegen]'"
    assert bring_up_to_date(project, "bundles", "flat") == []


@pytest.fixture(scope="module")
def imported(archive: Path) -> dict[str, Any]:
    """What a process sees that imports the models of the archive."""
    script = """
import json
from evalcontract_models import v1, v2, __all__ as names, types
from evalcontract_models.registry import CONTRACTS, MODELS
print(json.dumps({
    "names": names,
    "modules": {name: cls.__module__ for name, cls in MODELS.items()},
    "contracts": {f"{cls.__module__}.{cls.__name__}": "@".join(ref) for cls, ref in CONTRACTS.items()},
    "parents": {cls.__name__: cls.__mro__[1].__name__ for cls in CONTRACTS},
    "cover": v1.Binder(notes=[{"text": "a"}], cover={"text": "b"}).model_dump(),
    "owner": list(types.Binder.__required_keys__),
}))
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(archive)},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_each_major_version_has_a_module_of_its_own(imported: dict[str, Any]) -> None:
    models = "evalcontract_models"
    assert imported["contracts"] == {
        f"{models}.v1.Binder": "binder@1.0",
        f"{models}.v1.Note": "note@1.10",
        f"{models}.v1.NoteV1x9": "note@1.9",
        f"{models}.v1.Reminder": "reminder@1.0",
        f"{models}.v2.Binder": "binder@2.0",
        f"{models}.v2.Note": "note@1.10",
        f"{models}.v2.NoteV1x9": "note@1.9",
        f"{models}.v2.Reminder": "reminder@1.0",
    }
    assert imported["parents"] == {
        "Binder": "ContractModel",
        "Note": "ContractModel",
        "NoteV1x9": "ContractModel",
        "Reminder": "NoteV1x9",
    }


def test_the_package_offers_the_newest_classes(imported: dict[str, Any]) -> None:
    assert imported["names"] == ["ContractModel", "Binder", "Note", "Reminder"]
    modules = dict.fromkeys(["binder", "note", "reminder"], "evalcontract_models.v2")
    assert imported["modules"] == modules
    assert sorted(imported["owner"]) == ["notes", "owner"]


def test_two_versions_of_a_contract_work_side_by_side(imported: dict[str, Any]) -> None:
    assert imported["cover"] == {"notes": [{"text": "a"}], "cover": {"text": "b", "author": None}}
