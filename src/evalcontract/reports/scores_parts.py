"""Rows of the tables of a scoring run: measurements, and everything by slice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalcontract.scoring import STATISTICS, Measured, MeasureResult, PartResult, ScoreReport
from evalcontract.values import visible

Row = tuple[str, ...]


def scored_of(measure: MeasureResult) -> str:
    """How many items have a value, and how many of the values rest on all that the dataset can judge."""
    in_full = f", {measure.n_recorded:,} in full" if measure.n_scored > measure.n_recorded else ""
    return f"{measure.n_scored:,} of {measure.n_total:,}{in_full}"


def measurement_rows(report: ScoreReport) -> list[Row]:
    """A row for each measurement; with a run to compare, its statistics stand in a row below."""
    rows: list[Row] = [("measurement", *STATISTICS, "records")]
    theirs = {found.name: found for found in report.their_measurements}
    for found in report.measurements:
        rows.append(_measured(found.name, found))
        if found.name in theirs:
            rows.append(_measured("  other run", theirs[found.name]))
    return rows


def slice_rows(report: ScoreReport) -> list[Row]:
    """A row for each measure and slice, the slices of a measure together."""
    compared = report.comparison is not None
    rows: list[Row] = [
        ("measure", "slice", "mean", "95 % interval", "scored", *(["difference"] if compared else []))
    ]
    names = dict.fromkeys(measure.name for measure in report.measures)
    for name in names:
        for part in report.slices:
            for measure in part.measures:
                if measure.name == name and measure.estimate:
                    estimate = measure.estimate
                    low, high = estimate.low, estimate.high
                    interval = "-" if low is None or high is None else f"{low:.4f} to {high:.4f}"
                    difference = [_difference(part, name)] if compared else []
                    rows.append(
                        (
                            name,
                            visible(part.name or ""),
                            f"{estimate.mean:.4f}",
                            interval,
                            scored_of(measure),
                            *difference,
                        )
                    )
    return rows


def slice_measurement_rows(report: ScoreReport) -> list[Row]:
    """A row for each measurement and slice."""
    rows: list[Row] = [("measurement", "slice", *STATISTICS, "records")]
    for name in dict.fromkeys(found.name for found in report.measurements):
        for part in report.slices:
            for found in part.measurements:
                if found.name == name:
                    _, *cells = _measured(name, found)
                    rows.append((visible(name), visible(part.name or ""), *cells))
    return rows


def tables(report: ScoreReport) -> Iterator[tuple[str, Sequence[Row]]]:
    """The tables that have rows, with their titles."""
    for title, rows in (
        ("measurements", measurement_rows(report)),
        ("by slice", slice_rows(report)),
        ("measurements by slice", slice_measurement_rows(report)),
    ):
        if len(rows) > 1:
            yield title, rows


def _measured(name: str, found: Measured) -> Row:
    numbers = (f"{found.statistic(statistic):,.6g}" for statistic in STATISTICS)
    return (visible(name), *numbers, f"{found.n:,} of {found.records:,}")


def _difference(part: PartResult, name: str) -> str:
    found = next((difference for difference in part.differences if difference.name == name), None)
    return f"{found.estimate.mean:+.4f}" if found else "-"
