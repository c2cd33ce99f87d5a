"""What a caller demands of a run, and whether it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from evalcontract.errors import UsageError
from evalcontract.scoring.measured import STATISTICS, Statistic

Verdict = Literal["worse", "not worse", "can't tell", "no pair"]

_NAME = re.compile(r"([^\[\]]{1,200})(?:\[([^\[\]=]{1,200}=[^\n]{0,1000})\])?")


@dataclass(frozen=True, slots=True)
class GatedMeasure:
    """What a gate is about: `recall_at_5`, or `recall_at_5[language=de]` of one slice."""

    name: str
    slice: str | None = None


def aim_in(text: str) -> GatedMeasure:
    """The aim in the words of the command line; UsageError for what is none."""
    found = _NAME.fullmatch(text)
    if found is None:
        raise UsageError(
            f"{text!r} names no measure", hint="write for example recall_at_5 or recall_at_5[language=de]"
        )
    return GatedMeasure(found[1].strip(), found[2])


def statistic_in(text: str) -> tuple[str, Statistic]:
    """`latency_ms.p95` as the measurement and the statistic; UsageError for what is none."""
    name, _, statistic = text.rpartition(".")
    if not name or statistic not in STATISTICS:
        raise UsageError(
            f"{text!r} is no statistic of a measurement",
            hint=f"write for example latency_ms.p95; there are {', '.join(STATISTICS)}",
        )
    return name, statistic


def _enough(recorded: int, judged: int, share: float) -> bool:
    """A quotient: 7 of 10 are the share 0.7, which ten times 0.7 in floating point would not say."""
    return not judged or recorded / judged >= share


@dataclass(frozen=True, slots=True)
class Bound:
    """A mean that the caller demands, of `n_recorded` of the `n_judged` items that the dataset can judge.

    Without a value there is no mean, and the bound isn't met; nor is it when fewer than the share `min_scored` of those
    items are recorded wholly.
    """

    name: str
    at_least: float
    mean: float | None
    n_recorded: int = 0
    n_judged: int = 0
    min_scored: float = 1.0

    @property
    def enough(self) -> bool:
        """Whether enough of the items are recorded."""
        return _enough(self.n_recorded, self.n_judged, self.min_scored)

    @property
    def met(self) -> bool:
        """Whether the mean is high enough, of enough items."""
        return self.mean is not None and self.mean >= self.at_least and self.enough


@dataclass(frozen=True, slots=True)
class Ceiling:
    """A statistic of a measurement that must not be exceeded, of `n_recorded` of `n_judged` records."""

    name: str
    at_most: float
    value: float
    n_recorded: int
    n_judged: int
    min_scored: float = 1.0

    @property
    def enough(self) -> bool:
        """Whether enough of the records have the measurement."""
        return _enough(self.n_recorded, self.n_judged, self.min_scored)

    @property
    def met(self) -> bool:
        """Whether the value is low enough, of enough records."""
        return self.value <= self.at_most and self.enough


@dataclass(frozen=True, slots=True)
class Regression:
    """A measure on which this run must not be worse than the other by more than `margin`.

    "worse": the interval of the difference lies wholly below the margin. "can't tell": the difference does, the
    interval doesn't. `n_recorded` of the `n_judged` items with a value in the other run have one here as well; the
    others count as 0. No value that is lower, or not there, makes "worse" anything else.
    """

    name: str
    margin: float
    verdict: Verdict
    difference: float | None
    low: float | None
    high: float | None
    n_recorded: int
    n_judged: int
    min_scored: float = 1.0

    @property
    def enough(self) -> bool:
        """Whether enough of the items can be compared."""
        return _enough(self.n_recorded, self.n_judged, self.min_scored)

    @property
    def met(self) -> bool:
        """Whether this run isn't known to be worse, of enough pairs."""
        return self.verdict in ("not worse", "can't tell") and self.enough
