"""Results of every kind that has a page, with text of the caller's choice wherever data can put some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evalcontract.checking.result import FileResult, Group, RunResult
from evalcontract.evolution import compare_schemas
from evalcontract.importing.result import KeyFate, Transfer
from evalcontract.release.diff import DatasetDiff, ItemChange
from evalcontract.release.report import Outcome, PathRow, ReleaseReport
from evalcontract.reports import (
    BREAKING,
    DIFF,
    RELEASE,
    RUN,
    SCORES,
    TRANSFER,
    BreakingReport,
    Formats,
    Places,
)
from evalcontract.scoring.gates import Bound, Ceiling, Regression
from evalcontract.scoring.intervals import Estimate
from evalcontract.scoring.measured import Measured
from evalcontract.scoring.result import (
    ChangedItem,
    ItemValue,
    MeasureDifference,
    MeasureResult,
    PartResult,
    Repeated,
    RunComparison,
    ScoreReport,
    WorstItem,
)
from evalcontract.validation import Violation
from tests.support.evidence import evidence
from tests.support.projects import PROJECT

BOOKING = PROJECT / "examples" / "schemas"


def pages(text: str) -> Mapping[str, tuple[Formats[Any], Any]]:
    """For each page its row of formats and a result; `text` stands in every field that data can fill."""
    return {
        "run": (RUN, _run(text)),
        "release": (RELEASE, _release(text)),
        "diff": (DIFF, _diff(text)),
        "scores": (SCORES, _scores(text)),
        "transfer": (TRANSFER, _transfer(text)),
        "breaking": (BREAKING, _breaking(text)),
    }


def _violations(text: str) -> tuple[Violation, ...]:
    whole = Violation(
        "wrong-type", text, text, "type", text, text, text, text, "error", text, text, text, 3, 7
    )
    return (whole, Violation("bom", text, severity="advice", file="data/other.jsonl"))


def _run(text: str) -> RunResult:
    return RunResult(
        (
            FileResult(text, "items", 1200, 3, 5, 1, ((text, 1200),)),
            FileResult("b.json", "items", 1, 0, 0, 0, ()),
        ),
        _violations(text),
        (Group(text, "wrong-type", text, "error", 4),),
        ((text, text),),
        layers=(text,),
        skipped=((text, text),),
    )


def _release(text: str) -> ReleaseReport:
    return ReleaseReport(
        text,
        None,
        "minor",
        text,
        text,
        12,
        (
            Outcome(
                "a-check",
                "a name",
                "a reason",
                "error",
                "fail",
                text,
                text,
                (text,),
                (text,),
                _violations(text),
                9,
            ),
            Outcome("b-check", "b name", "a reason", "error", "waived", text, text, waiver=text),
            Outcome("c-check", "c name", "a reason", "advice", "fail", text),
            Outcome("d-check", "d name", "a reason", "error", "pass", text),
            Outcome("e-check", "e name", "a reason", "error", "n/a", text),
        ),
        (PathRow(text, 12, 0, False), PathRow("input", 3, 2, True)),
        (text,),
        True,
        (text,),
    )


def _diff(text: str) -> DatasetDiff:
    change = ItemChange(text, ((text, "changed"),))
    return DatasetDiff(
        text,
        text,
        1,
        2,
        (text,),
        (text,),
        (text,),
        (change,),
        (text,),
        (text,),
        ((text, "added"),),
        {},
        {},
        1,
        1,
    )


def _scores(text: str) -> ScoreReport:
    estimate = Estimate(0.5, 9, 0.25, 0.75)
    measured = Measured(text, 8, 9, 1.5, 1.0, 3.0, 12.0)
    comparison = RunComparison(
        text,
        (
            MeasureDifference("answer_f1", 0.5, 0.25, Estimate(0.25, 9, 0.1, 0.4), 5, 3, 1),
            MeasureDifference("recall_at_5", 0.5, 0.75, Estimate(-0.25, 9, -0.6, 0.1), 1, 3, 5, 40),
        ),
        (ChangedItem(text, 0.5, (("answer_f1", 0.0, 1.0), ("recall_at_5", 1.0, 0.0))),),
        ("chrf",),
        (text,),
        (text,),
        (text,),
    )
    return ScoreReport(
        text,
        text,
        text,
        9,
        (
            MeasureResult(
                "answer_f1",
                "answers",
                estimate,
                9,
                {},
                (ItemValue(text, 0.0, text),),
                9,
                9,
                (1, 0, 0, 0, 3, 0, 0, 0, 0, 5),
            ),
            MeasureResult("recall_at_5", "retrieval", Estimate(1.0, 1), 9, {text: 8}, ()),
            MeasureResult("bleu", "answers", None, 9, {text: 9}, ()),
        ),
        (WorstItem(text, 0.1, (("answer_f1", 0.0, text), ("recall_at_5", 0.1, None)), evidence(text)),),
        (text,),
        (text,),
        {text: 2},
        1,
        comparison,
        (Bound("answer_f1", 0.6, 0.5), Bound("recall_at_5", 0.6, 1.0), Bound("bleu", 0.1, None)),
        repeated=(Repeated("answer_f1", 9, 0.1, {1: 0.5, 2: 0.75}, {1: 0.5, 2: 0.25}),),
        incomplete=(text,),
        measurements=(measured,),
        their_measurements=(measured,),
        slices=(
            PartResult(
                text, 4, (MeasureResult("answer_f1", "answers", estimate, 9, {}, ()),), (), (measured,)
            ),
        ),
        ceilings=(Ceiling(text, 2.0, 1.5, 8, 9),),
        regressions=(Regression("answer_f1", 0.01, "can't tell", -0.1, -0.3, 0.1, 9, 9),),
    )


def _transfer(text: str) -> Transfer:
    keys = (
        KeyFate(text, "mapped", text, 3),
        KeyFate(text, "kept", text, 2),
        KeyFate(text, "dropped", None, 1),
    )
    groups = (Group(text, "wrong-type", text, "error", 4),)
    return Transfer("import", text, text, 3, 0, keys, _violations(text), groups, (text,), (text,), True)


def _breaking(text: str) -> BreakingReport:
    old, new = (str(BOOKING / f"booking_input_v{version}.json") for version in (1, 2))
    return BreakingReport(list(compare_schemas(new, old)), Places("https://example.org/"), notes=(text,))
