"""Means and intervals: exact, bounded, and the same in any order."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import isfinite
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcontract.scoring import aggregate
from evalcontract.scoring.aggregate import MAX_GROUPS, Sample
from evalcontract.scoring.bootstrap import Estimate, estimates

scores = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.1, 1 / 3]))


def sample(values: Mapping[str, float | None]) -> Sample:
    """A sample of one measure, `m`; None is an item without a value."""
    made = Sample()
    for item_id, value in values.items():
        made.add(item_id, {} if value is None else {"m": value})
    return made


def estimate(values: Mapping[str, float | None]) -> Estimate:
    return estimates(sample(values).grouped())["m"]


@given(st.lists(scores, min_size=1, max_size=30))
@settings(max_examples=40, deadline=None)
def test_mean_and_interval_lie_in_0_to_1_and_the_mean_in_its_interval(values: list[float]) -> None:
    found = estimate({str(number): value for number, value in enumerate(values)})
    assert 0 <= found.mean <= 1
    assert found.mean == pytest.approx(float(sum(map(Fraction, values)) / len(values)), abs=1e-15)
    if len(values) > 1:
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.mean <= found.high <= 1
        assert min(values) - 1e-15 <= found.low
        assert found.high <= max(values) + 1e-15
        assert all(map(isfinite, (found.low, found.high)))


@given(
    st.dictionaries(st.text(min_size=1, max_size=4), st.none() | scores, min_size=1, max_size=20),
    st.randoms(),
)
@settings(max_examples=40, deadline=None)
def test_the_order_of_items_changes_nothing(values: dict[str, float | None], rng: random.Random) -> None:
    shuffled = list(values.items())
    rng.shuffle(shuffled)
    assert estimates(sample(values).grouped()) == estimates(sample(dict(shuffled)).grouped())


def test_the_order_changes_nothing_in_a_large_run_either() -> None:
    rng = random.Random(7)
    values = [(f"item {number}", rng.random()) for number in range(2 * MAX_GROUPS + 11)]
    forwards = estimate(dict(values))
    assert forwards == estimate(dict(reversed(values)))
    assert forwards.n == len(values)
    assert forwards.mean == pytest.approx(fmean(value for _, value in values), abs=1e-15)


def test_a_constant_has_no_spread_not_even_by_rounding() -> None:
    assert estimate({str(number): 0.1 for number in range(7)}) == Estimate(0.1, 7, 0.1, 0.1)


def test_one_value_has_no_interval() -> None:
    assert estimate({"a": 0.25, "b": None}) == Estimate(0.25, 1, None, None)


def test_no_value_is_no_measure() -> None:
    assert estimates(sample({"a": None}).grouped()) == {}
    assert estimates({}) == {}


def test_the_interval_is_that_of_all_resamples_of_a_small_run() -> None:
    values = [0.0, 0.2, 0.5, 0.6, 1.0]
    every = sorted(fmean(drawn) for drawn in product(values, repeat=len(values)))
    found = estimate({str(number): value for number, value in enumerate(values)})
    assert found.low == pytest.approx(every[len(every) // 40], abs=0.05)
    assert found.high == pytest.approx(every[-len(every) // 40], abs=0.05)


def test_the_interval_of_a_large_run_is_that_of_the_normal_law() -> None:
    rng = random.Random(11)
    values = {f"item {number}": rng.betavariate(2, 3) for number in range(6 * MAX_GROUPS)}
    found = estimate(dict(values))
    half = 1.96 * stdev(values.values()) / len(values) ** 0.5
    assert found.low == pytest.approx(found.mean - half, rel=0, abs=half / 7)
    assert found.high == pytest.approx(found.mean + half, rel=0, abs=half / 7)


def test_items_without_a_value_are_drawn_too() -> None:
    """With few scored items among many the interval is as wide as that of the few alone."""
    few = {str(number): number / 9 for number in range(10)}
    among_many = few | {f"without {number}": None for number in range(200)}
    alone, mixed = estimate(few), estimate(among_many)
    assert mixed.mean == alone.mean
    assert alone.low is not None
    assert mixed.low == pytest.approx(alone.low, abs=0.06)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), st.randoms())
def test_sums_of_units_are_exact_to_the_unit(values: list[float], rng: random.Random) -> None:
    total = sum(map(aggregate.whole, values))
    rng.shuffle(values)
    assert sum(map(aggregate.whole, values)) == total
    assert aggregate.mean_of(total, len(values)) == pytest.approx(fmean(values), abs=1e-15)
