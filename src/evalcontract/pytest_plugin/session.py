"""The answers of a test run: taken test by test, written and scored at its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from evalcontract.catalog import errata_noted
from evalcontract.errors import ContractError, UsageError
from evalcontract.files import whole_file
from evalcontract.pytest_plugin.collecting import dataset_of
from evalcontract.reports import RUN, SCORES, TEXT
from evalcontract.scoring import ScoreReport, ScoreRequest, ScoreSettings, bounds_in, names_in, score_files
from evalcontract.settings import catalogue_for, find_settings
from evalcontract.validation import validate
from evalcontract.values import visible

Record = Callable[..., None]

_TAKEN = pytest.StashKey[dict[str, Any]]()
_OUTPUT = "eval-results"
_PREDICTION = (
    "response",
    "citations",
    "retrieved_documents",
    "tool_calls",
    "handoff_to",
    "handed_off",
    "abstained",
    "finish_reason",
)


def recorder(node: pytest.Item, marker: pytest.Mark | None) -> Record:
    """The function that takes a test's answer; it refuses what breaks the contract of predictions."""
    if marker is None:
        raise pytest.UsageError("record is for tests marked with evaldataset")
    item_id = node.callspec.params["item"]["item_id"]  # type: ignore[attr-defined]

    def record(*, measurements: Mapping[str, float] | None = None, **prediction: Any) -> None:
        """Take the answer: the fields of a prediction, and what was measured."""
        unknown = sorted(prediction.keys() - set(_PREDICTION))
        if unknown:
            raise UsageError(
                f"a prediction has no {', '.join(unknown)}", hint=f"there are {', '.join(_PREDICTION)}"
            )
        if _TAKEN in node.stash:
            raise UsageError(f"item {item_id!r} has an answer already", hint="call record once in a test")
        taken = {"item_id": item_id, "prediction": prediction, "measurements": measurements}
        validate(taken, "prediction_record")
        node.stash[_TAKEN] = taken

    return record


def answer_of(
    node: pytest.Item, marker: pytest.Mark, failed: pytest.ExceptionInfo[BaseException] | None, root: Path
) -> dict[str, Any]:
    """The record of a test as text, with its dataset; a test that failed before it recorded has an error."""
    file, schema_type = dataset_of(root, marker)
    record = node.stash.get(_TAKEN, None)
    if record is None and failed is not None and not failed.errisinstance(pytest.skip.Exception):
        item_id = node.callspec.params["item"]["item_id"]  # type: ignore[attr-defined]
        record = {"item_id": item_id, "prediction": {}, "error": failed.exconly()[:500]}
    return {"file": file, "type": schema_type, "record": None if record is None else json.dumps(record)}


class Answers:
    """The records of each dataset, and what was found of them."""

    _only: Answers | None = None

    def __init__(self) -> None:
        self.datasets: dict[tuple[str, str | None], dict[str, str]] = {}
        self.said: list[tuple[str, str]] = []

    @classmethod
    def of_this_process(cls) -> Answers:
        """The answers of the run that this process reports."""
        if cls._only is None:
            cls._only = cls()
        return cls._only

    def forget(self) -> None:
        """Begin anew: another run may follow in this process."""
        type(self)._only = None

    def add(self, answer: Mapping[str, Any]) -> None:
        """Take what `answer_of` gave; of a test that ran again the last counts."""
        records = self.datasets.setdefault((answer["file"], answer["type"]), {})
        if answer["record"] is not None:
            records[json.loads(answer["record"])["item_id"]] = answer["record"]

    def score(self, config: pytest.Config) -> bool:
        """Write and score the records of each dataset; whether all bounds are met."""
        met = [self._score(config, *dataset) for dataset in sorted(self.datasets, key=str)]
        return all(met)

    def _score(self, config: pytest.Config, file: str, schema_type: str | None) -> bool:
        title = f"evalcontract: {Path(file).name}"
        try:
            text, met = _scored(config, file, schema_type, list(self.datasets[file, schema_type].values()))
        except ContractError as error:
            hint = f"\n  hint: {error.hint}" if error.hint else ""
            text, met = f"error: {error.message}{hint}\n", False
        self.said.append((title, text))
        return met


def _scored(
    config: pytest.Config, file: str, schema_type: str | None, records: list[str]
) -> tuple[str, bool]:
    settled = find_settings(config.rootpath).values
    folder = config.rootpath / (config.getoption("--eval-output") or settled.get("pytest_output", _OUTPUT))
    folder.mkdir(parents=True, exist_ok=True)
    stem = Path(file).name.split(".json")[0] + (f".{schema_type}" if schema_type else "")
    predictions = folder / f"{stem}.predictions.jsonl"
    with whole_file(predictions) as out:
        out.write("".join(f"{line}\n" for line in records).encode())
    if not records:
        return "no test recorded an answer\n", False
    chosen = config.getoption("--eval-metrics")
    metrics = names_in(chosen) if chosen is not None else settled.get("metrics")
    option = "--eval-fail-under"
    bounds = {**settled.get("fail_under", {}), **bounds_in(option, config.getoption(option))}
    wanted = ScoreRequest(
        bounds=bounds,
        min_scored={name: share for name, share in settled.get("min_scored", {}).items() if name in bounds},
        schema_type=schema_type,
        catalogue=catalogue_for(start=Path(file).parent),
    )
    settings = ScoreSettings(None if metrics is None else tuple(metrics))
    with whole_file(folder / f"{stem}.scores.jsonl") as out, errata_noted() as errata:
        report = score_files(str(predictions), file, settings, wanted, write=out.write)
    notes = "".join(f"note: {visible(sentence)}\n" for sentence in errata)
    if not isinstance(report, ScoreReport):
        return RUN.write(TEXT, report) + notes, False
    return SCORES.write(TEXT, report) + notes, report.exit_code == 0
