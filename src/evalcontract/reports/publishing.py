"""The report of a release that was published."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.json_text import json_text
from evalcontract.reports.release import release_text
from evalcontract.values import visible

if TYPE_CHECKING:
    from evalcontract.exchange.volumes import PublishReport


def publish_text(report: PublishReport, look: Look = PLAIN) -> str:
    """Where the release is, or why it may not go out."""
    if not report.ok:
        return f"{release_text(report.check, look)}refused: nothing was sent\n"
    lines = [
        f"{report.state}: {report.release}",
        f"  path      {report.target.path}",
        f"  sha256    {report.sha256}",
    ]
    lines += [f"  contract  {report.contract}"]
    if report.target.table is not None:
        would = "" if report.row else " (would be)"
        lines.append(f"  row in    {report.target.table}{would}")
    return "".join(f"{visible(line)}\n" for line in lines)


def publish_json(report: PublishReport) -> str:
    """Every field of the report; of the checks those that failed."""
    return json_text(
        {
            "ok": report.ok,
            "state": report.state,
            "file": report.file,
            "release": str(report.release),
            "path": report.target.path,
            "sha256": report.sha256,
            "contract": report.contract,
            "table": report.target.table,
            "row": report.row,
            "failures": [
                {"check": outcome.code, "reason": outcome.reason, "hint": outcome.hint}
                for outcome in report.check.failures
            ],
        }
    )
