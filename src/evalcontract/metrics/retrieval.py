"""Retrieval metrics over one ranked list of document ids, equal to trec_eval wherever both are defined.

`ranked_ids` is best first; `relevance` maps document ids to grades 0, 1 or 2. An id without a judgement
counts as grade 0, and so does a negative grade. A duplicate id counts once, at its first place, before the
cut-off, and is reported in the score's `details["warnings"]`. Every metric is None when nothing is relevant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any, Literal

from evalcontract.errors import MetricTypeError, MetricValueError
from evalcontract.metrics._result import MetricScore, undefined

Gain = Literal["linear", "exponential"]

NOTHING_RELEVANT = "nothing is relevant for this query"
_DISCOUNTS = [1.0 / log2(rank + 1) for rank in range(1, 1025)]


@dataclass(frozen=True, slots=True)
class JudgedRanking:
    """A ranking checked, freed of duplicates and joined with its judgements, ready for any metric."""

    grades: Sequence[int]
    """Grade of each ranked document, best first; negative grades are 0."""
    judged: Sequence[bool]
    """Whether each ranked document has a judgement."""
    ideal: list[int]
    """All grades above 0 in the ground truth, highest first."""
    n_judgements: int
    duplicates: int

    @property
    def details(self) -> Mapping[str, Any]:
        """What a score should mention: duplicates that were counted once."""
        if not self.duplicates:
            return {}
        return {
            "warnings": [f"{self.duplicates} duplicate ids in the ranking counted once, at their first place"]
        }


def judge(ranked_ids: Iterable[str], relevance: Mapping[str, int]) -> JudgedRanking:
    """Check both sides and join them.

    Raises MetricTypeError (a TypeError) for ids that aren't strings and grades that aren't integers, and
    MetricValueError (a ValueError) for an empty id or a grade above 2.
    """
    ids = _checked_ids(ranked_ids)
    grades_by_id = _checked_grades(relevance)
    unique = list(dict.fromkeys(ids))
    return JudgedRanking(
        [grades_by_id.get(id_, 0) for id_ in unique],
        [id_ in grades_by_id for id_ in unique],
        sorted((grade for grade in grades_by_id.values() if grade), reverse=True),
        len(grades_by_id),
        len(ids) - len(unique),
    )


def precision_at_k(
    ranked_ids: Sequence[str], relevance: Mapping[str, int], k: int, min_grade: int = 1
) -> MetricScore:
    """Relevant documents in the top k / k, even when fewer than k were retrieved. (trec_eval P_k)"""
    return precision(judge(ranked_ids, relevance), k, min_grade)


def recall_at_k(
    ranked_ids: Sequence[str], relevance: Mapping[str, int], k: int, min_grade: int = 1
) -> MetricScore:
    """Relevant documents in the top k / all relevant documents. (trec_eval recall_k)"""
    return recall(judge(ranked_ids, relevance), k, min_grade)


def capped_recall_at_k(
    ranked_ids: Sequence[str], relevance: Mapping[str, int], k: int, min_grade: int = 1
) -> MetricScore:
    """Relevant documents in the top k / min(k, all relevant documents): 1 is always within reach."""
    return capped_recall(judge(ranked_ids, relevance), k, min_grade)


def hit_rate_at_k(
    ranked_ids: Sequence[str], relevance: Mapping[str, int], k: int, min_grade: int = 1
) -> MetricScore:
    """1 if any relevant document is in the top k, else 0. (trec_eval success_k)"""
    return hit_rate(judge(ranked_ids, relevance), k, min_grade)


def r_precision(ranked_ids: Sequence[str], relevance: Mapping[str, int], min_grade: int = 1) -> MetricScore:
    """Precision at R, the number of relevant documents. (trec_eval Rprec)"""
    return precision_at_r(judge(ranked_ids, relevance), min_grade)


def reciprocal_rank(
    ranked_ids: Sequence[str], relevance: Mapping[str, int], min_grade: int = 1
) -> MetricScore:
    """1 / rank of the first relevant document, 0 if none was retrieved; its mean is MRR. (trec_eval
    recip_rank)
    """
    return first_rank(judge(ranked_ids, relevance), min_grade)


def average_precision(
    ranked_ids: Sequence[str], relevance: Mapping[str, int], min_grade: int = 1
) -> MetricScore:
    """Mean over all relevant documents of the precision at their rank; its mean is MAP. (trec_eval map)"""
    return mean_precision(judge(ranked_ids, relevance), min_grade)


def ndcg_at_k(
    ranked_ids: Sequence[str], relevance: Mapping[str, int], k: int | None = None, gain: Gain = "linear"
) -> MetricScore:
    """DCG / ideal DCG, discount log2(rank + 1), cut at k (None: the whole list). (trec_eval ndcg_cut_k, ndcg)

    The gain is the grade ("linear") or 2**grade - 1 ("exponential"). The ideal order is that of all judged
    documents, retrieved or not.
    """
    return ndcg(judge(ranked_ids, relevance), k, gain)


def judged_at_k(ranked_ids: Sequence[str], relevance: Mapping[str, int], k: int) -> MetricScore:
    """Judged documents in the top k / k: tells "0 because unjudged" from "0 because bad". None without
    judgements.
    """
    return judged_share(judge(ranked_ids, relevance), k)


def empty_when_nothing_relevant(ranked_ids: Sequence[str], relevance: Mapping[str, int]) -> MetricScore:
    """For unanswerable queries: 1 if nothing was retrieved, else 0; None when something is relevant."""
    return empty_is_right(judge(ranked_ids, relevance))


def precision(judged: JudgedRanking, k: int, min_grade: int = 1) -> MetricScore:
    """`precision_at_k` of a judged ranking."""
    _check_k(k)
    if not _n_relevant(judged, min_grade):
        return undefined(NOTHING_RELEVANT)
    return MetricScore(_hits(judged, k, min_grade) / k, None, judged.details)


def recall(judged: JudgedRanking, k: int, min_grade: int = 1) -> MetricScore:
    """`recall_at_k` of a judged ranking."""
    _check_k(k)
    n_relevant = _n_relevant(judged, min_grade)
    if not n_relevant:
        return undefined(NOTHING_RELEVANT)
    return MetricScore(_hits(judged, k, min_grade) / n_relevant, None, judged.details)


def capped_recall(judged: JudgedRanking, k: int, min_grade: int = 1) -> MetricScore:
    """`capped_recall_at_k` of a judged ranking."""
    _check_k(k)
    n_relevant = _n_relevant(judged, min_grade)
    if not n_relevant:
        return undefined(NOTHING_RELEVANT)
    return MetricScore(_hits(judged, k, min_grade) / min(k, n_relevant), None, judged.details)


def hit_rate(judged: JudgedRanking, k: int, min_grade: int = 1) -> MetricScore:
    """`hit_rate_at_k` of a judged ranking."""
    _check_k(k)
    if not _n_relevant(judged, min_grade):
        return undefined(NOTHING_RELEVANT)
    return MetricScore(1.0 if _hits(judged, k, min_grade) else 0.0, None, judged.details)


def precision_at_r(judged: JudgedRanking, min_grade: int = 1) -> MetricScore:
    """`r_precision` of a judged ranking."""
    n_relevant = _n_relevant(judged, min_grade)
    return precision(judged, n_relevant, min_grade) if n_relevant else undefined(NOTHING_RELEVANT)


def first_rank(judged: JudgedRanking, min_grade: int = 1) -> MetricScore:
    """`reciprocal_rank` of a judged ranking."""
    if not _n_relevant(judged, min_grade):
        return undefined(NOTHING_RELEVANT)
    for rank, grade in enumerate(judged.grades, 1):
        if grade >= min_grade:
            return MetricScore(1.0 / rank, None, judged.details)
    return MetricScore(0.0, None, judged.details)


def mean_precision(judged: JudgedRanking, min_grade: int = 1) -> MetricScore:
    """`average_precision` of a judged ranking."""
    n_relevant = _n_relevant(judged, min_grade)
    if not n_relevant:
        return undefined(NOTHING_RELEVANT)
    hits, total = 0, 0.0
    for rank, grade in enumerate(judged.grades, 1):
        if grade >= min_grade:
            hits += 1
            total += hits / rank
    return MetricScore(min(1.0, total / n_relevant), None, judged.details)


def ndcg(judged: JudgedRanking, k: int | None = None, gain: Gain = "linear") -> MetricScore:
    """`ndcg_at_k` of a judged ranking."""
    if k is not None:
        _check_k(k)
    if gain not in ("linear", "exponential"):
        raise MetricValueError(f"unknown gain {gain!r}", hint='gain is "linear" or "exponential"')
    if not judged.ideal:
        return undefined(NOTHING_RELEVANT)
    exponential = gain == "exponential"
    ideal = _dcg(judged.ideal[:k], exponential)
    return MetricScore(min(1.0, _dcg(judged.grades[:k], exponential) / ideal), None, judged.details)


def judged_share(judged: JudgedRanking, k: int) -> MetricScore:
    """`judged_at_k` of a judged ranking."""
    _check_k(k)
    if not judged.n_judgements:
        return undefined("no document is judged for this query")
    return MetricScore(sum(judged.judged[:k]) / k, None, judged.details)


def empty_is_right(judged: JudgedRanking) -> MetricScore:
    """`empty_when_nothing_relevant` of a judged ranking."""
    if judged.ideal:
        return undefined("something is relevant for this query")
    return MetricScore(0.0 if judged.grades else 1.0)


def _hits(judged: JudgedRanking, k: int, min_grade: int) -> int:
    return sum(1 for grade in judged.grades[:k] if grade >= min_grade)


def _n_relevant(judged: JudgedRanking, min_grade: int) -> int:
    if min_grade not in (1, 2) or isinstance(min_grade, bool):
        raise MetricValueError(f"min_grade must be 1 or 2, not {min_grade!r}")
    return len(judged.ideal) if min_grade == 1 else judged.ideal.count(2)


def _dcg(grades: Sequence[int], exponential: bool) -> float:
    while len(grades) > len(_DISCOUNTS):
        _DISCOUNTS.append(1.0 / log2(len(_DISCOUNTS) + 2))
    total = 0.0
    for grade, discount in zip(grades, _DISCOUNTS, strict=False):
        if grade:
            total += (2**grade - 1 if exponential else grade) * discount
    return total


def _check_k(k: int) -> None:
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise MetricValueError(f"k must be an integer of at least 1, not {k!r}")


def _checked_ids(ranked_ids: Iterable[str]) -> list[str]:
    if isinstance(ranked_ids, str | bytes | Mapping):
        raise MetricTypeError(f"a ranking is a list of ids, not {type(ranked_ids).__name__}")
    ids = list(ranked_ids)
    for position, id_ in enumerate(ids):
        if not isinstance(id_, str):
            raise MetricTypeError(f"ranked_ids[{position}] must be a string, not {type(id_).__name__}")
        if not id_:
            raise MetricValueError(f"ranked_ids[{position}] is an empty id")
    return ids


def _checked_grades(relevance: Mapping[str, int]) -> dict[str, int]:
    if not isinstance(relevance, Mapping):
        raise MetricTypeError(
            f"relevance maps ids to grades; it is not a {type(relevance).__name__}",
            hint="relevance_by_id() turns retrieval_ground_truth rows into that mapping",
        )
    grades: dict[str, int] = {}
    for id_, grade in relevance.items():
        if not isinstance(id_, str):
            raise MetricTypeError(f"document ids are strings, not {type(id_).__name__}")
        if not isinstance(grade, int) or isinstance(grade, bool):
            raise MetricTypeError(f"the grade of {id_!r} must be an integer, not {type(grade).__name__}")
        if grade > 2:
            raise MetricValueError(
                f"the grade of {id_!r} is {grade}", hint="grades are 0, 1 and 2: map yours to them"
            )
        grades[id_] = max(grade, 0)
    return grades
