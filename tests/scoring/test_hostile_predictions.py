"""Predictions that were made to break a scored run: each ends in a report or in a fault that names its place."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Finished, run
from tests.support.scoring import dataset, item, write_json

FORMATS = ("text", "json", "csv", "markdown", "html")
ITEMS = [item(name, citations=[{"document_id": "hours"}], answerable=True, tool_calls=[]) for name in "ab"]


def told(item_id: object = "a", **parts: Any) -> dict[str, Any]:
    return {"item_id": item_id, "prediction": {"response": "x"} | parts}


FAULTY: dict[str, list[Any]] = {
    "no prediction": [{"item_id": "a", "prediction": None}],
    "numbers for texts": [told(response=5)],
    "texts for lists": [told(citations="x")],
    "an object for a list": [told(retrieved_documents={"a": 1})],
    "a list for an object": [{"item_id": "a", "prediction": []}],
    "a number for an id": [told(7)],
    "an empty id": [told("")],
    "an empty document id": [told(retrieved_documents=[{"document_id": "", "content": ""}])],
    "no number": ['{"item_id": "a", "prediction": {}, "measurements": {"latency_ms": NaN}}'],
    "an infinite number": ['{"item_id": "a", "prediction": {}, "measurements": {"latency_ms": 1e999}}'],
    "a repeated key": ['{"item_id": "a", "item_id": "a", "prediction": {}}'],
    "half of a pair of surrogates": [r'{"item_id": "a", "prediction": {"response": "\ud800"}}'],
    "the same id twice": [told(), told()],
    "scores among them": [told(), {"item_id": "b", "scores": {}}],
    "metadata among them": [told(), {"metadata": {}}],
    "arguments too deep": [
        '{"item_id": "a", "prediction": {"tool_calls": [{"name": "f", "args": '
        + '{"a": ' * 200
        + "1"
        + "}" * 200
        + "}]}}"
    ],
    "a broken line": ['{"item_id": "a", "prediction": {'],
    "nothing": [],
}
UNUSABLE: dict[str, list[Any]] = {
    "measurements too large to add": [
        told(name) | {"measurements": {"latency_ms": 1e308}} for name in ("a", "b")
    ],
    "no id of the dataset": [told("z")],
}
SOUND: dict[str, list[Any]] = {
    "nothing but nulls": [
        told(response=None, citations=None, retrieved_documents=None, tool_calls=None, abstained=None)
    ],
    "blank texts": [told(response=" \t", retrieved_documents=[{"document_id": "hours", "content": ""}])],
    "markup and control characters": [
        told(
            response="<script>alert(1)</script>\u202e\x1b[31m|x|`",
            citations=[{"document_id": "<b>", "response_marker": "[1]", "quotes": ["\x1b]0;x\x07"]}],
            retrieved_documents=[{"document_id": "<b>", "content": "\x1b]0;x\x07"}],
        )
    ],
    "measurements at either end": [
        told("a") | {"measurements": {"latency_ms": -1.7e308}},
        told("b") | {"measurements": {"latency_ms": 1.7e308}},
    ],
    "a byte order mark": ["\ufeff" + json.dumps(told())],
    "twenty thousand words": [
        told(
            response="word and more " * 10_000,
            retrieved_documents=[{"document_id": "hours", "content": "more words " * 10_000}],
        )
    ],
    "a thousand markers": [told(response="[1]" * 1000, citations=[{"document_id": "hours"}] * 1000)],
    "ten thousand documents": [
        told(retrieved_documents=[{"document_id": f"d{number}"} for number in range(10_000)])
    ],
}


def scored_as(folder: Path, rows: list[Any], format_: str) -> Finished:
    """The command on these lines, with score records asked for."""
    runs = folder / "predictions.jsonl"
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    runs.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    items = write_json(folder / "dataset.json", dataset(ITEMS))
    records = str(folder / "scores.jsonl")
    return run(
        "score", str(runs), "--dataset", items, "--records", records, "--format", format_, "--jobs", "1"
    )


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("what", FAULTY)
def test_faults_are_told_and_nothing_is_written(tmp_path: Path, what: str, format_: str) -> None:
    done = scored_as(tmp_path, FAULTY[what], format_)
    assert (done.code, (tmp_path / "scores.jsonl").exists()) == (1, False)
    assert "predictions.jsonl" in done.out + done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("what", UNUSABLE)
def test_what_can_not_be_scored_is_one_line_and_nothing_is_written(
    tmp_path: Path, what: str, format_: str
) -> None:
    done = scored_as(tmp_path, UNUSABLE[what], format_)
    assert (done.code, done.out, (tmp_path / "scores.jsonl").exists()) == (2, "", False)
    first, *more = done.err.splitlines()
    assert first.startswith("error: ")
    assert all(line.startswith("  hint: ") for line in more)


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("what", SOUND)
def test_what_keeps_its_contract_is_scored_and_every_report_holds(
    tmp_path: Path, what: str, format_: str
) -> None:
    done = scored_as(tmp_path, SOUND[what], format_)
    assert done.code == 0, done.err
    assert "\x1b]0" not in done.out
    assert "<script>alert" not in done.out or format_ in ("text", "json", "markdown")
    assert "NaN" not in done.out
    assert "Infinity" not in done.out
    if format_ == "json":
        means = [measure["mean"] for measure in json.loads(done.out)["measures"]]
        assert all(mean is None or 0 <= mean <= 1 for mean in means)
    elif format_ == "csv":
        assert len({len(row) for row in csv.reader(io.StringIO(done.out))}) == 1
    for line in (tmp_path / "scores.jsonl").read_text(encoding="utf-8").splitlines():
        json.loads(line)
