"""The rows of a file, whatever its format, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evalcontract.checking import from_fault, from_notice
from evalcontract.errors import MappingError, UnreadableInput
from evalcontract.importing.grouping import grouped
from evalcontract.importing.mapping import Mapping
from evalcontract.importing.row import Outside, Row, RowEvent
from evalcontract.importing.values import Path as Steps
from evalcontract.importing.values import source_path
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
from evalcontract.values import PARQUET_SUFFIX, actual, pointer, pointer_tokens

CSV_SUFFIXES = (".csv", ".tsv")
EVERY = "*"
"""In a path to rows: every element of a list."""
AROUND = ".."
"""The member of a row that holds what stands around it."""


def read_rows(source: Path, mapping: Mapping, beside: dict[str, Path]) -> Iterator[RowEvent]:
    """Every row that a mapping reads of a file, with what is wrong or odd about the file between them.

    `beside` are further files that a layout takes, by name. Raises UnreadableInput.
    """
    rows = _read(source, mapping, beside)
    yield from grouped(rows, mapping.group, str(source)) if mapping.group else rows


def _read(source: Path, mapping: Mapping, beside: dict[str, Path]) -> Iterator[RowEvent]:
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
        for path in map(source_path, rows_under):
            if found := list(_below(value, path)):
                yield from _outside(_without(value, path))
                for index, (row, at) in enumerate(found):
                    yield _row(row, index + 1, document, at)
                return
    yield _row(value, number + 1, document, ())


def _below(node: object, path: Steps, at: Steps = ()) -> Iterator[tuple[object, Steps]]:
    """The elements of each list at a path, with their places; `*` leads into every element of a list.

    What stands around the list in the elements on the way is the member `..` of its objects.
    """
    if not path:
        for index, element in enumerate(node) if isinstance(node, list) else ():
            yield element, (*at, str(index))
        return
    step, *rest = path
    if step == EVERY:
        for index, element in enumerate(node) if isinstance(node, list) else ():
            around = _without(element, tuple(rest)) if isinstance(element, dict) else {}
            for row, place in _below(element, tuple(rest), (*at, str(index))):
                yield _within(row, around), place
    elif isinstance(node, dict) and step in node:
        yield from _below(node[step], tuple(rest), (*at, step))


def _within(row: object, around: dict[str, object]) -> object:
    """The row, with what is around it above all that it has around it already."""
    if not isinstance(row, dict):
        return row
    nearer = row.get(AROUND)
    return {**row, AROUND: _within(nearer, around) if isinstance(nearer, dict) else around}


def _without(node: dict[str, object], path: Steps) -> dict[str, object]:
    """An object without the member that leads to the rows."""
    return {name: member for name, member in node.items() if name != path[0]}


def _outside(rest: object) -> Iterator[Outside]:
    if isinstance(rest, dict) and rest:
        yield Outside(rest)


def _row(value: object, number: int, document: Document, base: Steps) -> Row | Violation:
    def place(at: str) -> Position | None:
        path, begin = pointer_tokens(at), base
        while path[:1] == (AROUND,):  # behind the list and its key, or the element around them
            path, begin = path[1:], _around(begin)
        while document.placed:
            try:
                return document.locate(pointer((*begin, *path)))
            except LookupError:
                if not path:
                    return document.start
                path = path[:-1]
        return None

    if isinstance(value, dict):
        return Row(value, number, document.file, place)
    position = place("")
    return Violation(
        "not-a-row",
        f"expected an object with the keys of a row, got {actual(value)}",
        pointer(base),
        expected="object",
        actual=actual(value),
        item_id=f"row {number}",
        file=document.file,
        line=position.line if position else None,
        column=position.column if position else None,
    )


def _around(at: Steps) -> Steps:
    """The place of the element that a row, or what is around it, stands in."""
    inner = at[:-1]
    while inner and not inner[-1].isdecimal():
        inner = inner[:-1]
    return inner
