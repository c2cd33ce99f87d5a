"""Quantiles of the beta distribution and of Student's t, from the incomplete beta function."""

from __future__ import annotations

from math import exp, lgamma, log, log1p, sqrt

_TINY = 1e-300
_ENOUGH = 1e-15
_STEPS = 100


def beta_quantile(share: float, a: float, b: float) -> float:
    """The x below which `share` of a beta distribution with parameters a, b > 0 lies; to about 1e-15.

    Newton's steps as long as they stay between what is known to be too low and too high, else halves.
    """
    low, high = 0.0, 1.0
    x = a / (a + b)
    for _ in range(_STEPS):
        over = beta_share(x, a, b) - share
        low, high = (low, x) if over > 0 else (x, high)
        if high - low < _ENOUGH:
            break
        slope = exp((a - 1) * log(x) + (b - 1) * log1p(-x) - _log_beta(a, b)) if 0 < x < 1 else 0.0
        following = x - over / slope if slope > _TINY else low
        if abs(following - x) < _ENOUGH * x:
            break
        x = following if low < following < high else (low + high) / 2
    return x


def beta_share(x: float, a: float, b: float) -> float:
    """The share of a beta distribution below x: the regularised incomplete beta function.

    By its continued fraction, evaluated from the front as Lentz does (DLMF 8.17.22).
    """
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = exp(a * log(x) + b * log1p(-x) - _log_beta(a, b))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def _fraction(x: float, a: float, b: float) -> float:
    ratio, below = 1.0, _kept(1 - (a + b) * x / (a + 1))
    value = below = 1 / below
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        below = 1 / _kept(1 + even * below)
        ratio = _kept(1 + even / ratio)
        value *= below * ratio
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        below = 1 / _kept(1 + odd * below)
        ratio = _kept(1 + odd / ratio)
        step = below * ratio
        value *= step
        if abs(step - 1) < _ENOUGH:
            break
    return value


def _kept(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def t_quantile(share: float, degrees: int) -> float:
    """The t > 0 beyond which, on either side, lies 1 - `share` of Student's distribution (share above 1/2)."""
    x = beta_quantile(2 * (1 - share), degrees / 2, 0.5)
    return sqrt(degrees * (1 - x) / x)
