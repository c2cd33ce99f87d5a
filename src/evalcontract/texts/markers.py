"""Finding citation markers in text: the declared ones literally first, then the shapes that models write."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from string import ascii_letters, digits
from typing import Literal

from evalcontract.errors import MetricValueError

Style = Literal["number", "footnote", "lenticular", "fullwidth"]
STYLES: tuple[Style, ...] = ("number", "footnote", "lenticular", "fullwidth")

MAX_RANGE = 50
"""A marker like [1-60] with more members than this is taken as marker-like text, not expanded."""

_CODE = (
    r"(?ms)^[ \t]{0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]{0,3}(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?<!`)(?P<ticks>`{1,16})(?!`)(?:[^\n]|\n(?![ \t]*\n))*?(?<!`)(?P=ticks)(?!`)"
)
_LIST = r"\d{1,4}(?:\s?(?:[,;、，]|-|–)\s?\^?\d{1,4}){0,40}"
_SHAPES: dict[Style, str] = {
    "number": rf"\[(?P<number>{_LIST})\](?!\()",
    "footnote": rf"\[\^(?P<footnote>{_LIST})\](?!:)",
    "lenticular": rf"【\s?(?P<lenticular>{_LIST})\s?】|【\s?\d{{1,4}}(?P<named>[:†][^】\n]{{0,80}})】",
    "fullwidth": rf"［\s?(?P<fullwidth>{_LIST})\s?］",
}
_MARKER_LIKE = r"\[\^?[\w.:#/†-]{1,64}\](?!\()|【[^】\n]{1,80}】|［[^］\n]{1,80}］"
_LONGEST_NAME = 40
_NAME_BEFORE = re.compile(r"[A-Za-z0-9_$.]+\Z")
_VARIABLE = re.compile(r"[A-Za-z]|[a-z]\d{1,2}|\w*[_$][\w$.]*|(?:self|this)\.[\w.]+")
_USUAL = """
arr args argc argv buf cfg coll cols ctx df dict dp elem elems idx img kwargs lst nums obj objs ptr req res ret str
strs tmp tuple val vals vec vecs
"""
_VARIABLES = frozenset(_USUAL.split())
"""Usual names of variables that are no words of a text."""
_ASSIGNED = re.compile(r"(?:\[\d+\]|\.\w+)*(?:[ \t]?(?:[-+*/%|&^]?=|==|!=)[ \t]?[^\s=]|\.\w+\(|\()")
_NOT_MARKERS = frozenset(["[x]", "[X]", "[sic]", "[...]"])
_PLAIN = re.compile(r"\[[1-9][0-9]{0,2}\](?!\()")
_BEFORE_AN_INDEX = frozenset(ascii_letters + digits + ")}_")
_FEW = 50
_PART = re.compile(r"(\d+)(?:\s?[-–]\s?\^?(\d+))?")


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker in the text. `keys` are the declared markers it stands for, or `[n]` for each of its
    numbers.
    """

    text: str
    start: int
    end: int
    keys: tuple[str, ...]
    declared: bool


@dataclass(frozen=True, slots=True)
class MarkerReport:
    """What the text cites against what is declared.

    `unresolved`: keys used in the text that nothing declares. `unused`: declared markers that the text
    doesn't use. `marker_like`: bracketed text of no recognised style, which may be markers that nobody
    declared.
    """

    markers: tuple[Marker, ...]
    unresolved: tuple[str, ...]
    unused: tuple[str, ...]
    marker_like: tuple[str, ...]

    @property
    def used(self) -> tuple[str, ...]:
        """Keys used in the text, in order of first use."""
        return tuple(dict.fromkeys(key for marker in self.markers for key in marker.keys))


def find_markers(text: str, declared: Iterable[str] = (), styles: Collection[Style] = STYLES) -> MarkerReport:
    """Find the citation markers of a text.

    Declared markers are searched literally (outside code first, inside code only when they stand nowhere
    else), whatever they look like. Then the shapes [1], [1, 2], [1-3], [^1], 【1】 and ［２］ are recognised
    as far as `styles` names them; 【4:0†source】 is one too, and stands for the whole of what it says. Inline
    code, fenced blocks, an index of a variable or a call (arr[0], f(x)[3]), links ([2](url)) and years are not
    markers unless declared; after a word, as in 1889[1], a bracket is one. A shape outside `styles` is listed in
    `marker_like`, never dropped in silence.
    """
    unknown = set(styles) - set(STYLES)
    if unknown:
        raise MetricValueError(
            f"unknown marker style {sorted(unknown)[0]!r}", hint=f"one of {', '.join(STYLES)}"
        )
    names = tuple(dict.fromkeys(name for name in declared if name))
    if styles is STYLES and (plainly := _plain_markers(text, names)) is not None:
        return _report(plainly, names, ())
    code = [match.span() for match in _code_pattern().finditer(text)] if _may_hold_code(text) else []
    found = _find_declared(text, names, code)
    taken = _Spans(code + [(marker.start, marker.end) for marker in found])
    by_number = _declared_numbers(names)
    marker_like: list[str] = []
    glued_end = -1
    for match in _shape_pattern().finditer(text):
        if taken.touch(match.start(), match.end()):
            continue
        if match.start() == glued_end or _is_index(text, match.start(), match.end()):
            glued_end = match.end()
            continue
        style = match.lastgroup
        if style == "named" and "lenticular" in styles:
            found.append(Marker(match.group(), match.start(), match.end(), (match.group(),), False))
            continue
        numbers = _numbers(match[style]) if style is not None and style in styles else None
        if numbers is None:
            marker_like.append(match.group())
        elif not _is_year(numbers):
            keys = tuple(by_number.get(n, f"[{n}]") for n in numbers)
            found.append(
                Marker(match.group(), match.start(), match.end(), keys, all(n in by_number for n in numbers))
            )
    found.sort(key=lambda marker: marker.start)
    return _report(found, names, dict.fromkeys(like for like in marker_like if like not in _NOT_MARKERS))


