"""From the shapes that data comes in to rankings and judgements, and whole runs over many queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isfinite
from typing import Any, Literal

from evalcontract.errors import MetricTypeError, MetricValueError
from evalcontract.metrics import _ranking
from evalcontract.metrics._ranking import Gain, JudgedRanking, judge
from evalcontract.metrics._result import Aggregate
from evalcontract.metrics.retrieval import NOTHING_RELEVANT

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
        id_ = row.get("document_id")
        if not isinstance(id_, str):
            raise MetricTypeError(
                f"a judgement needs a document_id that is a string, not {type(id_).__name__}"
            )
        if id_ in relevance:
            raise MetricValueError(
                f"the ground truth judges document {id_!r} twice", hint="keep one judgement per document"
            )
        relevance[id_] = row.get("relevance")  # type: ignore[assignment]  # judge() refuses what is no grade
    return relevance


def alternatives_as_one(
    ranked_ids: Iterable[str], rows: Iterable[Mapping[str, Any]]
) -> tuple[list[str], dict[str, int]]:
    """Ids and relevance in which the documents of each `alternative_group` are one document.

    `rows` are judgements of one item. A group takes the id of its first judgement and its highest grade; in
    the ranking it stands, like a document that was retrieved twice, where its first member stands.
    """
    rows = list(rows)
    relevance = relevance_by_id(rows)
    first: dict[str, str] = {}
    joined: dict[str, str] = {}
    for row in rows:
        group = row.get("alternative_group")
        if group is not None:
            joined[row["document_id"]] = first.setdefault(group, row["document_id"])
    ids = list(ranked_ids)
    if not joined:
        return ids, relevance
    judge(ids, relevance)
    merged: dict[str, int] = {}
    for id_, grade in relevance.items():
        whole = joined.get(id_, id_)
        merged[whole] = max(grade, merged.get(whole, grade))
    return [joined.get(id_, id_) for id_ in ids], merged


def chunks_to_documents(ranked_ids: Iterable[str], separator: str = "#") -> list[str]:
    """Cut the chunk suffix off each id ("doc#3" becomes "doc"); the metrics then count each document once."""
    if not separator:
        raise MetricValueError("the separator of chunk ids is empty")
    return [id_.partition(separator)[0] or id_ for id_ in ranked_ids]


@dataclass(frozen=True, slots=True)
class RunScores:
    """Every retrieval metric for every query of the ground truth, and their means.

    A value is None where nothing is relevant for the query; it is left out of the mean and counted.
    """

    by_query: Mapping[str, Mapping[str, float | None]]
    means: Mapping[str, Aggregate]
    missing: tuple[str, ...]
    """Queries of the ground truth that the run lacks; they score 0."""
    extra: tuple[str, ...]
    """Queries of the run that the ground truth doesn't know; they are ignored."""
    duplicates: int
    """Duplicate ids over all rankings; each counted once, at its first place."""


def score_run(
    rankings: Mapping[str, Sequence[str]],
    relevance: Mapping[str, Mapping[str, int]],
    ks: Sequence[int] = (1, 5, 10),
    min_grade: int = 1,
    gain: Gain = "linear",
) -> RunScores:
    """Score the rankings of many queries; the queries of the ground truth are the denominator.

    Names are `precision_at_5`, ..., and `reciprocal_rank`, `average_precision`, `r_precision` and `ndcg` for
    the whole list. The values are those of the functions for one ranking.
    """
    for name, given in (("rankings", rankings), ("relevance", relevance)):
        if not isinstance(given, Mapping):
            raise MetricTypeError(
                f"{name} are given by query, not as a {type(given).__name__}",
                hint="pass {query: ids} and {query: {id: grade}}; dict(enumerate(rankings)) names queries by number",
            )
    if not relevance:
        raise MetricValueError("the ground truth has no query")
    _ranking.check_min_grade(min_grade)
    _ranking.check_gain(gain)
    for k in ks:
        _ranking.check_k(k)
    names = _names(ks)
    nothing: dict[str, float | None] = dict.fromkeys(names)
    by_query: dict[str, Mapping[str, float | None]] = {}
    duplicates = 0
    for query, judgements in relevance.items():
        judged = judge(rankings.get(query, ()), judgements)
        duplicates += judged.duplicates
        values = _values(judged, ks, min_grade, gain)
        by_query[query] = dict(zip(names, values, strict=True)) if values else nothing
    means = {name: _mean([scores[name] for scores in by_query.values()]) for name in names}
    missing = tuple(sorted(relevance.keys() - rankings.keys()))
    extra = tuple(sorted(rankings.keys() - relevance.keys()))
    return RunScores(by_query, means, missing, extra, duplicates)


def _names(ks: Sequence[int]) -> list[str]:
    at_k = [f"{name}_at_{k}" for k in ks for name in ("precision", "recall", "hit_rate", "ndcg")]
    return [*at_k, "reciprocal_rank", "average_precision", "r_precision", "ndcg"]


def _values(judged: JudgedRanking, ks: Sequence[int], min_grade: int, gain: Gain) -> list[float | None]:
    """Values in the order of `_names`; empty when nothing has any relevance."""
    if not judged.ideal:
        return []
    n_relevant = judged.n_relevant(min_grade)
    values: list[float | None] = []
    for k in ks:
        hits = _ranking.hits(judged, k, min_grade)
        values += [hits / k, hits / n_relevant, float(hits > 0)] if n_relevant else [None] * 3
        values.append(_ranking.normalised_gain(judged, k, gain))
    if n_relevant:
        values.append(_ranking.reciprocal_of_first(judged, min_grade))
        values.append(_ranking.mean_precision(judged, min_grade, n_relevant))
        values.append(_ranking.hits(judged, n_relevant, min_grade) / n_relevant)
    else:
        values += [None] * 3
    values.append(_ranking.normalised_gain(judged, None, gain))
    return values


def _mean(values: list[float | None]) -> Aggregate:
    defined = [value for value in values if value is not None]
    rest = len(values) - len(defined)
    mean = fsum(defined) / len(defined) if defined else None
    return Aggregate(mean, len(defined), len(values), {NOTHING_RELEVANT: rest} if rest else {})
