"""Collects the scores of the items, in flat memory, into what is reported of the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from heapq import heappush, heapreplace
from math import fsum
from typing import Any, Generic, TypeVar

from evalcontract.metrics import MetricScore
from evalcontract.scoring.aggregate import Sample
from evalcontract.scoring.intervals import mean_estimate
from evalcontract.scoring.result import BINS, ItemValue, MeasureResult, WorstItem
from evalcontract.scoring.settings import Measure
from evalcontract.scoring.work import Task

Kept = TypeVar("Kept")

_WORST_OF_A_MEASURE = 3
_LOWEST_OF_AN_ITEM = 3


class Greatest(Generic[Kept]):
    """The few things with the greatest weights, equal weights in the order of their ids."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[tuple[float, _Reversed, Kept]] = []

    def wants(self, weight: float) -> bool:
        """Whether something of this weight may still be among them."""
        return len(self._heap) < self._size or (self._size > 0 and weight >= self._heap[0][0])

    def add(self, weight: float, item_id: str, thing: Kept) -> None:
        """Keep it if it is among the greatest so far. Ids must differ."""
        entry = (weight, _Reversed(item_id), thing)
        if len(self._heap) < self._size:
            heappush(self._heap, entry)
        elif self._size and entry[:2] > self._heap[0][:2]:
            heapreplace(self._heap, entry)

    def entries(self) -> list[tuple[float, str, Kept]]:
        """What was kept, with weight and id, as `add` takes it."""
        return [(weight, str(item_id), thing) for weight, item_id, thing in self._heap]

    def all(self) -> tuple[Kept, ...]:
        """The greatest first."""
        return tuple(entry[2] for entry in sorted(self._heap, key=lambda kept: kept[:2], reverse=True))


class _Reversed(str):
    """An id that sorts the other way round: among equal weights the first id is the one to keep."""

    __slots__ = ()

    def __lt__(self, other: str) -> bool:
        return str.__gt__(self, other)

    def __gt__(self, other: str) -> bool:
        return str.__lt__(self, other)


