"""The freeze, on scratch repositories: a released version can't be changed, not even by mistake."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from evalcontract.catalog import Catalogue, ContractRef, file_digest
from evalcontract.errors import HistoryError, UsageError
from evalcontract.evolution.comparing.codes import BreakCode
from evalcontract.evolution.versions.catalogued import next_version
from evalcontract.evolution.versions.freeze import IN_WHEEL, Grounds, Problem, verify
from evalcontract.evolution.versions.history import History
from evalcontract.evolution.versions.number import Step, Waiver
from evalcontract.evolution.versions.release import prepare
from tests.evolution.support import (
    CITATION,
    NULLABLE,
    ON,
    add_a_commit,
    add_version,
    change_with_its_hash,
    commit_all,
    copy_schemas,
    git,
    properties_of,
    release,
    release_minor,
    sha_is_made_to_fit,
    write_json,
)

MESSAGE = ContractRef("message", "1.0")


def problems(repository: Path, **more: Any) -> list[Problem]:
    schemas = repository / "schemas"
    return list(verify(Grounds(Catalogue(schemas), schemas, **more)).problems)


# release


def test_releasing_changes_one_entry_and_nothing_else(tmp_path: Path) -> None:
    schemas = copy_schemas(tmp_path)
    before = (schemas / "catalog.json").read_text("utf-8")
    found = prepare(Catalogue(schemas), MESSAGE, ON)
    after = found.catalog_text.decode()
    changed = [
        pair for pair in zip(before.splitlines(), after.splitlines(), strict=True) if pair[0] != pair[1]
    ]
    assert len(changed) == 1
    assert json.loads(after)["contracts"]["message"]["1.0"] == {
        "status": "released",
        "sha256": found.sha256,
        "released_on": "2026-01-31",
    }
    assert (schemas / "catalog.json").read_text("utf-8") == before


def test_a_version_that_refers_to_drafts_can_t_be_released(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="refers to drafts: citation@1.0"):
        prepare(Catalogue(copy_schemas(tmp_path)), ContractRef("prediction", "1.0"), ON)


def test_a_released_version_can_t_be_released_again(repository: Path) -> None:
    with pytest.raises(UsageError, match="is released already"):
        prepare(Catalogue(repository / "schemas"), CITATION, ON)


def test_a_minor_is_released_when_it_breaks_nothing(repository: Path) -> None:
    schemas = repository / "schemas"
    ref = add_version(
        schemas, CITATION, "1.1", properties=properties_of(schemas, CITATION) | {"remark": NULLABLE}
    )
    release(schemas, ref)
    commit_all(repository, "Release citation 1.1")
    assert problems(repository) == []


@pytest.mark.parametrize(
    ("version", "change", "needs"),
    [
        ("1.1", {"required": ["document_id", "quotes"]}, "but 2.0: REQUIRED_NO_ADD at /quotes"),
        ("1.1", {"properties": {"document_id": {"type": "string"}}, "required": ["document_id"]}, "but 2.0"),
        ("1.2", {"description": "Another text about citations."}, "but 1.1 or 2.0"),
        ("3.0", {"description": "Another text about citations."}, "but 1.1 or 2.0"),
    ],
)
def test_a_number_that_is_too_small_or_leaves_one_out_is_refused(
    repository: Path, version: str, change: dict[str, Any], needs: str
) -> None:
    schemas = repository / "schemas"
    ref = add_version(schemas, CITATION, version, **change)
    with pytest.raises(UsageError) as refused:
        prepare(Catalogue(schemas), ref, ON)
    assert needs in refused.value.message


def test_every_released_version_of_the_major_counts_not_just_the_last(repository: Path) -> None:
    schemas = repository / "schemas"
    with_key = properties_of(schemas, CITATION) | {"remark": NULLABLE}
    release(schemas, add_version(schemas, CITATION, "1.1", properties=with_key))
    without = add_version(schemas, CITATION, "1.2", description="The remark is gone again.")
    found = next_version(Catalogue(schemas), without)
    assert [each.old for each in found.comparisons] == ["citation@1.0", "citation@1.1"]
    assert found.step is Step.MAJOR
    assert found.reasons == (
        "PROPERTY_NO_DELETE at /remark: citation@1.2 no longer has the property 'remark'",
    )


def test_an_undecided_finding_may_be_waived_a_proved_one_may_not(repository: Path) -> None:
    schemas = repository / "schemas"
    raw_metadata = ContractRef("raw_metadata", "1.0")
    properties = properties_of(schemas, raw_metadata)
    same = {**properties["input_schema_version"], "pattern": "^(?=.)([1-9][0-9]*|0)\\.([1-9][0-9]*|0)$"}
    ref = add_version(schemas, raw_metadata, "1.1", properties=properties | {"input_schema_version": same})
    where = (
        "https://evalcontract.example/schemas/raw_metadata/1.1.json#/properties/input_schema_version/pattern"
    )
    assert not next_version(Catalogue(schemas), ref).legal
    assert next_version(
        Catalogue(schemas), ref, (Waiver(BreakCode.PATTERN_NO_CHANGE, where, "the same language"),)
    ).legal
    elsewhere = (Waiver(BreakCode.PATTERN_NO_CHANGE, where + "/not", "the same language"),)
    assert not next_version(Catalogue(schemas), ref, elsewhere).legal
    narrower = {**properties["input_schema_version"], "pattern": "^[0-9]\\.[0-9]$"}
    add_version(schemas, raw_metadata, "1.1", properties=properties | {"input_schema_version": narrower})
    assert not next_version(
        Catalogue(schemas), ref, (Waiver(BreakCode.PATTERN_NO_CHANGE, where, "surely"),)
    ).legal


# verify


def test_the_freeze_holds_in_an_untouched_repository(repository: Path) -> None:
    assert problems(repository) == []


def test_a_draft_may_change_as_often_as_it_likes(repository: Path) -> None:
    schemas = repository / "schemas"
    for text in ("A first description of it.", "A second description of it."):
        add_version(schemas, CITATION, "1.1", description=text)
        commit_all(repository, text)
        assert problems(repository) == []


def test_one_byte_in_a_released_file_is_found(repository: Path) -> None:
    file = repository / "schemas" / "citation" / "1.0.json"
    file.write_bytes(file.read_bytes() + b"\n")
    assert {(each.check, each.file) for each in problems(repository)} >= {
        ("FROZEN_BYTES", "citation/1.0.json")
    }


def test_a_file_and_its_hash_changed_together_are_found_by_history(repository: Path) -> None:
    schemas = repository / "schemas"
    file = schemas / "citation" / "1.0.json"
    file.write_text(file.read_text("utf-8").replace("exactly as", "just as"), "utf-8")
    sha_is_made_to_fit(schemas, CITATION)
    commit_all(repository, "Mend a text")
    found = problems(repository)
    assert {each.check for each in found} == {"FROZEN_HISTORY"}
    (message,) = [problem.message for problem in found]
    release_commit = git(repository, "rev-parse", "--short=12", "v1.0.0")
    assert message == f"citation@1.0 was released at {release_commit}, and has another hash or date now"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda versions: versions.pop("1.0"), "is gone from the catalogue now"),
        (lambda versions: versions["1.0"].update(status="draft"), "is a draft now"),
        (lambda versions: versions["1.0"].update(released_on="2026-02-01"), "has another hash or date now"),
    ],
)
def test_an_entry_can_t_be_taken_back(repository: Path, change: Any, message: str) -> None:
    schemas = repository / "schemas"
    catalog = json.loads((schemas / "catalog.json").read_bytes())
    contracts = catalog["contracts"]
    contracts["score_record"]["0.9"] = {"status": "draft"}
    write_json(
        schemas / "score_record" / "0.9.json",
        json.loads((schemas / "score_record" / "1.0.json").read_bytes()),
    )
    change(contracts["score_record"])
    write_json(schemas / "catalog.json", catalog)
    assert any(message in each.message for each in problems(repository))


def test_errata_and_withdrawal_are_not_changes_but_errata_stay(repository: Path) -> None:
    schemas = repository / "schemas"
    catalog = json.loads((schemas / "catalog.json").read_bytes())
    catalog["contracts"]["citation"]["1.0"] |= {
        "status": "withdrawn",
        "errata": ["page 0 was meant to be refused"],
    }
    write_json(schemas / "catalog.json", catalog)
    assert problems(repository) == []
    commit_all(repository, "Withdraw citation 1.0")
    git(repository, "tag", "v1.0.1")
    del catalog["contracts"]["citation"]["1.0"]["errata"]
    write_json(schemas / "catalog.json", catalog)
    assert any("has lost errata" in each.message for each in problems(repository))


def test_what_was_released_on_this_branch_only_is_found_where_the_branch_began(repository: Path) -> None:
    """Released on main after the last tag: the tag knows nothing of it, the branch point does."""
    schemas = repository / "schemas"
    git(repository, "checkout", "-q", "main")
    release(schemas, add_version(schemas, CITATION, "1.1", description="A wording that is better."))
    commit_all(repository, "Release citation 1.1")
    git(repository, "checkout", "-q", "-b", "later")
    file = schemas / "citation" / "1.1.json"
    file.write_text(file.read_text("utf-8").replace("better", "best"), "utf-8")
    sha_is_made_to_fit(schemas, ContractRef("citation", "1.1"))
    commit_all(repository, "Mend it")
    assert [each.file for each in problems(repository)] == ["citation/1.1.json"]


def test_on_main_itself_the_commit_before_is_what_counts(repository: Path) -> None:
    schemas = repository / "schemas"
    git(repository, "checkout", "-q", "main")
    release(schemas, add_version(schemas, CITATION, "1.1", description="A wording that is better."))
    commit_all(repository, "Release citation 1.1")
    file = schemas / "citation" / "1.1.json"
    file.write_text(file.read_text("utf-8").replace("better", "best"), "utf-8")
    sha_is_made_to_fit(schemas, ContractRef("citation", "1.1"))
    commit_all(repository, "Mend it, straight on main")
    assert [each.file for each in problems(repository)] == ["citation/1.1.json"]


def test_a_file_that_the_catalogue_doesn_t_know_is_found(repository: Path) -> None:
    write_json(repository / "schemas" / "citation" / "1.7.json", {})
    assert [each.file for each in problems(repository)] == ["citation/1.7.json"]


def test_a_missing_file_is_found(repository: Path) -> None:
    (repository / "schemas" / "citation" / "1.0.json").unlink()
    assert {each.file for each in problems(repository)} >= {"citation/1.0.json"}


def test_no_git_history_is_a_failure_not_a_skip(tmp_path: Path, repository: Path) -> None:
    shutil.rmtree(repository / ".git")
    (found,) = problems(repository)
    assert found.check == "FROZEN_HISTORY"
    assert "has no git history to compare with" in found.message


def test_a_shallow_clone_is_a_failure(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", "shallow")
    (found,) = problems(tmp_path / "shallow")
    assert "shallow clone" in found.message
    assert "--unshallow" in found.hint


def test_a_name_that_means_no_single_commit_is_refused(repository: Path) -> None:
    for name in ("^main", "main...work", "-x", "--all", "main:schemas"):
        with pytest.raises(HistoryError), History(repository / "schemas").as_it_was(name):
            pass


def test_a_base_that_is_named_counts_too_and_has_to_exist(repository: Path) -> None:
    git(repository, "branch", "-q", "-m", "main", "trunk")
    assert problems(repository) == []
    assert problems(repository, base="trunk") == []
    assert "git knows no commit nowhere" in problems(repository, base="nowhere")[0].message
    assert "can't be the name" in problems(repository, base="--output=/tmp/x")[0].message
    schemas = repository / "schemas"
    git(repository, "checkout", "-q", "trunk")
    release(schemas, add_version(schemas, CITATION, "1.1", description="A wording that is better."))
    commit_all(repository, "Release citation 1.1")
    git(repository, "checkout", "-q", "work")
    assert problems(repository) == []
    assert [problem.file for problem in problems(repository, base="trunk")] == ["citation/1.1.json"]


# whatever was released once, in any commit before


def test_no_tag_and_any_number_of_commits_later_a_change_is_found(repository: Path) -> None:
    git(repository, "tag", "-d", "v1.0.0")
    file = release_minor(repository)
    git(repository, "tag", "1.1.0")
    change_with_its_hash(file)
    commit_all(repository, "Mend it")
    for _ in range(3):
        add_a_commit(repository)
    assert [problem.file for problem in problems(repository)] == ["citation/1.1.json"]


def test_a_change_that_is_taken_back_is_none(repository: Path) -> None:
    file = release_minor(repository)
    change_with_its_hash(file)
    commit_all(repository, "Mend it")
    git(repository, "revert", "--no-edit", "HEAD")
    assert problems(repository) == []


def test_a_folder_of_another_name_forgets_nothing(repository: Path) -> None:
    change_with_its_hash(release_minor(repository))
    git(repository, "mv", "schemas", "contracts")
    commit_all(repository, "Move the schemas")
    add_a_commit(repository)
    folder = repository / "contracts"
    found = verify(Grounds(Catalogue(folder), folder)).problems
    assert [problem.file for problem in found] == ["citation/1.1.json"]


def test_what_a_merge_left_behind_was_released_all_the_same(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "side")
    release_minor(repository)
    git(repository, "checkout", "-q", "work")
    add_a_commit(repository)
    git(repository, "merge", "-q", "-s", "ours", "--no-edit", "side")
    (found,) = problems(repository)
    assert (found.file, found.message.partition("and ")[2]) == (
        "citation/1.1.json",
        "is gone from the catalogue now",
    )


def test_of_two_branches_that_released_one_version_either_may_have_won(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "side")
    release_minor(repository, "A wording of the side branch.")
    git(repository, "checkout", "-q", "work")
    release_minor(repository)
    git(repository, "merge", "-q", "-s", "ours", "--no-edit", "side")
    assert problems(repository) == []


def test_errata_stay_without_a_tag_too(repository: Path) -> None:
    catalog_file = repository / "schemas" / "catalog.json"
    catalog = json.loads(catalog_file.read_bytes())
    catalog["contracts"]["citation"]["1.0"]["errata"] = ["page 0 was meant to be refused"]
    write_json(catalog_file, catalog)
    commit_all(repository, "Add an erratum")
    catalog["contracts"]["citation"]["1.0"]["errata"] = ["page 0 is refused"]
    write_json(catalog_file, catalog)
    assert ["has lost errata" in problem.message for problem in problems(repository)] == [True]


def test_a_migration_to_a_released_major_is_frozen_with_it(repository: Path) -> None:
    schemas = repository / "schemas"
    changes = {"required": ["document_id", "quotes"]}
    major = add_version(schemas, CITATION, "2.0", **changes)
    migration = schemas / "citation" / "to-2.json"
    write_json(migration, {"contract": "citation", "from_major": 1, "to_major": 2, "operations": []})
    commit_all(repository, "Draft citation 2.0")
    drop = [{"op": "drop", "path": "/remark"}]
    write_json(migration, {"contract": "citation", "from_major": 1, "to_major": 2, "operations": drop})
    commit_all(repository, "Drop remarks")
    assert problems(repository) == []
    release(schemas, major)
    commit_all(repository, "Release citation 2.0")
    add_a_commit(repository)
    assert problems(repository) == []
    write_json(migration, {"contract": "citation", "from_major": 1, "to_major": 2, "operations": []})
    commit_all(repository, "Keep remarks after all")
    (found,) = problems(repository)
    assert (found.check, found.file) == ("FROZEN_HISTORY", "citation/to-2.json")
    assert found.message.endswith("and has other bytes now")
    migration.unlink()
    assert problems(repository)[0].message.endswith("and is gone now")


def test_git_can_t_be_told_of_another_past(repository: Path) -> None:
    file = release_minor(repository)
    released = git(repository, "rev-parse", "HEAD")
    change_with_its_hash(file)
    commit_all(repository, "Mend it")
    git(repository, "replace", "--graft", "HEAD", f"{released}^")
    assert [problem.file for problem in problems(repository)] == ["citation/1.1.json"]


def test_the_environment_of_another_repository_is_not_looked_at(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hooks of git run with these variables, and a submodule lies in the repository of somebody else."""
    change_with_its_hash(release_minor(repository))
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q", "-b", "main")
    (other / "a.txt").write_text("a")
    commit_all(other, "Begin")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    assert [problem.file for problem in problems(repository)] == ["citation/1.1.json"]


