"""The report of an import or an export: what is wrong, what became of each key, and the outcome."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from evalcontract.importing import Transfer
from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.json_text import json_text
from evalcontract.reports.tables import aligned
from evalcontract.reports.text import finding
from evalcontract.reports.wording import rest
from evalcontract.values import counted, visible

_SHOWN_KEYS = 1000


def transfer_text(transfer: Transfer, look: Look = PLAIN) -> str:
    """Findings, a table with a row a key, and the counts."""
    return "\n".join(_lines(transfer, look.colour)) + "\n"


def transfer_json(transfer: Transfer) -> str:
    """The whole outcome as one JSON document."""
    return json_text({"ok": not transfer.failed, **asdict(transfer)})


def _lines(transfer: Transfer, colour: bool) -> Iterator[str]:
    for found in transfer.findings:
        yield from finding(found, colour=colour)
    yield from (rest(group) for group in transfer.groups)
    if transfer.findings or transfer.groups:
        yield ""
    yield f"mapping {visible(transfer.mapping)}"
    yield from _table(transfer)
    yield from (visible(note) for note in transfer.notes)
    yield _outcome(transfer)


def _table(transfer: Transfer) -> Iterator[str]:
    rows = [
        (
            key.fate,
            f"{key.count:,}",
            f"{visible(key.key)}{'' if key.to is None else f' -> {visible(key.to)}'}",
        )
        for key in transfer.keys[:_SHOWN_KEYS]
    ]
    yield from aligned(rows, right=(1,), indent="  ")
    rest = len(transfer.keys) - _SHOWN_KEYS
    if rest > 0:
        yield f"  and {rest:,} more keys: --format json lists them all"


def _outcome(transfer: Transfer) -> str:
    thing_in, thing_out = ("row", "item") if transfer.direction == "import" else ("item", "row")
    read = f"{counted(transfer.came, thing_in)} in"
    if transfer.failed:
        return f"failed: {read}, nothing written"
    return f"ok: {read}, {counted(transfer.went, thing_out)} out: {visible(', '.join(transfer.outputs))}"
