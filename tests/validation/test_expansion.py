"""Schemas that are small to write and endless to follow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.catalog import default_catalogue
from evalcontract.errors import SchemaError
from evalcontract.validation import is_valid
from evalcontract.validation.sources import from_file


def doubling(levels: int, keyword: str) -> dict[str, Any]:
    """Each level refers to the next one four times."""
    definitions: dict[str, Any] = {f"level{levels}": {"type": "object"}}
    for level in range(levels):
        definitions[f"level{level}"] = {keyword: [{"$ref": f"#/$defs/level{level + 1}"}] * 4}
    return {"$ref": "#/$defs/level0", "$defs": definitions}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf", "prefixItems"])
def test_a_schema_that_grows_by_its_references_is_refused(keyword: str) -> None:
    with pytest.raises(SchemaError, match="more than 1,000,000 subschemas"):
        is_valid({}, doubling(14, keyword))


def test_files_that_grow_by_their_references_are_refused(tmp_path: Path) -> None:
    for level in range(14):
        parts = [{"$ref": f"level{level + 1}.json"}] * 4
        (tmp_path / f"level{level}.json").write_text(json.dumps({"allOf": parts}))
    (tmp_path / "level14.json").write_text("{}")
    with pytest.raises(SchemaError, match="more than 1,000,000 subschemas"):
        from_file(default_catalogue(), tmp_path / "level0.json")


def test_a_schema_that_grows_a_little_is_used() -> None:
    assert is_valid({}, doubling(4, "allOf"))
    assert not is_valid([], doubling(4, "allOf"))


def test_a_recursive_schema_is_used() -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}}
    assert is_valid({"left": {"right": {}}}, tree)
    assert not is_valid({"left": {"right": 3}}, tree)


def test_definitions_that_are_not_used_cost_nothing() -> None:
    assert is_valid({}, {"$defs": doubling(14, "allOf")["$defs"]})


def test_the_largest_contract_is_far_below_the_limit() -> None:
    for name in default_catalogue().names():
        bundle = (
            Path(str(default_catalogue().root)).parent / "generated" / "bundles" / f"{name}-1.0.schema.json"
        )
        assert isinstance(is_valid({}, json.loads(bundle.read_bytes())), bool)


def test_a_schema_of_countless_parts_is_refused_before_it_is_checked() -> None:
    with pytest.raises(SchemaError, match="is too large for a schema"):
        is_valid({}, {"properties": {f"p{at}": {} for at in range(50_000)}})
    assert is_valid(49_999, {"enum": list(range(50_000))})
