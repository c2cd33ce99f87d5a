"""Where a value lies in its JSON text: found by skipping over the text again, only when asked."""

from __future__ import annotations

import json
import re
from array import array

from evalcontract.reading.events import Position, after

_SPACE = re.compile(rb"[ \t\r\n]*")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SCALAR = re.compile(rb"[^ \t\r\n,\]}]+")
_STRUCTURE = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]|"', re.DOTALL)

_INDEX = re.compile("0|[1-9][0-9]{0,17}")
_ESCAPED_NULL = b"\\u0000"

_STEP_BYTES = 1 << 14


def escaped_null_in(text: bytes) -> bool:
    """Whether a JSON text holds the escape of a null byte."""
    # Searching from the end is quicker: that way the rare backslash is what is looked for.
    return text.rfind(_ESCAPED_NULL) >= 0


def skip_space(text: bytes, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match
    return match.end()


def skip_string(text: bytes, at: int) -> int:
    """The offset behind the string that starts at `at`, or -1 when the text ends first."""
    match = _STRING.match(text, at)
    return match.end() if match else -1


def skip_value(text: bytes, at: int) -> int:
    """The offset behind the value that starts at `at`, or -1 when the text ends before the value does.

    Brackets are only counted, nothing is checked: a number at the very end of the text counts as cut off.
    """
    opening = text[at : at + 1]
    if opening == b'"':
        return skip_string(text, at)
    if opening not in (b"{", b"["):
        match = _SCALAR.match(text, at)
        end = match.end() if match else at
        return -1 if end == len(text) else end
    depth = 0
    for match in _STRUCTURE.finditer(text, at):
        token = match[0]
        if token in (b"{", b"["):
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
            if depth == 0:
                return match.end()
        elif token == b'"':
            return -1
    return -1


class JsonText:
    """One strict JSON text and where it starts in its file."""

    __slots__ = ("_levels", "_marks", "column", "line", "raw")

    def __init__(self, raw: bytes, line: int, column: int = 1) -> None:
        self.raw = raw
        self.line = line
        self.column = column
        self._levels: dict[tuple[str, ...], _Children] | None = None
        self._marks: list[tuple[int, Position]] | None = None

    @property
    def start(self) -> Position:
        return self.position(skip_space(self.raw, 0))

    @property
    def may_hold_null_bytes(self) -> bool:
        return escaped_null_in(self.raw)

    def position(self, offset: int) -> Position:
        """The position in the file of a byte offset in this text."""
        mark = offset // _STEP_BYTES
        if mark == 0:
            return after(Position(self.line, self.column), self.raw[:offset])
        if self._marks is None:  # values are asked for by the thousand, perhaps: the text is counted once
            self._marks = [(0, Position(self.line, self.column))]
        while len(self._marks) <= mark:
            at = self._behind_a_character(len(self._marks) * _STEP_BYTES)
            self._marks.append((at, self._after(len(self._marks) - 1, at)))
        return self._after(mark, offset)

    def _behind_a_character(self, at: int) -> int:
        while at < len(self.raw) and self.raw[at] & 0xC0 == 0x80:
            at += 1
        return at

    def _after(self, mark: int, offset: int) -> Position:
        assert self._marks is not None
        at, position = self._marks[mark]
        return after(position, self.raw[at:offset])

    def find(self, tokens: tuple[str, ...], *, key: bool = False) -> Position:
        """Where the value at this path begins, or with `key` the name that it has; LookupError when it isn't there."""
        if self._levels is None:
            self._levels = {}
        offset = key_offset = skip_space(self.raw, 0)
        for depth, token in enumerate(tokens):
            path = tokens[:depth]
            level = self._levels.get(path)
            if level is None:
                level = self._levels[path] = _Children(self.raw, offset)
            key_offset, offset = level.offsets(token)
        return self.position(key_offset if key else offset)


class _Children:
    """Where the children of the container at an offset begin: little is kept of each, as there may be millions."""

    __slots__ = ("_numbers", "_starts", "_text")

    def __init__(self, text: bytes, at: int) -> None:
        self._text = text
        self._starts = array("q")
        self._numbers: dict[str, int] | None = {} if text[at : at + 1] == b"{" else None
        if text[at : at + 1] not in (b"{", b"["):
            return
        at = skip_space(text, at + 1)
        while text[at : at + 1] not in (b"}", b"]", b""):
            if self._numbers is not None:
                end = skip_string(text, at)
                self._numbers[key_text(text[at:end])] = len(self._starts)
            self._starts.append(at)
            at = skip_space(text, skip_value(text, self._value_at(at)))
            if text[at : at + 1] == b",":
                at = skip_space(text, at + 1)

    def offsets(self, token: str) -> tuple[int, int]:
        """The offsets of the child's key (of itself in an array) and of its value; LookupError when it isn't there."""
        if self._numbers is not None:
            start = self._starts[self._numbers[token]]
        elif _INDEX.fullmatch(token):
            start = self._starts[int(token)]
        else:
            raise LookupError(token)
        return start, self._value_at(start)

    def _value_at(self, start: int) -> int:
        if self._numbers is None:
            return start
        text = self._text
        return skip_space(text, skip_space(text, skip_string(text, start)) + 1)


def key_text(quoted: bytes) -> str:
    """The property name in a quoted JSON string."""
    if b"\\" not in quoted:
        return quoted[1:-1].decode("utf-8")
    name: str = json.loads(quoted)
    return name
