"""How far a mean could lie elsewhere with other items of the same kind: intervals that cover it.

A mean of scores in 0..1: Clopper and Pearson's interval (1934) for as many items of a 0/1 measure as would tell as much
about it, the effective sample size of Korn and Graubard (1998). A mean of differences: Student's. Both take the
spread for a little larger than it was seen, so that a few equal scores don't look certain.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from evalcontract.scoring.aggregate import Moments
from evalcontract.scoring.quantiles import beta_quantile, t_quantile

_TAIL = 0.025
_NORMAL = 1.959963984540054
"""95 % lie within this many standard deviations."""
_UNSEEN = 1.5
"""So many items are taken to spread as widely as a mean of 0..1 allows."""
_MANY = 20_000
"""From so many effective items on Wilson's interval is the same."""
_MOST_TO_SETTLE = 10**9


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `n` items with its 95 % interval; there is no interval of fewer than two items."""

    mean: float
    n: int
    low: float | None = None
    high: float | None = None


def mean_estimate(moments: Moments) -> Estimate:
    """The mean of scores in 0..1 and its interval, which has a width whatever the scores are."""
    n, mean = moments.n, moments.mean
    if n < 2:
        return Estimate(mean, n)
    most = mean * (1 - mean)
    variance = (n * moments.variance + _UNSEEN * most) / (n + _UNSEEN)
    effective = n * most / variance if variance > 0 else float(n)
    low, high = _wilson(mean, effective) if effective > _MANY else _clopper_pearson(mean, effective)
    return Estimate(mean, n, min(low, mean), max(high, mean))


def difference_estimate(moments: Moments) -> Estimate:
    """The mean of paired differences in -1..1 and its interval."""
    n, mean = moments.n, moments.mean
    if n < 2:
        return Estimate(mean, n)
    half = _half_width(moments, n)
    return Estimate(mean, n, max(-1.0, mean - half), min(1.0, mean + half))


def items_to_settle(moments: Moments) -> int | None:
    """How many items it takes for the interval to leave 0 out, were the differences to go on as they are.

    None without a difference, or when it would take a thousand million.
    """
    if moments.n < 2 or not moments.mean:
        return None
    enough, too_few = moments.n, 1
    while _half_width(moments, enough) >= abs(moments.mean):
        too_few, enough = enough, 2 * enough
        if enough > _MOST_TO_SETTLE:
            return None
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        if _half_width(moments, middle) >= abs(moments.mean):
            too_few = middle
        else:
            enough = middle
    return enough


def _half_width(moments: Moments, n: int) -> float:
    """Half the width of the interval for `n` items like these, and one more as far from their mean as any is from 0."""
    furthest = moments.largest or 1.0
    variance = (n * moments.variance + furthest * furthest) / n
    return _t(n - 1) * sqrt(variance / n)


def _clopper_pearson(mean: float, n: float) -> tuple[float, float]:
    hits = mean * n
    low = beta_quantile(_TAIL, hits, n - hits + 1) if hits > 0 else 0.0
    high = beta_quantile(1 - _TAIL, hits + 1, n - hits) if hits < n else 1.0
    return low, high


def _wilson(mean: float, n: float) -> tuple[float, float]:
    square = _NORMAL * _NORMAL / n
    middle = mean + square / 2
    half = sqrt(square * mean * (1 - mean) + square * square / 4)
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


@lru_cache(maxsize=1024)
def _t(degrees: int) -> float:
    return t_quantile(1 - _TAIL, degrees) if degrees < _MANY else _NORMAL
