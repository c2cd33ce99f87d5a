"""Patterns of schemas: ECMAScript's meaning, in bounded time whatever the pattern and the text."""

from __future__ import annotations

from typing import Any

import pytest
import regress
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcontract.catalog import default_catalogue
from evalcontract.errors import SchemaError
from evalcontract.validation import CompiledContract
from evalcontract.validation.engine.patterns import PatternUndecided, compiled_pattern
from evalcontract.validation.engine.reference import check_schema

ONE_CHARACTER = (
    "a", "b", "-", "é", "~", "#", " ", '"', "&", ".", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\n", r"\t", r"\.",
    r"\/", r"\0", r"\cA", r"\x41", r"\u0061", r"\u{1F600}", r"\ud83d\ude00", r"\p{L}", r"\P{Lu}", "[a-c]", "[^a]",
    r"[\d-]", r"[^\w-]", r"[^\S-]", "[]", "[^]", r"[\ud7ff-\ue000]", "[a&&b]", "[[a]", "[(?=]", "[{1}]", r"[\]\b]",
    r"[\p{Lu}\b]", r"[^\p{Lu}\W]", "[ -~]", "[a~~b]", r"[\^-]",
)  # fmt: skip
ASSERTIONS = ("^", "$", r"\b", r"\B", "(?=a)", "(?!a)", "(?<=a)", "(?<!b)", "(?=.*-)")
QUANTIFIERS = ("", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "*?", "+?")
TEXTS = st.text(alphabet="abcA019_-.~&#é \n\r\t\u2028\u00a0\ufeff\U0001f600[]^({\"'\\", max_size=6)


def patterns() -> st.SearchStrategy[str]:
    atoms = st.tuples(st.sampled_from(ONE_CHARACTER), st.sampled_from(QUANTIFIERS)).map("".join)
    return st.recursive(
        atoms | st.sampled_from(ASSERTIONS),
        lambda inner: st.one_of(
            st.tuples(inner, atoms).map("".join),
            st.tuples(atoms, inner).map("|".join),
            inner.map("({})".format),
            inner.map("(?:{})".format),
            inner.map(lambda text: text if "<name>" in text else f"(?<name>{text})"),
        ),
        max_leaves=6,
    )


@settings(max_examples=200)
@given(patterns(), TEXTS)
def test_a_pattern_is_found_where_ecmascript_finds_it(pattern: str, text: str) -> None:
    assert compiled_pattern(pattern).is_in(text) == (regress.Regex(pattern, "u").find(text) is not None)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("^(a+)+$", "a" * 100_000 + "!"),
        ("^(a|a)*$", "a" * 100_000 + "!"),
        ("(x+x+)+y", "x" * 100_000),
        ("[0-9]+x", "1" * 1_000_000),
        (r"^(\w+\s?)*$", "word " * 20_000 + "!"),
        (r"^(\p{L}+)+$", "é" * 100_000 + "!"),
    ],
)
def test_a_catastrophic_pattern_takes_linear_time(pattern: str, text: str) -> None:
    assert not compiled_pattern(pattern).is_in(text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [(r"^(?:(?=a)a|a)*b$", "a" * 5_000), (r"^(?!.*--)[a-z-]+$", "a" * 20_001)],
)
def test_a_pattern_that_looks_around_gives_up_rather_than_run_on(pattern: str, text: str) -> None:
    with pytest.raises(PatternUndecided):
        compiled_pattern(pattern).is_in(text)


def contract(schema: dict[str, Any]) -> CompiledContract:
    check_schema(schema, "the schema")
    return CompiledContract("own", schema, default_catalogue())


@pytest.mark.parametrize("wrap", [lambda schema: schema, lambda schema: {"not": schema}])
def test_what_is_not_decided_is_refused(wrap: Any) -> None:
    schema = wrap({"properties": {"a": {"pattern": r"^(?:(?=a)a|a)*b$"}}})
    found = [each.code for each in contract(schema).violations({"a": "a" * 5_000})]
    assert found == ["pattern-undecided"]


@pytest.mark.parametrize("pattern", [r"(a)\1", r"(?<n>a)\k<n>", "(?i:a)", "(.{1,1000}){1,1000}"])
def test_a_pattern_without_a_bound_is_refused_before_any_text(pattern: str) -> None:
    with pytest.raises(SchemaError, match=refusal_of(pattern)):
        check_schema({"pattern": pattern}, "the schema")


def refusal_of(pattern: str) -> str:
    """Older releases of the engine know fewer expressions, and what they don't know has no bound either."""
    try:
        regress.Regex(pattern, "u")
    except regress.RegressError:
        return "is not a regular expression"
    return "can't be matched in bounded time"


def test_a_pattern_of_any_length_is_refused_at_once() -> None:
    with pytest.raises(SchemaError, match="a pattern of 10,000,000 characters"):
        check_schema({"pattern": "x" * 10_000_000}, "the schema")


@pytest.mark.parametrize("pattern", [r"^\p{L}+$", r"\u{1F600}", "(?<name>a)", "[^]"])
def test_patterns_that_only_ecmascript_knows_are_taken(pattern: str) -> None:
    check_schema({"pattern": pattern, "patternProperties": {pattern: {}}}, "the schema")


@pytest.mark.parametrize("schema", [{"pattern": "("}, {"patternProperties": {"(?P<n>a)": {}}}])
def test_what_is_no_pattern_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaError, match="is not a regular expression"):
        check_schema(schema, "the schema")


@pytest.mark.parametrize("keyword", ["additionalProperties", "unevaluatedProperties"])
def test_which_keys_are_left_over_is_decided_as_ecmascript_does(keyword: str) -> None:
    closed = contract({"patternProperties": {r"^\p{Lu}+$": {}, r"^\d$": {}}, keyword: False})
    assert [list(closed.violations(each)) for each in ({"É": 1}, {"7": 1}, {})] == [[], [], []]
    assert [each.code for each in closed.violations({"é": 1})] == ["unknown-key"]
    assert [each.code for each in closed.violations({"٣": 1})] == ["unknown-key"]  # a digit to Python's \d
