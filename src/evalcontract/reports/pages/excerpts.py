"""The line that a finding is about, with the fault in it marked: read from the file again, a bounded part of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from evalcontract.errors import ContractError
from evalcontract.reading import opened
from evalcontract.validation import Violation

_BEFORE, _MARKED, _AFTER = 60, 120, 80
_PIECE = 1 << 18
_LONGEST_LINE = 1 << 25
_TOKEN = re.compile(r'"(?:[^"\\]|\\.){0,2000}"?|[^\s,:\[\]{}"]{1,2000}|.', re.DOTALL)

Spot = tuple[str, int, int]
"""File, line, column."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a line: what stands before the fault, the fault, and what follows."""

    before: str
    marked: str
    after: str


def excerpts(violations: Iterable[Violation]) -> Mapping[Spot, Excerpt]:
    """The excerpt of each finding that has a line, of files that can still be read."""
    wanted: dict[str, dict[int, set[int]]] = {}
    for violation in violations:
        spot = spot_of(violation)
        if spot is not None:
            wanted.setdefault(spot[0], {}).setdefault(spot[1], set()).add(spot[2])
    found: dict[Spot, Excerpt] = {}
    for file, columns in wanted.items():
        for number, line in _lines(file, columns.keys()):
            for column in columns[number]:
                if column <= len(line) + 1:
                    found[file, number, column] = _excerpt(line, column - 1)
    return found


def spot_of(violation: Violation) -> Spot | None:
    """Where a finding lies, None where that isn't known."""
    if violation.file is None or violation.line is None:
        return None
    return violation.file, violation.line, violation.column or 1


def _excerpt(line: str, at: int) -> Excerpt:
    match = _TOKEN.match(line, at)
    end = match.end() if match else at
    before = line[max(0, at - _BEFORE) : at].lstrip() if at <= _BEFORE else f"…{line[at - _BEFORE : at]}"
    marked = line[at : min(end, at + _MARKED)] + ("…" if end > at + _MARKED else "")
    after = line[end : end + _AFTER] + ("…" if len(line) > end + _AFTER else "")
    return Excerpt(before, marked or "⏎", after)


def _lines(file: str, numbers: Iterable[int]) -> Iterator[tuple[int, str]]:
    try:
        if not Path(file).is_file():  # standard input, a pipe, or gone meanwhile
            return
        with opened(file) as (stream, _):
            yield from _picked(stream, frozenset(numbers))
    except (ContractError, OSError, ValueError):
        return


def _picked(stream: BinaryIO, numbers: frozenset[int]) -> Iterator[tuple[int, str]]:
    last, number, pieces, size = max(numbers), 1, list[bytes](), 0
    while number <= last and (piece := stream.readline(_PIECE)):
        if number in numbers and size < _LONGEST_LINE:
            pieces.append(piece)
            size += len(piece)
        if piece.endswith(b"\n"):
            if number in numbers:
                yield number, _decoded(pieces)
            number, pieces, size = number + 1, [], 0
    if pieces:
        yield number, _decoded(pieces)


def _decoded(pieces: list[bytes]) -> str:
    text = b"".join(pieces).rstrip(b"\r\n").decode("utf-8", "replace")
    return text.removeprefix("\ufeff")
