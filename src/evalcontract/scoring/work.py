"""The unit of work: one item with all that was predicted for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import jiter

from evalcontract.metrics import MetricScore
from evalcontract.scoring.item import ItemScores, Scorer
from evalcontract.scoring.records import Header, digest_in, digest_of, line_of, values_in
from evalcontract.scoring.settings import Settings

OtherKind = Literal["predictions", "scores"]
Match = Literal["same", "differs", "unknown", "absent"]


@dataclass(frozen=True, slots=True)
class Task:
    """An item and the JSON text of the records that belong to it, None where there is none."""

    item: Mapping[str, Any]
    schema_type: str | None
    prediction: bytes | None
    other: bytes | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a task. `line` is the score record, `other` the values of the run that is compared.

    `match` tells whether that run is about the same item: it may be about one that differs, not say, or have
    no record of the item.
    """

    item_id: str
    scores: Mapping[str, MetricScore]
    warnings: tuple[str, ...]
    line: bytes
    other: Mapping[str, float] | None = None
    match: Match = "same"


@dataclass(frozen=True, slots=True)
class Job:
    """How tasks are done; plain values, so that it can be sent to other processes."""

    settings: Settings
    header: Header
    other: OtherKind | None = None


class Worker:
    """Does tasks."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._scorer = Scorer(job.settings)

    def __call__(self, tasks: Sequence[Task]) -> list[Done]:
        """Score each task, in order."""
        return [self._done(task) for task in tasks]

    def _done(self, task: Task) -> Done:
        item = task.item
        item_id = item["item_id"]
        ours = self._scored(task, task.prediction)
        digest = digest_of(item)
        line = line_of(item_id, ours.scores, digest, self._job.header)
        return Done(item_id, ours.scores, ours.warnings, line, *self._other(task, digest))

    def _scored(self, task: Task, record: bytes | None) -> ItemScores:
        prediction = None if record is None else jiter.from_json(record)["prediction"]
        return self._scorer.score(task.item, prediction, task.schema_type)

    def _other(self, task: Task, digest: str) -> tuple[Mapping[str, float] | None, Match]:
        if self._job.other is None:
            return None, "same"
        if self._job.other == "predictions":
            scores = self._scored(task, task.other).scores
            values = {name: score.value for name, score in scores.items() if score.value is not None}
            return values, "absent" if task.other is None else "same"
        if task.other is None:
            return {}, "absent"
        record = jiter.from_json(task.other)
        theirs = digest_in(record)
        return values_in(record), "unknown" if theirs is None else "same" if theirs == digest else "differs"
