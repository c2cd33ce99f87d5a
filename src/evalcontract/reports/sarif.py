"""SARIF 2.1.0, for code scanning."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from evalcontract._version import __version__
from evalcontract.checking import RunResult
from evalcontract.reports.codes import CODES
from evalcontract.reports.json_text import json_text
from evalcontract.reports.wording import left_out, rest, sentence
from evalcontract.validation import Violation
from evalcontract.values import visible


def sarif(result: RunResult) -> str:
    """One run with a result for each finding; groups are notifications."""
    codes = sorted({violation.code for violation in result.violations})
    notes = [rest(group) for group in result.groups] + [visible(reason) for _, reason in result.unreadable]
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "evalcontract",
                "version": __version__,
                "rules": [_rule(code) for code in codes],
            }
        },
        "invocations": [
            {
                "executionSuccessful": not result.unreadable,
                "exitCode": result.exit_code,
                "toolExecutionNotifications": [
                    *({"level": "error", "message": {"text": note}} for note in notes),
                    *({"level": "note", "message": {"text": note}} for note in [left_out(result)] if note),
                ],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [_result(violation, codes.index(violation.code)) for violation in result.violations],
    }
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json_text(document)


def _rule(code: str) -> dict[str, Any]:
    rule = {"id": code, "shortDescription": {"text": code.replace("-", " ")}}
    entry = CODES.get(code)
    if entry is None:
        return rule
    way_out = f"For example {entry.example}. The way out: {entry.way_out}."
    return rule | {"fullDescription": {"text": entry.meaning}, "help": {"text": way_out, "markdown": way_out}}


def _result(violation: Violation, rule: int) -> dict[str, Any]:
    item = f"[{visible(violation.item_id)}] " if violation.item_id else ""
    found: dict[str, Any] = {
        "ruleId": violation.code,
        "ruleIndex": rule,
        "level": "error" if violation.severity == "error" else "warning",
        "message": {"text": item + sentence(violation)},
    }
    location: dict[str, Any] = {}
    if violation.file and violation.file != "-":
        location["physicalLocation"] = _physical(violation, violation.file)
    if violation.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": visible(violation.pointer)}]
    return found | ({"locations": [location]} if location else {})


def _physical(violation: Violation, file: str) -> dict[str, Any]:
    path = PurePath(file)
    name = quote(path.as_posix().encode("utf-8", "surrogateescape" if _is_name(file) else "surrogatepass"))
    uri = f"file://{name}" if path.is_absolute() else name
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if violation.line is not None:
        physical["region"] = {"startLine": violation.line, "startColumn": violation.column or 1}
    return physical


def _is_name(file: str) -> bool:
    """Whether the operating system can have given this name: half characters in it stand for single bytes."""
    try:
        file.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True
