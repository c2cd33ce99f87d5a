"""Scores that others gave, as tables of them come: rows to score records, all of them or nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.errors import UsageError
from evalcontract.files import refuse_overwriting
from evalcontract.importing.judging import record_contract
from evalcontract.importing.mapping import load_mapping
from evalcontract.importing.result import Ledger, Transfer
from evalcontract.importing.row import Outside, Row
from evalcontract.importing.rows import read_rows
from evalcontract.importing.values import Form, Refused, structure
from evalcontract.importing.writing import DocumentsWriter, suffix_of
from evalcontract.reading import Held
from evalcontract.validation import Violation, close_key, did_you_mean
from evalcontract.values import LINES_SUFFIXES, json_text, numbers_as_written

_ROW_BYTES = 1000
_PROGRESS_STEP = 100
_COLUMNS: dict[str, tuple[str, ...]] = {
    "item_id": ("item_id", "id", "example_id", "sample_id", "case_id", "question_id", "dataset_item_id"),
    "metric": ("metric", "metric_name", "criterion", "criteria", "dimension", "aspect", "name"),
    "value": ("score", "value", "rating", "grade"),
    "label": ("label", "verdict", "choice", "string_value", "stringValue"),
    "evaluator": ("evaluator", "annotator", "judge", "rater", "annotator_id", "scorer", "author"),
    "explanation": (
        "explanation",
        "reasoning",
        "rationale",
        "comment",
        "justification",
        "feedback",
        "reason",
    ),
    "repetition": ("repetition", "trial", "epoch", "run"),
    "run_id": ("run_id",),
    "trace_id": ("trace_id", "traceId"),
    "created_at": ("created_at", "timestamp", "createdAt"),
}
"""What a row may say, and the names that columns of it usually have."""
_OF_RECORDS = ("run_id", "trace_id", "created_at")
_ROWS_UNDER = ("scores", "data", "rows")
_NOTHING = (None, "")
_GIVEN_AS_LABEL = "given as a label"


@dataclass(frozen=True, slots=True)
class ScoresRequest:
    """What to import. `evaluator` and `metric` are those of all rows that name none.

    `scale` is the lowest and the highest value of the evaluators; without one values lie from 0 to 1.
    """

    source: Path
    output: Path
    evaluator: str | None = None
    metric: str | None = None
    scale: tuple[float, float] | None = None
    catalogue: Catalogue = field(default_factory=default_catalogue)


def scale_in(text: str) -> tuple[float, float]:
    """The scale in `1,5`; UsageError for anything else."""
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low = high = 0.0
    if not low < high or high - low == float("inf"):
        raise UsageError(f"a scale is MIN,MAX, not {text!r}", hint="write for example --scale 1,5")
    return low, high


@numbers_as_written()
def import_scores(request: ScoresRequest, progress: Callable[[str, int], None] | None = None) -> Transfer:
    """Turn a table of scores, a row for each score, into score records. Nothing is written when a row can't be read.

    A row has an item id, a score or a label, and names the metric and the evaluator, where the request doesn't; what
    else it says is kept in the metadata of the score. The scores of one evaluator for an item are one record. All rows
    are held, up to a limit. Raises UsageError and UnreadableInput.
    """
    suffix_of(request.output, (".json", *LINES_SUFFIXES))
    refuse_overwriting(((request.output,),), (request.source,))
    ledger, reader = Ledger(), _ScoreRows(request)
    came = 0
    layout = replace(load_mapping("golden"), rows_under=_ROWS_UNDER)
    for event in read_rows(request.source, layout, {}):
        if isinstance(event, Row):
            came += 1
            if progress and came % _PROGRESS_STEP == 0:
                progress(str(request.source), came)
            ledger.add(*reader.take(event, ledger))
        elif isinstance(event, Outside):
            for key in event.members:
                ledger.count(key, "dropped")
        else:
            came += event.item_id is not None
            ledger.add(event)
    if not came and not ledger.errors:
        hint = "an empty import is never a success"
        ledger.add(Violation("nothing-read", "0 rows read", hint=hint, file=str(request.source)))
    outputs: tuple[str, ...] = ()
    if not ledger.errors:
        with ExitStack() as files:
            writer = DocumentsWriter(files, request.output)
            for record in reader.records.values():
                writer.add(json_text(record))
            outputs = tuple(map(str, writer.end()))
    return ledger.transfer("import", str(request.source), "scores", came, len(reader.records), outputs)


class _ScoreRows:
    """Collects rows in records."""

    def __init__(self, request: ScoresRequest) -> None:
        self.records: dict[tuple[object, ...], dict[str, Any]] = {}
        self._request = request
        self._held = Held(str(request.source), _ROW_BYTES)
        self._contract = record_contract(request.catalogue, "score_record")
        self._rows: dict[tuple[object, ...], Row] = {}

    def take(self, row: Row, ledger: Ledger) -> list[Violation]:
        """Add one row to its record; what is wrong with it."""
        self._held.add(row.value)
        if isinstance(row.value.get("scores"), dict):
            message, hint = (
                "this is a score record already",
                "evalcontract score --scores takes the file as it is",
            )
            return [row.violation("not-a-row", message, ("scores",), hint=hint)]
        said, names = _said(row)
        found = [*self._lacks(row, said), *_misspelt(row, names)]
        if found:
            return found
        try:
            score = self._score(row, said, names)
        except Refused as refused:
            at = (names[refused.below[0]], *refused.below[1:])
            return [
                row.violation(
                    "wrong-type",
                    refused.message,
                    at,
                    expected=refused.expected,
                    actual=refused.actual,
                    hint=refused.hint,
                )
            ]
        evaluator, metric = (
            str(said.get(name, getattr(self._request, name))) for name in ("evaluator", "metric")
        )
        item_id, repetition = str(said["item_id"]), said.get("repetition")
        key = (item_id, said.get("run_id"), repetition, evaluator)
        record = self.records.setdefault(key, {"item_id": item_id, "scores": {}})
        if metric in record["scores"]:
            first = self._rows[(*key, metric)].number
            message = f"row {first} has a score of {metric} by {evaluator} for this item already"
            hint = "keep one of them, or number them in a column repetition"
            return [row.violation("duplicate-score-record", message, (names["item_id"],), hint=hint)]
        self._rows[(*key, metric)] = row
        record["scores"][metric] = {**score, "evaluator": evaluator}
        if repetition is not None:
            record["repetition"] = repetition
        record |= {name: said[name] for name in _OF_RECORDS if name in said}
        probe = {**record, "scores": {metric: record["scores"][metric]}}
        for target, name in names.items():
            of_record = target in ("item_id", "repetition", *_OF_RECORDS)
            ledger.count(name, "mapped", f"/{target}" if of_record else f"/scores/*/{target}")
        for name, value in row.value.items():
            if name not in names.values():
                kept = value not in _NOTHING
                ledger.count(name, "kept" if kept else "empty", "/scores/*/metadata" if kept else None)
        return [_placed(violation, row, names) for violation in self._contract.violations(probe)]

    def _lacks(self, row: Row, said: dict[str, object]) -> list[Violation]:
        """What a row must say and doesn't."""
        told = {"evaluator": self._request.evaluator, "metric": self._request.metric}
        ways = {
            "item_id": "name the column item_id",
            "evaluator": "say who scored: in a column evaluator, or with --evaluator NAME",
            "metric": "say what was scored: in a column metric, or with --metric-name NAME",
        }
        found = [
            row.violation(
                "missing-key", f"{name} is required", expected="a value", actual="nothing", hint=hint
            )
            for name, hint in ways.items()
            if said.get(name) is None and told.get(name) is None
        ]
        if "value" not in said and "label" not in said:
            hint = "name the column score, or label where it is a word"
            found.append(row.violation("missing-key", "a score is required", hint=hint))
        return found

    def _score(self, row: Row, said: dict[str, object], names: dict[str, str]) -> dict[str, Any]:
        for name in ("item_id", "metric", "evaluator", "label", "explanation", *_OF_RECORDS):
            value = said.get(name)
            if name == "item_id" and isinstance(value, int) and not isinstance(value, bool):
                said[name] = value = str(value)
            if value is not None and not isinstance(value, str):
                raise Refused("string", value, below=(name,))
        others = row.value.keys() - set(names.values())
        metadata = {key: value for key, value in row.value.items() if key in others and value not in _NOTHING}
        score: dict[str, Any] = {"value": None}
        if "value" in said:
            score["value"] = self._number(said["value"], Form(row.cells))
            if self._request.scale is not None:
                metadata |= {
                    "value": structure(said["value"], Form(row.cells)),
                    "scale": list(self._request.scale),
                }
        else:
            score["reason"] = _GIVEN_AS_LABEL
        if "repetition" in said:
            number = structure(said["repetition"], Form(row.cells))
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise Refused("repetition, from 1", said["repetition"], below=("repetition",))
            said["repetition"] = number
        score |= {name: said[name] for name in ("label", "explanation") if name in said}
        return score | ({"metadata": metadata} if metadata else {})

    def _number(self, value: object, form: Form) -> float:
        low, high = self._request.scale or (0.0, 1.0)
        expected = f"number from {low:g} to {high:g}"
        number = value
        if form.cells and isinstance(value, str):
            words = {"true": True, "false": False}
            try:
                number = words[value.lower()] if value.lower() in words else structure(value, form)
            except Refused:
                number = value
        if isinstance(number, bool) and self._request.scale is None:
            return float(number)
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise Refused(expected, value, below=("value",), hint="a word belongs in a column label")
        if not low <= number <= high:
            told = self._request.scale is not None
            hint = None if told else "say what the lowest and highest value are with --scale MIN,MAX"
            raise Refused(expected, value, below=("value",), hint=hint)
        return (float(number) - low) / (high - low)


