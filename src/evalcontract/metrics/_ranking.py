"""A ranking joined with its judgements, and the values of the retrieval metrics over it.

The functions give plain floats and take for granted that something is relevant; `retrieval` wraps them.
Sums are `math.fsum`, so a value doesn't depend on the Python version.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from math import fsum, log2
from operator import mul
from typing import Literal

from evalcontract.errors import MetricTypeError, MetricValueError

Gain = Literal["linear", "exponential"]

_DISCOUNTS = [1.0 / log2(rank + 1) for rank in range(1, 1025)]
_EXPONENTIAL = (0, 1, 3)


class JudgedRanking:
    """A ranking checked, freed of duplicates and joined with its judgements, ready for any metric.

    `grades`: the grade of each ranked document, best first (0 when unjudged or negative). `judged`: whether
    it has a judgement. `ideal`: all grades above 0 in the ground truth, highest first.
    """

    __slots__ = ("duplicates", "grades", "ideal", "judged", "n_judgements")

    def __init__(self, ranked_ids: Iterable[str], relevance: Mapping[str, int]) -> None:
        ids = _checked_ids(ranked_ids)
        grades = _checked_grades(relevance)
        unique = dict.fromkeys(ids)
        self.grades: list[int] = list(map(grades.get, unique, repeat(0)))
        self.judged: list[bool] = list(map(grades.__contains__, unique))
        self.ideal: list[int] = sorted(filter(None, grades.values()), reverse=True)
        self.n_judgements = len(grades)
        self.duplicates = len(ids) - len(unique)

    def n_relevant(self, min_grade: int) -> int:
        """How many documents of the ground truth have at least `min_grade`."""
        return len(self.ideal) if min_grade == 1 else self.ideal.count(2)


def judge(ranked_ids: Iterable[str], relevance: Mapping[str, int]) -> JudgedRanking:
    """Check both sides and join them.

    Raises MetricTypeError (a TypeError) for ids that aren't strings and grades that aren't integers, and
    MetricValueError (a ValueError) for an empty id or a grade above 2.
    """
    return JudgedRanking(ranked_ids, relevance)


def hits(judged: JudgedRanking, k: int, min_grade: int) -> int:
    """Relevant documents in the top k."""
    return sum(map(min_grade.__le__, judged.grades[:k]))


def reciprocal_of_first(judged: JudgedRanking, min_grade: int) -> float:
    """1 / rank of the first relevant document, 0 if there is none."""
    for rank, grade in enumerate(judged.grades, 1):
        if grade >= min_grade:
            return 1.0 / rank
    return 0.0


def mean_precision(judged: JudgedRanking, min_grade: int, n_relevant: int) -> float:
    """Mean over all relevant documents of the precision at their rank."""
    ranks = [rank for rank, grade in enumerate(judged.grades, 1) if grade >= min_grade]
    return fsum(found / rank for found, rank in enumerate(ranks, 1)) / n_relevant


def normalised_gain(judged: JudgedRanking, k: int | None, gain: Gain) -> float:
    """DCG / ideal DCG, both cut at k."""
    return min(1.0, _dcg(judged.grades[:k], gain) / _dcg(judged.ideal[:k], gain))


def _dcg(grades: Sequence[int], gain: Gain) -> float:
    while len(grades) > len(_DISCOUNTS):
        _DISCOUNTS.append(1.0 / log2(len(_DISCOUNTS) + 2))
    gains = grades if gain == "linear" else map(_EXPONENTIAL.__getitem__, grades)
    return fsum(map(mul, gains, _DISCOUNTS))


def check_k(k: object) -> None:
    """MetricValueError unless k is an integer of at least 1."""
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise MetricValueError(f"k must be an integer of at least 1, not {k!r}")


def check_min_grade(min_grade: object) -> None:
    """MetricValueError unless min_grade is 1 or 2."""
    if min_grade not in (1, 2) or isinstance(min_grade, bool | float):
        raise MetricValueError(f"min_grade must be 1 or 2, not {min_grade!r}")


def check_gain(gain: object) -> None:
    """MetricValueError for an unknown gain."""
    if gain not in ("linear", "exponential"):
        raise MetricValueError(f"unknown gain {gain!r}", hint='gain is "linear" or "exponential"')


def _checked_ids(ranked_ids: Iterable[str]) -> list[str]:
    if isinstance(ranked_ids, str | bytes | Mapping):
        raise MetricTypeError(f"a ranking is a list of ids, not {type(ranked_ids).__name__}")
    ids = list(ranked_ids)
    if set(map(type, ids)) <= {str} and "" not in ids:
        return ids
    for position, id_ in enumerate(ids):
        if not isinstance(id_, str):
            raise MetricTypeError(f"ranked_ids[{position}] must be a string, not {type(id_).__name__}")
        if not id_:
            raise MetricValueError(f"ranked_ids[{position}] is an empty id")
    return ids


def _checked_grades(relevance: Mapping[str, int]) -> Mapping[str, int]:
    if not isinstance(relevance, Mapping):
        raise MetricTypeError(
            f"relevance maps ids to grades; it is not a {type(relevance).__name__}",
            hint="relevance_by_id() turns retrieval_ground_truth rows into that mapping",
        )
    grades = relevance.values()
    if set(map(type, relevance)) <= {str} and set(map(type, grades)) <= {int} and set(grades) <= {0, 1, 2}:
        return relevance
    checked: dict[str, int] = {}
    for id_, grade in relevance.items():
        if not isinstance(id_, str):
            raise MetricTypeError(f"document ids are strings, not {type(id_).__name__}")
        if not isinstance(grade, int) or isinstance(grade, bool):
            raise MetricTypeError(f"the grade of {id_!r} must be an integer, not {type(grade).__name__}")
        if grade > 2:
            raise MetricValueError(f"the grade of {id_!r} is {grade}", hint="map your grades to 0, 1 and 2")
        checked[id_] = max(grade, 0)
    return checked