def test_a_graft_hides_nothing(repository: Path) -> None:
    change_with_its_hash(release_minor(repository))
    commit_all(repository, "Mend it")
    (repository / ".git" / "info" / "grafts").write_text(git(repository, "rev-parse", "HEAD") + "\n")
    assert [problem.file for problem in problems(repository)] == ["citation/1.1.json"]


@pytest.mark.parametrize("stub", [False, True])
def test_a_catalogue_of_another_name_in_another_folder_forgets_nothing(repository: Path, stub: bool) -> None:
    """Everything that a catalogue is known by is changed at once, and its place may be kept by another one."""
    schemas, elsewhere = repository / "schemas", repository / "contracts"
    old, new = Catalogue(schemas).base_uri, "https://elsewhere.example/"
    shutil.move(schemas, elsewhere)
    catalog = json.loads((elsewhere / "catalog.json").read_bytes()) | {"base_uri": new}
    for file in elsewhere.glob("*/*.json"):
        text = file.read_text("utf-8").replace(old, new)
        file.write_text(text.replace("A citation", "The citation"), "utf-8")
    for name, versions in catalog["contracts"].items():
        for version, entry in versions.items():
            if "sha256" in entry:
                entry["sha256"] = file_digest(elsewhere / name / f"{version}.json")
    write_json(elsewhere / "catalog.json", catalog)
    if stub:
        write_json(
            schemas / "catalog.json", {"base_uri": "https://x.example/", "schema_types": {}, "contracts": {}}
        )
    commit_all(repository, "Move")
    found = verify(Grounds(Catalogue(elsewhere), elsewhere)).problems
    assert "citation/1.0.json" in [problem.file for problem in found]
    assert {problem.check for problem in found} == {"FROZEN_HISTORY"}


