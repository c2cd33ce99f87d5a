"""Retrieval metrics over one ranked list of document ids, equal to trec_eval wherever both are defined.

`ranked_ids` is best first; `relevance` maps document ids to grades 0, 1 or 2. An id without a judgement
counts as grade 0, and so does a negative grade. A duplicate id counts once, at its first place, before the
cut-off, and is reported in the score's `details["warnings"]`. Every metric is None when nothing is relevant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from evalcontract.metrics import _ranking
from evalcontract.metrics._ranking import Gain, JudgedRanking, judge
from evalcontract.metrics._result import MetricScore, undefined

NOTHING_RELEVANT = "nothing is relevant for this query"


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


def retrieval_precision(
    ranked_ids: Sequence[str], relevance: Mapping[str, int], min_grade: int = 1
) -> MetricScore:
    """Relevant documents retrieved / documents retrieved, however many; 0 if none was. (trec_eval set_P)"""
    return precision_of_all(judge(ranked_ids, relevance), min_grade)


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
    _ranking.check_k(k)
    return _of_relevant(judged, min_grade, lambda n: _ranking.hits(judged, k, min_grade) / k)


def recall(judged: JudgedRanking, k: int, min_grade: int = 1) -> MetricScore:
    """`recall_at_k` of a judged ranking."""
    _ranking.check_k(k)
    return _of_relevant(judged, min_grade, lambda n: _ranking.hits(judged, k, min_grade) / n)


def capped_recall(judged: JudgedRanking, k: int, min_grade: int = 1) -> MetricScore:
    """`capped_recall_at_k` of a judged ranking."""
    _ranking.check_k(k)
    return _of_relevant(judged, min_grade, lambda n: _ranking.hits(judged, k, min_grade) / min(k, n))


def hit_rate(judged: JudgedRanking, k: int, min_grade: int = 1) -> MetricScore:
    """`hit_rate_at_k` of a judged ranking."""
    _ranking.check_k(k)
    return _of_relevant(judged, min_grade, lambda n: float(_ranking.hits(judged, k, min_grade) > 0))


def precision_at_r(judged: JudgedRanking, min_grade: int = 1) -> MetricScore:
    """`r_precision` of a judged ranking."""
    return _of_relevant(judged, min_grade, lambda n: _ranking.hits(judged, n, min_grade) / n)


def first_rank(judged: JudgedRanking, min_grade: int = 1) -> MetricScore:
    """`reciprocal_rank` of a judged ranking."""
    return _of_relevant(judged, min_grade, lambda n: _ranking.reciprocal_of_first(judged, min_grade))


def mean_precision(judged: JudgedRanking, min_grade: int = 1) -> MetricScore:
    """`average_precision` of a judged ranking."""
    return _of_relevant(judged, min_grade, lambda n: _ranking.mean_precision(judged, min_grade, n))


def ndcg(judged: JudgedRanking, k: int | None = None, gain: Gain = "linear") -> MetricScore:
    """`ndcg_at_k` of a judged ranking."""
    _ranking.check_gain(gain)
    if k is not None:
        _ranking.check_k(k)
    return _of_relevant(judged, 1, lambda n: _ranking.normalised_gain(judged, k, gain))


def precision_of_all(judged: JudgedRanking, min_grade: int = 1) -> MetricScore:
    """`retrieval_precision` of a judged ranking."""
    retrieved = len(judged.grades)
    return _of_relevant(
        judged, min_grade, lambda n: _ranking.hits(judged, retrieved, min_grade) / max(1, retrieved)
    )


def judged_share(judged: JudgedRanking, k: int) -> MetricScore:
    """`judged_at_k` of a judged ranking."""
    _ranking.check_k(k)
    if not judged.n_judgements:
        return undefined("no document is judged for this query")
    return MetricScore(sum(judged.judged[:k]) / k, None, _details(judged))


def empty_is_right(judged: JudgedRanking) -> MetricScore:
    """`empty_when_nothing_relevant` of a judged ranking."""
    if judged.ideal:
        return undefined("something is relevant for this query")
    return MetricScore(0.0 if judged.grades else 1.0)


def _of_relevant(judged: JudgedRanking, min_grade: int, measure: Callable[[int], float]) -> MetricScore:
    """`measure(number of relevant documents)`, or no value when there is none."""
    _ranking.check_min_grade(min_grade)
    n_relevant = judged.n_relevant(min_grade)
    if not n_relevant:
        return undefined(NOTHING_RELEVANT)
    return MetricScore(measure(n_relevant), None, _details(judged))


def _details(judged: JudgedRanking) -> Mapping[str, object]:
    if not judged.duplicates:
        return {}
    return {"warnings": ["duplicate ids counted once, at their first place"]}
