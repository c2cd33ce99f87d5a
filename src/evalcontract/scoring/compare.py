"""Two runs over the same items, compared item by item."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from math import fsum

from evalcontract.scoring.aggregate import Moments, Sample, mean_of, whole
from evalcontract.scoring.collect import Greatest
from evalcontract.scoring.intervals import Estimate, difference_estimate, gated_estimate, items_to_settle
from evalcontract.scoring.result import ChangedItem, MeasureDifference
from evalcontract.scoring.settings import Measure

_MOST_OF_AN_ITEM = 3


@dataclass(slots=True)
class _PairedItems:
    """The items that have a value in both runs on one measure."""

    better: int = 0
    same: int = 0
    worse: int = 0
    ours: int = 0
    theirs: int = 0
    only_ours: list[str] = field(default_factory=list)
    only_theirs: list[str] = field(default_factory=list)

    def add(self, ours: float, theirs: float) -> None:
        self.better += ours > theirs
        self.same += ours == theirs
        self.worse += ours < theirs
        self.ours += whole(ours)
        self.theirs += whole(theirs)

    def difference(self, name: str, moments: Moments, gated: Estimate | None) -> MeasureDifference:
        ours, theirs = mean_of(self.ours, moments.n), mean_of(self.theirs, moments.n)
        estimate, to_settle = difference_estimate(moments), items_to_settle(moments)
        return MeasureDifference(
            name,
            ours,
            theirs,
            estimate,
            self.better,
            self.same,
            self.worse,
            to_settle,
            tuple(self.only_ours),
            tuple(self.only_theirs),
            gated,
        )


class Compared:
    """The differences between two runs. `changed` is the number of items to name.

    Of the measures `gated` each difference is held in memory. What this run doesn't record wholly counts as 0 there.
    """

    def __init__(self, measures: tuple[Measure, ...], changed: int, gated: Collection[str] = ()) -> None:
        self._measures = measures
        self._differences = Sample()
        self._pairs: dict[str, _PairedItems] = {}
        self._changed: Greatest[ChangedItem] = Greatest(changed)
        self._gated = {name: array("d") for name in gated}

    def add(
        self,
        item_id: str,
        ours: Mapping[str, float],
        theirs: Mapping[str, float],
        owed: AbstractSet[str] = frozenset(),
    ) -> None:
        """Take the values of one item in both runs; a measure that only one of them has is no pair.

        `owed` are the measures that this run doesn't record enough for.
        """
        for name, kept in self._gated.items():
            if name in theirs:
                kept.append((0.0 if name in owed else ours.get(name, 0.0)) - theirs[name])
        for name in ours.keys() - theirs.keys():
            self._pairs.setdefault(name, _PairedItems()).only_ours.append(item_id)
        for name in theirs.keys() - ours.keys():
            self._pairs.setdefault(name, _PairedItems()).only_theirs.append(item_id)
        differences = {name: value - theirs[name] for name, value in ours.items() if name in theirs}
        if not differences:
            return
        self._differences.add(differences)
        for name in differences:
            self._pairs.setdefault(name, _PairedItems()).add(ours[name], theirs[name])
        self._rank(item_id, differences, ours, theirs)

    def differences(self) -> tuple[MeasureDifference, ...]:
        """Each measure that an item has in both runs."""
        found = self._differences.moments
        names = [measure.name for measure in self._measures if measure.name in found]
        return tuple(
            self._pairs[name].difference(name, found[name], self._gate_estimate(name)) for name in names
        )

    def changed(self) -> tuple[ChangedItem, ...]:
        """The items with the greatest mean absolute difference over their measures."""
        return self._changed.all()

    def _gate_estimate(self, name: str) -> Estimate | None:
        return gated_estimate(self._gated[name]) if name in self._gated else None

    def _rank(
        self,
        item_id: str,
        differences: Mapping[str, float],
        ours: Mapping[str, float],
        theirs: Mapping[str, float],
    ) -> None:
        change = fsum(map(abs, differences.values())) / len(differences)
        if not change or not self._changed.wants(change):
            return
        names = sorted(differences, key=lambda name: -abs(differences[name]))[:_MOST_OF_AN_ITEM]
        most = tuple((name, theirs[name], ours[name]) for name in names if differences[name])
        self._changed.add(change, item_id, ChangedItem(item_id, change, most))
