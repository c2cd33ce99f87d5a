"""Strings that match a pattern, for the common part of ECMAScript's pattern language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from string import ascii_letters, digits
from typing import TypeAlias

from evalcontract.errors import SchemaError
from evalcontract.evolution.reference import matches
from evalcontract.validation.patterns import compiled

_PRINTABLE = ascii_letters + digits + " -_.:/é"
_CLASSES = {"d": digits, "w": ascii_letters + digits + "_", "s": " ", "D": "a-", "W": "- ", "S": "a0"}
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_MAX_NESTING = 20
_MAX_LENGTH = 2000


@dataclass(frozen=True, slots=True)
class _Repeat:
    atom: str | _Choice
    least: int
    most: int


_Choice: TypeAlias = list[list[_Repeat]]


class _Unsupported(Exception):
    """Lookaround, back references and the like."""


def samples(pattern: str, rng: Random, count: int = 6) -> list[str]:
    """Up to `count` strings that match; none when the pattern uses what isn't understood here."""
    try:
        tree = _Parser(pattern).whole()
        compiled(pattern)
    except (_Unsupported, SchemaError, IndexError, TypeError, ValueError):
        return []
    found = dict.fromkeys("".join(islice(_draw(tree, rng), _MAX_LENGTH)) for _ in range(3 * count))
    return [text for text in found if matches(pattern, text)][:count]


def _draw(tree: _Choice, rng: Random) -> Iterator[str]:
    for repeat in rng.choice(tree):
        for _ in range(rng.choice([repeat.least, min(repeat.least + 1, repeat.most), min(repeat.most, 12)])):
            if isinstance(repeat.atom, str):
                yield rng.choice(repeat.atom)
            else:
                yield from _draw(repeat.atom, rng)


class _Parser:
    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0

    def _take(self) -> str:
        self._at += 1
        return self._text[self._at - 1]

    def _skip(self, text: str) -> bool:
        found = self._text.startswith(text, self._at)
        self._at += len(text) if found else 0
        return found

    def whole(self) -> _Choice:
        tree = self._choice(0)
        if self._at < len(self._text):
            raise _Unsupported
        return tree

    def _choice(self, depth: int) -> _Choice:
        if depth > _MAX_NESTING:
            raise _Unsupported
        branches: _Choice = [[]]
        while self._at < len(self._text) and self._text[self._at] != ")":
            if self._skip("|"):
                branches.append([])
            elif not (self._skip("^") or self._skip("$")):
                branches[-1].append(self._repeat(self._atom(depth)))
        return branches

    def _atom(self, depth: int) -> str | _Choice:
        char = self._take()
        if char == "(":
            if self._skip("?") and not self._skip(":"):
                raise _Unsupported
            tree = self._choice(depth + 1)
            if self._take() != ")":
                raise _Unsupported
            return tree
        if char == "[":
            return self._class()
        return self._escape() if char == "\\" else _PRINTABLE if char == "." else char

    def _escape(self) -> str:
        char = self._take()
        if char == "u":
            self._at += 4
            return chr(int(self._text[self._at - 4 : self._at], 16))
        if char in _CLASSES or char in _PLAIN:
            return _CLASSES.get(char) or _PLAIN[char]
        if char.isalnum():
            raise _Unsupported
        return char

    def _class(self) -> str:
        negated = self._skip("^")
        chars = ""
        while not self._skip("]"):
            first = self._take()
            first = self._escape() if first == "\\" else first
            if self._text[self._at] == "-" and self._text[self._at + 1] != "]":
                self._at += 1
                last = self._take()
                last = self._escape() if last == "\\" else last
                span = range(ord(first), min(ord(last), ord(first) + 127) + 1)
                first = "".join(map(chr, span))
            chars += first
        chars = "".join(char for char in _PRINTABLE if char not in chars) if negated else chars
        if not chars:
            raise _Unsupported
        return chars

    def _repeat(self, atom: str | _Choice) -> _Repeat:
        least, most = 1, 1
        if self._skip("*"):
            least, most = 0, 3
        elif self._skip("+"):
            least, most = 1, 3
        elif self._skip("?"):
            least, most = 0, 1
        elif self._skip("{"):
            end = self._text.index("}", self._at)
            low, comma, high = self._text[self._at : end].partition(",")
            least, self._at = int(low), end + 1
            most = int(high) if high else least + 3 if comma else least
        self._skip("?")
        if least > 200:
            raise _Unsupported
        return _Repeat(atom, least, most)