@pytest.mark.parametrize(
    ("file", "document"),
    [
        ("ticket/1.0.json", {}),
        ("deep/down/ticket/1.0.json", {}),
        ("ticket.schema.json", {"$schema": "https://json-schema.org/draft/2020-12/schema"}),
        ("citation/draft.json", {"$schema": "https://json-schema.org/draft/2020-12/schema"}),
    ],
)
def test_a_schema_that_no_catalogue_names_is_found(
    repository: Path, file: str, document: dict[str, Any]
) -> None:
    write_json(repository / "schemas" / file, document)
    write_json(repository / "schemas" / "citation" / "notes.json", {"to do": "nothing"})
    assert [(problem.check, problem.file) for problem in problems(repository)] == [("FROZEN_BYTES", file)]


def test_a_catalogue_below_is_another_one(repository: Path) -> None:
    below = repository / "schemas" / "others"
    write_json(
        below / "catalog.json", {"base_uri": "https://x.example/", "schema_types": {}, "contracts": {}}
    )
    write_json(below / "ticket" / "1.0.json", {})
    assert problems(repository) == []


def test_it_is_said_what_was_looked_at(repository: Path) -> None:
    release_minor(repository)
    add_a_commit(repository)
    schemas, head = repository / "schemas", git(repository, "rev-parse", "--short=12", "HEAD")
    found = verify(Grounds(Catalogue(schemas), schemas))
    assert found.looked_at == (f"4 commits up to {head}, 2 of them changed the catalogue",)


@pytest.mark.parametrize(("spoil", "expected"), [(False, []), (True, ["citation/1.0.json"])])
def test_a_wheel_holds_the_released_bytes(
    repository: Path, tmp_path: Path, spoil: bool, expected: list[str]
) -> None:
    schemas, wheel = repository / "schemas", tmp_path / "some-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in schemas.rglob("*.json"):
            name = file.relative_to(schemas).as_posix()
            extra = b" " if spoil and name == "citation/1.0.json" else b""
            archive.writestr(IN_WHEEL + name, file.read_bytes() + extra)
    assert [each.file for each in problems(repository, wheel=wheel)] == expected


def test_a_wheel_that_isn_t_one_is_a_problem(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "x.whl").write_bytes(b"no zip")
    assert [each.check for each in problems(repository, wheel=tmp_path / "x.whl")] == ["FROZEN_WHEEL"]
