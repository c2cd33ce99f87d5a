"""Findings with their place in a file."""

from __future__ import annotations

from dataclasses import replace

from evalcontract.reading import Document, Fault, Notice, Position
from evalcontract.validation import Violation


def located(violation: Violation, document: Document) -> Violation:
    """The violation with the file, line and column of its value; of the parent, for a missing property."""
    place = _place(violation, document)
    return replace(violation, file=document.file, line=place.line, column=place.column)


def in_file(violation: Violation, file: str) -> Violation:
    """The violation of a file as a whole."""
    return replace(violation, file=file)


def from_fault(fault: Fault) -> Violation:
    """What a reader couldn't read strictly, as a violation."""
    return _at(Violation(fault.code, fault.message, hint=fault.hint, file=fault.file), fault.position)


def from_notice(notice: Notice) -> Violation:
    """What a reader noticed, as an advice."""
    found = Violation(notice.code, notice.message, hint=notice.hint, file=notice.file, severity="advice")
    return _at(found, notice.position)


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
