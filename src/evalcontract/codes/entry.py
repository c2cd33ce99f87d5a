"""What is told of a code."""

from __future__ import annotations

from typing import NamedTuple


class CodeEntry(NamedTuple):
    """A code that findings or notices carry: what it means, an example of it, and the way out. Markdown."""

    code: str
    meaning: str
    example: str
    way_out: str
