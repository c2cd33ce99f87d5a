"""How far a mean could lie elsewhere with other items of the same kind: intervals that cover it.

A mean of scores in 0..1: Clopper and Pearson's interval (1934) for as many items of a 0/1 measure as would tell as much
about it, the effective sample size of Korn and Graubard (1998). A mean of differences: Student's. Both take the
spread for a little larger than it was seen, so that a few equal scores don't look certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
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
_DIGITS = 12
"""Bounds that are equal but for the order of the sums are equal when they are rounded so."""


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


def gated_estimate(differences: Sequence[float]) -> Estimate:
    """The mean of paired differences in -1..1 and its interval, the upper end of which no lower difference raises.

    Student's upper end rises where one difference falls far below the others, because they spread more. This one is
    the least that it is for any differences that are nowhere lower than these: of all with the same mean, those whose
    lowest are made equal spread least, so that one level tells them all.
    """
    moments = Moments()
    for difference in differences:
        moments.add(difference)
    found = difference_estimate(moments)
    return found if found.low is None else replace(found, high=_least_upper_end(sorted(differences)))


def _least_upper_end(ordered: Sequence[float]) -> float:
    n, highest = len(ordered), ordered[-1]
    t = _t(n - 1)
    if not any(ordered):
        return min(1.0, t / n)
    above = list(accumulate(reversed(ordered), initial=0.0))
    squares_above = list(accumulate((value * value for value in reversed(ordered)), initial=0.0))
    least = 1.0 if highest > 0 else 0.0
    for raised in range(1, n):
        clipped = _Clipped(n, raised, above[n - raised], squares_above[n - raised], abs(highest), t)
        for low, high in _pieces(ordered[raised - 1], ordered[raised], -abs(highest)):
            least = min(least, clipped.upper(clipped.lowest_within(low, high)))
    return round(least, _DIGITS)


def _pieces(low: float, high: float, between: float) -> Iterator[tuple[float, float]]:
    """The range, cut where another difference becomes the furthest from 0."""
    if low < between < high:
        yield low, between
        yield between, high
    else:
        yield low, high


@dataclass(frozen=True, slots=True)
class _Clipped:
    """`n` differences whose `raised` lowest are at one level; sum and squares are those of the others."""

    n: int
    raised: int
    above: float
    squares_above: float
    highest: float
    t: float

    def upper(self, level: float) -> float:
        """The upper end of the interval of their mean."""
        total = self.raised * level + self.above
        furthest = max(self.highest, abs(level))
        spread = self.squares_above + self.raised * level * level - total * total / self.n
        return (total + self.t * sqrt(max(0.0, spread) + furthest * furthest)) / self.n

    def lowest_within(self, low: float, high: float) -> float:
        """The level in a range, where the same difference is the furthest, at which that is lowest: it is convex."""
        square = self.raised - self.raised * self.raised / self.n
        constant = self.squares_above - self.above * self.above / self.n
        if (low + high) / 2 < -self.highest:
            square += 1
        else:
            constant += self.highest * self.highest
        linear = -2 * self.raised * self.above / self.n
        steep = square * self.t * self.t - self.raised * self.raised
        if steep <= 0:
            return low
        slope = -self.raised * sqrt(max(0.0, 4 * square * constant - linear * linear) / steep)
        return min(max((slope - linear) / (2 * square), low), high)


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
