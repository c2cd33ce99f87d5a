"""How much is read of a file: bounds on what comes out of it, however little goes in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from typing import Any

from evalcontract.errors import UnreadableInput, UsageError
from evalcontract.reading.events import START
from evalcontract.reading.memory import refuse_without_room
from evalcontract.reading.refusals import Refusal
from evalcontract.values import shown

OPTION = "--limit"
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SPACE = re.compile(rb"[ \t\r\n]+")
_NUMBER = re.compile(r"([0-9]{1,15})([KMG]?)", re.IGNORECASE)
_LARGE_BYTES = 1 << 20
_VALUE_BYTES = 300  # of Python, and of the validator while it looks at them
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file may hold.

    `document_bytes` and `document_values` are about one line, one array element or one whole document: its
    bytes, and the values in it. `blank_bytes` is the white space between documents, `documents` their number.
    `invalid_documents` is how many may break their contract before reading stops, `held_bytes` about how much
    memory a verb may take that has to hold all documents at once.
    """

    document_bytes: int = 256 << 20
    document_values: int = 2_000_000
    blank_bytes: int = 16 << 20
    documents: int = 5_000_000
    invalid_documents: int = 50_000
    held_bytes: int = 1 << 30


LIMIT_NAMES = tuple(field.name.replace("_", "-") for field in fields(Limits))
"""The limits as an option names them."""

_current: ContextVar[Limits] = ContextVar("limits", default=Limits())  # noqa: B039 frozen


def current_limits() -> Limits:
    """The limits that hold where none are given."""
    return _current.get()


@contextmanager
def limited(limits: Limits) -> Iterator[None]:
    """Make these the limits that hold where none are given, for the block."""
    token = _current.set(limits)
    try:
        yield
    finally:
        _current.reset(token)


def limits_told(words: Iterable[str]) -> Limits:
    """The limits with some of them set: `document-bytes=1G`. Raises UsageError."""
    limits = Limits()
    for word in words:
        name, _, number = word.partition("=")
        if name not in LIMIT_NAMES:
            raise UsageError(f"there is no limit {shown(name, 40)}", hint=f"known: {', '.join(LIMIT_NAMES)}")
        match = _NUMBER.fullmatch(number)
        if match is None or int(match[1]) == 0:
            raise UsageError(
                f"a limit is a number above 0, not {shown(number, 40)}",
                hint=f"write for example {OPTION} {name}=20M",
            )
        limits = replace(limits, **{name.replace("-", "_"): int(match[1]) * _UNITS[match[2].upper()]})
    return limits


def raise_it(name: str, limits: Limits) -> str:
    """The way out for who meets a limit on purpose."""
    return f"raise the limit with {OPTION} {name}={2 * getattr(limits, name.replace('-', '_'))}"


def too_many_invalid(limits: Limits) -> tuple[str, str]:
    """What is said when more documents break their contract than are looked at, and the way out."""
    what = f"more than {limits.invalid_documents:,} documents break their contract: the rest was not read"
    return what, raise_it("invalid-documents", limits)


class Held:
    """About how much memory the documents take that are held at once: `base` bytes, and more for what is in them."""

    __slots__ = ("_base", "_bytes", "_file", "_limits")

    def __init__(self, file: str, base: int = 500) -> None:
        self._bytes = 0
        self._base = base
        self._file = file
        self._limits = current_limits()

    def add(self, value: object) -> None:
        """Count one more document. Raises UnreadableInput when they take more than the limit."""
        self._bytes += self._base + _held_bytes(value)
        if self._bytes > self._limits.held_bytes:
            raise UnreadableInput(
                f"{self._file} would take more than {self._limits.held_bytes >> 20:,} MB of memory",
                hint=f"cut it into several files, or {raise_it('held-bytes', self._limits)}",
            )


def _held_bytes(value: object) -> int:
    size = 0
    containers: list[Any] = [(value,)]
    for container in containers:
        for child in container:
            kind = child.__class__
            if kind is str:
                size += _VALUE_BYTES + len(child)
            elif kind is dict:
                size += 2 * _VALUE_BYTES + sum(map(len, child))
                containers.append(child.values())
            elif kind is list:
                size += _VALUE_BYTES
                containers.append(child)
            else:
                size += _VALUE_BYTES // 3
    return size


def refuse_too_many_values(text: bytes, limits: Limits) -> None:
    """Raise Refusal when a JSON text holds more values than a document may, MemoryError when it finds no room.

    Values take far more room than their text.
    """
    most = limits.document_values
    if len(text) < min(2 * most, _LARGE_BYTES):
        return
    values = _values_at_most(text)
    if values > most:
        values = _values_at_most(_SPACE.sub(b"", _STRING.sub(b"0", text)))
    if values > most:
        raise Refusal(
            "too-many-values",
            f"a document of more than {most:,} values",
            START,
            f"write several smaller ones, or {raise_it('document-values', limits)}",
        )
    refuse_without_room(2 * len(text) + values * _VALUE_BYTES)


def _values_at_most(text: bytes) -> int:
    """A value stands at the beginning, behind a bracket (and a key), or behind a comma; strings may hold these too."""
    begun = text.count(b"[") + text.count(b"{") - text.count(b"[]") - text.count(b"{}")
    return 1 + text.count(b",") + begun
