"""Means and sums: exact, and the same in any order."""

from __future__ import annotations

import random
from fractions import Fraction
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.scoring import aggregate
from evalcontract.scoring.aggregate import Moments, Sample
from evalcontract.scoring.intervals import difference_estimate, mean_estimate

scores = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.1, 1 / 3]))


def moments(values: list[float]) -> Moments:
    made = Moments()
    for value in values:
        made.add(value)
    return made


@given(st.lists(scores, min_size=1, max_size=30), st.randoms())
def test_the_order_of_items_changes_nothing(values: list[float], rng: random.Random) -> None:
    shuffled = rng.sample(values, len(values))
    assert mean_estimate(moments(values)) == mean_estimate(moments(shuffled))
    assert difference_estimate(moments(values)) == difference_estimate(moments(shuffled))


@given(st.lists(scores, min_size=1, max_size=30))
def test_mean_and_spread_are_those_of_exact_arithmetic(values: list[float]) -> None:
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    found = moments(values)
    assert found.mean == pytest.approx(float(mean), abs=1e-15)
    assert found.variance == pytest.approx(float(sum((x - mean) ** 2 for x in exact) / len(exact)), abs=1e-15)
    assert found.largest == max(values)


def test_measures_are_kept_apart_and_none_without_a_value_is_there() -> None:
    sample = Sample()
    sample.add({"a": 1.0, "b": 0.0})
    sample.add({"a": 0.0})
    assert {name: (found.n, found.mean) for name, found in sample.moments.items()} == {
        "a": (2, 0.5),
        "b": (1, 0.0),
    }
    assert Sample().moments == {}


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), st.randoms())
def test_sums_of_units_are_exact_to_the_unit(values: list[float], rng: random.Random) -> None:
    total = sum(map(aggregate.whole, values))
    rng.shuffle(values)
    assert sum(map(aggregate.whole, values)) == total
    assert aggregate.mean_of(total, len(values)) == pytest.approx(fmean(values), abs=1e-15)
