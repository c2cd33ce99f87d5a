"""Which schemas are left to the fast engine: those of keywords and patterns that mean the same to both."""

from __future__ import annotations

from typing import Any

import pytest
import regress
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcontract.validation.engine.fast import quick_acceptance

REFUSED_KEYWORDS = (
    "multipleOf", "$dynamicRef", "$dynamicAnchor", "$anchor", "$vocabulary", "contentSchema", "dependencies",
    "definitions", "additionalItems", "discriminator", "nullable", "$recursiveRef", "madeUp",
)  # fmt: skip
RISKY_PATTERNS = (
    "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\bx", "\\p{L}", "[\\d]", "[^\\s]", ".", "a.c", "(?=a)", "(?!a)",
    "(?<=a)b", "(?<n>a)", "(a)\\1", "\\u0061", "\\x61", "\\n", "[a&&b]", "[a--b]", "[a~~b]", "[[a]", "[[:alpha:]",
    "é", "\\cA", "\\0", "(?i)a", "(?:(?=a)b)",
)  # fmt: skip
SAME_PATTERNS = (
    "",
    "^a$",
    "[0-9]+",
    "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$",
    "(?:a|b)*",
    "[^a-c]",
    "\\[[0-9]+\\]",
)


@pytest.mark.parametrize("keyword", REFUSED_KEYWORDS)
@pytest.mark.parametrize(
    "inside",
    [
        lambda rule: rule,
        lambda rule: {"properties": {"a": rule}},
        lambda rule: {"allOf": [{"items": {"anyOf": [True, rule]}}]},
        lambda rule: {"$defs": {"a": {"not": rule}}},
        lambda rule: {"dependentSchemas": {"a": rule}},
    ],
    ids=["root", "properties", "items", "$defs", "dependentSchemas"],
)
def test_keywords_on_which_the_engines_may_differ_go_to_the_reference_alone(
    keyword: str, inside: Any
) -> None:
    assert quick_acceptance(inside({"type": "number"}), {}) is not None
    assert quick_acceptance(inside({keyword: 1}), {}) is None
    assert quick_acceptance({}, {"urn:other": inside({keyword: 1})}) is None


def test_names_and_data_that_look_like_keywords_are_none() -> None:
    schema = {
        "properties": {"multipleOf": {"const": {"$anchor": 1}}},
        "required": ["$dynamicRef"],
        "default": {"pattern": "\\d"},
    }
    assert quick_acceptance(schema, {}) is not None


@pytest.mark.parametrize("pattern", RISKY_PATTERNS)
def test_patterns_that_the_engines_may_read_differently_go_to_the_reference_alone(pattern: str) -> None:
    assert quick_acceptance({"pattern": pattern}, {}) is None
    assert quick_acceptance({"items": {"patternProperties": {pattern: True}}}, {}) is None


@pytest.mark.parametrize("pattern", SAME_PATTERNS)
def test_plain_patterns_are_left_to_the_fast_engine(pattern: str) -> None:
    assert quick_acceptance({"pattern": pattern}, {}) is not None


PIECES = (
    "a", "b", "-", "&", "~", "^", "$", "|", "*", "+", "?", "(", "(?:", ")", "[", "[^", "]",
    "{1,2}", "{", "\\.", "\\]", "\\-", "0-9", ",", " ", "/", ":",
)  # fmt: skip
TEXTS = st.text(st.sampled_from("ab-&~^$|[].0 9\n\r\u2028é/:,{"), max_size=6)


@settings(max_examples=500, deadline=None)
@given(pattern=st.lists(st.sampled_from(PIECES), max_size=8).map("".join), texts=st.lists(TEXTS, max_size=12))
def test_a_pattern_left_to_the_fast_engine_matches_as_ecma_script_says(
    pattern: str, texts: list[str]
) -> None:
    try:
        expected = regress.Regex(pattern, "u")
    except regress.RegressError:
        return  # such a schema is refused before any verdict
    accepts = quick_acceptance({"pattern": pattern}, {})
    for text in texts if accepts else ():
        assert accepts is not None
        assert accepts(text) == (expected.find(text) is not None), text


@pytest.mark.parametrize(
    "schema",
    [
        {"$schema": "http://json-schema.org/draft-07/schema#"},
        {"items": {"$schema": "https://json-schema.org/draft/2019-09/schema", "type": "string"}},
    ],
    ids=["root", "part"],
)
def test_other_dialects_go_to_the_reference_alone(schema: dict[str, Any]) -> None:
    assert quick_acceptance(schema, {}) is None


def test_a_schema_that_the_fast_engine_cannot_compile_goes_to_the_reference_alone() -> None:
    assert quick_acceptance({"$ref": "urn:nowhere"}, {}) is None
