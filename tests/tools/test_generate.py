from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.projects import PROJECT, copy_archive, edit_json
from tools.generate.__main__ import main
from tools.generate.outputs import Outputs, all_outputs
from tools.generate.tree import Difference, differences, write

PACKAGE = "generated/python/evalcontract_models"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outputs]:
    """A project with released, superseded and withdrawn versions, with its generated files."""
    project = copy_archive(tmp_path_factory.mktemp("archive"))
    outputs = all_outputs(project)
    write(project, outputs, differences(project, outputs))
    return project, outputs


@pytest.fixture(scope="module")
def archive(generated: tuple[Path, Outputs]) -> Path:
    return generated[0]


@pytest.fixture(scope="module")
def outputs(generated: tuple[Path, Outputs]) -> Outputs:
    return generated[1]


@pytest.fixture
def project(archive: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(archive, tmp_path / "project"))


def run(*options: str, cwd: Path = PROJECT, **environment: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(str(PROJECT / each) for each in (".", "src", "generated/python"))
    return subprocess.run(
        [sys.executable, "-m", "tools.generate", *options],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("seed", ["0", "4242"])
def test_the_committed_files_are_what_is_generated_anywhere_under_any_hash_seed(
    seed: str, tmp_path: Path
) -> None:
    done = run("--check", cwd=tmp_path, PYTHONHASHSEED=seed)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_generating_again_changes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(project)]) == 0
    assert capsys.readouterr().out == "30 generated files, 0 written or removed\n"


def test_every_version_has_a_bundle_and_a_flat_file(outputs: Outputs) -> None:
    versions = {
        "note-1.0",
        "note-1.9",
        "note-1.10",
        "note-2.0",
        "reminder-1.0",
        "reminder-1.1",
        "telegram-1.0",
    }
    versions |= {"binder-1.0", "binder-2.0"}
    flat = {path for path in outputs if path.startswith("generated/flat/")}
    assert flat == {f"generated/flat/{version}.schema.json" for version in versions}
    assert {path.replace("/flat/", "/bundles/") for path in flat} < outputs.keys()


def test_the_file_without_a_number_is_the_newest_released_version(outputs: Outputs) -> None:
    unnumbered = {path for path in outputs if path.startswith("generated/bundles/") and "-" not in path}
    assert unnumbered == {f"generated/bundles/{name}.schema.json" for name in ("binder", "note", "reminder")}
    assert outputs["generated/bundles/note.schema.json"] == outputs["generated/bundles/note-1.10.schema.json"]
    assert (
        outputs["generated/bundles/binder.schema.json"] == outputs["generated/bundles/binder-2.0.schema.json"]
    )


def test_there_is_no_file_without_a_number_while_all_versions_are_drafts(tmp_path: Path) -> None:
    catalog = {
        "base_uri": "https://evalcontract.example/schemas/",
        "schema_types": {},
        "contracts": {"note": {"2.0": {"status": "draft"}}},
    }
    project = copy_archive(tmp_path)
    (project / "schemas" / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    bundles = [path for path in all_outputs(project) if path.startswith("generated/bundles/")]
    assert bundles == ["generated/bundles/note-2.0.schema.json"]


def test_edited_missing_and_stray_files_are_each_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edited, missing = project / PACKAGE / "v1.py", project / "generated/bundles/note-1.9.schema.json"
    stray, hooks = project / "generated" / "java" / "Note.java", project / ".pre-commit-hooks.yaml"
    edited.write_bytes(edited.read_bytes() + b"\n")
    missing.unlink()
    stray.parent.mkdir()
    stray.touch()
    hooks.write_bytes(b"")
    page = project / "docs" / "contracts.md"
    page.write_bytes(page.read_bytes().replace(b"| required |", b"| optional |", 1))
    assert main(["--check", "--root", str(project)]) == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        ".pre-commit-hooks.yaml: edited",
        "docs/contracts.md: edited",
        "generated/bundles/note-1.9.schema.json: missing",
        "generated/java/Note.java: stray",
        f"{PACKAGE}/v1.py: edited",
    ]
    assert printed.err == "generated files are out of date: run python -m tools.generate\n"
    assert stray.exists()


