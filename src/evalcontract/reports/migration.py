"""The report of data that was moved to another version of its schema."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from evalcontract.evolution.migrating import MovedFile
from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.json_text import json_text
from evalcontract.values import counted, visible

_SHOWN = 20
_INDEX = re.compile(r"/[0-9]+(?=/|$)")


@dataclass(frozen=True, slots=True)
class MigrationReport:
    """What became of the documents, and the files that were written: none after a refusal or a dry run.

    `strict`: operations that never applied are a failure.
    """

    done: MovedFile
    written: tuple[Path, ...] = ()
    strict: bool = False

    @property
    def exit_code(self) -> int:
        """0, or 1 when something couldn't be moved."""
        return 1 if self.done.refused or (self.strict and self.done.idle) else 0


def migration_text(report: MigrationReport, look: Look = PLAIN) -> str:
    """What was refused, each step once with its first place, and what was written."""
    return "".join(f"{visible(line)}\n" for line in _lines(report))


def _lines(report: MigrationReport) -> Iterator[str]:
    done, written = report.done, report.written
    yield from (f"refused {name}: {reason}" for name, reason in done.refused[:_SHOWN])
    if len(done.refused) > _SHOWN:
        yield f"and {len(done.refused) - _SHOWN} more refused"
    steps = Counter(_step(record.op, record.path, record.to) for _, record in done.records)
    examples = {
        _step(record.op, record.path, record.to): (name, record) for name, record in reversed(done.records)
    }
    for step, count in steps.items():
        name, record = examples[step]
        yield f"{step}: {counted(count, 'time')}, first in {name}: {record}"
    yield from (f"never applied: {operation}" for operation in done.idle)
    for part, gone, new in done.keys:
        changed = ", ".join([*(f"-{key}" for key in gone), *(f"+{key}" for key in new)])
        yield f"the keys of {part} changed ({changed}): release this as a new major of the dataset"
    if written and done.format == "yaml":
        yield "the YAML was written as JSON, without its comments"
    refused = sum(name != "metadata" for name, _ in done.refused)
    moved = len(done.moved) - done.unchanged - refused
    outcome = f"written to {', '.join(map(str, written))}" if written else "nothing was written"
    yield f"{counted(moved, 'document')} moved, {done.unchanged:,} had that version, {outcome}"


def _step(op: str, path: str, to: str | None) -> str:
    """The operation with indices left out, so that the same step in many places is one line."""
    where = _INDEX.sub("/*", path)
    return f"{op} {where}" + (f" to {_INDEX.sub('/*', to)}" if to else "")


def migration_json(report: MigrationReport) -> str:
    """Keys: ok, documents, unchanged, records, refused, never_applied, keys, files."""
    done = report.done
    document = {
        "ok": report.exit_code == 0,
        "documents": len(done.moved),
        "unchanged": done.unchanged,
        "records": [{"document": name, **asdict(record)} for name, record in done.records],
        "refused": [{"document": name, "reason": reason} for name, reason in done.refused],
        "never_applied": done.idle,
        "keys": [{"part": part, "gone": gone, "new": new} for part, gone, new in done.keys],
        "files": [str(file) for file in report.written],
    }
    return json_text(document)
