"""From the shapes that data comes in to rankings and judgements, and whole runs over many queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from evalcontract.errors import MetricTypeError, MetricValueError
from evalcontract.metrics import retrieval
from evalcontract.metrics._result import Aggregate, MetricScore, aggregate

Ties = Literal["id", "trec"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ids ordered by score; `tied` counts the ids that share their score with another."""

    ids: tuple[str, ...]
    tied: int


def rank_by_score(scores: Mapping[str, float], ties: Ties = "id") -> Ranking:
    """Rank ids by score, highest first; equal scores by id ascending, or descending as trec_eval does
    (`ties="trec"`).

    Raises MetricValueError for a NaN or infinite score, MetricTypeError for an id that isn't a string.
    """
    if ties not in ("id", "trec"):
        raise MetricValueError(f"unknown order of ties {ties!r}", hint='ties is "id" or "trec"')
    for id_, score in scores.items():
        if not isinstance(id_, str):
            raise MetricTypeError(f"document ids are strings, not {type(id_).__name__}")
        if not isinstance(score, int | float) or isinstance(score, bool):
            raise MetricTypeError(f"the score of {id_!r} must be a number, not {type(score).__name__}")
        if not isfinite(score):
            raise MetricValueError(f"the score of {id_!r} is {score}", hint="scores must be finite")
    by_id = sorted(scores, reverse=ties == "trec")
    ids = tuple(sorted(by_id, key=lambda id_: -scores[id_]))
    return Ranking(ids, sum(n for n in Counter(scores.values()).values() if n > 1))


def relevance_by_id(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """`[{"document_id": ..., "relevance": ...}]` as `{document_id: relevance}`; a duplicate id is a
    MetricValueError.
    """
    relevance: dict[str, int] = {}
    for row in rows:
        id_ = row["document_id"]
        if id_ in relevance:
            raise MetricValueError(
                f"the ground truth judges document {id_!r} twice", hint="keep one judgement per document"
            )
        relevance[id_] = row["relevance"]
    return relevance


def chunks_to_documents(ranked_ids: Iterable[str], separator: str = "#") -> list[str]:
    """Cut the chunk suffix off each id ("doc#3" becomes "doc"); the metrics then count each document once."""
    if not separator:
        raise MetricValueError("the separator of chunk ids is empty")
    return [id_.partition(separator)[0] or id_ for id_ in ranked_ids]


@dataclass(frozen=True, slots=True)
class RunScores:
    """Every retrieval metric for every query of the ground truth, and their means."""

    by_query: Mapping[str, Mapping[str, MetricScore]]
    means: Mapping[str, Aggregate]
    missing: tuple[str, ...]
    """Queries of the ground truth that the run lacks; they score 0."""
    extra: tuple[str, ...]
    """Queries of the run that the ground truth doesn't know; they are ignored."""


def score_run(
    rankings: Mapping[str, Sequence[str]],
    relevance: Mapping[str, Mapping[str, int]],
    ks: Sequence[int] = (1, 5, 10),
    min_grade: int = 1,
    gain: retrieval.Gain = "linear",
) -> RunScores:
    """Score the rankings of many queries; the queries of the ground truth are the denominator.

    Names are `precision_at_5`, ..., and `reciprocal_rank`, `average_precision`, `r_precision`, `ndcg` for the
    whole list.
    """
    if not relevance:
        raise MetricValueError("the ground truth has no query")
    by_query = {
        query: score_ranking(rankings.get(query, ()), judgements, ks, min_grade, gain)
        for query, judgements in relevance.items()
    }
    names = next(iter(by_query.values()))
    means = {name: aggregate(scores[name] for scores in by_query.values()) for name in names}
    missing = tuple(sorted(query for query in relevance if query not in rankings))
    extra = tuple(sorted(query for query in rankings if query not in relevance))
    return RunScores(by_query, means, missing, extra)


def score_ranking(
    ranked_ids: Sequence[str],
    relevance: Mapping[str, int],
    ks: Sequence[int] = (1, 5, 10),
    min_grade: int = 1,
    gain: retrieval.Gain = "linear",
) -> dict[str, MetricScore]:
    """All retrieval metrics of one query, judged once."""
    judged = retrieval.judge(ranked_ids, relevance)
    scores: dict[str, MetricScore] = {}
    for k in ks:
        scores[f"precision_at_{k}"] = retrieval.precision(judged, k, min_grade)
        scores[f"recall_at_{k}"] = retrieval.recall(judged, k, min_grade)
        scores[f"hit_rate_at_{k}"] = retrieval.hit_rate(judged, k, min_grade)
        scores[f"ndcg_at_{k}"] = retrieval.ndcg(judged, k, gain)
    scores["reciprocal_rank"] = retrieval.first_rank(judged, min_grade)
    scores["average_precision"] = retrieval.mean_precision(judged, min_grade)
    scores["r_precision"] = retrieval.precision_at_r(judged, min_grade)
    scores["ndcg"] = retrieval.ndcg(judged, None, gain)
    return scores