def _said(row: Row) -> tuple[dict[str, object], dict[str, str]]:
    """What a row says, by our names, and the columns that say it; null and empty cells say nothing."""
    said: dict[str, object] = {}
    names: dict[str, str] = {}
    for target, columns in _COLUMNS.items():
        for column in columns:
            value = row.value.get(column)
            if value not in _NOTHING and column not in names.values():
                said[target], names[target] = value, column
                break
    return said, names


def _misspelt(row: Row, names: dict[str, str]) -> list[Violation]:
    """Columns that look like one that the row lacks."""
    absent = [columns[0] for target, columns in _COLUMNS.items() if target not in names]
    known = {column for columns in _COLUMNS.values() for column in columns}
    return [
        row.violation("unknown-key", did_you_mean(key, guess), (key,), hint=f"rename it to {guess}")
        for key in row.value
        if key not in known and (guess := close_key(key, absent))
    ]


def _placed(violation: Violation, row: Row, names: dict[str, str]) -> Violation:
    """A violation of a record, at the cell of the row that it comes from."""
    target = next((name for name in names if violation.pointer.endswith(f"/{name}")), "item_id")
    return row.violation(
        violation.code,
        f"{violation.message}, in {violation.pointer}",
        (names[target],) if target in names else (),
        expected=violation.expected,
        actual=violation.actual,
        hint=violation.hint,
        severity=violation.severity,
    )
