"""Every code that a finding or a notice may carry: what it means, an example, the way out.

Rules that run as rows of a table (release checks, comparison, freeze, lint) have theirs in that table. What raises a
code names it in place; `tests/codes` holds that none is raised that isn't here, and none is here that nothing raises.
"""

from __future__ import annotations

from collections.abc import Mapping

from evalcontract.codes.answers import ANSWERS
from evalcontract.codes.entry import CodeEntry
from evalcontract.codes.importing import IMPORTING
from evalcontract.codes.reading import READING
from evalcontract.codes.verdicts import VERDICTS

__all__ = ["CODES", "TABLES", "CodeEntry"]

TABLES: Mapping[str, tuple[CodeEntry, ...]] = {
    "Reading": READING,
    "Verdicts": VERDICTS,
    "Importing and exporting": IMPORTING,
    "Answers, traces and transcripts": ANSWERS,
}
"""The codes by what is done when they come up."""

CODES: Mapping[str, CodeEntry] = {entry.code: entry for table in TABLES.values() for entry in table}
