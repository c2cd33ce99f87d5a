"""Reports of a scoring run for programs: JSON with all of it, CSV with a row a measure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from evalcontract.reports.json_text import json_text
from evalcontract.scoring import (
    STATISTICS,
    MeasureDifference,
    MeasureResult,
    PartResult,
    Repeated,
    RunComparison,
    ScoreReport,
)


def scores_json(report: ScoreReport) -> str:
    """Keys: ok, exit_code, predictions, dataset, name, items, measures, worst, missing, extra, warnings,
    comparison, bounds, repetitions, repeated, incomplete, ceilings,
    regressions, measurements, other_measurements, slices, settings. Numbers are not rounded.
    """
    document: dict[str, Any] = {
        "ok": report.exit_code == 0,
        "exit_code": report.exit_code,
        "predictions": report.predictions,
        "dataset": report.dataset,
        "name": report.name,
        "items": report.items,
        "measures": [measure_row(measure) for measure in report.measures],
        "worst": [
            {
                "item_id": item.item_id,
                "mean": item.mean,
                "lowest": [
                    dict(zip(("measure", "value", "reason"), low, strict=True)) for low in item.lowest
                ],
                "evidence": dict(item.evidence),
            }
            for item in report.worst
        ],
        "missing": list(report.missing),
        "extra": list(report.extra),
        "warnings": dict(report.warnings),
        "advices": report.advices,
        "comparison": _comparison(report.comparison) if report.comparison else None,
        "bounds": [asdict(bound) | {"met": bound.met} for bound in report.bounds],
        "repetitions": report.repetitions,
        "repeated": [_repeated(repeated) for repeated in report.repeated],
        "incomplete": list(report.incomplete),
        "ceilings": [asdict(found) | {"met": found.met} for found in report.ceilings],
        "regressions": [asdict(found) | {"met": found.met} for found in report.regressions],
        "measurements": [asdict(found) for found in report.measurements],
        "other_measurements": [asdict(found) for found in report.their_measurements],
        "slices": [
            {
                "name": part.name,
                "items": part.items,
                "measures": [measure_row(found) for found in part.measures],
                "differences": [difference_row(found) for found in part.differences],
                "measurements": [asdict(found) for found in part.measurements],
                "other_measurements": [asdict(found) for found in part.their_measurements],
            }
            for part in report.slices
        ],
        "settings": dict(report.settings),
    }
    return json_text(document)


def scores_csv(report: ScoreReport) -> str:
    """A row for each measure, then for each measure of each slice; what has no value is empty.

    Columns of the slice and of the comparison are there when there are any. Measurements follow with their statistics
    as the measure's name, `latency_ms.p95`.
    """
    columns = ["measure", "mean", "low", "high", "n_scored", "n_total", "n_judged", "n_recorded"]
    if report.comparison:
        columns += ["other", "difference", "difference_low", "difference_high"]
        columns += ["pairs", "better", "same", "worse"]
    if report.slices:
        columns.insert(0, "slice")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    differences = report.comparison.differences if report.comparison else ()
    whole = PartResult(None, report.items, report.measures, differences, report.measurements)
    for part in (whole, *report.slices):
        for row in _rows(part, compared=report.comparison is not None):
            cells = [part.name, *row] if report.slices else row
            writer.writerow(cells + [None] * (len(columns) - len(cells)))
    return out.getvalue()


def _rows(part: PartResult, *, compared: bool) -> Iterator[list[object]]:
    differences = {found.name: found for found in part.differences}
    for measure in part.measures:
        estimate = measure.estimate
        row: list[object] = [measure.name, measure.mean]
        row += (estimate.low, estimate.high) if estimate else (None, None)
        row += [measure.n_scored, measure.n_total, measure.n_judged, measure.n_recorded]
        if compared:
            found = differences.get(measure.name)
            paired = found.estimate if found else None
            row += [found.theirs, found.estimate.mean] if found else [None, None]
            row += [paired.low, paired.high, paired.n] if paired else [None, None, 0]
            row += [found.better, found.same, found.worse] if found else [0, 0, 0]
        yield row
    for measured in part.measurements:
        for statistic in STATISTICS:
            value = measured.statistic(statistic)
            yield [f"{measured.name}.{statistic}", value, None, None, measured.n, measured.records]


def measure_row(measure: MeasureResult) -> dict[str, Any]:
    """A measure as JSON reports give it."""
    estimate = measure.estimate
    return {
        "name": measure.name,
        "room": measure.room,
        "mean": measure.mean,
        "low": estimate.low if estimate else None,
        "high": estimate.high if estimate else None,
        "n_scored": measure.n_scored,
        "n_total": measure.n_total,
        "n_judged": measure.n_judged,
        "n_recorded": measure.n_recorded,
        "reasons": dict(measure.reasons),
        "histogram": list(measure.histogram),
        "worst": [asdict(item) for item in measure.worst],
    }


def _repeated(found: Repeated) -> dict[str, Any]:
    return {
        "name": found.name,
        "items": found.items,
        "spread": found.spread,
        "pass_at_k": {str(k): share for k, share in found.at_least_once.items()},
        "pass_hat_k": {str(k): share for k, share in found.always.items()},
    }


def difference_row(found: MeasureDifference) -> dict[str, Any]:
    """A difference as JSON reports give it."""
    return {
        "name": found.name,
        "other": found.theirs,
        "this": found.ours,
        "difference": found.estimate.mean,
        "low": found.estimate.low,
        "high": found.estimate.high,
        "pairs": found.estimate.n,
        "better": found.better,
        "same": found.same,
        "worse": found.worse,
        "items_to_settle": found.to_settle,
        "only_this": list(found.only_ours),
        "only_other": list(found.only_theirs),
    }


def _comparison(comparison: RunComparison) -> dict[str, Any]:
    return {
        "other": comparison.other,
        "differences": [difference_row(found) for found in comparison.differences],
        "changed": [
            {
                "item_id": changed.item_id,
                "change": changed.change,
                "most": [dict(zip(("measure", "other", "this"), most, strict=True)) for most in changed.most],
            }
            for changed in comparison.changed
        ],
        "not_in_both": list(comparison.not_in_both),
        "left_out": list(comparison.left_out),
        "missing_there": list(comparison.missing_there),
        "only_there": list(comparison.only_there),
    }
