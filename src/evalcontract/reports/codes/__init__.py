"""Every code that a finding or a notice may carry: what it means, an example, the way out. `codes.md` is the table.

Rules that run as rows of a table (release checks, comparison, freeze, lint) have theirs in that table. What raises a
code names it in place; `tests/codes` holds that none is raised that isn't here, and none is here that nothing raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import NamedTuple

__all__ = ["CODES", "TABLES", "CodeEntry"]


class CodeEntry(NamedTuple):
    """A code that findings or notices carry: what it means, an example of it, and the way out. Markdown."""

    code: str
    meaning: str
    example: str
    way_out: str


def _tables() -> Iterator[tuple[str, tuple[CodeEntry, ...]]]:
    text = files(__name__).joinpath("codes.md").read_text(encoding="utf-8")
    for section in text.split("\n## ")[1:]:
        title, *lines = section.splitlines()
        rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
        yield title, tuple(CodeEntry(*row) for row in rows[2:])


TABLES: Mapping[str, tuple[CodeEntry, ...]] = dict(_tables())
"""The codes by what is done when they come up."""

CODES: Mapping[str, CodeEntry] = {entry.code: entry for table in TABLES.values() for entry in table}
"""The codes by name."""
