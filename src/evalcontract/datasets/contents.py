"""The items of a dataset and what stands around them, whatever the format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evalcontract.checking import from_fault
from evalcontract.datasets.sources import DatasetSource
from evalcontract.errors import ContractViolation
from evalcontract.reading import Closed, Document, Event, Fault, Opened
from evalcontract.validation import Violation

_IN_MESSAGE = 5


class Contents:
    """One reading of a dataset.

    `envelope` is what stands around the items, `{"metadata": ...}` and the dataset's own keys; None for a
    bare list of items. What comes behind the items is in it when they have been read. Raises
    ContractViolation, behind the last item, when anything couldn't be read strictly: a copy of half a
    dataset is no copy.
    """

    def __init__(self, source: DatasetSource) -> None:
        self.label = source.label
        self._placed = source.placed
        self.envelope: dict[str, Any] | None = None
        self._faults: list[Violation] = []
        self._events = source.events()
        for event in self._events:
            if isinstance(event, Fault):
                self._faults.append(from_fault(event))
            elif isinstance(event, Opened):
                if event.container == "dataset":
                    self.envelope = _object(event.envelope)
                    break
                self._faults += source.beside_faults
                if source.beside is not None:
                    self.envelope = {"metadata": source.beside}
                break

    def items(self) -> Iterator[Document]:
        """Every item, once."""
        for event in self._events:
            if isinstance(event, Document):
                yield event
            else:
                self._noted(event)
        if self._faults:
            lines = [
                f"{fault.file}{f':{fault.line}' if fault.line else ''}: {fault.message}"
                for fault in self._faults[:_IN_MESSAGE]
            ]
            rest = len(self._faults) - len(lines)
            lines += [f"and {rest} more"] if rest else []
            raise ContractViolation(
                f"{self.label} can't be read to its end:",
                details=tuple(lines),
                violations=tuple(self._faults),
                hint="evalcontract validate shows every fault" if self._placed else self._faults[0].hint,
            )

    def _noted(self, event: Event) -> None:
        if isinstance(event, Fault):
            self._faults.append(from_fault(event))
        elif isinstance(event, Closed) and event.envelope is not None:
            self.envelope = _object(event.envelope)


def _object(envelope: Document | None) -> dict[str, Any]:
    value = envelope.value if envelope else None
    return (
        {key: member for key, member in value.items() if key != "items"} if isinstance(value, Mapping) else {}
    )