class CollectedScores:
    """The scores of one run. `worst` is the number of items to name; `worst_by` ranks them by one measure."""

    def __init__(self, measures: tuple[Measure, ...], worst: int, worst_by: str | None = None) -> None:
        self._measures = measures
        self._worst_by = worst_by
        self._sample = Sample()
        self._totals: Counter[str] = Counter()
        self._reasons: dict[str, Counter[str]] = {}
        self._lowest: dict[str, Greatest[ItemValue]] = {}
        self._worst: Greatest[tuple[WorstItem, Task | None]] = Greatest(worst)
        self._bins: dict[str, list[int]] = {}
        self._judged: Counter[str] = Counter()
        self._lacking: Counter[str] = Counter()
        self.items = 0

    def add(
        self,
        item_id: str,
        scores: Mapping[str, MetricScore],
        owed: AbstractSet[str] = frozenset(),
        task: Task | None = None,
    ) -> None:
        """Take the scores of one item, which of them rest on less than the dataset can judge, and what they are of."""
        self.items += 1
        self._lacking.update(owed)
        self._judged.update(name for name, score in scores.items() if score.value is not None or name in owed)
        self._totals.update(scores.keys())
        values: dict[str, float] = {}
        for name, score in scores.items():
            if score.value is None:
                self._reasons.setdefault(name, Counter())[score.reason or ""] += 1
                continue
            values[name] = score.value
            bins = self._bins.setdefault(name, [0] * BINS)
            bins[min(int(score.value * BINS), BINS - 1)] += 1
            if score.value < 1.0:
                lowest = self._lowest.setdefault(name, Greatest(_WORST_OF_A_MEASURE))
                if lowest.wants(-score.value):
                    lowest.add(-score.value, item_id, ItemValue(item_id, score.value, score.reason))
        self._sample.add(values)
        self._rank(item_id, scores, values, task)

    def state(self, explain: Callable[[WorstItem, Task], WorstItem]) -> dict[str, Any]:
        """All of it as plain values, which JSON keeps exactly. `explain` gives an item its evidence."""
        return {
            "items": self.items,
            "totals": self._totals,
            "reasons": self._reasons,
            "judged": self._judged,
            "lacking": self._lacking,
            "moments": self._sample.state(),
            "lowest": {
                name: [(weight, id_, item.value, item.reason) for weight, id_, item in lowest.entries()]
                for name, lowest in self._lowest.items()
            },
            "bins": self._bins,
            "worst": [
                (
                    weight,
                    id_,
                    item.mean,
                    item.lowest,
                    (item if task is None else explain(item, task)).evidence,
                )
                for weight, id_, (item, task) in self._worst.entries()
            ],
        }

    def merge(self, state: Mapping[str, Any]) -> None:
        """Take the scores of other items, which another one collected."""
        self.items += state["items"]
        for counter, told in (
            (self._totals, state["totals"]),
            (self._judged, state["judged"]),
            (self._lacking, state["lacking"]),
            *((self._reasons.setdefault(name, Counter()), of) for name, of in state["reasons"].items()),
        ):
            counter.update(told)
        self._sample.merge(state["moments"])
        for name, entries in state["lowest"].items():
            lowest = self._lowest.setdefault(name, Greatest(_WORST_OF_A_MEASURE))
            for weight, item_id, value, reason in entries:
                lowest.add(weight, item_id, ItemValue(item_id, value, reason))
        for name, told in state["bins"].items():
            bins = self._bins.setdefault(name, [0] * BINS)
            bins[:] = [ours + theirs for ours, theirs in zip(bins, told, strict=True)]
        for weight, item_id, mean, of, evidence in state["worst"]:
            item = WorstItem(
                item_id, mean, tuple((name, value, reason) for name, value, reason in of), evidence
            )
            self._worst.add(weight, item_id, (item, None))

    def results(self) -> tuple[MeasureResult, ...]:
        """Every measure that was taken on an item."""
        found = {name: mean_estimate(moments) for name, moments in self._sample.moments.items()}
        return tuple(
            MeasureResult(
                measure.name,
                measure.metric.room,
                found.get(measure.name),
                self._totals[measure.name],
                dict(sorted(self._reasons.get(measure.name, {}).items())),
                self._lowest[measure.name].all() if measure.name in self._lowest else (),
                self._judged[measure.name],
                self._judged[measure.name] - self._lacking[measure.name],
                tuple(self._bins.get(measure.name, ())),
            )
            for measure in self._measures
            if self._totals[measure.name]
        )

    def worst(self) -> tuple[tuple[WorstItem, Task | None], ...]:
        """The items with the lowest mean over their measures, or the lowest value of `worst_by`, and their tasks."""
        return self._worst.all()

    def _rank(
        self,
        item_id: str,
        scores: Mapping[str, MetricScore],
        values: Mapping[str, float],
        task: Task | None,
    ) -> None:
        if self._worst_by is None:
            mean = fsum(values.values()) / len(values) if values else 1.0
        else:
            mean = values.get(self._worst_by, 1.0)
        if mean >= 1.0 or not self._worst.wants(-mean):
            return
        names = [self._worst_by] if self._worst_by is not None else _lowest(scores, values)
        lowest = tuple((name, values[name], scores[name].reason) for name in names)
        self._worst.add(-mean, item_id, (WorstItem(item_id, mean, lowest), task))


def _lowest(scores: Mapping[str, MetricScore], values: Mapping[str, float]) -> list[str]:
    """The lowest measures of an item, those that say why first, and each reason once."""
    said: dict[str, str] = {}
    for name in sorted(values, key=lambda name: (values[name], scores[name].reason is None)):
        if values[name] < 1.0:
            said.setdefault(scores[name].reason or name, name)
    return list(said.values())[:_LOWEST_OF_AN_ITEM]
