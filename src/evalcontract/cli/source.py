"""One document from a file or from standard input, for commands that convert it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evalcontract.cli.names import refuse_names
from evalcontract.errors import ContractViolation, IncompleteTrace, UnreadableInput
from evalcontract.reading import Document, Fault, Opened, current_limits, raise_it, read

_STREAM_SUFFIXES = (".sse", ".txt")
_EVENT_BEGINNINGS = (b"data:", b"event:", b"id:", b"retry:", b": ")


def read_source(name: str) -> Any:
    """The JSON of a .json file, the list of a .jsonl file's documents, or the text of an event stream.

    Standard input is JSON, JSON Lines or, when its first line is one of an event, an event stream. Raises
    ContractViolation, with the place, when its text is broken, UnreadableInput when there is nothing to read.
    """
    if Path(name).suffix in _STREAM_SUFFIXES:
        return _text(Path(name))
    if name == "-" and _begins_with_an_event():
        return _decoded(sys.stdin.buffer.read(_longest() + 1), "standard input")
    refuse_names(name)
    documents: list[Any] = []
    lines = False
    for event in read(name if name == "-" else Path(name), items=False):
        if isinstance(event, Fault):
            raise ContractViolation(f"{event.place}: {event.message}", hint=event.hint)
        if isinstance(event, Opened):
            lines = event.container == "lines"
        elif isinstance(event, Document):
            documents.append(event.value)
    return documents if lines else documents[0]


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Put the name of the file in front of what a conversion finds wrong with its content."""
    try:
        yield
    except (ContractViolation, IncompleteTrace) as error:
        if not error.message.startswith(f"{name}:"):  # as what is wrong with its text does
            error.message = f"{name}: {error.message}"
        raise


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return _decoded(file.read(_longest() + 1), str(path))
    except OSError as error:
        raise UnreadableInput(f"{path}: {(error.strerror or 'unreadable').lower()}") from error


def _longest() -> int:
    return current_limits().document_bytes


def _begins_with_an_event() -> bool:
    peek = getattr(getattr(sys.stdin, "buffer", None), "peek", None)
    return peek is not None and peek(8).startswith(_EVENT_BEGINNINGS)


def _decoded(raw: bytes, name: str) -> str:
    if len(raw) > _longest():
        raise UnreadableInput(
            f"{name} is too large for the stream of one answer",
            hint=raise_it("document-bytes", current_limits()),
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ContractViolation(f"{name} is not UTF-8 text") from None
