"""What a schema refers to is found among the files around it, and a part of a file is a schema of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.errors import CatalogError, SchemaError, UnknownContract
from evalcontract.validation import ItemChecker, SchemaSource, Told, fields_of
from evalcontract.validation.sources import from_file, from_text
from tests.support.cli import Finished, run

BASE = "https://x.example/spec"
TOOL = {"type": "object", "required": ["name"], "properties": {"name": {"$ref": "#/definitions/Name"}}}
OLDER = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "definitions": {"Name": {"type": "string", "minLength": 1}, "Tool": {"$id": "#tool", **TOOL}},
    "examples": [3],
}


def written(path: Path, document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
    return path


def pointers(source: SchemaSource, input_: Any, catalogue: Catalogue | None = None) -> list[str]:
    checker = ItemChecker(catalogue or default_catalogue(), Told(input=source))
    return [violation.pointer for violation in checker.check({"item_id": "a", "input": input_}).violations]


@pytest.mark.parametrize(
    ("fragment", "good", "bad", "place"),
    [
        ("/definitions/Tool", {"name": "a"}, {"name": ""}, "/input/name"),
        ("/definitions/Tool", {"name": "a", "b": 1}, {}, "/input/name"),
        ("tool", {"name": "a"}, {"name": 1}, "/input/name"),
    ],
)
def test_a_part_of_a_file_judges_alone(
    tmp_path: Path, fragment: str, good: Any, bad: Any, place: str
) -> None:
    file = written(tmp_path / "types.json", OLDER)
    source = from_text(default_catalogue(), f"{file}#{fragment}")
    assert source.label == f"{file}#{fragment}"
    assert pointers(source, good) == []
    assert pointers(source, bad) == [place]


def test_the_fields_of_a_part_are_those_that_it_refers_to(tmp_path: Path) -> None:
    file = written(tmp_path / "types.json", OLDER)
    source = from_text(default_catalogue(), f"{file}#/definitions/Tool")
    assert fields_of(default_catalogue(), source) == {"name"}


@pytest.mark.parametrize(
    ("fragment", "message", "hint"),
    [
        ("/definitions/Tol", "has no definition #/definitions/Tol", "did you mean #/definitions/Tool?"),
        ("/examples/0", "is not a JSON Schema: expected an object, got 3", None),
        ("/nowhere/at/all", "has no definition", "there are #/definitions/Name, #/definitions/Tool"),
        ("/definitions/Tool/required/0", "expected an object, got 'name'", None),
        ("\x1b[31m", "has no definition", "there are"),
    ],
)
def test_a_part_that_is_none_is_refused_with_those_that_there_are(
    tmp_path: Path, fragment: str, message: str, hint: str | None
) -> None:
    file = written(tmp_path / "types.json", OLDER)
    with pytest.raises(SchemaError) as caught:
        from_text(default_catalogue(), f"{file}#{fragment}")
    assert message in caught.value.message
    assert hint is None or hint in str(caught.value.hint)


def test_a_file_whose_name_has_a_number_sign_is_that_file(tmp_path: Path) -> None:
    file = written(tmp_path / "c#.json", TOOL | {"properties": {}})
    assert pointers(from_text(default_catalogue(), str(file)), {}) == ["/input/name"]


def validated(folder: Path, schema: str, *more: str) -> Finished:
    items = folder / "items.jsonl"
    items.write_text('{"item_id": "a", "input": {"name": ""}}\n')
    return run("validate", str(items), "--input-schema", schema, *more)


def test_validate_takes_a_part_of_a_file(tmp_path: Path) -> None:
    file = written(tmp_path / "types.json", OLDER)
    done = validated(tmp_path, f"{file}#/definitions/Tool")
    assert done.code == 1
    assert "/input/name" in done.out
    assert "types.json#/definitions/Tool" in done.out
    missing = validated(tmp_path, f"{file}#/definitions/Tol")
    assert (missing.code, missing.out) == (2, "")
    assert "did you mean #/definitions/Tool?" in missing.err


def spec(folder: Path, *, lowest: int = 1) -> None:
    """A folder of schemas that refer to one another by `$id`, where they don't lie."""
    name = {"$id": f"{BASE}/1-0/names", "$defs": {"Name": {"type": "string", "minLength": lowest}}}
    written(folder / "names.json", name)
    root = {
        "$id": f"{BASE}/facets/tool",
        "type": "object",
        "properties": {"name": {"$ref": f"{BASE}/1-0/names#/$defs/Name"}},
    }
    written(folder / "facets" / "tool.json", root)


