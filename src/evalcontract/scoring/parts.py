"""The parts of a run: all items, or those of a slice, each with its measures, differences and measurements."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from evalcontract.scoring.collect import CollectedScores
from evalcontract.scoring.compare import Compared
from evalcontract.scoring.measured import Measurements
from evalcontract.scoring.result import PartResult, WorstItem
from evalcontract.scoring.settings import Measure
from evalcontract.scoring.work import Done, Task


class SliceCollector:
    """Collects the items of one slice."""

    def __init__(self, name: str, measures: tuple[Measure, ...], gated: Collection[str] = ()) -> None:
        self._name = name
        self._collected = CollectedScores(measures, 0)
        self._compared = Compared(measures, 0, gated)
        self.measurements = Measurements()
        self.their_measurements = Measurements()

    def add(self, done: Done, values: Mapping[str, float], *, paired: bool) -> None:
        """Take one item; `paired` tells whether the other run is about the same."""
        self._collected.add(done.item_id, done.scores, done.owed)
        self.measurements.add(done.measurements)
        if paired:
            self._compared.add(done.item_id, values, done.other or {}, done.owed)
            self.their_measurements.add(done.other_measurements)

    def state(self, explain: Callable[[WorstItem, Task], WorstItem]) -> dict[str, Any]:
        """All of it but measurements and differences as plain values."""
        return {"collected": self._collected.state(explain), "records": self.measurements.records}

    def merge(self, state: Mapping[str, Any]) -> None:
        """Take the scores of other items of the slice."""
        self._collected.merge(state["collected"])
        self.measurements.merge(state["records"], ())

    def result(self) -> PartResult:
        """What became of it."""
        return PartResult(
            self._name,
            self._collected.items,
            self._collected.results(),
            self._compared.differences(),
            self.measurements.results(),
            self.their_measurements.results(),
        )
