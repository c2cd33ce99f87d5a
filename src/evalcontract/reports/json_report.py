"""The whole result as one JSON document, for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from evalcontract.checking import RunResult
from evalcontract.reports.json_text import json_text


def json_report(result: RunResult) -> str:
    """Keys: ok, exit_code, files, violations, groups, layers, skipped, unreadable. Absent parts are null."""
    document: dict[str, Any] = {
        "ok": result.exit_code == 0,
        "exit_code": result.exit_code,
        "items": result.items,
        "errors": result.errors,
        "advices": result.advices,
        "files": [asdict(file) | {"contracts": dict(file.contracts)} for file in result.files],
        "violations": [asdict(violation) for violation in result.violations],
        "groups": [asdict(group) for group in result.groups],
        "layers": list(result.layers),
        "skipped": [{"file": file, "reason": reason} for file, reason in result.skipped],
        "unreadable": [{"file": file, "reason": reason} for file, reason in result.unreadable],
    }
    return json_text(document)