def test_a_reference_by_identifier_is_found_in_the_folders_that_are_given(tmp_path: Path) -> None:
    spec(tmp_path / "spec")
    file = tmp_path / "spec" / "facets" / "tool.json"
    with pytest.raises(SchemaError, match="which is not known here"):
        from_file(default_catalogue(), file)
    catalogue = Catalogue.load(tmp_path / "spec", loose=True)
    assert pointers(from_file(catalogue, file), {"name": ""}, catalogue) == ["/input/name"]
    done = validated(tmp_path, str(file), "--schemas", str(tmp_path / "spec"))
    assert (done.code, "/input/name" in done.out) == (1, True)


def test_a_folder_without_catalogue_has_no_names_and_says_so(tmp_path: Path) -> None:
    spec(tmp_path / "spec")
    with pytest.raises(UnknownContract) as caught:
        Catalogue.load(tmp_path / "spec", loose=True).resolve("tool")
    assert f"{tmp_path / 'spec'} has no catalog.json" in str(caught.value.hint)
    written(tmp_path / "data" / "a.json", {"some": "data"})
    with pytest.raises(CatalogError, match=r"has no catalog\.json"):
        Catalogue.load(tmp_path / "data")


def test_two_files_of_one_identifier_are_refused_unless_they_are_the_same(tmp_path: Path) -> None:
    spec(tmp_path / "spec")
    spec(tmp_path / "spec" / "copy")
    catalogue = Catalogue.load(tmp_path / "spec", loose=True)
    file = tmp_path / "spec" / "facets" / "tool.json"
    assert pointers(from_file(catalogue, file), {"name": ""}, catalogue) == ["/input/name"]
    spec(tmp_path / "spec" / "other", lowest=2)
    with pytest.raises(SchemaError, match="two files have the \\$id"):
        from_file(Catalogue.load(tmp_path / "spec", loose=True), file)


def test_the_file_that_calls_itself_so_comes_before_the_one_that_lies_there(tmp_path: Path) -> None:
    root = {"$id": f"{BASE}/root.json", "properties": {"name": {"$ref": "name.json"}}}
    written(tmp_path / "root.json", root)
    written(tmp_path / "name.json", {"$id": f"{BASE}/2-0/name.json", "type": "integer"})
    strayed = from_file(default_catalogue(), tmp_path / "root.json")
    assert pointers(strayed, {"name": "a"}) == ["/input/name"]
    assert "name.json calls itself 'https://x.example/spec/2-0/name.json', and was taken" in strayed.notes[0]
    written(tmp_path / "elsewhere.json", {"$id": f"{BASE}/name.json", "type": "string"})
    source = from_file(default_catalogue(), tmp_path / "root.json")
    assert (pointers(source, {"name": "a"}), source.notes) == ([], ())


def test_what_is_wrong_with_a_schema_that_is_referred_to_is_said(tmp_path: Path) -> None:
    written(tmp_path / "root.json", {"$ref": "name.json"})
    written(tmp_path / "name.json", {"type": "strnig"})
    with pytest.raises(SchemaError, match=r"name\.json is not a JSON Schema: at /type"):
        from_file(default_catalogue(), tmp_path / "root.json")


def test_what_lies_outside_of_the_folders_is_not_read(tmp_path: Path) -> None:
    written(tmp_path / "secret.json", {"$id": f"{BASE}/secret", "type": "string"})
    inside = tmp_path / "inside"
    written(inside / "root.json", {"$ref": "../secret.json"})
    written(inside / "named.json", {"$ref": f"{BASE}/secret"})
    (inside / "link.json").symlink_to(tmp_path / "secret.json")
    for name in ("root.json", "named.json"):
        with pytest.raises(SchemaError, match="which is not known here"):
            from_file(default_catalogue(), inside / name)
