"""What was measured while predictions were made: latency, tokens, cost."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isfinite
from typing import Literal, get_args

from evalcontract.errors import UsageError

Statistic = Literal["mean", "p50", "p95", "sum"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement over the `n` of `records` predictions that have it; a missing prediction is a record too.

    A percentile lies between two values as numpy's does: linear in the rank.
    """

    name: str
    n: int
    records: int
    mean: float
    p50: float
    p95: float
    sum: float

    def statistic(self, name: Statistic) -> float:
        """One of the statistics."""
        return {"mean": self.mean, "p50": self.p50, "p95": self.p95, "sum": self.sum}[name]


class Measurements:
    """Collects measurements; 8 bytes for each number are held in memory."""

    def __init__(self) -> None:
        self._values: dict[str, array[float]] = {}
        self._records = 0

    def add(self, records: Sequence[Mapping[str, float]]) -> None:
        """Take the measurements of each record of an item."""
        self._records += len(records)
        for record in records:
            for name, value in record.items():
                self._values.setdefault(name, array("d")).append(_double(name, value))

    @property
    def records(self) -> int:
        """The number of records that were added."""
        return self._records

    def numbers(self) -> Iterator[tuple[str, bytes]]:
        """Each measurement with its values as doubles of this machine."""
        for name, values in self._values.items():
            yield name, values.tobytes()

    def merge(self, records: int, numbers: Iterable[tuple[str, bytes]]) -> None:
        """Take so many records, and values that another one collected on a machine of the same kind."""
        self._records += records
        for name, values in numbers:
            self._values.setdefault(name, array("d")).frombytes(values)

    def results(self) -> tuple[Measured, ...]:
        """Each measurement, by name."""
        return tuple(self._result(name, sorted(self._values[name])) for name in sorted(self._values))

    def _result(self, name: str, ordered: list[float]) -> Measured:
        total = _total(name, ordered)
        mean = total / len(ordered)
        half, most = _percentile(ordered, 0.5), _percentile(ordered, 0.95)
        return Measured(name, len(ordered), self._records, mean, half, most, total)


def _percentile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    low, high, share_above = ordered[below], ordered[above], place - below
    step = high - low
    return low + step * share_above if isfinite(step) else low * (1 - share_above) + high * share_above


def _total(name: str, values: Sequence[float]) -> float:
    try:
        return fsum(values)
    except OverflowError:
        raise UsageError(
            f"the measurements {name} are too large to be added up",
            hint=f"the largest is {max(values, key=abs):g}",
        ) from None


def _double(name: str, value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        raise UsageError(f"a measurement {name} is too large to be added up") from None
