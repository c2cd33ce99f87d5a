"""Small datasets and predictions for the tests of scoring, as values and as files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evalcontract.scoring import ScoreReport, ScoreRequest, ScoreSettings, score_files
from evalcontract.scoring.result import MeasureResult

METADATA = {
    "product_id": "library",
    "scope": "desk",
    "version": "1.0",
    "input_schema_type": "rag",
    "input_schema_version": "1.0",
}
JUDGED = ({"document_id": "hours", "relevance": 2}, {"document_id": "fees", "relevance": 0})


def item(
    item_id: str,
    response: str = "The library opens at nine.",
    judged: Sequence[Mapping[str, Any]] | None = JUDGED,
    **expected: Any,
) -> dict[str, Any]:
    """A rag item about opening hours."""
    return {
        "item_id": item_id,
        "input": {
            "messages": [{"role": "user", "content": "When does the library open?"}],
            "context": ["The library opens at nine on weekdays.", "Late returns cost one euro a day."],
            "document_ids": ["hours", "fees"],
        },
        "expected_output": {"response": response, "retrieval_ground_truth": judged, **expected},
    }


def prediction(
    item_id: str, response: str | None = "The library opens at nine.", **parts: Any
) -> dict[str, Any]:
    """A prediction record; by default a perfect one that retrieved both documents, best first."""
    retrieved = [{"document_id": "hours"}, {"document_id": "fees"}]
    return {
        "item_id": item_id,
        "prediction": {"response": response, "retrieved_documents": retrieved, **parts},
    }


def dataset(items: Iterable[Mapping[str, Any]], **metadata: Any) -> dict[str, Any]:
    """A dataset of rag items."""
    return {"metadata": METADATA | metadata, "items": list(items)}


def write_json(path: Path, document: object) -> str:
    """Write one JSON document; its path as a command takes it."""
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def write_lines(path: Path, rows: Iterable[object]) -> str:
    """Write JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def scored(
    folder: Path,
    items: Iterable[Mapping[str, Any]],
    predictions: Iterable[object],
    settings: ScoreSettings | None = None,
    wanted: ScoreRequest | None = None,
    **more: Any,
) -> ScoreReport:
    """The report on these predictions."""
    result = score_files(
        write_lines(folder / "predictions.jsonl", predictions),
        write_json(folder / "dataset.json", dataset(items)),
        settings,
        wanted,
        **more,
    )
    assert isinstance(result, ScoreReport), result
    return result


def measure(report: ScoreReport, name: str) -> MeasureResult:
    """One measure of a report."""
    return next(each for each in report.measures if each.name == name)
