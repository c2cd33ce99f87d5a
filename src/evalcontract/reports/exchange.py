"""The report of a dataset that was sent to a Langfuse server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.json_text import json_text
from evalcontract.values import counted, visible

if TYPE_CHECKING:  # its room needs the SDK of Langfuse
    from evalcontract.exchange import PushReport


def push_text(report: PushReport, look: Look = PLAIN) -> str:
    """What was created, refused and changed, and the counts."""
    return "".join(f"{visible(line)}\n" for line in _lines(report))


def push_json(report: PushReport) -> str:
    """Every field of the report, and ok."""
    return json_text(asdict(report) | {"ok": report.ok})


def _lines(report: PushReport) -> Iterator[str]:
    would = "would be " if report.dry_run else ""
    if report.new_dataset:
        yield f"the dataset {report.dataset} {would}created"
    if report.schemas:
        yield f"{' and '.join(report.schemas)} {would}set"
    for item_id, said in report.refused:
        yield f"refused: item {item_id}: {said}"
    yield from _more(report.refused_count - len(report.refused))
    for item_id, fields in report.changed:
        yield f"came back changed: item {item_id}: {', '.join(fields)}"
    yield from _more(report.changed_count - len(report.changed))
    yield from (f"note: {note}" for note in report.notes)
    if report.only_there:
        yield f"{counted(report.only_there, 'item')} on the server only, left alone"
    counts = f"{report.created} {would}created, {report.updated} {would}updated, {report.unchanged} unchanged"
    bad = (
        f", {report.refused_count} refused, {report.changed_count} came back changed" if not report.ok else ""
    )
    yield f"{'ok' if report.ok else 'failed'}: {report.dataset}: {counts}{bad}"


def _more(rest: int) -> Iterator[str]:
    if rest > 0:
        yield f"and {rest} more"
