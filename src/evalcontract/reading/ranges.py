"""A JSON Lines file cut into byte ranges for several processes, with the right line numbers in each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from evalcontract.errors import UnreadableInput
from evalcontract.reading.events import Event, Passes
from evalcontract.reading.limits import Limits
from evalcontract.reading.lines import is_blank, read_lines, rest_of_line
from evalcontract.reading.reader import BOM, refuse_what_is_not_utf8
from evalcontract.reading.sources import BUFFER_BYTES, format_of, is_regular_file, opened
from evalcontract.reading.tally import Tally
from evalcontract.values import COMPRESSED_SUFFIXES

RANGE_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class Range:
    """Whole lines of one file: the bytes from `start` up to `stop`, the first line and the first index."""

    start: int
    stop: int
    first_line: int
    first_index: int


def can_be_split(source: Path | str) -> bool:
    """Whether `split_ranges` takes it: an uncompressed file named as JSON Lines. Raises UnreadableInput."""
    path = Path(source)
    if path.suffix.lower() in COMPRESSED_SUFFIXES or not is_regular_file(source):
        return False
    return format_of(path) == "lines"


def split_ranges(path: Path, size: int = RANGE_BYTES) -> Iterator[Range]:
    """The file's lines in ranges of about `size` bytes, one after the other.

    Each range is made when it is asked for: lines are counted at the speed of memory, while the ranges
    before it are being read elsewhere. Raises UnreadableInput as `read` does.
    """
    with opened(path) as (file, _):
        start = stop = index = documents = 0
        line, lines = 1, 0
        while piece := file.read(min(size - (stop - start), BUFFER_BYTES)):
            if stop == 0:
                refuse_what_is_not_utf8(piece, str(path))
            found = BytesIO(piece.removeprefix(BOM) if stop == 0 else piece).readlines() or [b" "]
            stop += len(piece)
            lines += len(found)
            documents += len(found) - sum(map(is_blank, filter(bytes.isspace, found)))
            if not piece.endswith(b"\n"):
                rest, blank = rest_of_line(file)
                stop += rest
                documents += not blank and is_blank(found[-1])
            if stop - start >= size:
                yield Range(start, stop, line, index)
                start, line, index = stop, line + lines, index + documents
                lines = documents = 0
        if stop > start:
            yield Range(start, stop, line, index)


def read_range(
    path: Path, part: Range, limits: Limits | None = None, passes: Passes | None = None
) -> Iterator[Event]:
    """Documents, faults and notices of one range, then Closed with the counts of this range.

    Together the ranges of a file give the events that `read` gives, save that blank lines are noticed in
    each range, and that a file without data is no range at all. Raises UnreadableInput.
    """
    tally = Tally(str(path), part.first_index, passes, limits)
    try:
        with opened(path) as (file, _):
            file.seek(part.start)
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
