"""What a reader yields: frozen values that know where they were found and decide nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from evalcontract.values import pointer_tokens


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a file: `line` and `column` count from 1, columns in characters; a leading BOM has none."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


START = Position(1, 1)


@dataclass(frozen=True, slots=True)
class Fault:
    """Data that can't be read strictly. `fatal`: nothing after it in this file was read.

    `related` is the other place concerned (the first of two equal keys); `index` the document it was in.
    """

    code: str
    message: str
    position: Position | None
    hint: str | None
    file: str
    fatal: bool = False
    related: Position | None = None
    index: int | None = None

    @property
    def place(self) -> str:
        """The file, with line and column where they are known."""
        return f"{self.file}:{self.position.line}:{self.position.column}" if self.position else self.file


@dataclass(frozen=True, slots=True)
class FileNotice:
    """Something that was read without loss, but that the author of the file should know."""

    code: str
    message: str
    position: Position | None
    hint: str | None
    file: str
    index: int | None = None


class Origin(Protocol):
    """The text a value came from, scanned again only when a position is asked for."""

    @property
    def start(self) -> Position:
        """Where the value begins."""

    @property
    def raw(self) -> bytes | None:
        """The value's own bytes, None where the text isn't JSON."""

    @property
    def may_hold_null_bytes(self) -> bool:
        """False only when no string in the text has a null byte. Looked for at once in many values."""

    def find(self, tokens: tuple[str, ...]) -> Position:
        """Where the value at this path begins; LookupError when the path isn't there."""


@dataclass(frozen=True, slots=True)
class NoText:
    """Origin of a value that was never text: it has no place of its own."""

    start: Position = START
    raw: None = None
    may_hold_null_bytes: bool = True

    def find(self, tokens: tuple[str, ...]) -> Position:
        """There is none: LookupError."""
        raise LookupError(tokens)


class Document:
    """One value read from a file. `index` counts documents of the file from 0, faulty ones included.

    `value` must not be changed: aliased YAML nodes are shared.
    """

    __slots__ = ("_origin", "file", "index", "value")

    def __init__(self, value: object, file: str, index: int, origin: Origin) -> None:
        self.value = value
        self.file = file
        self.index = index
        self._origin = origin

    def __repr__(self) -> str:
        return f"Document(file={self.file!r}, index={self.index}, start={self.start})"

    @property
    def start(self) -> Position:
        """Where the value begins."""
        return self._origin.start

    @property
    def placed(self) -> bool:
        """Whether the value has places in a text; without one, each of them is its start."""
        return not isinstance(self._origin, NoText)

    @property
    def raw(self) -> bytes | None:
        """The value's bytes as they are in the file (UTF-8); None for YAML and for a dataset's envelope."""
        return self._origin.raw

    @property
    def may_hold_null_bytes(self) -> bool:
        """False only when no string in the value has a null byte."""
        return self._origin.may_hold_null_bytes

    def locate(self, pointer: str) -> Position:
        """Where the value at this JSON pointer begins; `""` is the document itself.

        Raises LookupError when there is no such value: for a missing property ask its parent.
        """
        return self._origin.find(pointer_tokens(pointer))


class Passes(Protocol):
    """Takes documents about which there is nothing to say, so that a reader makes no event of them."""

    def __call__(self, value: object, index: int) -> bool:
        """Whether it has taken the document with this number; if not, it comes as an event.

        No string of the value has a null byte. A number that no double can hold is infinite, or an integer of
        more than 300 digits: that isn't known yet for a fault, so such a value must not be taken.
        """


@dataclass(frozen=True, slots=True)
class Opened:
    """First event of every file that could be opened.

    `envelope` is set for a dataset: what was known before its first item (see `Closed.envelope` for all of
    it). When `metadata` follows the items of a file that can be read twice, it is already here.
    """

    file: str
    format: Literal["json", "yaml"]
    container: Literal["document", "array", "dataset", "lines"]
    envelope: Document | None = None


@dataclass(frozen=True, slots=True)
class Closed:
    """Last event of every file: how many documents and faults there were, and a dataset's whole envelope.

    `complete` is false when reading stopped before the end of the file.
    """

    file: str
    documents: int
    faults: int
    blank_lines: int
    complete: bool
    envelope: Document | None = None


Event = Opened | Document | Fault | FileNotice | Closed


def moved(start: Position, relative: Position) -> Position:
    """The position in the file of something found at `relative` in a text that begins at `start`."""
    if relative.line == 1:
        return Position(start.line, start.column + relative.column - 1)
    return Position(start.line + relative.line - 1, relative.column)


def after(start: Position, text: bytes) -> Position:
    """The position just behind `text` when it begins at `start`."""
    newlines = text.count(b"\n")
    if newlines == 0:
        return Position(start.line, start.column + characters(text))
    return Position(start.line + newlines, characters(text[text.rindex(b"\n") + 1 :]) + 1)


def characters(text: bytes) -> int:
    return len(text) if text.isascii() else len(text.decode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class Assembled:
    """Origin of a dataset's envelope, whose properties lie before and after the items."""

    start: Position
    members: Mapping[str, Origin]

    @property
    def raw(self) -> None:
        return None

    @property
    def may_hold_null_bytes(self) -> bool:
        return True

    def find(self, tokens: tuple[str, ...]) -> Position:
        return self.members[tokens[0]].find(tokens[1:]) if tokens else self.start
