"""A schema that is narrowed to small numbers accepts what it accepted before, but for large ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalcontract.catalog import default_catalogue
from evalcontract.reading.strict import MAX_SAFE_INTEGER
from evalcontract.validation.engine.dereference import dereferenced
from evalcontract.validation.engine.fast import compiled
from evalcontract.validation.engine.small_numbers import narrowed
from tests.support.mutate import mutants
from tests.support.schemas import NAMES, NUMBERS, PATTERNS, TYPES, scalars, schemas, values
from tests.support.vectors import cases_of, contracts

CATALOGUE = default_catalogue()
DOCUMENTS = dict(CATALOGUE.documents())


def plain_keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Schemas such as contracts are made of."""
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
@example({"enum": [1e300, {"a": 1e300}]}, [1e300, {"a": 1e300}])
@example({"properties": {"a": {"anyOf": [{"type": "null"}, {}]}}}, [{"a": float("inf")}, {"a": [1e300]}])
@example({"minimum": 1e300}, ["a", 1e301])
def test_a_narrowed_schema_accepts_what_its_source_accepts_less_large_numbers(
    schema: dict[str, Any], tried: list[object]
) -> None:
    source, target = accepting(schema), accepting(narrowed(schema))
    for value in tried:
        assert target(value) == (source(value) and holds_small_numbers_only(value)), value


@pytest.mark.parametrize("ref", contracts(), ids=str)
def test_a_narrowed_contract_has_its_verdict_where_numbers_are_small(ref: Any) -> None:
    schema = dereferenced(CATALOGUE.document(ref), DOCUMENTS)
    assert schema is not None
    source, narrow = accepting(schema), accepting(narrowed(schema))
    documents = [case.document for case in cases_of(ref)]
    changed = mutants(documents, DOCUMENTS.values(), seed=9, count=200)
    for document in [*documents, *(mutant.document for mutant in changed)]:
        assert narrow(document) == (source(document) and holds_small_numbers_only(document)), document
