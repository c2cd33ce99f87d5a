"""Whether one pattern implies another: against an independent engine, on all short texts of a small alphabet."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
import regress
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.evolution.comparing.automata import LAST, NotRegular, others
from evalcontract.evolution.comparing.expressions import automaton
from evalcontract.evolution.comparing.languages import refuted
from evalcontract.evolution.comparing.strings import samples

ALPHABET = "ab01-. y"
TEXTS = ["".join(letters) for length in range(5) for letters in product(ALPHABET, repeat=length)]
PATTERNS = (
    "^a$", "^[ab]$", "^(a|b)$", "b", "^a*$", "^(ab)+$", "^[0-9]+$", "^[0-9]{2,3}$", "^a|b$", "a$|^b", "^a{0,2}b?$", "",
    "^.{2}$", r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$", r"^([1-9][0-9]*|0)\.([1-9][0-9]*|0)$", "^[^a]+$", r"^\d+$",
    r"^\w*$", "^a+?$", "^(?:a|b){1,2}$", "^$", "^x?y{0}$", "[a-]", r"^[\]\-x]+$", "(a|)(b|)", "^(a|b)*1?$", "^a.*b$",
    r"^\S+$", r"^[\s\S]*$", r"^\u0061\x62$", "^(a{1,2}){2}$", "^(a+b?){2,}$",
)  # fmt: skip


def matched(pattern: str) -> frozenset[str]:
    compiled = regress.Regex(pattern, "u")
    return frozenset(text for text in TEXTS if compiled.find(text) is not None)


MATCHED = {pattern: matched(pattern) for pattern in PATTERNS}


@pytest.mark.parametrize("left", PATTERNS)
def test_what_is_implied_is_what_no_text_refutes(left: str) -> None:
    for right in PATTERNS:
        found = refuted([left], right)
        if found is None:
            assert MATCHED[left] <= MATCHED[right], (left, right)
        else:
            assert regress.Regex(left, "u").find(found) is not None
            assert regress.Regex(right, "u").find(found) is None


@pytest.mark.parametrize("left", PATTERNS[::3])
@pytest.mark.parametrize("bounds", [(0, 1), (1, 2), (2, 2), (3, float("inf")), (0, 0)])
def test_lengths_are_counted(left: str, bounds: tuple[float, float]) -> None:
    least, most = bounds
    for right in PATTERNS[::2]:
        found = refuted([left], right, least, most)
        short = {text for text in MATCHED[left] if least <= len(text) <= most}
        if found is None:
            assert short <= MATCHED[right], (left, right)
        else:
            assert least <= len(found) <= most
            assert regress.Regex(right, "u").find(found) is None


def test_all_patterns_on_the_left_count() -> None:
    assert refuted(["^a", "b$"], "^a[^]*b$".replace("[^]", "[\\s\\S]")) is None
    assert refuted(["^[ab]*$", "^[bc]*$"], "^b*$") is None
    assert refuted([], "^[a-z]+$") == ""
    assert refuted([], "^[a-z]*$", 1) == "A"


NO_TEXT = "^[^\x00-\ud7ff\ue000-\U0010ffff]$"
"""Only halves of characters are left, and no text holds these."""


def test_no_half_of_a_character_is_taken_for_a_text() -> None:
    assert refuted([NO_TEXT], "^a$") is None
    assert refuted(["^[\ud7ff-\ue001]$", "^[^\ud7ff]$"], "^a$") == "\ue000"
    assert samples("^[\ud700-\ue100]$", Random(1))
    assert all(text.encode() for seed in range(20) for text in samples("^[\ud700-\ue100]$", Random(seed)))


POINTS = st.sampled_from([0, 1, 2, 40, 41, LAST - 1, LAST])
RANGES = st.lists(st.tuples(POINTS, POINTS).map(lambda ends: (min(ends), max(ends))), max_size=4).map(tuple)


@given(RANGES)
def test_a_code_point_is_in_some_ranges_or_in_the_others(ranges: tuple[tuple[int, int], ...]) -> None:
    left = others(ranges)
    assert all(low <= high for low, high in left)
    for point in (0, 1, 2, 3, 39, 40, 41, 42, LAST - 2, LAST - 1, LAST):
        inside, outside = (any(low <= point <= high for low, high in found) for found in (ranges, left))
        assert inside is not outside


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            "(?=a)",
            "(?!a)",
            "(?<=a)b",
            r"\bx",
            r"(a)\1",
            r"\p{L}",
            "a^b",
            "a$b",
            "(^a)",
            "^(?<n>a)$",
            "^a{5000}$",
        ),
        *(r"\ud800", r"\udfff"),
    ],
)
def test_what_is_not_regular_here_is_said_to_be(pattern: str) -> None:
    with pytest.raises(NotRegular):
        automaton(pattern)


@given(st.text("ab1^$.*+?()[]{}|\\-,:dws", max_size=10), st.sampled_from(PATTERNS))
def test_any_pattern_is_read_as_another_engine_reads_it_or_not_at_all(pattern: str, other: str) -> None:
    try:
        compiled = regress.Regex(pattern, "u")
    except regress.RegressError:
        return
    try:
        one, two = refuted([pattern], other), refuted([other], pattern)
    except NotRegular:
        return
    for found, left, right in (
        (one, compiled, regress.Regex(other, "u")),
        (two, regress.Regex(other, "u"), compiled),
    ):
        if found is not None:
            assert left.find(found) is not None
            assert right.find(found) is None
    for text in TEXTS[::37]:
        here, there = compiled.find(text) is not None, text in MATCHED[other]
        assert not (one is None and here and not there)
        assert not (two is None and there and not here)
