"""The unit of work: one item with all that was predicted for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import jiter

from evalcontract.metrics import MetricScore
from evalcontract.scoring.item import ItemScores, Scorer
from evalcontract.scoring.judged import judged_in
from evalcontract.scoring.records import Header, digest_in, digest_of, line_of, values_in
from evalcontract.scoring.repetitions import averaged, completed, means, numbers_of, values_of
from evalcontract.scoring.settings import ScoreSettings

OtherKind = Literal["predictions", "scores"]
Match = Literal["same", "differs", "unknown", "absent"]


@dataclass(frozen=True, slots=True)
class Task:
    """An item and the JSON texts of the records that belong to it."""

    item: Mapping[str, Any]
    schema_type: str | None
    predictions: tuple[bytes, ...]
    others: tuple[bytes, ...] = ()
    slices: tuple[str, ...] = ()
    judged: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a task: the means over the repetitions of the item.

    `runs` are the values of each repetition, `lines` its score record, `owed` the measures that the dataset can judge
    and a repetition doesn't record enough for. `other` are the values of the run that is compared, whose `match`
    tells whether it is about the same item: it may be about one that differs, not say, or have no record of it.
    """

    item_id: str
    scores: Mapping[str, MetricScore]
    warnings: tuple[str, ...]
    owed: frozenset[str]
    runs: tuple[Mapping[str, float], ...]
    lines: tuple[bytes, ...]
    other: Mapping[str, float] | None = None
    match: Match = "same"
    measurements: tuple[Mapping[str, float], ...] = ()
    other_measurements: tuple[Mapping[str, float], ...] = ()
    slices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """How tasks are done; plain values, so that it can be sent to other processes.

    An item that has fewer records than `repetitions` (`other_repetitions` in the other run) lacks the rest.
    """

    settings: ScoreSettings
    header: Header
    other: OtherKind | None = None
    repetitions: int = 1
    other_repetitions: int = 1


class Worker:
    """Does tasks."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._scorer = Scorer(job.settings)

    def __call__(self, tasks: Sequence[Task]) -> list[Done]:
        """Score each task, in order."""
        return [self._done(task) for task in tasks]

    def _done(self, task: Task) -> Done:
        item_id, job = task.item["item_id"], self._job
        records = completed(map(jiter.from_json, task.predictions), job.repetitions)
        runs = self._all_scored(task, records)
        digest = digest_of(task.item)
        lines = tuple(
            line_of(item_id, run.scores, digest, job.header, repetition, (record or {}).get("run_id"))
            for run, record, repetition in zip(runs, records, numbers_of(records), strict=True)
        )
        ours = averaged(runs)
        values = tuple(values_of(run) for run in runs) if len(runs) > 1 else ()
        other, match, theirs = self._other(task, digest)
        return Done(
            item_id,
            ours.scores,
            ours.warnings,
            ours.owed,
            values,
            lines,
            other,
            match,
            tuple(map(_measurements, records)),
            theirs,
            task.slices,
        )

    def _all_scored(self, task: Task, records: Sequence[Mapping[str, Any] | None]) -> list[ItemScores]:
        told = [self._scored(task, record) for record in records if record is not None]
        missing = len(records) - len(told)  # they stand last, and all score the same
        return told + [self._scored(task, None)] * missing if missing else told

    def _scored(self, task: Task, record: Mapping[str, Any] | None) -> ItemScores:
        judged = {}
        if task.judged:
            judged = judged_in(task.judged, record, self._job.repetitions > 1, digest_of(task.item))
        if record is None:
            return self._scorer.score(task.item, None, task.schema_type, None, judged)
        error = record.get("error")
        return self._scorer.score(task.item, record["prediction"], task.schema_type, error, judged)

    def _other(
        self, task: Task, digest: str
    ) -> tuple[Mapping[str, float] | None, Match, tuple[Mapping[str, float], ...]]:
        """The values of the other run, whether they are about the same item, and what was measured there."""
        if self._job.other is None:
            return None, "same", ()
        theirs = completed(map(jiter.from_json, task.others), self._job.other_repetitions)
        if self._job.other == "predictions":
            # What others say of this run's predictions they don't say of the other's.
            scores = averaged(self._all_scored(replace(task, judged=()), theirs))
            match: Match = "same" if task.others else "absent"
            return values_of(scores), match, tuple(map(_measurements, theirs))
        if not task.others:
            return {}, "absent", ()
        records = [record for record in theirs if record is not None]
        values = means([values_in(record) for record in records])
        digests = {digest_in(record) for record in records}
        return values, "same" if digests == {digest} else "unknown" if None in digests else "differs", ()


def _measurements(record: Mapping[str, Any] | None) -> Mapping[str, float]:
    return (record or {}).get("measurements") or {}
