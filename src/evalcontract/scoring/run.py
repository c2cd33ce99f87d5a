"""A scoring run: predictions joined with their dataset, scored, compared, and held against bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from evalcontract.catalog import Catalogue
from evalcontract.checking import Progress, RunResult
from evalcontract.errors import UsageError
from evalcontract.reading import STDIN
from evalcontract.scoring.collect import Collected
from evalcontract.scoring.compare import Compared
from evalcontract.scoring.files import Files, kind_of
from evalcontract.scoring.join import Spool
from evalcontract.scoring.other_run import OtherRun
from evalcontract.scoring.records import Header, identity_of
from evalcontract.scoring.repetitions import Repetitions
from evalcontract.scoring.result import Bound, MeasureResult, ScoreReport
from evalcontract.scoring.settings import Measure, Settings
from evalcontract.scoring.work import Done, Job, Task, Worker
from evalcontract.values import shown
from evalcontract.workers import Workers

WORST = 5
TASKS_AT_ONCE = 32
"""Tasks that are sent to a process together."""
ALONE_SECONDS = 0.5
"""How long this process works before it starts others: small work is done by then."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a run is asked for beside the scores.

    `compare` is a file of predictions or of score records; `across_versions` allows one that was scored on
    another version of the dataset. `bounds` demands means by measure, of all items that the dataset can judge or of the
    share that `min_scored` gives by measure. `worst` is the number of items to name,
    ranked by the measure `worst_by` or by the mean over their measures. `schema_type`, `own_types`
    and `catalogue` are as for `validate`; an own type is measured as the built-in one that it extends.
    """

    compare: str | None = None
    across_versions: bool = False
    bounds: Mapping[str, float] | None = None
    min_scored: Mapping[str, float] | None = None
    worst: int = WORST
    worst_by: str | None = None
    schema_type: str | None = None
    own_types: tuple[str, ...] = ()
    catalogue: Catalogue | None = None


def score_files(
    predictions: str,
    dataset: str,
    settings: Settings | None = None,
    wanted: Wanted | None = None,
    *,
    write: Callable[[bytes], object] | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> ScoreReport | RunResult:
    """Score a file of predictions; what `validate` would say, when a file doesn't keep its contract.

    `write` is given the score records, one line at a time in the order of the dataset; they count only when a
    ScoreReport comes back. With more than one of `jobs`, large runs are scored by as many processes. Where
    these can't be forked, a script needs `if __name__ == "__main__":`.

    Raises UsageError for an unknown measure, for predictions that have no item in common with the dataset, and
    for scores to compare that were made on another version of it; UnreadableInput.
    """
    settings, wanted = settings or Settings(), wanted or Wanted()
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
        dataset: str,
        settings: Settings,
        wanted: Wanted,
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
        self._missing: list[str] = []
        self._incomplete: list[str] = []
        self._repetitions = Repetitions()
        self._warnings: Counter[str] = Counter()
        self._collected = Collected((), 0)

    def run(self, measures: tuple[Measure, ...]) -> ScoreReport | RunResult:
        wanted, files = self._wanted, self._files
        self._collected = Collected(measures, wanted.worst, wanted.worst_by)
        files.records(self._predictions, "predictions", self._spool)
        if wanted.compare is not None:
            self._other = self._opened_other(wanted.compare, measures)
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
        self._tasks.append(Task(item, schema_type, predictions, others))
        if len(self._tasks) >= TASKS_AT_ONCE:
            self._collect(self._workers.put(self._tasks))
            self._tasks = []

    def _collect(self, results: Iterable[list[Done]]) -> None:
        for done in chain.from_iterable(results):
            self._add(done)

    def _add(self, done: Done) -> None:
        self._collected.add(done.item_id, done.scores, done.owed)
        self._repetitions.add(done.runs)
        self._warnings.update(done.warnings)
        if self._write is not None:
            for line in done.lines:
                self._write(line)
        if self._other is not None:
            values = {name: score.value for name, score in done.scores.items() if score.value is not None}
            self._other.add(done, values)

    def _report(self) -> ScoreReport:
        extra = self._spool.left
        if len(self._missing) == self._collected.items:
            raise UsageError(
                f"no prediction of {self._predictions} is for an item of {self._dataset}: "
                f"{shown(extra[0])} is none of its ids",
                hint="were they made for another dataset?",
            )
        measured = self._collected.results()
        names = tuple(measure.name for measure in measured)
        return ScoreReport(
            self._predictions,
            self._dataset,
            self._header.name,
            self._collected.items,
            measured,
            self._collected.worst(),
            tuple(self._missing),
            extra,
            dict(sorted(self._warnings.items())),
            self._files.advices,
            self._other.comparison(names) if self._other else None,
            _bounds(self._wanted, measured),
            self._settings.recorded(),
            self._spool.most,
            self._repetitions.results(names),
            tuple(self._incomplete),
        )


def _check(wanted: Wanted, measures: tuple[Measure, ...]) -> None:
    known = {measure.name for measure in measures}
    asked = [*(wanted.bounds or {}), *([wanted.worst_by] if wanted.worst_by else [])]
    for name in asked:
        if name not in known:
            Settings(metrics=(name,))  # an unknown metric is said to be one
            close = ", ".join(other for other in sorted(known) if other.rpartition("_")[0] in name)
            measured = f"measured is {close}; " if close else ""
            raise UsageError(
                f"{name} is not measured in this run", hint=f"{measured}add it with --metrics or --k"
            )
    for name, bound in (wanted.bounds or {}).items():
        if not 0 <= bound <= 1:
            raise UsageError(f"the bound of {name} lies in 0..1, not at {bound!r}")
    for name, share in (wanted.min_scored or {}).items():
        if not 0 <= share <= 1:
            raise UsageError(f"the share of items with {name} lies in 0..1, not at {share!r}")
        if name not in (wanted.bounds or {}):
            raise UsageError(
                f"{name} has no bound", hint=f"write for example --fail-under {name}=0.8 beside it"
            )


def _bounds(wanted: Wanted, measured: tuple[MeasureResult, ...]) -> tuple[Bound, ...]:
    found = {measure.name: measure for measure in measured}
    shares = wanted.min_scored or {}
    return tuple(
        Bound(name, at_least, result.mean, result.n_recorded, result.n_judged, shares.get(name, 1.0))
        if (result := found.get(name))
        else Bound(name, at_least, None, min_scored=shares.get(name, 1.0))
        for name, at_least in (wanted.bounds or {}).items()
    )
