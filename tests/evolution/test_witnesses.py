"""The pieces of the witness search: strings for patterns, and shrinking."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
import regress
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.evolution.comparing.shrink import shrink
from evalcontract.evolution.comparing.strings import samples

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.floats(-9, 9) | st.text("abc", max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=4)
    ),
    max_leaves=15,
)


@pytest.mark.parametrize(
    "pattern",
    [
        r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$",
        "^[a-z][a-z0-9]*(_[a-z0-9]+)*$",
        "^[0-9a-f]{64}$",
        "^[^a-z]{2,4}$",
        r"^\d{4}-\d\d-\d\d$",
        r"^\[[0-9]+\]$",
        "^(?:ab|cd)?e+?$",
        "^.{3}$",
        r"^\u0041\/\n?$",
        r"^[\]\-x]+$",
        "b",
        "",
        "^a|b$",
        "^[a-]$",
    ],
)
def test_samples_match_their_pattern(pattern: str) -> None:
    found = samples(pattern, Random(1))
    assert found
    assert all(regress.Regex(pattern, "u").find(each) is not None for each in found)


@pytest.mark.parametrize(
    "pattern", [r"^(?=a)b$", r"(a)\1", r"^\p{L}$", "^[a-z]{9000}$", "^" + "(" * 20 + "a*" + ")*" * 20]
)
def test_what_python_reads_otherwise_or_could_get_long_has_no_samples(pattern: str) -> None:
    assert samples(pattern, Random(1)) == []


@pytest.mark.parametrize("pattern", ["^((a{9}){9}){9}$", "^((((a*)*)*)*)*$", "^[[a]{128}$", "^(a+){9,}$"])
def test_samples_of_nested_repetition_stay_short(pattern: str) -> None:
    found = samples(pattern, Random(1))
    assert found
    assert all(len(each) <= 4_000 for each in found)


@given(st.text("ab01^$.*+?()[]{}|\\-,:=!dwsu", max_size=15))
def test_any_pattern_that_compiles_gives_matching_samples_or_none(pattern: str) -> None:
    try:
        compiled = regress.Regex(pattern, "u")
    except regress.RegressError:
        return
    assert all(compiled.find(each) is not None for each in samples(pattern, Random(1)))


@given(JSON, st.randoms(use_true_random=False))
def test_what_shrinks_still_shows_and_is_no_longer(document: Any, random: Random) -> None:
    leaf = json.dumps(document)[: random.randint(1, 4)]

    def shows(each: Any) -> bool:
        return leaf in json.dumps(each)

    small = shrink(document, shows)
    assert shows(small)
    assert len(json.dumps(small)) <= len(json.dumps(document))


def test_shrinking_drops_whatever_has_no_part_in_it() -> None:
    document = {"a": [1, {"b": "needle", "c": [None] * 9}, 3], "d": {"e": "f"}}
    assert shrink(document, lambda each: "needle" in json.dumps(each)) == {"a": [{"b": "needle"}]}
    assert shrink(document, lambda each: isinstance(each, dict) and bool(each.get("a"))) == {"a": [0]}
    assert shrink(500, lambda each: each != 0 and isinstance(each, int) and each > 99, tries=0) == 500
