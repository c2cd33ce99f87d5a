"""Reports: results of the other rooms as text, in each of the formats of one table.

`formats` has the table; `RUN.write("json", result)` gives what `evalcontract validate --format json` prints.
"""

from __future__ import annotations

from evalcontract.reports.formats import (
    BREAKING,
    CHANGELOG,
    CONVERTED,
    DIFF,
    FREEZE,
    MIGRATED,
    NAME,
    NEXT_VERSION,
    NORMALIZED,
    PLAIN,
    PUSH,
    RELEASE,
    RUN,
    SCORES,
    STATS,
    TEXT,
    TRANSFER,
    Formats,
    Look,
)

__all__ = [
    "BREAKING",
    "CHANGELOG",
    "CONVERTED",
    "DIFF",
    "FREEZE",
    "MIGRATED",
    "NAME",
    "NEXT_VERSION",
    "NORMALIZED",
    "PLAIN",
    "PUSH",
    "RELEASE",
    "RUN",
    "SCORES",
    "STATS",
    "TEXT",
    "TRANSFER",
    "Formats",
    "Look",
]
