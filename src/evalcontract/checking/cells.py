"""JSON texts that stand alone, such as the cells of a table: each judged as a line of a file is."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from evalcontract.checking.identity import Key, keys_of
from evalcontract.checking.judges import Subject, judge_of
from evalcontract.checking.places import from_fault, from_notice, in_reading_order, located
from evalcontract.checking.plan import DATASET, Plan
from evalcontract.errors import UsageError
from evalcontract.reading import Document, Fault, FileNotice, glance, read_single
from evalcontract.validation import ItemVerdict, Violation


class CellVerdict(NamedTuple):
    """What was found about one cell; a tuple, as one is made for each row of a table.

    `contract` is None where the text can't be read. `keys` are those that no other cell may have, the id first: see
    `keys_of`. Violations name no file.
    """

    contract: str | None
    item_id: str | None = None
    keys: tuple[Key, ...] = ()
    violations: tuple[Violation, ...] = ()

    @property
    def errors(self) -> int:
        """The number of violations that make the cell invalid."""
        return sum(violation.severity == "error" for violation in self.violations)


class CellCheck:
    """Judges cells one by one; keeps what is built once.

    `metadata` is that of the dataset that items belong to. Raises UsageError for a plan that checks whole datasets.
    """

    def __init__(self, plan: Plan, metadata: object = None) -> None:
        if plan.contract is not None and plan.contract.name == DATASET:
            raise UsageError(
                "a cell holds one item or one record, not a whole dataset",
                hint="give a table of its items; without a contract each is judged by the type that it declares",
            )
        self._judge = judge_of(plan, Subject("items" if plan.by_item else str(plan.contract), metadata))

    def check(self, raw: bytes | None) -> CellVerdict:
        """The verdict on the UTF-8 text of a cell; None is a cell without a value."""
        if raw is None:
            return CellVerdict(None, violations=(_NO_VALUE,))
        try:
            value = glance(raw)
        except ValueError:
            return self._closely(raw)
        clean = self._judge.clean(value)
        if clean is None:
            return self._closely(raw)
        return _cell(value, clean, ())

    def check_value(self, value: object) -> CellVerdict:
        """The verdict on a value that was never text."""
        return _cell(value, verdict := self._judge.check(value, True), verdict.violations)

    def _closely(self, raw: bytes) -> CellVerdict:
        noticed: list[Violation] = []
        for event in read_single(raw):
            match event:
                case FileNotice():
                    noticed.append(_nowhere(from_notice(event)))
                case Fault():
                    return CellVerdict(None, violations=(*noticed, _nowhere(from_fault(event))))
                case Document():
                    verdict = self._judge.check(event.value, event.may_hold_null_bytes)
                    found = in_reading_order(located(violation, event) for violation in verdict.violations)
                    return _cell(event.value, verdict, (*noticed, *map(_nowhere, found)))
        raise AssertionError("a text is a document or a fault")


_NO_VALUE = Violation(
    "null-cell",
    "the cell is NULL",
    expected="the JSON text of an item or a record",
    actual="NULL",
    hint="leave such rows out, or look for the step that lost the value",
)


def _cell(value: object, verdict: ItemVerdict, violations: tuple[Violation, ...]) -> CellVerdict:
    item_id = value.get("item_id") if isinstance(value, dict) else None
    name = item_id if isinstance(item_id, str) else None
    return CellVerdict(verdict.contract, name, keys_of(value), violations)


def _nowhere(violation: Violation) -> Violation:
    return replace(violation, file=None)
