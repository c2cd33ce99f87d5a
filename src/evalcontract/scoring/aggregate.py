"""Sums of scores over items, exact and in flat memory, whatever the order and the number of the items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_UNIT = 1 << 60


def whole(value: float) -> int:
    """A finite number in units of 2^-60: sums of these are exact and don't depend on the order."""
    return int(value * _UNIT)


def mean_of(total: int, n: int) -> float:
    """The mean of `n` numbers from the sum of their units."""
    return total / (n * _UNIT)


class Moments:
    """The number, the mean and the spread of what was added; each value must be finite."""

    __slots__ = ("_squares", "_total", "largest", "n")

    def __init__(self) -> None:
        self.n = 0
        self.largest = 0.0
        self._total = 0
        self._squares = 0

    def add(self, value: float) -> None:
        """Add one value."""
        units = whole(value)
        self.n += 1
        self._total += units
        self._squares += units * units
        self.largest = max(self.largest, abs(value))

    def state(self) -> list[Any]:
        """All of it as plain numbers, which JSON keeps exactly."""
        return [self.n, self._total, self._squares, self.largest]

    def merge(self, state: Sequence[Any]) -> None:
        """Add what another one was given."""
        n, total, squares, largest = state
        self.n += n
        self._total += total
        self._squares += squares
        self.largest = max(self.largest, largest)

    @property
    def mean(self) -> float:
        """The mean."""
        return mean_of(self._total, self.n)

    @property
    def variance(self) -> float:
        """The mean squared distance from the mean."""
        return (self.n * self._squares - self._total * self._total) / (self.n * self.n * _UNIT * _UNIT)


class Sample:
    """Scores of several measures."""

    def __init__(self) -> None:
        self.moments: dict[str, Moments] = {}

    def add(self, values: Mapping[str, float]) -> None:
        """Add the scores that an item has; each must be finite."""
        for name, value in values.items():
            moments = self.moments.get(name)
            if moments is None:
                moments = self.moments[name] = Moments()
            moments.add(value)

    def state(self) -> dict[str, Any]:
        """All of it as plain numbers."""
        return {name: moments.state() for name, moments in self.moments.items()}

    def merge(self, state: Mapping[str, Any]) -> None:
        """Add what another one was given."""
        for name, of in state.items():
            self.moments.setdefault(name, Moments()).merge(of)
