"""Several predictions for one item: their mean, and how far they lie apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import comb, fsum, sqrt
from typing import Any

from evalcontract.metrics import MetricScore
from evalcontract.scoring.aggregate import mean_of, whole
from evalcontract.scoring.item import ItemScores
from evalcontract.scoring.result import Repeated

Record = Mapping[str, Any]


def completed(records: Iterable[Record], repetitions: int) -> list[Record | None]:
    """The records of an item, with None for each that is missing; a single None when there is none at all."""
    found: list[Record | None] = list(records)
    return [*found, *[None] * (repetitions - len(found))] if found else [None]


def numbers_of(records: Sequence[Record | None]) -> list[int | None]:
    """The repetition that each record is; a missing one is the first that nothing else is."""
    if len(records) == 1:
        only = records[0]
        return [None if only is None else only.get("repetition")]
    told = [None if record is None else record.get("repetition") or 1 for record in records]
    free = iter(number for number in range(1, 2 * len(told) + 1) if number not in told)
    return [number if number is not None else next(free) for number in told]


def averaged(runs: Sequence[ItemScores]) -> ItemScores:
    """The mean of each measure over the repetitions that have a value; with the reason of the lowest."""
    if len(runs) == 1:
        return runs[0]
    scores = {name: _mean([run.scores[name] for run in runs]) for name in runs[0].scores}
    warnings = dict.fromkeys(warning for run in runs for warning in run.warnings)
    return ItemScores(scores, tuple(warnings), frozenset().union(*(run.owed for run in runs)))


def values_of(scores: ItemScores) -> dict[str, float]:
    """The measures that have a value."""
    return {name: score.value for name, score in scores.scores.items() if score.value is not None}


def means(values: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each measure over those that have it."""
    found: dict[str, list[float]] = {}
    for row in values:
        for name, value in row.items():
            found.setdefault(name, []).append(value)
    return {name: fsum(row) / len(row) for name, row in found.items()}


def _mean(scores: Sequence[MetricScore]) -> MetricScore:
    measured = [(score.value, score) for score in scores if score.value is not None]
    if not measured:
        return scores[0]
    lowest = min(measured, key=lambda row: row[0])[1]
    return MetricScore(min(1.0, fsum(value for value, _ in measured) / len(measured)), lowest.reason)


class Repetitions:
    """What the repetitions of the items say about how steady the system is."""

    def __init__(self) -> None:
        self._spread: Counter[str] = Counter()  # sums in the units of `aggregate`
        self._passes: dict[str, Counter[tuple[int, int]]] = {}
        self._not_binary: set[str] = set()

    def add(self, runs: Sequence[Mapping[str, float]]) -> None:
        """Take the values of each repetition of one item."""
        found: dict[str, list[float]] = {}
        for run in runs:
            for name, value in run.items():
                found.setdefault(name, []).append(value)
        for name, values in found.items():
            if len(values) < 2:
                continue
            mean = fsum(values) / len(values)
            squares = fsum((value - mean) ** 2 for value in values)
            self._spread[name] += whole(sqrt(squares / (len(values) - 1)))
            if not {0.0, 1.0}.issuperset(values):
                self._not_binary.add(name)
            passes = self._passes.setdefault(name, Counter())
            passes[sum(value == 1.0 for value in values), len(values)] += 1

    def state(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "spread": self._spread,
            "passes": {
                name: [(*cn, count) for cn, count in found.items()] for name, found in self._passes.items()
            },
            "not_binary": sorted(self._not_binary),
        }

    def merge(self, state: Mapping[str, Any]) -> None:
        """Take what another one was given."""
        self._spread.update(state["spread"])
        self._not_binary.update(state["not_binary"])
        for name, rows in state["passes"].items():
            passes = self._passes.setdefault(name, Counter())
            for right, runs, count in rows:
                passes[right, runs] += count

    def results(self, names: Iterable[str]) -> tuple[Repeated, ...]:
        """Each of the measures that has two values of an item."""
        return tuple(self._result(name) for name in names if name in self._passes)

    def _result(self, name: str) -> Repeated:
        passes = self._passes[name]
        steps = () if name in self._not_binary else range(1, min(n for _, n in passes) + 1)
        items = passes.total()
        at_k = {
            k: fsum(count * (1 - comb(n - c, k) / comb(n, k)) for (c, n), count in passes.items()) / items
            for k in steps
        }
        hat_k = {
            k: fsum(count * comb(c, k) / comb(n, k) for (c, n), count in passes.items()) / items
            for k in steps
        }
        return Repeated(name, items, mean_of(self._spread[name], items), at_k, hat_k)
