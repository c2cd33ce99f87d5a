"""Schemas as people have them: one definition, folders, commits, archives."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.evolution.support import breaking, commit_all, git, write_json
from tests.support.cli import run


def test_one_definition_is_compared_alone(histories: Path) -> None:
    name = "#/definitions/Tool"
    done = breaking(f"mcp/2025-03-26.json{name}", f"mcp/2024-11-05.json{name}")
    assert done.code == 0
    assert done.out.startswith(
        f"mcp/2025-03-26.json{name} against mcp/2024-11-05.json{name}: backward broken"
    )
    missing = breaking("mcp/2025-03-26.json#/definitions/Tol", f"mcp/2024-11-05.json{name}")
    assert missing.code == 2
    assert "has no definition #/definitions/Tol" in missing.err


def folders(root: Path) -> None:
    text: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
    for version in ("v1", "v2"):
        write_json(root / version / "same.json", text)
        write_json(root / version / "deep" / "one.json", text)
        write_json(root / version / "data.json", {"no": "schema"})
    write_json(root / "v1" / "gone.json", text)
    write_json(root / "v2" / "deep" / "one.json", text | {"required": ["a"]})


def test_folders_are_compared_file_by_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folders(tmp_path)
    done = breaking("v2", "v1")
    assert done.code == 1
    assert "v2/deep/one.json against v1/deep/one.json: backward broken, forward proved" in done.out
    assert (
        "v2/same.json against v1/same.json: backward proved, forward proved; no new number needed" in done.out
    )
    assert "v2/gone.json (which is gone) against v1/gone.json: backward broken" in done.out
    assert "data.json" not in done.out


def test_a_commit_is_compared_with_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q", "-b", "main")
    folders(tmp_path)
    shutil.move(tmp_path / "v1", tmp_path / "schemas")
    commit_all(tmp_path, "First")
    git(tmp_path, "tag", "first")
    shutil.rmtree(tmp_path / "schemas")
    shutil.move(tmp_path / "v2", tmp_path / "schemas")
    commit_all(tmp_path, "Second")
    for new, old in (
        ("HEAD:schemas/deep/one.json", "first:schemas/deep/one.json"),
        ("schemas/deep/one.json", "first:schemas/deep/one.json"),
        ("schemas/deep/one.json", "first"),
        ("HEAD:schemas/", "first:schemas/"),
        ("schemas", "first"),
    ):
        done = breaking(new, old)
        assert (done.code, done.err) == (1, ""), (new, old)
        assert "REQUIRED_NO_ADD at /a" in done.out
    folder = breaking("HEAD:schemas/", "first:schemas/").out
    assert "schemas/deep/one.json (HEAD) against schemas/deep/one.json (first): backward broken" in folder
    assert "one.json (HEAD) requires 'a', one.json (first) does not" in folder
    assert "schemas/gone.json (HEAD) (which is gone) against schemas/gone.json (first)" in folder
    assert breaking("HEAD:schemas/none.json", "first:schemas/deep/one.json").code == 2
    assert breaking("HEAD:../x.json", "first:schemas/deep/one.json").code == 2


def test_an_archive_is_compared_with_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folders(tmp_path)
    for version in ("v1", "v2"):
        with zipfile.ZipFile(f"some-{version}-py3-none-any.whl", "w") as archive:
            for file in (tmp_path / version).rglob("*.json"):
                archive.write(file, f"some/schemas/{file.relative_to(tmp_path / version)}")
            archive.writestr("../../escaped.json", "{}")
    old, new = ("some-v1-py3-none-any.whl:some/schemas", "some-v2-py3-none-any.whl:some/schemas")
    done = breaking(new, old)
    assert done.code == 1
    assert "REQUIRED_NO_ADD at /a" in done.out
    one = breaking(f"{new}/deep/one.json", f"{old}/deep/one.json")
    assert one.out.startswith("some-v2-py3-none-any.whl:some/schemas/deep/one.json against")
    assert not (tmp_path.parent / "escaped.json").exists()
    missing = breaking(f"{new}/none.json", f"{old}/deep/one.json")
    assert missing.code == 2
    assert "holds no schema under some/schemas/none.json" in missing.err


def test_references_by_absolute_identifier_are_found_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    part = {"$id": "https://x.example/parts/name", "type": "string"}
    write_json(tmp_path / "parts" / "whatever.json", part)
    root = {"$id": "https://x.example/root", "type": "object", "properties": {"a": {"$ref": part["$id"]}}}
    write_json(tmp_path / "old.json", root)
    write_json(tmp_path / "new.json", json.loads(json.dumps(root | {"required": ["a"]})))
    done = breaking("new.json", "old.json")
    assert (done.code, done.err) == (1, "")
    assert "REQUIRED_NO_ADD at /a" in done.out


def spec(folder: Path, *, shortest: int = 0, key: str = "a") -> None:
    """Schemas that refer to one another by `$id`, to a file above them, and one that refers to nothing."""
    base = "https://x.example/spec"
    write_json(folder / "base.json", {"$id": f"{base}/1-0/base", "type": "string", "minLength": shortest})
    refers = {"type": "object", "properties": {key: {"$ref": f"{base}/1-0/base"}}}
    write_json(folder / "facets" / "named.json", {"$id": f"{base}/facets/named", **refers})
    write_json(
        folder / "facets" / "lying.json", {"type": "object", "properties": {"a": {"$ref": "../base.json"}}}
    )
    lost = {"type": "object", "properties": {"a": {"$ref": "https://elsewhere.example/x"}}}
    write_json(folder / "facets" / "lost.json", lost)


def test_a_folder_is_compared_with_all_that_its_files_refer_to_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    spec(tmp_path / "v1")
    spec(tmp_path / "v2", shortest=2)
    done = breaking("v2", "v1")
    assert done.code == 1
    assert "v2/facets/named.json against v1/facets/named.json: backward broken" in done.out
    assert "v2/facets/lying.json against v1/facets/lying.json: backward broken" in done.out
    assert (
        "v2/facets/lost.json against v1/facets/lost.json: backward not settled, forward not settled"
        in done.out
    )
    assert (
        "backward not settled: v1/facets/lost.json refers to 'https://elsewhere.example/x', which" in done.out
    )
    difference = run("schema", "diff", "v1", "v2")
    assert (difference.code, difference.err) == (0, "")
    assert (
        "v1/facets/lost.json -> v2/facets/lost.json: can't be compared: v1/facets/lost.json ref"
        in difference.out
    )


def test_a_file_that_cannot_be_compared_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    spec(tmp_path / "v1")
    spec(tmp_path / "v2")
    done = breaking("v2", "v1")
    assert done.code == 3
    assert "undecided, which counts as breaking" in done.out


def test_folders_of_referred_schemas_are_taken_as_they_were_at_the_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q", "-b", "main")
    spec(tmp_path / "spec")
    commit_all(tmp_path, "First")
    spec(tmp_path / "spec", shortest=2)
    for new, old in (
        ("spec/facets/named.json", "HEAD:spec/facets/named.json"),
        ("spec/facets/named.json", "HEAD"),
    ):
        done = breaking(new, old, "--schemas", "spec")
        assert (done.code, done.err) == (1, "")
        assert "BOUND_NO_TIGHTEN at /a" in done.out
    alone = breaking("spec/facets/named.json", "HEAD")
    assert (alone.code, "which is not known here" in alone.err) == (2, True)


def test_a_file_of_a_wheel_refers_to_what_the_wheel_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for version, shortest in (("v1", 0), ("v2", 2)):
        spec(tmp_path / version, shortest=shortest)
        with zipfile.ZipFile(f"some-{version}-py3-none-any.whl", "w") as archive:
            for file in (tmp_path / version).rglob("*.json"):
                archive.write(file, f"some/{file.relative_to(tmp_path / version)}")
    inside = "py3-none-any.whl:some/facets/named.json"
    done = breaking(f"some-v2-{inside}", f"some-v1-{inside}")
    assert (done.code, done.err) == (1, "")
    assert "BOUND_NO_TIGHTEN at /a" in done.out


def test_a_part_anywhere_in_a_document_is_compared_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for version, lowest in (("v1", 0), ("v2", 1)):
        pet = {"type": "object", "properties": {"age": {"$ref": "#/components/schemas/Age"}}}
        broken = {"$ref": "#/components/schemas/Nothing"}
        schemas = {"Pet": pet, "Age": {"type": "integer", "minimum": lowest}, "Broken": broken}
        write_json(tmp_path / f"{version}.json", {"openapi": "3.1.0", "components": {"schemas": schemas}})
    done = breaking("v2.json#/components/schemas/Pet", "v1.json#/components/schemas/Pet")
    assert (done.code, done.err) == (1, "")
    assert "BOUND_NO_TIGHTEN at /age" in done.out
    assert "v1.json#/components/schemas/Age/minimum -> v2.json#/components/schemas/Age/minimum" in done.out
