"""Reports: results of the other rooms as text, in each of the formats of one table.

`formats` has the table; `RUN.write("json", result)` gives what `evalcontract validate --format json` prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.lazy import lazily
from evalcontract.reports.formats import (
    AGREEMENT,
    BREAKING,
    CARD,
    CHANGELOG,
    CONVERTED,
    DIFF,
    FREEZE,
    MIGRATED,
    NAME,
    NEXT_VERSION,
    NORMALIZED,
    PLAIN,
    PUBLISH,
    PUSH,
    RELEASE,
    RUN,
    SCHEMA_DIFF,
    SCORES,
    STATS,
    TEXT,
    TRANSFER,
    Formats,
    Look,
)
from evalcontract.reports.tables import BLOCKS

if TYPE_CHECKING:
    from evalcontract.reports.freeze import FreezeReport
    from evalcontract.reports.lists import checks_text, contracts_text, presets_text, versions_text
    from evalcontract.reports.migration import MigrationReport
    from evalcontract.reports.normalizing import NormalizingReport
    from evalcontract.reports.published import contracts_folder
    from evalcontract.reports.schema_diff import SchemaDiff, SchemaDiffReport
    from evalcontract.reports.versions import BreakingReport, Places

__all__ = [
    "AGREEMENT",
    "BLOCKS",
    "BREAKING",
    "CARD",
    "CHANGELOG",
    "CONVERTED",
    "DIFF",
    "FREEZE",
    "MIGRATED",
    "NAME",
    "NEXT_VERSION",
    "NORMALIZED",
    "PLAIN",
    "PUBLISH",
    "PUSH",
    "RELEASE",
    "RUN",
    "SCHEMA_DIFF",
    "SCORES",
    "STATS",
    "TEXT",
    "TRANSFER",
    "BreakingReport",
    "Formats",
    "FreezeReport",
    "Look",
    "MigrationReport",
    "NormalizingReport",
    "Places",
    "SchemaDiff",
    "SchemaDiffReport",
    "checks_text",
    "contracts_folder",
    "contracts_text",
    "presets_text",
    "versions_text",
]

__getattr__ = lazily(
    __name__,
    {
        "lists": "checks_text contracts_text presets_text versions_text",
        "migration": "MigrationReport",
        "normalizing": "NormalizingReport",
        "published": "contracts_folder",
        "schema_diff": "SchemaDiff SchemaDiffReport",
        "freeze": "FreezeReport",
        "versions": "BreakingReport Places",
    },
)
