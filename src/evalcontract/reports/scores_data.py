"""Reports of a scoring run for programs: JSON with all of it, CSV with a row a measure."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import Any

from evalcontract.reports.json_text import json_text
from evalcontract.scoring import MeasureResult, Repeated, RunComparison, ScoreReport


def scores_json(report: ScoreReport) -> str:
    """Keys: ok, exit_code, predictions, dataset, name, items, measures, worst, missing, extra, warnings,
    comparison, bounds, repetitions, repeated, incomplete, settings. Numbers are not rounded.
    """
    document: dict[str, Any] = {
        "ok": report.exit_code == 0,
        "exit_code": report.exit_code,
        "predictions": report.predictions,
        "dataset": report.dataset,
        "name": report.name,
        "items": report.items,
        "measures": [_measure(each) for each in report.measures],
        "worst": [
            {
                "item_id": each.item_id,
                "mean": each.mean,
                "lowest": [
                    dict(zip(("measure", "value", "reason"), low, strict=True)) for low in each.lowest
                ],
            }
            for each in report.worst
        ],
        "missing": list(report.missing),
        "extra": list(report.extra),
        "warnings": dict(report.warnings),
        "advices": report.advices,
        "comparison": _comparison(report.comparison) if report.comparison else None,
        "bounds": [asdict(each) | {"met": each.met} for each in report.bounds],
        "repetitions": report.repetitions,
        "repeated": [_repeated(each) for each in report.repeated],
        "incomplete": list(report.incomplete),
        "settings": dict(report.settings),
    }
    return json_text(document)


def scores_csv(report: ScoreReport) -> str:
    """A row for each measure; what has no value is empty. Columns of the comparison stand at the end."""
    differences = {each.name: each for each in report.comparison.differences} if report.comparison else {}
    columns = ["measure", "mean", "low", "high", "n_scored", "n_total", "n_judged", "n_recorded"]
    if report.comparison:
        columns += ["other", "difference", "difference_low", "difference_high"]
        columns += ["pairs", "better", "same", "worse"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for each in report.measures:
        estimate = each.estimate
        row: list[object] = [
            each.name,
            each.mean,
            *((estimate.low, estimate.high) if estimate else (None, None)),
        ]
        row += [each.n_scored, each.n_total, each.n_judged, each.n_recorded]
        if report.comparison:
            found = differences.get(each.name)
            paired = found.estimate if found else None
            row += [found.theirs, found.estimate.mean] if found else [None, None]
            row += [paired.low, paired.high, paired.n] if paired else [None, None, 0]
            row += [found.better, found.same, found.worse] if found else [0, 0, 0]
        writer.writerow(row)
    return out.getvalue()


def _measure(measure: MeasureResult) -> dict[str, Any]:
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
        "worst": [asdict(each) for each in measure.worst],
    }


def _repeated(found: Repeated) -> dict[str, Any]:
    return {
        "name": found.name,
        "items": found.items,
        "spread": found.spread,
        "pass_at_k": {str(k): share for k, share in found.at_least_once.items()},
        "pass_hat_k": {str(k): share for k, share in found.always.items()},
    }


def _comparison(comparison: RunComparison) -> dict[str, Any]:
    return {
        "other": comparison.other,
        "differences": [
            {
                "name": each.name,
                "other": each.theirs,
                "this": each.ours,
                "difference": each.estimate.mean,
                "low": each.estimate.low,
                "high": each.estimate.high,
                "pairs": each.estimate.n,
                "better": each.better,
                "same": each.same,
                "worse": each.worse,
                "items_to_settle": each.to_settle,
                "only_this": list(each.only_ours),
                "only_other": list(each.only_theirs),
            }
            for each in comparison.differences
        ],
        "changed": [
            {
                "item_id": each.item_id,
                "change": each.change,
                "most": [dict(zip(("measure", "other", "this"), most, strict=True)) for most in each.most],
            }
            for each in comparison.changed
        ],
        "not_in_both": list(comparison.not_in_both),
        "left_out": list(comparison.left_out),
        "missing_there": list(comparison.missing_there),
        "only_there": list(comparison.only_there),
    }