def test_writing_repairs_all_of_that(project: Path, outputs: Outputs) -> None:
    (project / PACKAGE / "v1.py").write_bytes(b"")
    (project / "generated/bundles/note-1.9.schema.json").unlink()
    stray = project / "generated" / "java" / "model" / "Note.java"
    stray.parent.mkdir(parents=True)
    stray.touch()
    write(project, outputs, differences(project, outputs))
    assert differences(project, outputs) == []
    assert not (project / "generated" / "java").exists()


def test_a_stray_link_is_removed_and_what_it_leads_to_is_kept(
    project: Path, outputs: Outputs, tmp_path: Path
) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").touch()
    (project / "generated" / "link").symlink_to(precious)
    assert differences(project, outputs) == [Difference("generated/link", "stray")]
    write(project, outputs, differences(project, outputs))
    assert (precious / "file").exists()
    assert differences(project, outputs) == []


def test_byte_code_of_imported_models_is_no_stray(project: Path, outputs: Outputs) -> None:
    cache = project / PACKAGE / "__pycache__"
    cache.mkdir()
    (cache / "v1.cpython-311.pyc").touch()
    assert differences(project, outputs) == []


def test_a_folder_in_the_place_of_a_file_is_a_difference(project: Path, outputs: Outputs) -> None:
    (project / PACKAGE / "py.typed").unlink()
    (project / PACKAGE / "py.typed").mkdir()
    assert differences(project, outputs) == [Difference(f"{PACKAGE}/py.typed", "edited")]


def test_an_edited_schema_makes_what_is_derived_from_it_out_of_date(project: Path) -> None:
    edit_json(project / "schemas" / "note" / "2.0.json", description="A text that somebody will write.")
    found = {str(each) for each in differences(project, all_outputs(project))}
    assert found == {
        "docs/contracts.md: edited",
        "generated/bundles/note-2.0.schema.json: edited",
        "generated/flat/note-2.0.schema.json: edited",
    }


def test_nothing_is_generated_from_schemas_that_break_a_rule(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit_json(project / "schemas" / "note" / "2.0.json", title="Telegram")
    shutil.rmtree(project / "generated")
    assert main(["--root", str(project)]) == 1
    assert "unique-title: the title Telegram belongs to" in capsys.readouterr().err
    assert not (project / "generated").exists()


def test_a_damaged_catalogue_is_one_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "schemas" / "catalog.json").write_bytes(b"{}")
    assert main(["--check", "--root", str(project)]) == 2
    assert capsys.readouterr().err == (
        f"error: {project}/schemas/catalog.json is damaged: the key 'base_uri' is missing (restore the file)\n"
    )


def test_a_class_that_the_code_generator_renames_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    catalog, folder = project / "schemas" / "catalog.json", project / "schemas" / "telegram"
    contracts = json.loads(catalog.read_bytes())["contracts"]
    contracts["telegram"]["1.1"] = {"status": "draft"}
    edit_json(catalog, contracts=contracts)
    shutil.copy(folder / "1.0.json", folder / "1.1.json")
    address = "https://evalcontract.example/schemas/telegram/1.1.json"
    edit_json(folder / "1.1.json", **{"$id": address, "title": "Field"})
    assert main(["--check", "--root", str(project)]) == 2
    assert capsys.readouterr().err == (
        "error: one class for each type was expected, but these differ: Field, FieldModel\n"
    )


def test_a_project_without_options_for_the_code_generator_is_one_line(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "pyproject.toml").write_text("", encoding="utf-8")
    assert main(["--check", "--root", str(project)]) == 2
    assert capsys.readouterr().err.startswith("error: datamodel-code-generator failed: ")


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
        env={**os.environ, "PYTHONPATH": str(archive / "generated" / "python")},
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
