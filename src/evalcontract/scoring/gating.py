"""Holds a run against what its caller demands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite

from evalcontract.errors import UsageError
from evalcontract.scoring.gates import Bound, Ceiling, GatedMeasure, Regression, Verdict, aim_in, statistic_in
from evalcontract.scoring.intervals import Estimate
from evalcontract.scoring.result import PartResult
from evalcontract.scoring.settings import Measure, ScoreSettings

Numbers = Mapping[str, float]


def check_names(names: Iterable[str], measures: Iterable[Measure], keys: Iterable[str] = ()) -> None:
    """Raise UsageError for an aim at what isn't measured, or at a slice that the run isn't broken down by."""
    known, parts = {measure.name for measure in measures}, set(keys)
    for text in names:
        aim = aim_in(text)
        _check_slice(aim, parts)
        if aim.name not in known:
            ScoreSettings(metrics=(aim.name,))  # an unknown metric is said to be one
            close = ", ".join(other for other in sorted(known) if other.rpartition("_")[0] in aim.name)
            measured = f"measured is {close}; " if close else ""
            raise UsageError(
                f"{aim.name} is not measured in this run", hint=f"{measured}add it with --metrics or --k"
            )


def check_ceilings(ceilings: Numbers, keys: Iterable[str]) -> None:
    """Raise UsageError for a ceiling that is none."""
    parts = set(keys)
    for text, most in ceilings.items():
        aim = aim_in(text)
        _check_slice(aim, parts)
        statistic_in(aim.name)
        if not isfinite(most):
            raise UsageError(f"the bound of {text} is a number, not {most!r}")


def check_shares(shares: Numbers, gated: Iterable[str], option: str) -> None:
    """Raise UsageError for what lies outside 0..1, and for a share without a gate."""
    names = set(gated)
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise UsageError(f"the {option} of {name} lies in 0..1, not at {share!r}")
        if name not in names:
            raise UsageError(
                f"{name} has no bound", hint=f"write for example --fail-under {name}=0.8 beside it"
            )


def gated_in(margins: Iterable[str], part: str | None) -> frozenset[str]:
    """The measures on which the run, or a slice of it, must not be worse."""
    aims = map(aim_in, margins)
    return frozenset(aim.name for aim in aims if aim.slice == part)


def bounds_of(bounds: Numbers, shares: Numbers, parts: Mapping[str | None, PartResult]) -> tuple[Bound, ...]:
    """The bounds against the means."""
    return tuple(_bound(name, least, shares.get(name, 1.0), parts) for name, least in bounds.items())


def ceilings_of(
    ceilings: Numbers, shares: Numbers, parts: Mapping[str | None, PartResult]
) -> tuple[Ceiling, ...]:
    """The ceilings against the measurements; UsageError for a measurement that no record has."""
    return tuple(_ceiling(name, most, shares.get(name, 1.0), parts) for name, most in ceilings.items())


def regressions_of(
    margins: Numbers, shares: Numbers, parts: Mapping[str | None, PartResult], left_out: int = 0
) -> tuple[Regression, ...]:
    """The margins against the differences; so many items are `left_out` by this run, and by no dataset known."""
    return tuple(
        _regression(name, margin, shares.get(name, 1.0), parts, left_out) for name, margin in margins.items()
    )


def _bound(text: str, least: float, share: float, parts: Mapping[str | None, PartResult]) -> Bound:
    aim = aim_in(text)
    for result in _part(aim, parts).measures:
        if result.name == aim.name:
            return Bound(text, least, result.mean, result.n_recorded, result.n_judged, share)
    return Bound(text, least, None, min_scored=share)


def _ceiling(text: str, most: float, share: float, parts: Mapping[str | None, PartResult]) -> Ceiling:
    aim = aim_in(text)
    name, statistic = statistic_in(aim.name)
    measured = _part(aim, parts).measurements
    for found in measured:
        if found.name == name:
            return Ceiling(text, most, found.statistic(statistic), found.n, found.records, share)
    names = ", ".join(found.name for found in measured)
    raise UsageError(
        f"no record measures {name}", hint=f"measured is {names}" if names else "nothing is measured"
    )


def _regression(
    text: str, margin: float, share: float, parts: Mapping[str | None, PartResult], left_out: int
) -> Regression:
    aim = aim_in(text)
    part = _part(aim, parts)
    lacking = next((m.n_judged - m.n_recorded for m in part.measures if m.name == aim.name), 0)
    for found in part.differences:
        if found.name == aim.name and found.gated is not None:
            estimate, unpaired = found.gated, max(len(found.only_theirs), lacking)
            return Regression(
                text,
                margin,
                _verdict(estimate, margin),
                estimate.mean,
                estimate.low,
                estimate.high,
                max(0, estimate.n - unpaired),
                estimate.n + left_out,
                share,
            )
    return Regression(text, margin, "no pair", None, None, None, 0, 0, share)


def _verdict(found: Estimate, margin: float) -> Verdict:
    if found.mean >= -margin:
        return "not worse"
    return "can't tell" if found.high is None or found.high >= -margin else "worse"


def _part(aim: GatedMeasure, parts: Mapping[str | None, PartResult]) -> PartResult:
    if aim.slice not in parts:
        key = (aim.slice or "").partition("=")[0]
        found = ", ".join(name for name in parts if name and name.startswith(f"{key}="))
        raise UsageError(f"no item is of the slice {aim.slice}", hint=f"there are {found}" if found else None)
    return parts[aim.slice]


def _check_slice(aim: GatedMeasure, keys: set[str]) -> None:
    if aim.slice is not None and (key := aim.slice.partition("=")[0]) not in keys:
        raise UsageError(
            f"the run isn't broken down by {key}", hint=f"write --by with the pointer of {key} in an item"
        )
