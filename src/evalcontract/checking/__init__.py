"""Checking files: read -> choose the contract -> validate -> a result for the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.checking.plan import Plan, plan
from evalcontract.checking.result import FileResult, Group, RunResult
from evalcontract.checking.run import Splitting, check_files
from evalcontract.lazy import lazily

if TYPE_CHECKING:
    from evalcontract.checking.file_check import Progress
    from evalcontract.checking.findings import NO_DOCUMENT, Findings
    from evalcontract.checking.identity import ItemIds
    from evalcontract.checking.places import from_fault, from_notice, located
    from evalcontract.checking.plan import ITEM
    from evalcontract.checking.run import MAX_VIOLATIONS, check_events
    from evalcontract.checking.sidecar import (
        refuse_foreign_metadata,
        refuse_metadata_beside,
        sidecar_metadata,
        sidecar_of,
    )

__all__ = [
    "ITEM",
    "MAX_VIOLATIONS",
    "NO_DOCUMENT",
    "FileResult",
    "Findings",
    "Group",
    "ItemIds",
    "Plan",
    "Progress",
    "RunResult",
    "Splitting",
    "check_events",
    "check_files",
    "from_fault",
    "from_notice",
    "located",
    "plan",
    "refuse_foreign_metadata",
    "refuse_metadata_beside",
    "sidecar_metadata",
    "sidecar_of",
]

__getattr__ = lazily(
    __name__,
    {
        "file_check": "Progress",
        "findings": "Findings NO_DOCUMENT",
        "identity": "ItemIds",
        "places": "from_fault from_notice located",
        "plan": "ITEM",
        "run": "MAX_VIOLATIONS check_events",
        "sidecar": "refuse_foreign_metadata refuse_metadata_beside sidecar_metadata sidecar_of",
    },
)
