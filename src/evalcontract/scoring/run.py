"""A scoring run: predictions joined with their dataset, scored, compared, and held against bounds."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import jiter

from evalcontract.catalog import Catalogue
from evalcontract.checking import Progress, RunResult
from evalcontract.errors import UsageError
from evalcontract.reading import STDIN
from evalcontract.scoring.collect import CollectedScores
from evalcontract.scoring.compare import Compared
from evalcontract.scoring.evidence import evidence_of
from evalcontract.scoring.files import Files, kind_of
from evalcontract.scoring.gating import (
    bounds_of,
    ceilings_of,
    check_ceilings,
    check_names,
    check_shares,
    regressions_of,
)
from evalcontract.scoring.join import Spool
from evalcontract.scoring.measured import Measurements
from evalcontract.scoring.other_run import OtherRun
from evalcontract.scoring.parts import SliceCollector
from evalcontract.scoring.records import Header, identity_of
from evalcontract.scoring.repetitions import Repetitions
from evalcontract.scoring.result import PartResult, ScoreReport, WorstItem
from evalcontract.scoring.settings import Measure, ScoreSettings
from evalcontract.scoring.slices import Slicer
from evalcontract.scoring.work import Done, Job, Task, Worker
from evalcontract.values import shown
from evalcontract.workers import Workers

WORST = 5
TASKS_AT_ONCE = 32
"""Tasks that are sent to a process together."""
ALONE_SECONDS = 0.5
"""How long this process works before it starts others: small work is done by then."""


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """What a run is asked for beside the scores.

    `compare` is a file of predictions or of score records; `across_versions` allows one that was scored on
    another version of the dataset. `bounds` demands means by measure, of all items that the dataset can judge or of the
    share that `min_scored` gives by measure. `margins` says by measure how much worse than `compare` the run may be,
    `ceilings` what statistics such as `latency_ms.p95` must not exceed. `by` are JSON pointers to values of an item by
    which everything is broken down; names such as `recall_at_5[language=de]` gate one slice. `worst` is the number of
    items to name, ranked by the measure `worst_by` or by the mean over their measures. `schema_type`, `own_types`
    and `catalogue` are as for `validate`; an own type is measured as the built-in one that it extends.
    """

    compare: str | None = None
    across_versions: bool = False
    bounds: Mapping[str, float] | None = None
    min_scored: Mapping[str, float] | None = None
    margins: Mapping[str, float] | None = None
    ceilings: Mapping[str, float] | None = None
    by: tuple[str, ...] = ()
    worst: int = WORST
    worst_by: str | None = None
    schema_type: str | None = None
    own_types: tuple[str, ...] = ()
    catalogue: Catalogue | None = None


def score_files(
    predictions: str,
    dataset: str | None,
    settings: ScoreSettings | None = None,
    wanted: ScoreRequest | None = None,
    *,
    write: Callable[[bytes], object] | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> ScoreReport | RunResult:
    """Score a file of predictions, without a `dataset` on what needs none of it.

    Gives what `validate` would say, when a file doesn't keep its contract.

    `write` is given the score records, one line at a time in the order of the dataset; they count only when a
    ScoreReport comes back. With more than one of `jobs`, large runs are scored by as many processes. Where
    these can't be forked, a script needs `if __name__ == "__main__":`.

    Raises UsageError for an unknown measure, for predictions that have no item in common with the dataset, and
    for scores to compare that were made on another version of it; UnreadableInput.
    """
    settings, wanted = settings or ScoreSettings(), wanted or ScoreRequest()
    if dataset is None:
        settings = settings.without_reference()
    measures = settings.measures()
    _check(wanted, measures)
    if [predictions, dataset].count(STDIN) > 1 or wanted.compare == STDIN:
        raise UsageError("standard input can be the predictions or the dataset only", hint="name the others")
    with ExitStack() as stack:
        run = _Run(stack, predictions, dataset, settings, wanted, write, jobs, progress)
        return run.run(measures)


class _Run:
    def __init__(
        self,
        stack: ExitStack,
        predictions: str,
        dataset: str | None,
        settings: ScoreSettings,
        wanted: ScoreRequest,
        write: Callable[[bytes], object] | None,
        jobs: int,
        progress: Progress | None,
    ) -> None:
        self._stack = stack
        self._predictions = predictions
        self._dataset = dataset
        self._settings = settings
        self._wanted = wanted
        self._write = write
        self._jobs = jobs
        self._files = Files(progress, wanted.catalogue)
        self._spool = stack.enter_context(Spool())
        self._other: OtherRun | None = None
        self._header = Header()
        self._workers: Workers[Sequence[Task], list[Done]] | None = None
        self._tasks: list[Task] = []
        self._unfinished: deque[Task] = deque()
        self._missing: list[str] = []
        self._incomplete: list[str] = []
        self._repetitions = Repetitions()
        self._measures = settings.measures()
        self._measurements = Measurements()
        self._their_measurements = Measurements()
        self._slicer = Slicer(wanted.by)
        self._parts: dict[str, SliceCollector] = {}
        self._warnings: Counter[str] = Counter()
        self._collected = CollectedScores((), 0)

    def run(self, measures: tuple[Measure, ...]) -> ScoreReport | RunResult:
        wanted, files = self._wanted, self._files
        self._collected = CollectedScores(measures, wanted.worst, wanted.worst_by)
        files.records(self._predictions, "predictions", self._spool)
        if wanted.compare is not None:
            self._other = self._opened_other(wanted.compare, measures)
        if self._dataset is None:
            self._take_records()
        else:
            files.dataset(self._dataset, self._begin, self._take, wanted.schema_type, wanted.own_types)
        if not files.sound:
            return files.result()
        if self._workers is not None:
            self._collect(self._workers.put(self._tasks))
            self._collect(self._workers.rest())
        return self._report()

    def _opened_other(self, file: str, measures: tuple[Measure, ...]) -> OtherRun:
        kind = kind_of(file)
        spool = self._stack.enter_context(Spool())
        self._files.records(file, kind, spool)
        compared = Compared(measures, self._wanted.worst)
        return OtherRun(file, kind, spool, compared, across=self._wanted.across_versions)

    def _begin(self, metadata: object) -> None:
        self._header = Header(identity_of(metadata), self._settings.recorded())
        if self._other is not None and self._files.sound:
            self._other.begin(self._header)
        other = self._other
        job = Job(
            self._settings,
            self._header,
            other.kind if other else None,
            self._spool.most,
            other.repetitions if other else 1,
        )
        workers = Workers(self._jobs - 1, partial(Worker, job), alone_seconds=ALONE_SECONDS)
        self._workers = self._stack.enter_context(workers)

    def _take(self, item: dict[str, Any], schema_type: str | None) -> None:
        assert self._workers is not None
        item_id = item["item_id"]
        predictions = self._spool.take(item_id)
        if not predictions:
            self._missing.append(item_id)
        elif len(predictions) < self._spool.most:
            self._incomplete.append(item_id)
        others = self._other.take(item_id) if self._other else ()
        task = Task(item, schema_type, predictions, others, self._slicer.of(item))
        self._tasks.append(task)
        self._unfinished.append(task)
        if len(self._tasks) >= TASKS_AT_ONCE:
            self._collect(self._workers.put(self._tasks))
            self._tasks = []

    def _take_records(self) -> None:
        """Score the records of live traffic, each as the prediction for an item that asks what its `input` says."""
        if not self._files.sound:
            return
        self._begin(None)
        while (raw := self._spool.first()) is not None:
            record = jiter.from_json(raw)
            self._take({"item_id": record["item_id"], "input": record.get("input") or {}}, None)

    def _collect(self, results: Iterable[list[Done]]) -> None:
        for done in chain.from_iterable(results):
            self._add(done)

    def _add(self, done: Done) -> None:
        self._collected.add(done.item_id, done.scores, done.owed, self._unfinished.popleft())
        self._repetitions.add(done.runs)
        self._warnings.update(done.warnings)
        if self._write is not None:
            for line in done.lines:
                self._write(line)
        self._measurements.add(done.measurements)
        values = {name: score.value for name, score in done.scores.items() if score.value is not None}
        paired = self._other is not None and self._other.add(done, values)
        if paired:
            self._their_measurements.add(done.other_measurements)
        for name in done.slices:
            if name not in self._parts:
                self._parts[name] = SliceCollector(name, self._measures)
            self._parts[name].add(done, values, paired=paired)

    def _with_evidence(self, item: WorstItem, task: Task | None) -> WorstItem:
        if task is None:
            return item
        records = [jiter.from_json(raw) for raw in task.predictions]
        return replace(item, evidence=evidence_of(task.item, records, self._settings, task.schema_type))

    def _report(self) -> ScoreReport:
        extra = self._spool.left
        if self._dataset is not None and len(self._missing) == self._collected.items:
            raise UsageError(
                f"no prediction of {self._predictions} is for an item of {self._dataset}: "
                f"{shown(extra[0])} is none of its ids",
                hint="were they made for another dataset?",
            )
        measured = self._collected.results()
        names = tuple(measure.name for measure in measured)
        comparison = self._other.comparison(names) if self._other else None
        whole = PartResult(
            None,
            self._collected.items,
            measured,
            comparison.differences if comparison else (),
            self._measurements.results(),
            self._their_measurements.results(),
        )
        for key in self._slicer.keys:
            if not any(name.startswith(f"{key}=") for name in self._parts):
                raise UsageError(f"no item has a value {key} to break the run down by", hint="correct --by")
        slices = tuple(self._parts[name].result() for name in sorted(self._parts))
        parts = {part.name: part for part in (whole, *slices)}
        wanted = self._wanted
        shares = wanted.min_scored or {}
        return ScoreReport(
            self._predictions,
            self._dataset,
            self._header.name,
            self._collected.items,
            measured,
            tuple(self._with_evidence(item, task) for item, task in self._collected.worst()),
            tuple(self._missing),
            extra,
            dict(sorted(self._warnings.items())),
            self._files.advices,
            comparison,
            bounds_of(wanted.bounds or {}, shares, parts),
            self._settings.recorded(),
            self._spool.most,
            self._repetitions.results(names),
            tuple(self._incomplete),
            whole.measurements,
            whole.their_measurements,
            slices,
            ceilings_of(wanted.ceilings or {}, shares, parts),
            regressions_of(wanted.margins or {}, shares, parts),
        )


def _check(wanted: ScoreRequest, measures: tuple[Measure, ...]) -> None:
    keys = Slicer(wanted.by).keys
    bounds, margins, ceilings = wanted.bounds or {}, wanted.margins or {}, wanted.ceilings or {}
    check_names([*bounds, *margins], measures, keys)
    check_names([wanted.worst_by] if wanted.worst_by else [], measures)
    check_ceilings(ceilings, keys)
    check_shares(bounds, bounds, "bound")
    check_shares(margins, margins, "margin")
    check_shares(wanted.min_scored or {}, [*bounds, *margins, *ceilings], "share of items")
    if margins and wanted.compare is None:
        raise UsageError("there is no run to be worse than", hint="name it with --compare")
