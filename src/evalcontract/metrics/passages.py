"""Retrieved texts against reference passages, for data without document ids.

The definitions are those of ragas' context precision and recall without a model: two texts are the same passage
when their similarity, 1 - Levenshtein distance / length of the longer one, reaches a threshold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import fsum

from evalcontract.errors import MetricTypeError, MetricValueError
from evalcontract.metrics._edits import distances
from evalcontract.metrics._result import MetricScore, undefined
from evalcontract.metrics.contexts import require_text

THRESHOLD = 0.5

NO_PASSAGES = "no reference passage is annotated"


def retrieved_text_precision(
    retrieved: Sequence[str], passages: Sequence[str] | None, threshold: float = THRESHOLD
) -> MetricScore:
    """Mean over the retrieved texts that are reference passages of the precision at their rank; 0 if none is.

    A text is a reference passage when its similarity to one is at least the threshold. None without passages. (ragas
    NonLLMContextPrecisionWithReference)
    """
    _check(retrieved, threshold)
    return precision_of(similarities(retrieved, passages or (), threshold), len(passages or ()), threshold)


def retrieved_text_recall(
    retrieved: Sequence[str], passages: Sequence[str] | None, threshold: float = THRESHOLD
) -> MetricScore:
    """Reference passages to which a retrieved text is more similar than the threshold / reference passages.

    None without passages. (ragas NonLLMContextRecall)
    """
    _check(retrieved, threshold)
    return recall_of(similarities(retrieved, passages or (), threshold), len(passages or ()), threshold)


def similarities(
    retrieved: Sequence[str], passages: Sequence[str], threshold: float = THRESHOLD
) -> list[list[float]]:
    """The similarity of each retrieved text to each passage, 0 where it can't reach the threshold."""
    return [
        [similarity(text, passage) if _may_reach(text, passage, threshold) else 0.0 for passage in passages]
        for text in retrieved
    ]


def precision_of(
    table: Sequence[Sequence[float]], n_passages: int, threshold: float = THRESHOLD
) -> MetricScore:
    """`retrieved_text_precision` of the similarities."""
    if not n_passages:
        return undefined(NO_PASSAGES)
    hits = [rank for rank, row in enumerate(table, 1) if max(row) >= threshold]
    return MetricScore(fsum(n / rank for n, rank in enumerate(hits, 1)) / len(hits) if hits else 0.0)


def recall_of(table: Sequence[Sequence[float]], n_passages: int, threshold: float = THRESHOLD) -> MetricScore:
    """`retrieved_text_recall` of the similarities."""
    if not n_passages:
        return undefined(NO_PASSAGES)
    found = sum(any(row[place] > threshold for row in table) for place in range(n_passages))
    return MetricScore(found / n_passages)


def passage_matches(
    table: Sequence[Sequence[float]], n_passages: int, threshold: float = THRESHOLD
) -> list[tuple[int | None, float | None]]:
    """The rank of the retrieved text that is most similar to each passage, and the similarity; None for none."""
    found: list[tuple[int | None, float | None]] = []
    for place in range(n_passages):
        best = max(((row[place], -rank) for rank, row in enumerate(table, 1)), default=(0.0, 0))
        found.append((-best[1], best[0]) if best[0] > threshold else (None, best[0] or None))
    return found


def similarity(left: str, right: str) -> float:
    """1 - Levenshtein distance / length of the longer text; 1 for two empty ones."""
    longer = max(len(left), len(right))
    return 1 - _distance(left, right) / longer if longer else 1.0


def _may_reach(left: str, right: str, threshold: float) -> bool:
    """Whether two texts have enough characters in common to be similar."""
    longer = max(len(left), len(right))
    if min(len(left), len(right)) < threshold * longer:
        return False
    return left == right or (Counter(left) & Counter(right)).total() >= threshold * longer


def _distance(left: str, right: str) -> int:
    """The Levenshtein distance."""
    if left == right:
        return 0
    shorter, longer = sorted((left, right), key=len)
    if not shorter:
        return len(longer)
    for last in distances(shorter, longer, anchored=True):  # noqa: B007
        pass
    return last


def _check(retrieved: Sequence[str], threshold: float) -> None:
    if isinstance(retrieved, str | bytes) or not isinstance(retrieved, Sequence):
        raise MetricTypeError(f"retrieved must be a list of texts, not {type(retrieved).__name__}")
    for number, text in enumerate(retrieved):
        require_text(text, f"retrieved[{number}]")
    if not isinstance(threshold, int | float) or isinstance(threshold, bool) or not 0 <= threshold <= 1:
        raise MetricValueError(f"the threshold must lie in 0..1, not {threshold!r}")
