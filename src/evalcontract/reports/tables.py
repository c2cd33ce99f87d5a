"""Tables of text: columns as wide as their widest cell."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def aligned(rows: Iterable[Sequence[str]], *, right: Collection[int] = (), indent: str = "") -> Iterator[str]:
    """A line for each row, two spaces between the columns; those numbered in `right` end in line.

    All rows have the same number of cells. What stands behind the last cell is left out.
    """
    table = list(rows)
    columns = len(table[0]) if table else 0
    widths = [max(width(row[column]) for row in table) for column in range(columns)]
    for row in table:
        cells = (
            _padded(cell, widths[column], right=column in right)
            for column, cell in zip(range(columns), row, strict=True)
        )
        yield (indent + "  ".join(cells)).rstrip()


def width(text: str) -> int:
    """How many columns of a terminal a text takes: East Asian wide characters two, marks and colours none."""
    if text.isascii() and "\x1b" not in text:
        return len(text)
    return sum(map(_columns, _COLOUR.sub("", text)))


def _columns(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _padded(cell: str, columns: int, *, right: bool) -> str:
    space = " " * (columns - width(cell))
    return space + cell if right else cell + space


BLOCKS = " ▁▂▃▄▅▆▇█"
ENOUGH = 20
"""Of fewer values a histogram says less than the numbers beside it."""


def histogram(counts: Sequence[int]) -> str:
    """Counts as a row of blocks, the highest one for the largest; what isn't 0 is never blank."""
    most = max(counts, default=0)
    if not most:
        return ""
    return "".join(BLOCKS[-(-count * (len(BLOCKS) - 1) // most)] for count in counts)
