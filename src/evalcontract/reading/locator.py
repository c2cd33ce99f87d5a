"""Where a value lies in its JSON text: found by skipping over the text again, only when asked."""

from __future__ import annotations

import json
import re

from evalcontract.reading.events import Position, after

_SPACE = re.compile(rb"[ \t\r\n]*")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SCALAR = re.compile(rb"[^ \t\r\n,\]}]+")
_STRUCTURE = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]|"', re.DOTALL)

_ESCAPED_NULL = b"\\u0000"

Level = dict[str, tuple[int, int]]


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

    __slots__ = ("_levels", "column", "line", "raw")

    def __init__(self, raw: bytes, line: int, column: int = 1) -> None:
        self.raw = raw
        self.line = line
        self.column = column
        self._levels: dict[tuple[str, ...], Level] | None = None

    @property
    def start(self) -> Position:
        return self.position(skip_space(self.raw, 0))

    @property
    def may_hold_null_bytes(self) -> bool:
        return escaped_null_in(self.raw)

    def position(self, offset: int) -> Position:
        """The position in the file of a byte offset in this text."""
        return after(Position(self.line, self.column), self.raw[:offset])

    def find(self, tokens: tuple[str, ...], *, key: bool = False) -> Position:
        """Where the value at this path begins, or with `key` the name that it has; LookupError when it isn't there."""
        if self._levels is None:
            self._levels = {}
        offset = key_offset = skip_space(self.raw, 0)
        for depth, token in enumerate(tokens):
            path = tokens[:depth]
            level = self._levels.get(path)
            if level is None:
                level = self._levels[path] = _children(self.raw, offset)
            key_offset, offset = level[token]
        return self.position(key_offset if key else offset)


def _children(text: bytes, at: int) -> Level:
    """For each child of the container at `at`: the offsets of its key (of itself in an array) and value."""
    children: Level = {}
    opening = text[at : at + 1]
    if opening not in (b"{", b"["):
        return children
    at = skip_space(text, at + 1)
    while text[at : at + 1] not in (b"}", b"]", b""):
        start = at
        name = str(len(children))
        if opening == b"{":
            at = skip_string(text, at)
            name = key_text(text[start:at])
            at = skip_space(text, skip_space(text, at) + 1)
        children[name] = (start, at)
        at = skip_space(text, skip_value(text, at))
        if text[at : at + 1] == b",":
            at = skip_space(text, at + 1)
    return children


def key_text(quoted: bytes) -> str:
    """The property name in a quoted JSON string."""
    if b"\\" not in quoted:
        return quoted[1:-1].decode("utf-8")
    name: str = json.loads(quoted)
    return name
