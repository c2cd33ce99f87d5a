"""A scoring run: predictions joined with their dataset, scored, compared, and held against bounds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import jiter

from evalcontract.checking import Progress, RunResult
from evalcontract.errors import UsageError
from evalcontract.reading import STDIN
from evalcontract.scoring.compare import Compared
from evalcontract.scoring.files import Files, kind_of
from evalcontract.scoring.gating import gated_in
from evalcontract.scoring.join import Spool
from evalcontract.scoring.judged import JudgedScores
from evalcontract.scoring.other_run import OtherRun
from evalcontract.scoring.records import Header, identity_of
from evalcontract.scoring.request import ScoreRequest, check_request
from evalcontract.scoring.result import ScoreReport
from evalcontract.scoring.settings import Measure, ScoreSettings
from evalcontract.scoring.slices import Slicer
from evalcontract.scoring.totals import RunContext, Totals
from evalcontract.scoring.work import Done, Job, Task, Worker
from evalcontract.values import counted, shown
from evalcontract.workers import Workers

TASKS_AT_ONCE = 32
"""Tasks that are sent to a process together."""
ALONE_SECONDS = 0.5
"""How long this process works before it starts others: small work is done by then."""


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
    if [predictions, dataset].count(STDIN) > 1 or STDIN in (wanted.compare, *wanted.scores):
        raise UsageError("standard input can be the predictions or the dataset only", hint="name the others")
    if not wanted.scores:
        check_request(wanted, settings.measures())
    with ExitStack() as stack:
        files, judged, names = Files(progress, wanted.catalogue), stack.enter_context(Spool()), JudgedScores()
        for file in wanted.scores:
            files.records(file, "scores", judged, names.add)
        if not files.sound:
            return files.result()
        settings = replace(settings, judged=names.names)
        if wanted.scores:
            check_request(wanted, settings.measures())
        run = _Run(stack, predictions, dataset, settings, wanted, write, jobs, files, judged)
        return run.run(settings.measures())


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
        files: Files,
        judged: Spool,
    ) -> None:
        self._stack = stack
        self._predictions = predictions
        self._dataset = dataset
        self._settings = settings
        self._wanted = wanted
        self._write = write
        self._jobs = jobs
        self._files = files
        self._judged = judged
        self._spool = stack.enter_context(Spool())
        self._other: OtherRun | None = None
        self._header = Header()
        self._workers: Workers[Sequence[Task], list[Done]] | None = None
        self._tasks: list[Task] = []
        self._unfinished: deque[Task] = deque()
        self._missing: list[str] = []
        self._incomplete: list[str] = []
        self._repetitions = wanted.repetitions or 1
        self._slicer = Slicer(wanted.by)
        self._totals = Totals(settings, wanted)

    def run(self, measures: tuple[Measure, ...]) -> ScoreReport | RunResult:
        wanted, files = self._wanted, self._files
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
        compared = Compared(measures, self._wanted.worst, gated_in(self._wanted.margins or (), None))
        return OtherRun(file, kind, spool, compared, across=self._wanted.across_versions)

    def _begin(self, metadata: object) -> None:
        self._header = Header(identity_of(metadata), self._settings.recorded())
        if self._other is not None and self._files.sound:
            self._other.begin(self._header)
        other, told = self._other, self._wanted.repetitions
        self._repetitions = self._spool.most if told is None else told
        job = Job(
            self._settings,
            self._header,
            other.kind if other else None,
            self._repetitions,
            other.repetitions if other else 1,
        )
        workers = Workers(self._jobs - 1, partial(Worker, job), alone_seconds=ALONE_SECONDS, ahead=1)
        self._workers = self._stack.enter_context(workers)

    def _take(self, item: dict[str, Any], schema_type: str | None) -> None:
        assert self._workers is not None
        item_id = item["item_id"]
        predictions = self._spool.take(item_id)
        if not predictions:
            self._missing.append(item_id)
        elif len(predictions) > self._repetitions:
            found = counted(len(predictions), "prediction")
            raise UsageError(
                f"item {shown(item_id)} has {found}, not {self._repetitions:,} at most",
                hint="leave --repetitions out, and they are counted",
            )
        elif len(predictions) < self._repetitions:
            self._incomplete.append(item_id)
        others = self._other.take(item_id) if self._other else ()
        judged = self._judged.take(item_id)
        task = Task(item, schema_type, predictions, others, self._slicer.of(item), judged)
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
        if self._write is not None:
            for line in done.lines:
                self._write(line)
        values = {name: score.value for name, score in done.scores.items() if score.value is not None}
        paired = self._other is not None and self._other.add(done, values)
        self._totals.add(done, values, self._unfinished.popleft(), paired=paired)

    def _report(self) -> ScoreReport:
        around = RunContext(
            self._predictions,
            self._dataset,
            self._header.name,
            tuple(self._missing),
            self._spool.left,
            tuple(self._incomplete),
            self._repetitions,
            self._files.advices,
        )
        totals = self._totals
        where = "without a prediction" if self._dataset is None else "not in the dataset"
        for item_id in self._judged.left:
            totals.warn(f"scored by others, and {where}: {shown(item_id, 60)}")
        comparison = None
        if self._other is not None and len(self._missing) < totals.items:
            comparison = self._other.comparison(totals.measured)
        return totals.report(around, comparison)
