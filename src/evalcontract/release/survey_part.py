"""A survey of a dataset whose items come in parts and in no order, as the rows of a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evalcontract.checking import FileResult, Plan
from evalcontract.datasets import DatasetSource
from evalcontract.release.keys import KeyUnions, KeyUse, PathTable
from evalcontract.release.looking import MOST_VALUES, Looker, declared_in, id_of
from evalcontract.release.survey import FIELDS, Survey
from evalcontract.validation import Violation

_MOST_NUMBERS = 1000


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """What was found about the items: counts, the first findings of each code, and (code, place, severity, count)."""

    result: FileResult
    violations: tuple[Violation, ...]
    counted: tuple[tuple[str, str, str, int], ...]


class SurveyPart:
    """Keys, paths and declarations of some items; the same whatever the order of the items and of the parts."""

    def __init__(self) -> None:
        self._items = self._faults = 0
        self._keys = KeyUnions()
        self._paths = PathTable()
        self._declared: dict[str, dict[str, str]] = {name: {} for name in FIELDS}
        self.numbers: set[str] = set()
        """Ids that are numbers, as text."""

    def add(self, item: object) -> None:
        """Take one item."""
        self._items += 1
        if not isinstance(item, Mapping):
            return
        name, number = id_of(item)
        self._keys.add_unordered(item, name)
        self._paths.add(item)
        for field, value in declared_in(item):
            self._declare(field, value, str(item.get("item_id")))
        if number is not None and len(self.numbers) < _MOST_NUMBERS:
            self.numbers.add(number)

    def fault(self) -> None:
        """Take one that can't be read."""
        self._faults += 1

    def state(self) -> str:
        """All of it as JSON text."""
        return json.dumps(
            {
                "items": self._items,
                "faults": self._faults,
                "keys": {part: _uses(keys) for part, keys in self._keys.parts.items()},
                "paths": _uses(self._paths.rows),
                "left_out": self._paths.left_out,
                "declared": self._declared,
                "numbers": sorted(self.numbers),
            }
        )

    def merge(self, state: str) -> None:
        """Take what another part found."""
        told = json.loads(state)
        self._items += told["items"]
        self._faults += told["faults"]
        for part, keys in told["keys"].items():
            for key, use in keys.items():
                self._keys.parts[part].setdefault(key, KeyUse()).merge(*use)
        for path, (items, filled, _) in told["paths"].items():
            self._paths.merge(path, items, filled)
        self._paths.left_out = self._paths.left_out or told["left_out"]
        for name, values in told["declared"].items():
            for value, item_id in values.items():
                self._declare(name, value, item_id)
        self.numbers.update(told["numbers"])

    def survey(
        self,
        source: DatasetSource,
        plan: Plan,
        verdict: TableVerdict | None = None,
        found: Iterable[Violation] = (),
        digits: Iterable[str] = (),
    ) -> Survey:
        """The survey of all parts, without a `verdict` one that was only looked at.

        `found` are findings about several items, `digits` the ids that are the `numbers` as text.
        """
        looker = Looker(source)
        survey = looker.survey
        survey.items, survey.faults, survey.keys, survey.paths = (
            self._items,
            self._faults,
            self._keys,
            self._paths,
        )
        looker.declared = {name: dict(sorted(values.items())) for name, values in self._declared.items()}
        looker.numbers = dict.fromkeys(sorted(self.numbers))
        looker.digits = set(digits)
        looker.close()
        if verdict is not None:
            survey.result = verdict.result
            survey.topics.add(verdict.violations)
            for code, place, severity, count in verdict.counted:
                survey.topics.add_counted(code, place, severity, count)
            survey.topics.add(found)
            survey.topics.add(looker.digit_look_alikes())
            survey.topics.add(looker.metadata_violations(plan))
        return survey

    def _declare(self, name: str, value: str, item_id: str) -> None:
        values = self._declared[name]
        if value in values:
            values[value] = min(values[value], item_id)
        elif len(values) < MOST_VALUES:
            values[value] = item_id


def _uses(rows: Mapping[str, KeyUse]) -> dict[str, Any]:
    return {name: (use.items, use.filled, use.examples) for name, use in rows.items()}
