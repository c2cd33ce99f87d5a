"""How far a mean could lie elsewhere with other items of the same kind: a percentile interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import fsum
from operator import mul
from random import Random

from evalcontract.scoring.aggregate import Grouped

RESAMPLES = 1000
_SEED = 20250101
_TAIL = 40
"""One in 40 of the samples lies beyond each end of the interval: 95 % lie between."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `n` items with its 95 % interval; there is no interval of fewer than two items."""

    mean: float
    n: int
    low: float | None = None
    high: float | None = None


def estimates(grouped: Mapping[str, Grouped]) -> dict[str, Estimate]:
    """The estimate of each measure, all from the same samples of the same groups.

    Groups are drawn with replacement, RESAMPLES times, by a generator with a fixed seed: the same scores
    give the same interval. A sample in which a measure has no score doesn't count for this measure.
    """
    size = max((len(each.counts) for each in grouped.values()), default=0)
    samples = list(_samples(size))
    drawn: dict[tuple[int, ...], list[int]] = {}
    found = {}
    for name, scores in grouped.items():
        counts = tuple(scores.counts)
        if counts not in drawn:  # most measures have a value on the same items
            drawn[counts] = [sum(map(mul, times, counts)) for times in samples]
        found[name] = _estimate(scores, samples, drawn[counts])
    return found


def _samples(size: int) -> Iterator[list[int]]:
    """How often each group is drawn, sample by sample."""
    draw = Random(_SEED).random  # its sequence is the same in every Python version
    for _ in range(RESAMPLES):
        times = [0] * size
        for _ in range(size):
            times[int(draw() * size)] += 1
        yield times


def _estimate(scores: Grouped, samples: list[list[int]], drawn: list[int]) -> Estimate:
    """`drawn` is the number of scores in each sample."""
    means = sorted(
        fsum(map(mul, times, scores.sums)) / n for times, n in zip(samples, drawn, strict=True) if n
    )
    if scores.n < 2 or not means:
        return Estimate(scores.mean, scores.n)
    tail = max(1, len(means) // _TAIL)
    return Estimate(scores.mean, scores.n, min(means[tail - 1], scores.mean), max(means[-tail], scores.mean))
