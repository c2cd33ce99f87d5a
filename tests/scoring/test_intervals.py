"""Intervals keep their word: a simulation with fixed seeds, whose table is printed (pytest -s), and their edges."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import comb, isfinite

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta as beta_law
from scipy.stats import t as t_law

from evalcontract.scoring.aggregate import Moments
from evalcontract.scoring.intervals import Estimate, difference_estimate, items_to_settle, mean_estimate
from evalcontract.scoring.quantiles import beta_quantile, t_quantile

Rng = np.random.Generator
Draws = Callable[[Rng, tuple[int, int]], "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"]

SIZES = (5, 12, 30, 100, 1000)
CONTINUOUS: dict[str, tuple[Draws, float]] = {
    "Beta(5, 2)": (lambda rng, shape: rng.beta(5, 2, shape), 5 / 7),
    "Beta(.5, .5)": (lambda rng, shape: rng.beta(0.5, 0.5, shape), 0.5),
}
MIXTURES: dict[str, tuple[Draws, float]] = {
    "0, .5 or 1": (lambda rng, shape: rng.integers(3, size=shape) / 2, 0.5),
    "mostly 1": (lambda rng, shape: rng.choice((0.0, 0.5, 1.0), shape, p=(0.1, 0.1, 0.8)), 0.85),
    "mostly .5": (lambda rng, shape: rng.choice((0.0, 0.5, 1.0), shape, p=(0.1, 0.8, 0.1)), 0.5),
}
BINARY: dict[str, tuple[Draws, float]] = {
    f"Bernoulli({p:g})": (lambda rng, shape, p=p: (rng.random(shape) < p) * 1.0, p) for p in (0.5, 0.9, 0.99)
}


def moments(values: list[float]) -> Moments:
    made = Moments()
    for value in values:
        made.add(value)
    return made


def binary(hits: int, n: int) -> Moments:
    return moments([1.0] * hits + [0.0] * (n - hits))


def covers(estimate: Estimate, truth: float) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= truth <= estimate.high


def width(estimate: Estimate) -> float:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.high - estimate.low


def wilson_width(hits: int, n: int) -> float:
    z = 1.959964
    share = hits / n
    return float(2 * z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5 / (1 + z * z / n))


def covered_share_of_0_or_1(p: float, n: int) -> float:
    """Exact, over all outcomes that occur once in a thousand million draws."""
    chances = {hits: comb(n, hits) * p**hits * (1 - p) ** (n - hits) for hits in range(n + 1)}
    likely = {hits: chance for hits, chance in chances.items() if chance > 1e-9}
    return sum(chance for hits, chance in likely.items() if covers(mean_estimate(binary(hits, n)), p))


def covered_share(draw: Draws, mean: float, n: int, draws: int) -> float:
    rows = draw(np.random.default_rng(n), (draws, n)).tolist()
    return sum(covers(mean_estimate(moments(row)), mean) for row in rows) / draws


def test_an_interval_covers_the_mean_as_often_as_it_says_and_is_no_wider_than_it_need_be() -> None:
    lines = [f"{'covered in % of draws, n =':28}" + "".join(f"{n:8}" for n in SIZES)]
    for name, (_, p) in BINARY.items():
        found = {n: covered_share_of_0_or_1(p, n) for n in SIZES}
        lines.append(f"{name:28}" + "".join(f"{100 * share:8.1f}" for share in found.values()))
        assert min(found.values()) >= 0.93
    for name, (draw, mean) in (CONTINUOUS | MIXTURES).items():
        found = {n: covered_share(draw, mean, n, 600 if n < 1000 else 200) for n in SIZES}
        lines.append(f"{name:28}" + "".join(f"{100 * share:8.1f}" for share in found.values()))
        assert min(found.values()) >= 0.93
        if name in CONTINUOUS:
            assert max(found[n] for n in SIZES if n >= 30) <= 0.98
    widest = {
        n: max(width(mean_estimate(binary(x, n))) / wilson_width(x, n) for x in range(n + 1))
        for n in SIZES[:4]
    }
    lines.append(f"{'width / that of Wilson':28}" + "".join(f"{ratio:8.2f}" for ratio in widest.values()))
    assert max(widest.values()) <= 1.3
    for hits in (0, 1, 500, 900, 990, 999, 1000):
        assert width(mean_estimate(binary(hits, 1000))) <= 1.3 * wilson_width(hits, 1000)
    print("\n" + "\n".join(lines))


def test_equal_runs_are_hardly_ever_said_to_differ() -> None:
    lines = [f"{'false alarms in %, n =':28}" + "".join(f"{n:8}" for n in SIZES)]
    for name, (draw, _) in (BINARY | CONTINUOUS | MIXTURES).items():
        rng = np.random.default_rng(17)
        found: dict[int, float] = {}
        for n in SIZES:
            shape = (1500, n)
            rows = (draw(rng, shape) - draw(rng, shape)).tolist()
            found[n] = sum(not covers(difference_estimate(moments(row)), 0.0) for row in rows) / len(rows)
        lines.append(f"{name:28}" + "".join(f"{100 * share:8.1f}" for share in found.values()))
        assert max(found.values()) <= 0.06, name
    print("\n" + "\n".join(lines))


@given(st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0])), min_size=2, max_size=60))
def test_the_interval_lies_in_0_to_1_holds_the_mean_and_has_a_width(values: list[float]) -> None:
    found = mean_estimate(moments(values))
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.mean <= found.high <= 1
    assert found.high - found.low > 1e-4
    assert all(map(isfinite, (found.low, found.high)))


@given(st.lists(st.integers(-1000, 1000).map(lambda value: value / 1000), min_size=2, max_size=60))
def test_the_interval_of_differences_lies_in_minus_1_to_1_and_has_a_width(values: list[float]) -> None:
    found = difference_estimate(moments(values))
    assert found.low is not None
    assert found.high is not None
    assert -1 <= found.low <= found.mean <= found.high <= 1
    assert found.high > found.low


@pytest.mark.parametrize("value", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("n", [2, 5, 100, 999])
def test_equal_scores_are_not_certain(value: float, n: int) -> None:
    assert width(mean_estimate(moments([value] * n))) > 0
    assert width(difference_estimate(moments([0.0] * n))) > 0


def test_one_value_has_no_interval() -> None:
    assert mean_estimate(moments([0.25])) == Estimate(0.25, 1, None, None)
    assert difference_estimate(moments([0.25])) == Estimate(0.25, 1, None, None)


@given(st.integers(2, 300), st.data())
def test_of_a_measure_of_0_and_1_it_is_the_interval_of_clopper_and_pearson(
    n: int, data: st.DataObject
) -> None:
    hits = data.draw(st.integers(0, n))
    found = mean_estimate(binary(hits, n))
    low = beta_law.ppf(0.025, hits, n - hits + 1) if hits else 0.0
    high = beta_law.ppf(0.975, hits + 1, n - hits) if hits < n else 1.0
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)


@given(st.floats(0.01, 1e4), st.floats(0.01, 1e4), st.floats(0.001, 0.999))
def test_quantiles_are_those_of_scipy(a: float, b: float, share: float) -> None:
    assert beta_quantile(share, a, b) == pytest.approx(beta_law.ppf(share, a, b), abs=1e-9)


@pytest.mark.parametrize("degrees", [1, 2, 3, 10, 100, 19_999])
def test_students_t_is_that_of_scipy(degrees: int) -> None:
    assert t_quantile(0.975, degrees) == pytest.approx(t_law.ppf(0.975, degrees), abs=1e-9)


def test_a_very_large_run_has_the_interval_of_the_normal_law() -> None:
    rng = random.Random(11)
    found = moments([rng.betavariate(2, 3) for _ in range(100_000)])
    half = 1.96 * (found.variance / found.n) ** 0.5
    estimate = mean_estimate(found)
    assert (estimate.low, estimate.high) == pytest.approx((found.mean - half, found.mean + half), rel=1e-3)


def test_so_many_items_as_it_says_settle_the_difference_seen() -> None:
    seen = [0.2, -0.1, 0.3, -0.2, 0.1, 0.0, 0.1, -0.1]
    needed = items_to_settle(moments(seen))
    assert needed is not None
    assert covers(difference_estimate(moments(seen)), 0.0)
    times = -(-needed // len(seen))
    assert not covers(difference_estimate(moments(seen * times)), 0.0)
    assert covers(difference_estimate(moments(seen * (times // 2))), 0.0)
    assert items_to_settle(moments([0.5, -0.5])) is None
    assert items_to_settle(moments([0.1])) is None
