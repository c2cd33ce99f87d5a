"""What a run adds up over its items, whatever the order they come in; sums that were made elsewhere can be merged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import jiter

from evalcontract.errors import UsageError
from evalcontract.scoring.collect import CollectedScores
from evalcontract.scoring.evidence import evidence_of
from evalcontract.scoring.gating import bounds_of, ceilings_of, gated_in, regressions_of
from evalcontract.scoring.measured import Measurements
from evalcontract.scoring.parts import SliceCollector
from evalcontract.scoring.repetitions import Repetitions
from evalcontract.scoring.request import ScoreRequest
from evalcontract.scoring.result import PartResult, RunComparison, ScoreReport, WorstItem
from evalcontract.scoring.settings import ScoreSettings
from evalcontract.scoring.slices import MOST_SLICES, Slicer
from evalcontract.scoring.work import Done, Task
from evalcontract.values import shown

Numbers = tuple[str | None, str, bytes]
"""The slice, None for all items, the name of a measurement, and its values."""


@dataclass(frozen=True, slots=True)
class RunContext:
    """What a report says beside its sums: the two files, the dataset's name, and ids that lack their counterpart."""

    predictions: str
    dataset: str | None
    name: str | None
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    incomplete: tuple[str, ...]
    repetitions: int
    advices: int


class Totals:
    """The sums of one run."""

    def __init__(self, settings: ScoreSettings, wanted: ScoreRequest) -> None:
        self._settings = settings
        self._wanted = wanted
        self._measures = settings.measures()
        self._collected = CollectedScores(self._measures, wanted.worst, wanted.worst_by)
        self._repetitions = Repetitions()
        self._measurements = Measurements()
        self._their_measurements = Measurements()
        self._parts: dict[str, SliceCollector] = {}
        self._warnings: Counter[str] = Counter()

    @property
    def items(self) -> int:
        """The number of items that were added."""
        return self._collected.items

    @property
    def measured(self) -> tuple[str, ...]:
        """The measures that were taken on an item."""
        return tuple(measure.name for measure in self._collected.results())

    def add(self, done: Done, values: Mapping[str, float], task: Task, *, paired: bool = False) -> None:
        """Take one item; `paired` tells whether the run that is compared is about the same."""
        self._collected.add(done.item_id, done.scores, done.owed, task)
        self._repetitions.add(done.runs)
        self._warnings.update(done.warnings)
        self._measurements.add(done.measurements)
        if paired:
            self._their_measurements.add(done.other_measurements)
        for name in done.slices:
            self._part(name).add(done, values, paired=paired)

    def warn(self, text: str) -> None:
        """Note what is odd about the files of the run."""
        self._warnings[text] += 1

    def state(self) -> dict[str, Any]:
        """All of it but the measurements as plain values, which JSON keeps exactly. A comparison can't be told."""
        return {
            "collected": self._collected.state(self._explained),
            "repetitions": self._repetitions.state(),
            "records": self._measurements.records,
            "warnings": self._warnings,
            "parts": {name: part.state(self._explained) for name, part in self._parts.items()},
        }

    def numbers(self) -> Iterator[Numbers]:
        """The measurements."""
        for name, values in self._measurements.numbers():
            yield None, name, values
        for part, collector in self._parts.items():
            for name, values in collector.measurements.numbers():
                yield part, name, values

    def merge_text(self, state: str) -> None:
        """The same of a state that was written as JSON."""
        self.merge(json.loads(state))

    def merge(self, state: Mapping[str, Any]) -> None:
        """Take the sums of other items. Raises UsageError where they are of too many slices."""
        self._collected.merge(state["collected"])
        self._repetitions.merge(state["repetitions"])
        self._measurements.merge(state["records"], ())
        self._warnings.update(state["warnings"])
        for name, part in state["parts"].items():
            self._part(name).merge(part)
        for key in Slicer(self._wanted.by).keys:
            if sum(name.startswith(f"{key}=") for name in self._parts) > MOST_SLICES:
                raise UsageError(
                    f"{key} has more than {MOST_SLICES:,} different values",
                    hint="break a run down by something with fewer",
                )

    def merge_numbers(self, numbers: Iterable[Numbers]) -> None:
        """Take the measurements of other items."""
        for part, name, values in numbers:
            into = self._measurements if part is None else self._part(part).measurements
            into.merge(0, [(name, values)])

    def report(self, around: RunContext, comparison: RunComparison | None = None) -> ScoreReport:
        """What is reported of the run.

        Raises UsageError for predictions that have no item in common with the dataset, for a value that no item has to
        be broken down by, and for a ceiling of what isn't measured.
        """
        if around.dataset is not None and len(around.missing) == self.items:
            of = f": {shown(around.extra[0])} is none of its ids" if around.extra else ""
            raise UsageError(
                f"no prediction of {around.predictions} is for an item of {around.dataset}{of}",
                hint="were they made for another dataset?",
            )
        measured = self._collected.results()
        names = tuple(measure.name for measure in measured)
        whole = PartResult(
            None,
            self.items,
            measured,
            comparison.differences if comparison else (),
            self._measurements.results(),
            self._their_measurements.results(),
        )
        wanted = self._wanted
        for key in Slicer(wanted.by).keys:
            if not any(name.startswith(f"{key}=") for name in self._parts):
                raise UsageError(f"no item has a value {key} to break the run down by", hint="correct --by")
        slices = tuple(self._parts[name].result() for name in sorted(self._parts))
        parts = {part.name: part for part in (whole, *slices)}
        shares = wanted.min_scored or {}
        left_out = len(comparison.only_there) if comparison and around.dataset is None else 0
        return ScoreReport(
            around.predictions,
            around.dataset,
            around.name,
            self.items,
            measured,
            tuple(
                item if task is None else self._explained(item, task)
                for item, task in self._collected.worst()
            ),
            around.missing,
            around.extra,
            dict(sorted(self._warnings.items())),
            around.advices,
            comparison,
            bounds_of(wanted.bounds or {}, shares, parts),
            self._settings.recorded(),
            around.repetitions,
            self._repetitions.results(names),
            around.incomplete,
            whole.measurements,
            whole.their_measurements,
            slices,
            ceilings_of(wanted.ceilings or {}, shares, parts),
            regressions_of(wanted.margins or {}, shares, parts, left_out),
        )

    def _part(self, name: str) -> SliceCollector:
        if name not in self._parts:
            self._parts[name] = SliceCollector(
                name, self._measures, gated_in(self._wanted.margins or (), name)
            )
        return self._parts[name]

    def _explained(self, item: WorstItem, task: Task) -> WorstItem:
        records = [jiter.from_json(raw) for raw in task.predictions]
        return replace(item, evidence=evidence_of(task.item, records, self._settings, task.schema_type))
