"""What a metric returns, and what many of them add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import fsum
from typing import Any

from evalcontract.errors import MetricValueError

_NO_DETAILS: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class MetricScore:
    """One measured value in [0, 1], or None with the reason why there is none.

    0 means measured and bad; None means not annotated or undefined. `details` is plain JSON data.
    """

    value: float | None
    reason: str | None = None
    details: Mapping[str, Any] = field(default_factory=lambda: _NO_DETAILS)

    def __post_init__(self) -> None:
        if self.value is None:
            if not self.reason:
                raise MetricValueError("a score without a value needs a reason")
        elif not 0.0 <= self.value <= 1.0:  # also catches NaN
            raise MetricValueError(f"a score must lie in 0..1, not {self.value!r}")


def undefined(reason: str, **details: Any) -> MetricScore:
    """A score that doesn't apply: it is left out of the mean and counted."""
    return MetricScore(None, reason, details)


TEXTS_UNKNOWN = "no text of the documents it rests on is known"


def rests_on(known: int, unknown: int, things: str) -> str | None:
    """Why a score covers a part only: "known text: 2 of 3 quotes"; None when nothing is unknown."""
    return f"known text: {known} of {known + unknown} {things}" if unknown else None


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The mean over the scores that have a value, and what became of the others.

    `mean` is None when nothing could be scored; `reasons` counts why the rest has no value.
    """

    mean: float | None
    n_scored: int
    n_total: int
    reasons: Mapping[str, int]


def aggregate(scores: Iterable[MetricScore]) -> Aggregate:
    """Mean of the defined values; undefined ones are counted by reason, never taken as 0."""
    values: list[float] = []
    reasons: Counter[str] = Counter()
    for score in scores:
        if score.value is None:
            reasons[score.reason or ""] += 1
        else:
            values.append(score.value)
    mean = fsum(values) / len(values) if values else None
    return Aggregate(mean, len(values), len(values) + reasons.total(), dict(sorted(reasons.items())))


def overlap_scores(hits: int, predicted: int, expected: int) -> tuple[float, float, float]:
    """(precision, recall, f1) of a one-to-one overlap: both empty 1, one of them empty 0."""
    if not predicted and not expected:
        return 1.0, 1.0, 1.0
    if not hits:
        return 0.0, 0.0, 0.0
    return hits / predicted, hits / expected, 2 * hits / (predicted + expected)
