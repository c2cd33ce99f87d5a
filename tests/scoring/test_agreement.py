"""Agreement of evaluators, against the packages that people use."""

from __future__ import annotations

from math import isnan, nan
from typing import Any
from warnings import catch_warnings, simplefilter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.errors import UsageError
from evalcontract.scoring.agreement import agreement

krippendorff = pytest.importorskip("krippendorff")
sklearn_metrics = pytest.importorskip("sklearn.metrics")

LABELS, VALUES = ("a", "b", "c"), (0.0, 0.25, 0.5, 1.0)


def records(ratings: dict[tuple[int, int], Any], key: str) -> list[dict[str, Any]]:
    return [
        {"item_id": f"i{item}", "scores": {"m": {key: rating, "evaluator": f"e{by}"}}}
        for (item, by), rating in ratings.items()
    ]


@pytest.mark.parametrize("key", ["label", "value"])
@given(data=st.data())
def test_alpha_and_kappa_are_those_of_other_packages(key: str, data: st.DataObject) -> None:
    kinds = LABELS if key == "label" else VALUES
    places = st.tuples(st.integers(0, 9), st.integers(0, 3))
    ratings = data.draw(st.dictionaries(places, st.sampled_from(kinds), max_size=25))
    found = agreement(records(ratings, key))
    assert len(found) == (len({by for _, by in ratings}) > 1)
    for result in found:
        numbers = {
            place: kinds.index(rating) if key == "label" else rating for place, rating in ratings.items()
        }
        matrix = [[numbers.get((item, by), nan) for item in range(10)] for by in range(4)]
        level = "nominal" if key == "label" else "interval"
        with catch_warnings():
            simplefilter("ignore", RuntimeWarning)  # of ratings that are all the same
            try:
                expected = float(krippendorff.alpha(reliability_data=matrix, level_of_measurement=level))
            except ValueError:  # nothing to compare
                expected = nan
        assert result.alpha == (None if isnan(expected) else pytest.approx(expected, abs=1e-9))
        for pair in result.pairs:
            first, second = int(pair.first[1]), int(pair.second[1])
            both = [item for item in range(10) if (item, first) in ratings and (item, second) in ratings]
            assert pair.n == len(both)
            if pair.kappa is not None:
                sides = [[str(ratings[item, by]) for item in both] for by in (first, second)]
                assert pair.kappa == pytest.approx(sklearn_metrics.cohen_kappa_score(*sides), abs=1e-9)


@given(st.lists(st.tuples(st.sampled_from(VALUES), st.sampled_from(VALUES)), min_size=1, max_size=20))
def test_a_judge_is_held_against_people(pairs: list[tuple[float, float]]) -> None:
    ratings = {(item, by): pair[by] for item, pair in enumerate(pairs) for by in (0, 1)}
    (result,) = agreement(records(ratings, "value"), reference="e1", threshold=0.5)
    (judge,) = result.judges
    found, wanted = ([pair[side] >= 0.5 for pair in pairs] for side in (0, 1))
    for ours, theirs, any_ in (
        (judge.precision, sklearn_metrics.precision_score, found),
        (judge.recall, sklearn_metrics.recall_score, wanted),
    ):
        assert ours == (pytest.approx(theirs(wanted, found)) if any(any_) else None)


def test_values_of_many_kinds_are_no_categories() -> None:
    ratings = {(item, by): (item + by) / 30 for item in range(20) for by in (0, 1)}
    (result,) = agreement(records(ratings, "value"))
    assert result.pairs[0].kappa is None
    assert result.alpha is not None


def test_a_reference_that_rated_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="rated nothing") as caught:
        agreement(records({(0, 0): 1.0, (0, 1): 0.5}, "value"), reference="anna")
    assert caught.value.hint == "there are e0, e1"


def test_one_evaluator_rates_a_unit_once() -> None:
    twice = records({(0, 0): 1.0}, "value") * 2
    with pytest.raises(UsageError, match="twice"):
        agreement(twice)
