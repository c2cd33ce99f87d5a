"""What was demanded of a scoring run, in words."""

from __future__ import annotations

from collections.abc import Iterator

from evalcontract.scoring import Bound, Ceiling, Regression, ScoreReport
from evalcontract.values import counted, visible

_KNOWN = {
    Bound: "is recorded in full for",
    Ceiling: "is recorded for",
    Regression: "can be compared on",
}


def failures(report: ScoreReport) -> Iterator[str]:
    """Why a gate isn't met, each reason of each gate."""
    for gate in report.gates:
        if not gate.met:
            yield from map(visible, _reasons(gate))


def notes(report: ScoreReport) -> Iterator[str]:
    """What a reader should know of the gates that are met."""
    for gate in report.gates:
        if gate.min_scored < 1:
            yield visible(f"{gate.name}: asked of a share of {gate.min_scored:g}, not of all")
    for found in report.regressions:
        if found.verdict == "can't tell":
            yield visible(f"{_worse(found)}, and so few items can't tell that from chance")


def _reasons(gate: Bound | Ceiling | Regression) -> Iterator[str]:
    if isinstance(gate, Bound):
        if gate.mean is None:
            yield f"{gate.name} has no value on any item, {gate.at_least:g} is demanded"
        elif gate.mean < gate.at_least:
            yield f"{gate.name} is {gate.mean:.4f}, below {gate.at_least:g}"
    elif isinstance(gate, Ceiling):
        if gate.value > gate.at_most:
            yield f"{gate.name} is {gate.value:,.6g}, above {gate.at_most:g}"
    elif gate.verdict == "worse":
        yield _worse(gate)
    elif gate.verdict == "no pair":
        yield f"{gate.name} has no value in both runs on any item"
    if not gate.enough:
        demanded = "all are" if gate.min_scored == 1 else f"a share of {gate.min_scored:g} is"
        things = "record" if isinstance(gate, Ceiling) else "item"
        what = _KNOWN[type(gate)]
        yield f"{gate.name} {what} {gate.n_recorded:,} of {counted(gate.n_judged, things)}, {demanded} demanded"


def _worse(found: Regression) -> str:
    difference = 0.0 if found.difference is None else found.difference
    interval = "" if found.low is None or found.high is None else f" ({found.low:+.4f} to {found.high:+.4f})"
    allowed = f", by more than {found.margin:g}" if found.margin else ""
    unrecorded = found.n_judged - found.n_recorded
    lacking = f"; {counted(unrecorded, 'item')} not recorded in full count as 0" if unrecorded else ""
    return f"{found.name} is worse than in the other run by {-difference:.4f}{interval}{allowed}{lacking}"
