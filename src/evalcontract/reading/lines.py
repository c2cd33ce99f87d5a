"""JSON Lines: one strict JSON text a line, split on \\n and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO

from evalcontract.reading.events import Event, Fault, FileNotice, Position
from evalcontract.reading.limits import raise_it, refuse_too_many_values
from evalcontract.reading.locator import JsonText, escaped_null_in
from evalcontract.reading.memory import refuse_without_room
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.sources import BUFFER_BYTES
from evalcontract.reading.strict import parse_quickly, parse_thoroughly, with_numbers_seen
from evalcontract.reading.tally import Tally

BLANK = b" \t\r\n"


def is_blank(line: bytes) -> bool:
    """Whether it holds nothing but what JSON takes for white space."""
    return line.isspace() and not line.strip(BLANK)


def read_lines(
    stream: BinaryIO, tally: Tally, *, first_line: int = 1, size: int | None = None
) -> Iterator[Event]:
    """A document or a fault for every line that isn't blank; `size` bytes of whole lines, or all."""
    line = first_line - 1
    limits = tally.limits
    longest = limits.document_bytes
    first_blank = 0
    for lines, may_hold_null_bytes in _blocks(stream, longest, sys.maxsize if size is None else size):
        if isinstance(lines, _BlankLines):
            first_blank = first_blank or line + 1
            line += lines.count
            tally.blank_lines += lines.count
            tally.blank_bytes += lines.size
            lines = []
        near_the_end = tally.index + len(lines) > limits.documents
        for raw in lines:
            line += 1
            if near_the_end and tally.index >= limits.documents and not is_blank(raw):
                yield tally.too_many(Position(line, 1))
                return
            if raw == b"\n":
                tally.blank_lines += 1
                tally.blank_bytes += 1
                first_blank = first_blank or line
                continue
            if len(raw) > longest and not _is_short_or_blank(raw, longest):
                yield _too_long(tally, line, longest)
                continue
            try:
                refuse_too_many_values(raw, limits)
                value, parsed = parse_quickly(raw), True
            except ValueError:
                value, parsed = None, False
            except Refusal as refusal:
                yield tally.refused(refusal, Position(line, 1))
                tally.index += 1
                continue
            passes = None if may_hold_null_bytes and escaped_null_in(raw) else tally.passes
            if parsed and passes and passes(value, tally.index):
                tally.index += 1
                tally.documents += 1
                continue
            if not parsed and is_blank(raw):
                tally.blank_lines += 1
                tally.blank_bytes += len(raw)
                first_blank = first_blank or line
                continue
            try:
                value, big = with_numbers_seen(value, raw) if parsed else parse_thoroughly(raw)
            except Refusal as refusal:
                if line == 1 + tally.blank_lines and raw.strip(BLANK) in (b"{", b"["):
                    yield _indented(tally, line)
                    return
                yield tally.refused(refusal, Position(line, 1))
                tally.index += 1
                continue
            origin = JsonText(raw, line)
            if big:
                yield tally.big_integer(value, origin)
            yield tally.document(value, origin)
        if tally.blank_bytes > limits.blank_bytes:
            yield tally.too_blank(Position(line, 1))
            return
    if size is None and line == tally.blank_lines:
        yield tally.empty()
    elif first_blank:
        yield blank_lines(tally, first_blank)


@dataclass(frozen=True, slots=True)
class _BlankLines:
    """Nothing but blank lines: their number, and their bytes."""

    count: int
    size: int


def _blocks(stream: BinaryIO, longest: int, left: int) -> Iterator[tuple[list[bytes] | _BlankLines, bool]]:
    """Some lines at a time, and whether a null byte may be written in them.

    Of a line of more than `longest` bytes at least its first `longest + 1` bytes. A blank line is one however long.
    """
    while left > 0 and (block := stream.read(min(BUFFER_BYTES, left))):
        refuse_without_room()
        left -= len(block)
        if block.endswith(b"\n") and is_blank(block):
            yield _BlankLines(block.count(b"\n"), len(block)), False
            continue
        lines = BytesIO(block).readlines()  # split() takes four times as long
        nulls = escaped_null_in(block)
        last = lines[-1]
        if not last.endswith(b"\n"):
            lines[-1] = last + stream.readline(max(longest + 1 - len(last), 0))
            left -= len(lines[-1]) - len(last)
            nulls = nulls or escaped_null_in(lines[-1])
            if len(lines[-1]) > longest and not lines[-1].endswith(b"\n"):
                size, blank = rest_of_line(stream)
                left -= size
                if blank and is_blank(lines[-1]):
                    size += len(lines.pop())
                    yield lines, nulls
                    yield _BlankLines(1, size), False
                    continue
        yield lines, nulls


def _is_short_or_blank(line: bytes, longest: int) -> bool:
    """What a line ends with doesn't count, and a line without an end has more behind it than white space."""
    return line.endswith(b"\n") and (len(line) == longest + 1 or is_blank(line))


def blank_lines(tally: Tally, first: int) -> FileNotice:
    count = tally.blank_lines
    return tally.notice(
        "blank-lines",
        "1 blank line skipped" if count == 1 else f"{count} blank lines skipped",
        Position(first, 1),
        None,
    )


def _indented(tally: Tally, line: int) -> Fault:
    return tally.fault(
        "not-json-lines",
        "a JSON document over several lines, not JSON Lines",
        Position(line, 1),
        "name it .json, or write one item a line",
        fatal=True,
    )


def _too_long(tally: Tally, line: int, longest: int) -> Fault:
    fault = tally.fault(
        "too-long",
        f"a line of more than {longest:,} bytes",
        Position(line, 1),
        f"write one item a line, or {raise_it('document-bytes', tally.limits)}",
        index=tally.index,
    )
    tally.index += 1
    return fault


def rest_of_line(stream: BinaryIO) -> tuple[int, bool]:
    """How many bytes the line still has, and whether they are white space; memory stays flat."""
    size, blank = 0, True
    while piece := stream.readline(1 << 16):
        size += len(piece)
        blank = blank and is_blank(piece)
        if piece.endswith(b"\n"):
            break
    return size, blank
