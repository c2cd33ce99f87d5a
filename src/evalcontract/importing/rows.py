"""The rows of a file, whatever its format, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evalcontract.checking import from_fault, from_notice
from evalcontract.errors import MappingError, UnreadableInput
from evalcontract.importing.mapping import Mapping
from evalcontract.importing.row import Outside, Row, RowEvent
from evalcontract.reading import (
    STDIN,
    SUFFIXES,
    Closed,
    Document,
    Event,
    Fault,
    FileNotice,
    Opened,
    Position,
    is_readable_name,
    read,
    read_parquet,
)
from evalcontract.validation import Violation
from evalcontract.values import PARQUET_SUFFIX, actual, pointer

CSV_SUFFIXES = (".csv", ".tsv")


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
            case FileNotice():
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
            for index, row in enumerate(rows):
                yield _row(row, index + 1, document, pointer((key, index)))
            yield from _outside({name: member for name, member in value.items() if name != key})
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
