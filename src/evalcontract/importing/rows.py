"""The rows of a file, whatever its format, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evalcontract.checking.places import from_fault, from_notice
from evalcontract.errors import MappingError, UnreadableInput
from evalcontract.importing.mapping import Mapping
from evalcontract.importing.values import Path as SourcePath
from evalcontract.reading import (
    Closed,
    Document,
    Event,
    Fault,
    Notice,
    Opened,
    Position,
    read,
    read_parquet,
)
from evalcontract.reading.inputs import is_readable_name
from evalcontract.reading.sources import STDIN, SUFFIXES
from evalcontract.validation import Violation
from evalcontract.values import PARQUET_SUFFIX, actual, pointer

CSV_SUFFIXES = (".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: an object of values, or of the text of cells. `number` counts from 1.

    `place` gives the position of what a JSON pointer into the row means, None where there is none.
    """

    value: dict[str, object]
    number: int
    file: str
    place: Callable[[str], Position | None]
    cells: bool = False

    def violation(
        self,
        code: str,
        message: str,
        path: SourcePath = (),
        *,
        expected: str | None = None,
        actual: str | None = None,
        hint: str | None = None,
        severity: str = "error",
    ) -> Violation:
        """A finding about this row, at its place in the file."""
        at = pointer(path)
        position = self.place(at)
        return Violation(
            code,
            message,
            at,
            expected=expected,
            actual=actual,
            hint=hint,
            severity="advice" if severity == "advice" else "error",
            item_id=f"row {self.number}",
            file=self.file,
            line=position.line if position else None,
            column=position.column if position else None,
        )


@dataclass(frozen=True, slots=True)
class Outside:
    """Keys of the document that stand beside its rows."""

    keys: tuple[str, ...]


RowEvent = Row | Violation | Outside


def read_rows(source: Path, mapping: Mapping, beside: dict[str, Path]) -> Iterator[RowEvent]:
    """Every row of a file, with what is wrong or odd about the file between them.

    `beside` are further files that a layout takes, by name. Raises UnreadableInput.
    """
    if mapping.layout != "rows":
        from evalcontract.importing.trec import read_collection

        yield from read_collection(source, mapping.layout, beside)
        return
    if beside:
        raise MappingError(
            f"the mapping {mapping.name} takes one file only", hint=f"leave out --{min(beside)}"
        )
    suffix = source.suffix.lower()
    if suffix in CSV_SUFFIXES:
        from evalcontract.importing.tables import read_csv

        yield from read_csv(source)
    elif suffix == PARQUET_SUFFIX:
        yield from _rows(read_parquet(source), mapping.rows_under)
    elif str(source) == STDIN or is_readable_name(source.name):
        events = read(STDIN if str(source) == STDIN else source, items=True)
        yield from _rows(events, mapping.rows_under)
    else:
        known = ", ".join((*SUFFIXES, *CSV_SUFFIXES, PARQUET_SUFFIX))
        raise UnreadableInput(
            f"{source}: {suffix or 'no suffix'} names no format that rows are read from",
            hint=f"use one of {known}",
        )


def _rows(events: Iterator[Event], rows_under: tuple[str, ...]) -> Iterator[RowEvent]:
    container, number = "", 0
    for event in events:
        match event:
            case Opened():
                container = event.container
            case Fault():
                yield from_fault(event)
            case Notice():
                yield from_notice(event)
            case Document():
                for found in _rows_of(event, container, rows_under, number):
                    number += isinstance(found, Row)
                    yield found
            case Closed():
                if event.envelope is not None and container == "dataset":
                    yield from _outside(event.envelope.value)


def _rows_of(
    document: Document, container: str, rows_under: tuple[str, ...], number: int
) -> Iterator[RowEvent]:
    value = document.value
    if container == "document" and isinstance(value, dict):
        key = next((key for key in rows_under if isinstance(value.get(key), list)), None)
        if key is not None:
            rows = value[key]
            for index, each in enumerate(rows):
                yield _row(each, index + 1, document, pointer((key, index)))
            yield from _outside({name: each for name, each in value.items() if name != key})
            return
    yield _row(value, number + 1, document, "")


def _outside(rest: object) -> Iterator[Outside]:
    if isinstance(rest, dict) and rest:
        yield Outside(tuple(rest))


def _row(value: object, number: int, document: Document, base: str) -> Row | Violation:
    def place(at: str) -> Position | None:
        while document.placed:
            try:
                return document.locate(base + at)
            except LookupError:
                if not at:
                    return document.start
                at = at.rpartition("/")[0]
        return None

    if isinstance(value, dict):
        return Row(value, number, document.file, place)
    position = place("")
    return Violation(
        "not-a-row",
        f"expected an object with the keys of a row, got {actual(value)}",
        base,
        expected="object",
        actual=actual(value),
        item_id=f"row {number}",
        file=document.file,
        line=position.line if position else None,
        column=position.column if position else None,
    )


def always(position: Position | None) -> Callable[[str], Position | None]:
    """The place of a row whose values have no places of their own."""
    return lambda _: position


def unreadable(path: Path, error: OSError) -> UnreadableInput:
    """The error of a file that the system doesn't open."""
    return UnreadableInput(f"{path}: {(error.strerror or 'unreadable').lower()}", hint="check the path")
