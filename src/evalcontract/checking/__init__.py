"""Checking files: read -> choose the contract -> validate -> a result for the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.checking.plan import Plan, plan
from evalcontract.checking.result import FileResult, Group, RunResult
from evalcontract.checking.run import Splitting, check_files
from evalcontract.lazy import lazily

if TYPE_CHECKING:
    from evalcontract.checking.cells import CellCheck, CellVerdict
    from evalcontract.checking.file_check import Progress
    from evalcontract.checking.findings import NO_DOCUMENT, Findings, kind_of_place
    from evalcontract.checking.identity import ItemIds, Key, folded_id, keys_of, look_alike, repeated
    from evalcontract.checking.places import from_fault, from_notice, located, nothing_checked
    from evalcontract.checking.plan import ITEM
    from evalcontract.checking.run import MAX_VIOLATIONS, check_events
    from evalcontract.checking.sidecar import (
        read_sidecar_of,
        refuse_foreign_metadata,
        refuse_metadata_beside,
        sidecar_metadata,
        sidecar_of,
        written_sidecar_of,
    )

__all__ = [
    "ITEM",
    "MAX_VIOLATIONS",
    "NO_DOCUMENT",
    "CellCheck",
    "CellVerdict",
    "FileResult",
    "Findings",
    "Group",
    "ItemIds",
    "Key",
    "Plan",
    "Progress",
    "RunResult",
    "Splitting",
    "check_events",
    "check_files",
    "folded_id",
    "from_fault",
    "from_notice",
    "keys_of",
    "kind_of_place",
    "located",
    "look_alike",
    "nothing_checked",
    "plan",
    "read_sidecar_of",
    "refuse_foreign_metadata",
    "refuse_metadata_beside",
    "repeated",
    "sidecar_metadata",
    "sidecar_of",
    "written_sidecar_of",
]

__getattr__ = lazily(
    __name__,
    {
        "cells": "CellCheck CellVerdict",
        "file_check": "Progress",
        "findings": "Findings NO_DOCUMENT kind_of_place",
        "identity": "ItemIds Key folded_id keys_of look_alike repeated",
        "places": "from_fault from_notice located nothing_checked",
        "plan": "ITEM",
        "run": "MAX_VIOLATIONS check_events",
        "sidecar": "read_sidecar_of refuse_foreign_metadata refuse_metadata_beside sidecar_metadata sidecar_of "
        "written_sidecar_of",
    },
)
