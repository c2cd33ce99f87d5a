from __future__ import annotations

import json
from copy import deepcopy
from keyword import kwlist, softkwlist
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel

from evalcontract.catalog import default_catalogue
from tests.support.projects import PROJECT

PROFILE = Draft202012Validator(json.loads((PROJECT / "schemas" / "authoring.json").read_bytes()))
PROSE = "A sentence that is long enough."
CONTRACT: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "https://evalcontract.example/schemas/note/1.0.json",
    "title": "Note",
    "description": PROSE,
    "type": "object",
    "allOf": [{"$ref": "../base/1.0.json"}],
    "properties": {
        "text": {"type": "string", "description": PROSE, "minLength": 1, "pattern": "^[a-z]+$"},
        "count": {"type": "integer", "description": PROSE, "minimum": 0, "maximum": 9},
        "grade": {"type": "integer", "description": PROSE, "enum": [0, 1]},
        "share": {"type": ["number", "null"], "description": PROSE, "minimum": 0, "default": None},
        "tags": {
            "type": ["array", "null"],
            "description": PROSE,
            "items": {"type": "string"},
            "default": None,
        },
        "pages": {
            "type": "array",
            "description": PROSE,
            "items": {"$ref": "../page/1.0.json"},
            "minItems": 1,
        },
        "scores": {"type": "object", "description": PROSE, "additionalProperties": {"type": "number"}},
        "page": {"$ref": "../page/1.0.json", "description": PROSE},
        "cover": {
            "anyOf": [{"$ref": "../page/1.0.json"}, {"type": "null"}],
            "description": PROSE,
            "default": None,
        },
        "anything": {"description": PROSE, "default": None},
    },
    "required": ["text", "count", "grade", "pages", "scores", "page"],
}


def test_the_profile_is_a_schema() -> None:
    Draft202012Validator.check_schema(PROFILE.schema)


def test_every_contract_keeps_the_profile() -> None:
    assert [
        str(uri) for uri, document in default_catalogue().documents() if not PROFILE.is_valid(document)
    ] == []


def test_what_the_profile_allows() -> None:
    assert list(PROFILE.iter_errors(CONTRACT)) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"$schema": "http://json-schema.org/draft-07/schema#"},
        {"$id": "http://evalcontract.example/schemas/note/1.0.json"},
        {"$id": "https://evalcontract.example/schemas/note.json"},
        {"title": "note"},
        {"description": "Short."},
        {"type": ["object", "null"]},
        {"allOf": []},
        {"allOf": [{"$ref": "../base/1.0.json"}, {"$ref": "../other/1.0.json"}]},
        {"allOf": [{"$ref": "../base.json"}]},
        {"allOf": [{"$ref": "../base/1.0.json#/properties/text"}]},
        {"allOf": [{"$ref": "https://evalcontract.example/schemas/base.json"}]},
        {"allOf": [{"$ref": "https://evalcontract.example/schemas/base/1.0.json#/$defs/a"}]},
        {"required": []},
        {"required": ["text", "text"]},
        {"additionalProperties": False},
        {"unevaluatedProperties": False},
        {"$ref": "../base/1.0.json"},
        {"$defs": {"text": {"type": "string"}}},
        {"$anchor": "note"},
        {"oneOf": [{"type": "object"}]},
        {"not": {"required": ["text"]}},
        {"if": {"required": ["text"]}},
        {"dependentRequired": {"text": ["count"]}},
        {"patternProperties": {"^x": {"type": "string"}}},
    ],
    ids=lambda changes: json.dumps(changes),
)
def test_what_the_profile_refuses_of_a_type(changes: dict[str, Any]) -> None:
    assert not PROFILE.is_valid(CONTRACT | changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"$id": "https://elsewhere.example/note/1.0.json"},
        {"allOf": [{"$ref": "https://evalcontract.example/schemas/base/1.0.json"}]},
        {"properties": {}, "required": ["text"]},
    ],
    ids=lambda changes: json.dumps(changes),
)
def test_what_contracts_of_another_layer_may(changes: dict[str, Any]) -> None:
    assert PROFILE.is_valid(CONTRACT | changes)


