"""The run that is compared: other predictions for the same dataset, or the scores that a run was given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jiter

from evalcontract.errors import UsageError
from evalcontract.scoring.compare import Compared
from evalcontract.scoring.join import Spool
from evalcontract.scoring.records import Header, header_in
from evalcontract.scoring.result import RunComparison
from evalcontract.scoring.settings import differing
from evalcontract.scoring.work import Done, OtherKind
from evalcontract.values import shown

_ACROSS = "--across-versions compares the items that are the same in both"


class OtherRun:
    """Compares another run item by item, as far as both are known to be about the same items.

    Predictions are scored on this run's dataset, so they are about its items whatever they were made for.
    Score records say by a digest which item they were made for. Where they differ, or say nothing, UsageError
    is raised, unless the comparison `across` versions was asked for.
    """

    def __init__(self, file: str, kind: OtherKind, spool: Spool, compared: Compared, *, across: bool) -> None:
        self.file = file
        self.kind: OtherKind = kind
        self._spool = spool
        self._compared = compared
        self._across = across
        self._header = Header()
        self._ours = Header()
        self._missing: list[str] = []
        self._left_out: list[str] = []
        self._pairs = 0

    @property
    def repetitions(self) -> int:
        """The greatest number of records that an item has there."""
        return self._spool.most

    def begin(self, ours: Header) -> None:
        """Check what the other run's records say about themselves against this run."""
        self._ours = ours
        first = self._spool.first() if self.kind == "scores" else None
        if first is None:
            return
        self._header = header_in(jiter.from_json(first))
        theirs = self._header.settings
        names = differing(ours.settings or {}, theirs) if theirs is not None else []
        if names:
            raise UsageError(
                f"{self.file} was scored with other settings: {', '.join(_said(names, theirs or {}))}",
                hint="score both runs with the same settings",
            )

    def take(self, item_id: str) -> tuple[bytes, ...]:
        """The other run's records of an item."""
        return self._spool.take(item_id)

    def add(self, done: Done, ours: Mapping[str, float]) -> bool:
        """Compare one item; whether it is known to be the same in both runs."""
        if done.match == "absent":
            self._missing.append(done.item_id)
        if self.kind == "scores" and done.match != "same":
            self._differing(done)
            if done.match != "unknown":
                return False
        self._pairs += 1
        self._compared.add(done.item_id, ours, done.other or {}, done.owed)
        return True

    def comparison(self, measured: tuple[str, ...]) -> RunComparison:
        """The result, when every item was added. `measured` are the measures that this run has."""
        only_there = self._spool.left
        if self.kind == "scores" and only_there and not self._across:
            raise self._other_version(f"item {shown(only_there[0])} is only in the other scores")
        if not self._pairs or (self.kind == "predictions" and self._pairs == len(self._missing)):
            raise UsageError(
                f"no item is the same in {self.file} and in this run",
                hint="was it made for another dataset?",
            )
        differences = self._compared.differences()
        found = {difference.name for difference in differences if difference.estimate.n}
        return RunComparison(
            self.file,
            differences,
            self._compared.changed(),
            tuple(name for name in measured if name not in found),
            tuple(self._left_out),
            tuple(self._missing),
            only_there,
        )

    def _differing(self, done: Done) -> None:
        if done.match == "unknown":
            if not self._across:
                raise UsageError(
                    f"{self.file} doesn't say which version of item {shown(done.item_id)} was scored",
                    hint="score that run again with --records, or pair the items by id alone with --across-versions",
                )
            return
        if not self._across:
            what = "is not in" if done.match == "absent" else "is not the same in"
            raise self._other_version(f"item {shown(done.item_id)} {what} the other scores")
        if done.match == "differs":
            self._left_out.append(done.item_id)

    def _other_version(self, how: str) -> UsageError:
        theirs, ours = self._header.name, self._ours.name
        names = f" ({theirs}, not {ours})" if theirs and ours and theirs != ours else ""
        return UsageError(
            f"{self.file} was scored on another version of the dataset{names}: {how}", hint=_ACROSS
        )


def _said(names: list[str], settings: Mapping[str, Any]) -> list[str]:
    return [f"{name} {settings.get(name)!r}" for name in names]
