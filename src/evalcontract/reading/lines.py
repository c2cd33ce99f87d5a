"""JSON Lines: one strict JSON text a line, split on \\n and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from evalcontract.reading.events import Event, Fault, Notice, Position
from evalcontract.reading.locator import JsonText
from evalcontract.reading.scanner import Refusal
from evalcontract.reading.strict import parse
from evalcontract.reading.tally import Limits, Tally


def read_lines(
    stream: BinaryIO, tally: Tally, limits: Limits, *, first_line: int = 1, stop: int | None = None
) -> Iterator[Event]:
    """A document or a fault for every line that isn't blank.

    `stop` is the number of bytes to read, None for all; a line that begins before it is read to its end.
    """
    line = first_line - 1
    longest = limits.document_bytes
    first_blank = 0
    while stop is None or stop > 0:
        raw = stream.readline(longest + 1)
        if not raw:
            break
        line += 1
        size = len(raw)
        if size > longest and not raw.endswith(b"\n"):
            yield _too_long(tally, line, longest)
            size += _skip_line(stream)
        else:
            try:
                value, big = parse(raw)
            except Refusal as refusal:
                if not raw.strip(b" \t\r\n"):
                    tally.blank_lines += 1
                    first_blank = first_blank or line
                else:
                    yield tally.refused(refusal, Position(line, 1))
                    tally.index += 1
            else:
                origin = JsonText(raw, line)
                if big:
                    yield tally.big_integer(value, origin)
                yield tally.document(value, origin)
        if stop is not None:
            stop -= size
    if line == first_line - 1 + tally.blank_lines and stop is None:
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