def test_a_type_without_a_parent_has_a_property() -> None:
    alone = {name: value for name, value in CONTRACT.items() if name != "allOf"}
    assert PROFILE.is_valid(alone)
    assert not PROFILE.is_valid(alone | {"properties": {}})


@pytest.mark.parametrize("key", ["$schema", "$id", "title", "description", "type", "properties"])
def test_what_a_type_must_have(key: str) -> None:
    assert not PROFILE.is_valid({name: value for name, value in CONTRACT.items() if name != key})


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("text", {"description": "Short."}),
        ("text", {"default": "none"}),
        ("text", {"default": None}),
        ("text", {"type": ["string", "null"]}),
        ("text", {"format": "date"}),
        ("text", {"const": "a"}),
        ("text", {"maximum": 3}),
        ("text", {"items": {"type": "string"}}),
        ("text", {"pattern": "[a-z]+"}),
        ("text", {"pattern": r"^\d+$"}),
        ("text", {"pattern": r"^\w+$"}),
        ("text", {"pattern": r"^a\b$"}),
        ("text", {"pattern": r"^\p{L}+$"}),
        ("text", {"pattern": "^(?=a)a$"}),
        ("text", {"pattern": r"^(a)\1$"}),
        ("count", {"maximum": 2**53}),
        ("count", {"minLength": 1}),
        ("grade", {"enum": [0, None]}),
        ("share", {"default": 0}),
        ("share", {"type": ["null", "number"]}),
        ("tags", {"items": {"type": ["string", "null"]}}),
        ("tags", {"items": {"type": "object"}}),
        ("tags", {"items": {"type": "array"}}),
        ("tags", {"uniqueItems": True}),
        ("tags", {"prefixItems": [{"type": "string"}]}),
        ("tags", {"contains": {"type": "string"}}),
        ("scores", {"properties": {"a": {"type": "number"}}}),
        ("scores", {"additionalProperties": False}),
        ("page", {"type": "object"}),
        ("page", {"default": None}),
        ("cover", {"anyOf": [{"type": "null"}, {"$ref": "../page/1.0.json"}]}),
        ("anything", {"default": 1}),
    ],
    ids=lambda value: value if isinstance(value, str) else json.dumps(value),
)
def test_what_the_profile_refuses_of_a_property(name: str, changes: dict[str, Any]) -> None:
    contract = deepcopy(CONTRACT)
    contract["properties"][name].update(changes)
    assert not PROFILE.is_valid(contract)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("text", "description"),
        ("count", "maximum"),
        ("tags", "items"),
        ("share", "default"),
        ("cover", "default"),
    ],
)
def test_what_a_property_must_have(name: str, key: str) -> None:
    contract = deepcopy(CONTRACT)
    del contract["properties"][name][key]
    assert not PROFILE.is_valid(contract)


PYDANTIC = {name for name in dir(BaseModel) if not name.startswith("_")}
RESERVED = sorted({*kwlist, *softkwlist, *PYDANTIC, "model_anything", "pydantic_anything"} - {"_"})


@pytest.mark.parametrize("name", RESERVED)
def test_names_that_python_or_pydantic_keeps_for_itself_are_refused(name: str) -> None:
    contract = deepcopy(CONTRACT)
    contract["properties"][name] = contract["properties"]["text"]
    assert not PROFILE.is_valid(contract)


@pytest.mark.parametrize(
    "name", ["Text", "textValue", "text-value", "2nd", "_text", "text_", "text__value", ""]
)
def test_names_that_are_not_snake_case_are_refused(name: str) -> None:
    contract = deepcopy(CONTRACT)
    contract["properties"][name] = contract["properties"]["text"]
    assert not PROFILE.is_valid(contract)
