"""ECMAScript patterns (flag u) in the syntax of an engine that matches in bounded time, with the same meaning."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

_Range = tuple[int, int]

_LAST = 0x10FFFF
_SURROGATES = (0xD800, 0xDFFF)
_DIGITS = [(0x30, 0x39)]
_WORDS = [(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)]
_LINE_ENDS = [(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)]
_SPACES = [
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
    (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
]  # fmt: skip
_KEPT = frozenset({")", "|", "^", "$", "*", "+", "?", "(?:", "(?=", "(?!", "(?<=", "(?<!"})
_LOOKS = frozenset({"(?=", "(?!", "(?<=", "(?<!", r"\B"})
_TOKEN = re.compile(
    r"""\\u\{[0-9A-Fa-f]+\} | \\u[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}
      | \\u[0-9A-Fa-f]{4} | \\x[0-9A-Fa-f]{2} | \\c[A-Za-z] | \\[pP]\{[^}]*\} | \\[1-9][0-9]* | \\.
      | \(\?<?[:=!] | \(\?<[^>]*> | \(\? | \[\^? | \{[0-9]+(?:,[0-9]*)?\} | .""",
    re.DOTALL | re.VERBOSE,
)
_CONTROLS = {"n": 0x0A, "r": 0x0D, "t": 0x09, "v": 0x0B, "f": 0x0C, "b": 0x08, "0": 0x00}


class NotBounded(Exception):
    """The pattern has a part that no engine matches in bounded time: a back reference, flags inside."""


@dataclass(frozen=True, slots=True)
class BoundedPattern:
    """A pattern for the other engine. One that looks around is matched step by step, any other in linear time."""

    pattern: str
    looks_around: bool


def bounded(pattern: str) -> BoundedPattern:
    """The pattern that is found in the same texts. `pattern` must be valid. Raises NotBounded.

    Groups become non-capturing; classes, `.` and boundaries are spelled out, as engines differ about them.
    """
    tokens = [match.group() for match in _TOKEN.finditer(pattern)]
    looks_around = not _LOOKS.isdisjoint(_outside_classes(tokens))
    following = iter(tokens)
    parts = []
    for token in following:
        if token[0] == "[":
            parts.append(_class(token == "[^", list(takewhile("]".__ne__, following))))
        elif token in (r"\b", r"\B"):
            parts.append(_boundary(token, looks_around))
        else:
            parts.append(_outside(token))
    return BoundedPattern("".join(parts), looks_around)


def _outside_classes(tokens: list[str]) -> Iterator[str]:
    following = iter(tokens)
    for token in following:
        if token[0] == "[":
            deque(takewhile("]".__ne__, following), maxlen=0)
        else:
            yield token


def _boundary(token: str, looks_around: bool) -> str:
    if not looks_around:  # never for \\B, which the linear engine also finds inside a character of many bytes
        return f"(?-u:{token})"
    word = _written(_WORDS)
    before, after, no_before, no_after = f"(?<={word})", f"(?={word})", f"(?<!{word})", f"(?!{word})"
    if token == r"\b":
        return f"(?:{before}{no_after}|{no_before}{after})"
    return f"(?:{before}{after}|{no_before}{no_after})"


def _outside(token: str) -> str:
    if token in _KEPT or (token[0] == "{" and len(token) > 1):
        return token
    if token == "(" or (token.startswith("(?<") and token.endswith(">")):
        return "(?:"
    if token == "(?" or re.match(r"\\[1-9k]", token):
        raise NotBounded(token)
    if token[:2] in (r"\p", r"\P"):
        return token
    return _written(_negated(_LINE_ENDS) if token == "." else _ranges(token))


def _class(negated: bool, tokens: list[str]) -> str:
    members: list[str] = []
    for token in tokens:  # inside a class only an escape is more than one character
        members.extend([token] if token[0] == "\\" else token)
    properties, ranges, at = "", [], 0
    while at < len(members):
        if members[at][:2] in (r"\p", r"\P"):
            properties += members[at]
        elif at + 2 < len(members) and members[at + 1] == "-":
            ranges.append((_code(members[at]), _code(members[at + 2])))
            at += 2
        else:
            ranges += _ranges(members[at])
        at += 1
    if properties:
        return f"[{'^' if negated else ''}{properties}{_inside(ranges)}]"
    return _written(_negated(ranges) if negated else ranges)


def _ranges(token: str) -> list[_Range]:
    """The characters that a character or an escape stands for."""
    named = {"d": _DIGITS, "w": _WORDS, "s": _SPACES}.get(token[1:].lower())
    if named is None or token[0] != "\\":
        return [(_code(token), _code(token))]
    return named if token[1].islower() else _negated(named)


def _negated(ranges: list[_Range]) -> list[_Range]:
    found, start = [], 0
    for low, high in sorted(ranges):
        if low > start:
            found.append((start, low - 1))
        start = max(start, high + 1)
    return [*found, (start, _LAST)] if start <= _LAST else found


def _written(ranges: list[_Range]) -> str:
    return f"[{_inside(ranges)}]" if _inside(ranges) else rf"[^\x{{0}}-\x{{{_LAST:X}}}]"


def _inside(ranges: list[_Range]) -> str:
    """Ranges as they stand in a class, without surrogates, which no text holds."""
    below, above = _SURROGATES[0] - 1, _SURROGATES[1] + 1
    halves = [half for low, high in ranges for half in ((low, min(high, below)), (max(low, above), high))]
    return "".join(rf"\x{{{low:X}}}-\x{{{high:X}}}" for low, high in halves if low <= high)


def _code(token: str) -> int:
    """The code point that a character or an escape stands for."""
    if len(token) == 1:
        return ord(token)
    kind, rest = token[1], token[2:]
    if kind == "u" and len(token) == 12:  # a pair of surrogates
        return 0x10000 + ((int(token[2:6], 16) & 0x3FF) << 10) + (int(token[8:12], 16) & 0x3FF)
    if kind in "ux" and rest:
        return int(rest.strip("{}"), 16)
    if kind == "c" and rest:
        return ord(rest) % 32
    return _CONTROLS.get(kind, ord(kind))
