"""Findings with their place in a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from evalcontract.reading import Document, Fault, FileNotice, Position
from evalcontract.validation import Violation


def located(violation: Violation, document: Document) -> Violation:
    """The violation with the file, line and column of its value; of the parent, for a missing property."""
    return placed(violation, document.file, _place(violation, document))


def placed(violation: Violation, file: str, position: Position) -> Violation:
    """The violation at a place in a file."""
    return replace(violation, file=file, line=position.line, column=position.column)


def in_reading_order(violations: Iterable[Violation]) -> list[Violation]:
    """The violations of one document by line and column."""
    return sorted(violations, key=lambda violation: (violation.line or 0, violation.column or 0))


def in_file(violation: Violation, file: str) -> Violation:
    """The violation of a file as a whole."""
    return replace(violation, file=file)


def from_fault(fault: Fault) -> Violation:
    """What a reader couldn't read strictly, as a violation."""
    return _at(Violation(fault.code, fault.message, hint=fault.hint, file=fault.file), fault.position)


def from_notice(notice: FileNotice) -> Violation:
    """What a reader noticed, as an advice."""
    found = Violation(notice.code, notice.message, hint=notice.hint, file=notice.file, severity="advice")
    return _at(found, notice.position)


def nothing_checked(file: str) -> Violation:
    """The violation of a file that holds no items."""
    return Violation(
        "nothing-checked", "0 items checked", hint="a file without items is never a success", file=file
    )


def _at(violation: Violation, position: Position | None) -> Violation:
    if position is None:
        return violation
    return replace(violation, line=position.line, column=position.column)


def _place(violation: Violation, document: Document) -> Position:
    pointer = violation.pointer
    if violation.keyword == "required":
        pointer = pointer.rpartition("/")[0]
    try:
        return document.locate(pointer)
    except LookupError:
        return document.start