def _report(found: Sequence[Marker], names: tuple[str, ...], marker_like: Iterable[str]) -> MarkerReport:
    used = dict.fromkeys([key for marker in found for key in marker.keys])
    return MarkerReport(
        tuple(found),
        tuple([key for key in used if key not in names]),
        tuple([name for name in names if name not in used]),
        tuple(marker_like),
    )


def _plain_markers(text: str, names: tuple[str, ...]) -> list[Marker] | None:
    """The markers of a text all whose brackets are [1] to [999] and can be nothing else; None for any other text."""
    if "`" in text or "~~~" in text or not _are_plain(names):
        return None
    if not text.isascii() and ("【" in text or "［" in text):
        return None
    found = []
    for match in _PLAIN.finditer(text):
        name, start = match[0], match.start()
        if start and text[start - 1] in _BEFORE_AN_INDEX:
            return None
        found.append(Marker(name, start, match.end(), (name,), name in names))
    return found if len(found) == text.count("[") else None


@lru_cache(maxsize=256)
def _are_plain(names: tuple[str, ...]) -> bool:
    return len(names) <= _FEW and all(map(_PLAIN.fullmatch, names))


def _may_hold_code(text: str) -> bool:
    return "`" in text or "~~~" in text


def number_of(key: str) -> int:
    """The number n of a key `[n]`; 0 for any other key."""
    return int(key[1:-1]) if key[1:-1].isdecimal() else 0


def without_markers(text: str, report: MarkerReport) -> str:
    """The text with the reported markers replaced by as many spaces, so that offsets stay true."""
    pieces: list[str] = []
    position = 0
    for marker in report.markers:
        pieces += [text[position : marker.start], " " * (marker.end - marker.start)]
        position = marker.end
    return "".join([*pieces, text[position:]])


@cache
def _code_pattern() -> re.Pattern[str]:
    return re.compile(_CODE)


@cache
def _shape_pattern() -> re.Pattern[str]:
    return re.compile("|".join([*_SHAPES.values(), _MARKER_LIKE]))


class _Spans:
    """Stretches of text, to ask whether another stretch touches one of them."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        merged: list[tuple[int, int]] = []
        for start, end in sorted(spans):
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        self._starts = [start for start, _ in merged]
        self._ends = [end for _, end in merged]

    def touch(self, start: int, end: int) -> bool:
        before = bisect_left(self._starts, end) - 1
        return before >= 0 and self._ends[before] > start


def _find_declared(text: str, names: tuple[str, ...], code: Sequence[tuple[int, int]]) -> list[Marker]:
    if not names:
        return []
    pattern = _pattern_of(names)
    coded = _Spans(code)
    outside: list[Marker] = []
    inside: list[Marker] = []
    for match in pattern.finditer(text):
        in_code = coded.touch(match.start(), match.end())
        marker = Marker(match.group(), match.start(), match.end(), (match.group(),), True)
        (inside if in_code else outside).append(marker)
    seen = {marker.text for marker in outside}
    return outside + [marker for marker in inside if marker.text not in seen]


@lru_cache(maxsize=256)
def _pattern_of(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return re.compile("|".join(_literal(name) for name in longest_first))


def _literal(name: str) -> str:
    before = r"(?<!\w)" if name[0].isalnum() else ""
    after = r"(?!\w)" if name[-1].isalnum() else ""
    return before + re.escape(name) + after


@lru_cache(maxsize=256)
def _declared_numbers(names: tuple[str, ...]) -> Mapping[int, str]:
    """Numbers that a declared marker stands for alone, so that 【1】 in the text finds a declared [1]."""
    by_number: dict[int, str] = {}
    for name in names:
        match = _shape_pattern().fullmatch(name)
        numbers = _numbers(match[match.lastgroup]) if match and match.lastgroup else None
        if numbers and len(numbers) == 1:
            by_number.setdefault(numbers[0], name)
    return by_number


def _numbers(body: str) -> list[int] | None:
    """The numbers of "1, 2" or "1-3"; None when a range is backwards or too long."""
    numbers: list[int] = []
    for first, last in _PART.findall(body):
        start, stop = int(first), int(last or first)
        if not start <= stop < start + MAX_RANGE:
            return None
        numbers.extend(range(start, stop + 1))
    return list(dict.fromkeys(numbers))


def _is_year(numbers: list[int]) -> bool:
    return all(1000 <= number <= 2999 for number in numbers)


def _is_index(text: str, start: int, end: int) -> bool:
    """Whether a bracket is the index of a variable or a call, as in arr[0] and f(x)[3], and no marker of a word."""
    if start == 0 or text[start] in "【［" or text.startswith("[^", start):
        return False
    before = text[start - 1]
    if before in ")}`_":
        return True
    if not (before.isascii() and before.isalnum()):
        return False
    word = _NAME_BEFORE.search(text, max(0, start - _LONGEST_NAME), start)
    name = word.group() if word else before
    return (
        text.startswith("[0]", start)
        or name in _VARIABLES
        or _VARIABLE.fullmatch(name) is not None
        or _ASSIGNED.match(text, end) is not None
    )
