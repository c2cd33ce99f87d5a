"""What was frozen is known wherever it was: in other folders, behind links, under tags, around a submodule."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from evalcontract.catalog import Catalogue
from evalcontract.evolution.versions.freeze import Grounds, Verified, verify
from tests.evolution.support import (
    add_a_commit,
    change_with_its_hash,
    commit_all,
    git,
    release_minor,
    write_json,
)

CHANGED = ["citation/1.1.json"]


def verified(folder: Path, base: str | None = None) -> Verified:
    return verify(Grounds(Catalogue(folder), folder, base=base))


def files(found: Verified) -> list[str]:
    return [problem.file for problem in found.problems]


def test_a_folder_that_left_a_link_in_its_place_forgets_nothing(repository: Path) -> None:
    file = release_minor(repository)
    git(repository, "mv", "schemas", "contracts")
    (repository / "schemas").symlink_to("contracts")
    change_with_its_hash(repository / "contracts" / "citation" / file.name)
    commit_all(repository, "Move the schemas")
    assert files(verified(repository / "contracts")) == CHANGED
    assert files(verified(repository / "schemas")) == CHANGED


def test_a_copy_with_the_same_identifiers_has_the_same_bytes(repository: Path) -> None:
    release_minor(repository)
    copied = repository / "copied"
    shutil.copytree(repository / "schemas", copied)
    commit_all(repository, "Copy the schemas")
    assert files(verified(copied)) == []
    change_with_its_hash(copied / "citation" / "1.1.json")
    commit_all(repository, "Mend the copy")
    assert files(verified(copied)) == CHANGED
    assert files(verified(repository / "schemas")) == []


def test_a_copy_may_have_less(repository: Path) -> None:
    shutil.copytree(repository / "schemas", repository / "copied")
    commit_all(repository, "Copy the schemas")
    release_minor(repository)
    assert files(verified(repository / "copied")) == []


def test_a_release_that_was_rewritten_is_found_by_its_tag(repository: Path) -> None:
    file = release_minor(repository)
    git(repository, "tag", "v1.1.0")
    change_with_its_hash(file)
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "--amend", "--no-edit")
    found = verified(repository / "schemas")
    assert files(found) == CHANGED
    assert "which this history doesn't lead to, and has another hash" in found.problems[0].message
    assert "1 commit with releases that only tags, or a repository around, know" in found.looked_at


def test_a_tag_on_another_branch_is_no_matter_where_nothing_differs(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "next")
    release_minor(repository)
    git(repository, "tag", "v1.1.0")
    git(repository, "checkout", "-q", "work")
    assert files(verified(repository / "schemas")) == []


def test_a_base_that_was_not_merged_keeps_its_releases(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "side")
    release_minor(repository, "A wording of the side branch.")
    git(repository, "checkout", "-q", "work")
    release_minor(repository)
    assert files(verified(repository / "schemas")) == []
    assert files(verified(repository / "schemas", base="side")) == CHANGED


def test_a_catalogue_that_is_a_link_has_no_history(repository: Path) -> None:
    listed = repository / "schemas" / "catalog.json"
    listed.rename(listed.with_name("kept.json"))
    listed.symlink_to("kept.json")
    commit_all(repository, "Link the catalogue")
    (found,) = verified(repository / "schemas").problems
    assert (found.check, found.file) == ("FROZEN_BYTES", "catalog.json")
    assert "is a link" in found.message


def test_what_was_withdrawn_stays_withdrawn(repository: Path) -> None:
    listed = repository / "schemas" / "catalog.json"
    catalog = json.loads(listed.read_bytes())
    entry = catalog["contracts"]["citation"]["1.0"]
    entry["status"] = "withdrawn"
    write_json(listed, catalog)
    commit_all(repository, "Withdraw citation 1.0")
    add_a_commit(repository)
    assert files(verified(repository / "schemas")) == []
    entry["status"] = "released"
    write_json(listed, catalog)
    (found,) = verified(repository / "schemas").problems
    assert found.message.endswith("and is no longer withdrawn")


def test_a_repository_around_a_submodule_remembers_what_lay_there(repository: Path, tmp_path: Path) -> None:
    release_minor(repository)
    inner = tmp_path / "inner"
    shutil.copytree(repository / "schemas", inner)
    change_with_its_hash(inner / "citation" / "1.1.json")
    git(inner, "init", "-q", "-b", "main")
    commit_all(inner, "Begin anew")
    git(repository, "rm", "-q", "-r", "schemas")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "schemas")
    commit_all(repository, "Take the schemas from elsewhere")
    assert files(verified(repository / "schemas")) == CHANGED
    assert files(verified(inner)) == []


@pytest.mark.parametrize("name", ["ticket/1.0.JSON", "ticket/1.0.yaml", "deep/er/1.0.yml"])
def test_a_version_in_any_spelling_is_one_that_the_catalogue_should_name(repository: Path, name: str) -> None:
    file = repository / "schemas" / name
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    assert files(verified(repository / "schemas")) == [name]
