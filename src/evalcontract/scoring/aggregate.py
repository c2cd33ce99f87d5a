"""Sums of scores over items, exact and in flat memory, whatever the order and the number of the items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

MAX_GROUPS = 1000
_UNIT = 1 << 60


def whole(value: float) -> int:
    """A finite number in units of 2^-60: sums of these are exact and don't depend on the order."""
    return int(value * _UNIT)


def mean_of(total: int, n: int) -> float:
    """The mean of `n` numbers from the sum of their units."""
    return total / (n * _UNIT)


@dataclass(frozen=True, slots=True)
class Grouped:
    """The scores of one measure: sum and number in each group of items, in an order of their ids."""

    sums: Sequence[float]
    counts: Sequence[int]
    mean: float
    n: int


class Sample:
    """Scores of several measures by item. Up to MAX_GROUPS items are told apart.

    A larger number is put into MAX_GROUPS groups by a digest of the item's id: groups that are formed by
    chance can be drawn again and again in place of their items.
    """

    def __init__(self) -> None:
        self._rows: list[tuple[int, Mapping[str, float]]] | None = []
        self._sums: dict[str, list[int]] = {}
        self._counts: dict[str, list[int]] = {}
        self._size = 0

    def add(self, item_id: str, values: Mapping[str, float]) -> None:
        """Add the scores that an item has; each must be finite."""
        key = int.from_bytes(blake2b(item_id.encode(), digest_size=8).digest())
        if self._rows is None:
            self._put(key % MAX_GROUPS, values)
            return
        self._rows.append((key, values))
        if len(self._rows) > MAX_GROUPS:
            rows, self._rows = self._rows, None
            self._size = MAX_GROUPS
            for earlier, kept in rows:
                self._put(earlier % MAX_GROUPS, kept)

    def grouped(self) -> dict[str, Grouped]:
        """What was added, by measure; measures without a score are absent."""
        if self._rows is not None:
            self._sums, self._counts = {}, {}
            self._size = len(self._rows)
            for number, (_, values) in enumerate(sorted(self._rows, key=lambda row: row[0])):
                self._put(number, values)
        return {name: self._of(name) for name in self._sums}

    def _put(self, group: int, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            sums = self._sums.get(name)
            if sums is None:
                sums = self._sums[name] = [0] * self._size
                self._counts[name] = [0] * self._size
            sums[group] += whole(value)
            self._counts[name][group] += 1

    def _of(self, name: str) -> Grouped:
        sums, counts = self._sums[name], self._counts[name]
        n = sum(counts)
        return Grouped([mean_of(each, 1) for each in sums], counts, mean_of(sum(sums), n), n)
