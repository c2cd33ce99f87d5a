"""What is checked to be a schema: the compiled engine may say so first, of nothing that jsonschema refuses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from evalcontract.catalog import default_catalogue
from evalcontract.errors import SchemaError
from evalcontract.validation.engine.fast import is_schema
from evalcontract.validation.engine.reference import check_schema
from tests.support.mutate import mutants
from tests.support.schemas import schemas, values
from tests.support.suite import FILES, groups_of

DOCUMENTS = [document for _, document in default_catalogue().documents()]
METASCHEMA = Draft202012Validator(Draft202012Validator.META_SCHEMA)
SUITE = [group["schema"] for name in FILES for group in groups_of(name) if isinstance(group["schema"], dict)]
NESTED: dict[str, Any] = {"properties": {"a": {"allOf": [{"items": {"$defs": {"b": {"minLength": 1}}}}]}}}
BROKEN = (
    {"type": "strin"}, {"type": []}, {"type": ["null", "null"]}, {"required": ["a", "a"]}, {"minLength": -1},
    {"minLength": 1.5}, {"multipleOf": 0}, {"enum": 1}, {"allOf": []}, {"properties": {"a": 1}}, {"$ref": 1},
    {"$defs": {"a": {"b": {}, "type": 7}}}, {"uniqueItems": 1}, {"pattern": 3}, {"$id": "a#b"}, {"$anchor": "1 2"},
    {"dependentRequired": {"a": "b"}}, {"description": 1}, {"examples": {}}, {"deprecated": 0}, {"maximum": "1"},
)  # fmt: skip


def placed(schema: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    return schema, {"properties": {"a": schema}}, {"$defs": {"a": {"items": {"not": schema}}}}


def test_what_the_compiled_engine_takes_is_a_schema_to_jsonschema() -> None:
    changed = [mutant.document for mutant in mutants(DOCUMENTS, DOCUMENTS, seed=6, count=600)]
    taken = [document for document in (*SUITE, *changed, NESTED) if is_schema(document)]
    assert len(taken) > 0.4 * len((*SUITE, *changed))
    assert [document for document in taken if not METASCHEMA.is_valid(document)] == []


@given(schemas)
def test_any_schema_is_one_to_both(schema: dict[str, Any]) -> None:
    assert is_schema(schema)
    assert METASCHEMA.is_valid(schema)


@given(values)
def test_any_value_that_is_taken_is_a_schema(value: Any) -> None:
    assert not is_schema(value) or METASCHEMA.is_valid(value)


@pytest.mark.parametrize("broken", [found for schema in BROKEN for found in placed(schema)], ids=str)
def test_what_is_no_schema_is_refused_wherever_it_stands(broken: dict[str, Any]) -> None:
    with pytest.raises(SchemaError, match="is not a JSON Schema: at "):
        check_schema(broken, "mine")


@pytest.mark.parametrize("pattern", [{"pattern": "("}, {"patternProperties": {"(": {}}}])
def test_a_pattern_that_is_none_is_refused_wherever_it_stands(pattern: dict[str, Any]) -> None:
    for schema in placed(pattern):
        with pytest.raises(SchemaError, match="is not a regular expression"):
            check_schema(schema, "mine")


@pytest.mark.parametrize("data", [{"pattern": "("}, {"pattern": 3}, {"patternProperties": 3}])
def test_data_that_looks_like_a_pattern_is_data(data: dict[str, Any]) -> None:
    check_schema({"const": data, "properties": {"pattern": {"default": data}}}, "mine")
