"""A file of JSON Lines cut into ranges for several processes, with the right line numbers in each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from evalcontract.errors import UnreadableInput
from evalcontract.reading.events import Event, Passes
from evalcontract.reading.limits import Limits, current_limits
from evalcontract.reading.lines import is_blank, read_lines, rest_of_line
from evalcontract.reading.reader import BOM, refuse_what_is_not_utf8
from evalcontract.reading.sources import BUFFER_BYTES, format_of, is_regular_file, opened
from evalcontract.reading.tally import Tally
from evalcontract.values import COMPRESSED_SUFFIXES

RANGE_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class Range:
    """Whole lines of one file: the bytes from `start` up to `stop`, the first line and the first index.

    `content` are these bytes where the file is compressed, so that nobody can begin to read in its middle.
    """

    start: int
    stop: int
    first_line: int
    first_index: int
    content: bytes | None = field(default=None, repr=False)


class NotInRanges(Exception):
    """A compressed file is damaged, or has a line that is too long to be held: it has to be read in one go."""


def can_be_split(source: Path | str) -> bool:
    """Whether `split_ranges` takes it: a file named as JSON Lines. Raises UnreadableInput."""
    return is_regular_file(source) and format_of(Path(source)) == "lines"


def is_compressed(source: Path | str) -> bool:
    """Whether a file is named as one that is unpacked to be read."""
    return Path(source).suffix.lower() in COMPRESSED_SUFFIXES


def split_ranges(path: Path, size: int = RANGE_BYTES) -> Iterator[Range]:
    """The file's lines in ranges of about `size` bytes, one after the other.

    Each range is made when it is asked for: lines are counted at the speed of memory, and compressed files unpacked,
    while the ranges before it are being read elsewhere. Raises UnreadableInput as `read` does, and NotInRanges.
    """
    longest = current_limits().document_bytes
    with opened(path) as (file, decompressed):
        start = stop = index = documents = 0
        line, lines = 1, 0
        kept: list[bytes] = []
        while piece := file.read(min(size - (stop - start), BUFFER_BYTES)):
            if stop == 0:
                refuse_what_is_not_utf8(piece, str(path))
            found = BytesIO(piece.removeprefix(BOM) if stop == 0 else piece).readlines() or [b" "]
            stop += len(piece)
            lines += len(found)
            documents += len(found) - sum(map(is_blank, filter(bytes.isspace, found)))
            if decompressed is not None:
                kept.append(piece)
            if not piece.endswith(b"\n"):
                rest, blank = _rest(file, kept, longest) if decompressed is not None else rest_of_line(file)
                stop += rest
                documents += not blank and is_blank(found[-1])
            if stop - start >= size:
                yield Range(start, stop, line, index, b"".join(kept) if kept else None)
                start, line, index = stop, line + lines, index + documents
                lines = documents = 0
                kept.clear()
        if decompressed is not None and decompressed.damage:
            raise NotInRanges
        if stop > start:
            yield Range(start, stop, line, index, b"".join(kept) if kept else None)


def _rest(file: BinaryIO, kept: list[bytes], longest: int) -> tuple[int, bool]:
    """What `rest_of_line` tells, of a rest that is kept. Raises NotInRanges."""
    rest = file.readline(longest + 1)
    if len(rest) > longest:
        raise NotInRanges
    kept.append(rest)
    return len(rest), is_blank(rest) or not rest


def read_range(
    path: Path, part: Range, limits: Limits | None = None, passes: Passes | None = None
) -> Iterator[Event]:
    """Documents, faults and notices of one range, then Closed with the counts of this range.

    Together the ranges of a file give the events that `read` gives, save that blank lines are noticed in
    each range, and that a file without data is no range at all. Raises UnreadableInput.
    """
    tally = Tally(str(path), part.first_index, passes, limits)
    try:
        with bytes_of(path, part) as file:
            stop = part.stop - part.start
            if part.start == 0 and file.read(len(BOM)) == BOM:
                yield tally.bom()
                stop -= len(BOM)
            elif part.start == 0:
                file.seek(0)
            yield from read_lines(file, tally, first_line=part.first_line, size=stop)
    except OSError as error:
        raise UnreadableInput(f"{path} can't be read: {error.strerror or error}") from None
    yield tally.closed()


@contextmanager
def bytes_of(path: Path, part: Range) -> Iterator[BinaryIO]:
    """What is to be read from where a range begins."""
    if part.content is not None:
        yield BytesIO(part.content)
        return
    with opened(path) as (file, _):
        file.seek(part.start)
        yield file
