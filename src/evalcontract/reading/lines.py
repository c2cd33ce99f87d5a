"""JSON Lines: one strict JSON text a line, split on \\n and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import BinaryIO

from evalcontract.reading.events import Event, Fault, Notice, Position
from evalcontract.reading.locator import JsonText
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.strict import parse
from evalcontract.reading.tally import Limits, Tally

BLANK = b" \t\r\n"


def read_lines(
    stream: BinaryIO, tally: Tally, limits: Limits, *, first_line: int = 1, size: int | None = None
) -> Iterator[Event]:
    """A document or a fault for every line that isn't blank; `size` bytes of whole lines, or all."""
    line = first_line - 1
    longest = limits.document_bytes
    first_blank = 0
    left = sys.maxsize if size is None else size
    while left > 0 and (raw := stream.readline(longest + 1)):
        line += 1
        left -= len(raw)
        if len(raw) > longest and not raw.endswith(b"\n"):
            yield _too_long(tally, line, longest)
            left -= _skip_line(stream)
            continue
        if raw.isspace() and not raw.strip(BLANK):
            tally.blank_lines += 1
            first_blank = first_blank or line
            continue
        try:
            value, big = parse(raw)
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
    if size is None and line == tally.blank_lines:
        yield tally.empty()
    elif first_blank:
        yield blank_lines(tally, first_blank)


def blank_lines(tally: Tally, first: int) -> Notice:
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
        f"a line of more than {longest} bytes",
        Position(line, 1),
        "one item a line; raise the limit if it is meant to be that long",
        index=tally.index,
    )
    tally.index += 1
    return fault


def _skip_line(stream: BinaryIO) -> int:
    """Reads to the end of the line in flat memory and returns how many bytes that were."""
    size = 0
    while chunk := stream.readline(1 << 18):
        size += len(chunk)
        if chunk.endswith(b"\n"):
            break
    return size
