"""What a scoring run found, as values for the reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evalcontract.scoring.gates import Bound, Ceiling, Regression
from evalcontract.scoring.intervals import Estimate
from evalcontract.scoring.measured import Measured
from evalcontract.values import Displayed

BINS = 10
"""The bars of a histogram of scores."""


@dataclass(frozen=True, slots=True)
class ItemValue:
    """The score of one item on one measure, and why it isn't better where that is known."""

    item_id: str
    value: float
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class MeasureResult:
    """One measure over all items it was taken on. `estimate` is None when none of them has a value.

    `reasons` counts why the others have none; `worst` are the items that score lowest, below 1. `n_judged` items can
    be judged by the dataset, `n_recorded` of them wholly, for the others the predictions lack something. `histogram`
    counts the items with a value by tenths of 0..1, the last with 1; it is empty when none has one.
    """

    name: str
    room: str
    estimate: Estimate | None
    n_total: int
    reasons: Mapping[str, int]
    worst: tuple[ItemValue, ...]
    n_judged: int = 0
    n_recorded: int = 0
    histogram: tuple[int, ...] = ()

    @property
    def n_scored(self) -> int:
        """How many items have a value."""
        return self.estimate.n if self.estimate else 0

    @property
    def mean(self) -> float | None:
        """The mean over the items that have a value."""
        return self.estimate.mean if self.estimate else None


@dataclass(frozen=True, slots=True)
class Repeated:
    """How the repetitions of the same item differ on one measure, over the `items` that have several.

    `spread` is the mean standard deviation within an item. For a 0/1 measure `at_least_once` is by k the share of
    items of which at least one of k repetitions scores 1 (pass@k), `always` that of which all k do (pass^k).
    """

    name: str
    items: int
    spread: float
    at_least_once: Mapping[int, float]
    always: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class WorstItem:
    """An item with a low mean over its measures, and the measures on which it is lowest.

    `evidence` is what the metrics saw of it: see `evidence_of`.
    """

    item_id: str
    mean: float
    lowest: tuple[tuple[str, float, str | None], ...]
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MeasureDifference:
    """One measure on the items that have a value in both runs: this run's minus the other's.

    `better` counts the items on which this run is better. `to_settle` is how many items it takes for the interval to
    leave 0 out, were the differences to go on as they are; None where no number does. `only_ours` and `only_theirs`
    are items that have a value in one of the runs only: they are no pair. `gated` is what a gate on the measure looks
    at: all items with a value in the other run, those counted as 0 that this one doesn't record wholly.
    """

    name: str
    ours: float
    theirs: float
    estimate: Estimate
    better: int
    same: int
    worse: int
    to_settle: int | None = None
    only_ours: tuple[str, ...] = ()
    only_theirs: tuple[str, ...] = ()
    gated: Estimate | None = None

    @property
    def settled(self) -> bool:
        """Whether the interval leaves 0 out."""
        low, high = self.estimate.low, self.estimate.high
        return low is not None and high is not None and not low <= 0 <= high


@dataclass(frozen=True, slots=True)
class ChangedItem:
    """An item that changed: its mean absolute difference, and (measure, theirs, ours) where it changed most."""

    item_id: str
    change: float
    most: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, slots=True)
class RunComparison(Displayed):
    """This run against another one.

    `left_out` are items that are not known to be the same in both runs, `only_there` items that only the
    other run has. `not_in_both` are measures without an item that has a value in both.
    """

    other: str
    differences: tuple[MeasureDifference, ...]
    changed: tuple[ChangedItem, ...]
    not_in_both: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    missing_there: tuple[str, ...] = ()
    only_there: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartResult:
    """One part of a run, `name` None for the whole. `their_measurements` are those of the run that is compared."""

    name: str | None
    items: int
    measures: tuple[MeasureResult, ...]
    differences: tuple[MeasureDifference, ...]
    measurements: tuple[Measured, ...]
    their_measurements: tuple[Measured, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreReport(Displayed):
    """A scored run. `missing` are items without a prediction, `extra` predictions without an item.

    `warnings` counts items by what was odd about their prediction; `advices` is the number of advices about
    the two files. `repetitions` is how often the items were asked, `repeated` what that tells, `incomplete`
    the items that have fewer predictions than that.
    """

    predictions: str
    dataset: str | None
    name: str | None
    items: int
    measures: tuple[MeasureResult, ...]
    worst: tuple[WorstItem, ...]
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    warnings: Mapping[str, int] = field(default_factory=dict)
    advices: int = 0
    comparison: RunComparison | None = None
    bounds: tuple[Bound, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    repetitions: int = 1
    repeated: tuple[Repeated, ...] = ()
    incomplete: tuple[str, ...] = ()
    measurements: tuple[Measured, ...] = ()
    their_measurements: tuple[Measured, ...] = ()
    slices: tuple[PartResult, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()
    regressions: tuple[Regression, ...] = ()

    @property
    def gates(self) -> tuple[Bound | Ceiling | Regression, ...]:
        """All that was demanded."""
        return (*self.bounds, *self.ceilings, *self.regressions)

    @property
    def scored(self) -> bool:
        """Whether anything at all has a value."""
        return any(measure.estimate for measure in self.measures)

    @property
    def exit_code(self) -> int:
        """0, or 1 when a gate isn't met or nothing has a value."""
        return 0 if self.scored and all(gate.met for gate in self.gates) else 1
