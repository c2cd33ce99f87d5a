"""The page of a scored run: measures with their intervals, the comparison, and the worst items."""

from __future__ import annotations

from dataclasses import dataclass

from evalcontract.reports.pages.evidence import seen
from evalcontract.reports.pages.page import page
from evalcontract.reports.scores import heading, remarks, repeated, verdict, without_value
from evalcontract.reports.scores_parts import scored_of, tables
from evalcontract.scoring import (
    Bound,
    Ceiling,
    Estimate,
    MeasureDifference,
    Regression,
    RunComparison,
    ScoreReport,
)

_WIDTH, _MARGIN = 160, 6


@dataclass(frozen=True, slots=True)
class Bar:
    """A mean and its interval on a scale, in pixels, and in words; `zero` is where 0 lies on a scale of differences."""

    at: float
    low: float
    high: float
    zero: float
    mean: str
    interval: str
    width: int = _WIDTH


def scores_html(report: ScoreReport) -> str:
    """The verdict, each measure with its interval drawn, what has no value and why, the comparison, the worst."""
    differences, widest = _drawn(report.comparison)
    return page(
        "scores",
        report=report,
        heading=heading(report),
        verdict=verdict(report),
        measures=[
            (measure, bar(measure.estimate, 0, 1, ".4f"), scored_of(measure))
            for measure in report.measures
            if measure.estimate
        ],
        without=list(without_value(report.measures)),
        repeated=list(repeated(report)),
        differences=differences,
        widest=widest,
        tables=list(tables(report)),
        seen=seen(report.worst),
        gates=[_gate(gate) for gate in report.gates],
        notes=list(remarks(report)),
    )


def comparison_html(comparison: RunComparison) -> str:
    """The comparison of two runs alone."""
    differences, widest = _drawn(comparison)
    return page("comparison", comparison=comparison, differences=differences, widest=widest)


def _drawn(comparison: RunComparison | None) -> tuple[list[tuple[MeasureDifference, Bar]], float]:
    """The differences, each drawn on a scale that all of them fit on, and how far that goes."""
    found = comparison.differences if comparison else ()
    widest = max([0.01, *(abs(end) for row in found for end in _ends(row.estimate))])
    return [(row, bar(row.estimate, -widest, widest, "+.4f")) for row in found], widest


@dataclass(frozen=True, slots=True)
class Gate:
    """Something that was demanded, and whether it is met. `recorded`: of how many items it is known."""

    name: str
    met: bool
    found: str
    demanded: str
    recorded: str


def _gate(gate: Bound | Ceiling | Regression) -> Gate:
    match gate:
        case Bound():
            found, demanded = gate.mean, f"at least {gate.at_least:g}"
        case Ceiling():
            found, demanded = gate.value, f"at most {gate.at_most:g}"
        case Regression():
            found, demanded = gate.difference, f"not worse by more than {gate.margin:g}"
    said = (
        "no value" if found is None else f"{found:+.4f}" if isinstance(gate, Regression) else f"{found:.6g}"
    )
    if isinstance(gate, Regression):
        said = f"{gate.verdict}: {said}"
    return Gate(gate.name, gate.met, said, demanded, f"{gate.n_recorded:,} of {gate.n_judged:,}")


def bar(estimate: Estimate, start: float, end: float, shape: str) -> Bar:
    """An estimate drawn from `start` to `end`; what lies outside is drawn at the edge. `shape`: of its numbers."""

    def at(value: float) -> float:
        share = (min(max(value, start), end) - start) / (end - start)
        return round(_MARGIN + share * (_WIDTH - 2 * _MARGIN), 1)

    low, high = _ends(estimate)
    known = estimate.low is not None and estimate.high is not None
    interval = f"{low:{shape}} to {high:{shape}}" if known else "–"
    return Bar(at(estimate.mean), at(low), at(high), at(0), f"{estimate.mean:{shape}}", interval)


def _ends(estimate: Estimate) -> tuple[float, float]:
    if estimate.low is None or estimate.high is None:
        return estimate.mean, estimate.mean
    return estimate.low, estimate.high
