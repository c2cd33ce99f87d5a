"""A schema rewritten for speed accepts what it accepted before, and where numbers are bounded no large ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalcontract.catalog import default_catalogue
from evalcontract.catalog.keywords import INDEPENDENT
from evalcontract.reading.strict import MAX_SAFE_INTEGER
from evalcontract.validation.compiled import CompiledContract
from evalcontract.validation.engine.dereference import dereferenced
from evalcontract.validation.engine.fast import compiled
from evalcontract.validation.engine.merging import merged
from evalcontract.validation.engine.small_numbers import narrowed
from tests.support.mutate import mutants
from tests.support.schemas import NAMES, NUMBERS, PATTERNS, TYPES, scalars, schemas, values
from tests.support.vectors import cases_of, contracts

CATALOGUE = default_catalogue()
DOCUMENTS = dict(CATALOGUE.documents())


def plain_keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Schemas that are merged and narrowed as far as can be, such as contracts are made of."""
    by_name = st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    number = st.sampled_from(NUMBERS)
    small = st.integers(0, 2)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(TYPES) | st.lists(st.sampled_from(TYPES), min_size=1, unique=True),
            "enum": st.lists(scalars, min_size=1, max_size=3),
            "const": st.sampled_from((1, True, 1.0, [1], [True], "a")),
            "properties": by_name,
            "additionalProperties": inner,
            "required": st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
            "items": inner,
            "minItems": small,
            "maxLength": small,
            "pattern": st.sampled_from(PATTERNS),
            "minimum": number,
            "maximum": number,
            "allOf": st.lists(inner, min_size=1, max_size=3),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "description": st.just("a note"),
        },
    )


PLAIN = st.recursive(st.booleans() | plain_keywords(st.booleans()), plain_keywords, max_leaves=8).filter(
    lambda schema: isinstance(schema, dict)
)
INFINITE = st.sampled_from((float("inf"), -float("inf")))
VALUES = st.lists(values | st.lists(values | INFINITE, max_size=2) | INFINITE, min_size=1, max_size=12)


def holds_small_numbers_only(value: object) -> bool:
    if isinstance(value, dict | list):
        return all(map(holds_small_numbers_only, value.values() if isinstance(value, dict) else value))
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return not number or abs(value) <= MAX_SAFE_INTEGER  # type: ignore[arg-type]


def accepting(schema: Any) -> Any:
    accepts = compiled(schema, {})
    assert accepts is not None
    return accepts


@settings(max_examples=300, deadline=None)
@given(schema=PLAIN | schemas, tried=VALUES)
@example({"allOf": [{"enum": [1]}, {"enum": [True]}]}, [1, True])
@example({"properties": {"a": {"const": 1}}, "allOf": [{"properties": {"a": {"const": True}}}]}, [{"a": 1}])
@example(
    {"allOf": [{"properties": {"a": True}, "additionalProperties": False}, {"properties": {"b": True}}]},
    [{"b": 1}],
)
@example({"allOf": [{"properties": {"a": True}}], "unevaluatedProperties": False}, [{"a": 1}, {"b": 1}])
@example({"type": ["integer", "string"], "allOf": [{"type": ["number", "string"]}]}, [1, 1.5, "a"])
def test_a_merged_schema_accepts_what_its_source_accepts(schema: dict[str, Any], tried: list[object]) -> None:
    source, target = accepting(schema), accepting(merged(schema))
    for value in tried:
        assert target(value) == source(value), value


@settings(max_examples=300, deadline=None)
@given(schema=PLAIN | schemas, tried=VALUES)
@example({"enum": [1e300, {"a": 1e300}]}, [1e300, {"a": 1e300}])
@example({"properties": {"a": {"anyOf": [{"type": "null"}, {}]}}}, [{"a": float("inf")}, {"a": [1e300]}])
@example({"minimum": 1e300}, ["a", 1e301])
def test_a_narrowed_schema_accepts_what_its_source_accepts_less_large_numbers(
    schema: dict[str, Any], tried: list[object]
) -> None:
    source, target = accepting(schema), accepting(narrowed(merged(schema)))
    for value in tried:
        assert target(value) == (source(value) and holds_small_numbers_only(value)), value


@pytest.mark.parametrize("ref", contracts(), ids=str)
def test_contracts_lose_all_of_their_inheritance_and_no_verdict(ref: Any) -> None:
    schema = dereferenced(CATALOGUE.document(ref), DOCUMENTS)
    assert schema is not None
    found = merged(schema)
    assert "allOf" not in keywords_of(found)
    assert keywords_of(found) <= INDEPENDENT
    source, target, narrow = accepting(schema), accepting(found), accepting(narrowed(found))
    documents = [case.document for case in cases_of(ref)]
    for each in [
        *documents,
        *(one.document for one in mutants(documents, DOCUMENTS.values(), seed=9, count=200)),
    ]:
        assert target(each) == source(each), each
        assert narrow(each) == (source(each) and holds_small_numbers_only(each)), each


def keywords_of(schema: Any) -> set[str]:
    if not isinstance(schema, dict):
        return set()
    found = set(schema)
    for each in (
        *schema.get("properties", {}).values(),
        *schema.get("anyOf", ()),
        schema.get("items"),
        schema.get("additionalProperties"),
    ):
        found |= keywords_of(each)
    return found


@pytest.mark.parametrize("depth", [10, 150, 200, 250, 300])
def test_a_schema_of_any_depth_gets_a_verdict(depth: int) -> None:
    schema: dict[str, Any] = {"type": "string"}
    value: object = "x"
    for _ in range(depth):
        schema = {"properties": {"a": {"allOf": [schema]}}}
        value = {"a": value}
    contract = CompiledContract("own", schema, CATALOGUE)
    accepts = contract.accepts_small_under({"type": "object"})
    assert not accepts("x")
    assert accepts(value) or depth > 10
