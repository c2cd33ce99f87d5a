"""Annotations for GitHub Actions: workflow commands, one a finding."""

from __future__ import annotations

from collections.abc import Mapping

from evalcontract.checking import RunResult
from evalcontract.reports.wording import left_out, outcome, rest, sentence
from evalcontract.values import visible


def github(result: RunResult) -> str:
    """`::error` and `::warning` commands, then the outcome."""
    lines = []
    for violation in result.violations:
        kind = "error" if violation.severity == "error" else "warning"
        place = {
            "file": violation.file,
            "line": violation.line,
            "col": violation.column,
            "title": f"evalcontract {violation.code}",
        }
        item = f"[{visible(violation.item_id)}] " if violation.item_id else ""
        lines.append(command(kind, place, item + sentence(violation)))
    lines += [
        command("error" if group.severity == "error" else "warning", {"file": group.file}, rest(group))
        for group in result.groups
    ]
    lines += [command("error", {"file": file}, reason) for file, reason in result.unreadable]
    if result.skipped:
        lines.append(command("notice", {"title": "evalcontract"}, left_out(result)))
    return "\n".join([*lines, outcome(result)]) + "\n"


def command(name: str, properties: Mapping[str, object], message: str) -> str:
    """One workflow command, escaped; properties that are None are left out."""
    given = ",".join(
        f"{key}={_escaped(visible(str(value))).replace(':', '%3A').replace(',', '%2C')}"
        for key, value in properties.items()
        if value is not None
    )
    return f"::{name} {given}::{_escaped(visible(message))}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
