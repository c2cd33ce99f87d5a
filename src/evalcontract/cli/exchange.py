"""`evalcontract dataset pull` and `push`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import typer

from evalcontract.checking import Plan
from evalcontract.cli.normalize import normalized_text
from evalcontract.cli.output import emit
from evalcontract.cli.progress import Progress
from evalcontract.errors import UsageError
from evalcontract.files import whole_file
from evalcontract.reports.wording import visible
from evalcontract.validation.describe import counted

if TYPE_CHECKING:
    from evalcontract.exchange import PushReport


def pull_dataset(name: str, output: Path, plan: Plan, *, active_only: bool) -> None:
    """Read a dataset from the server into a file and report what was done to its items."""
    from evalcontract.datasets import convert
    from evalcontract.datasets.metadata import metadata_of
    from evalcontract.datasets.normalizing import NormalizedItems

    exchange = _exchange()
    with exchange.connect() as server:
        source = exchange.pulled(server, name, active_only=active_only)
        items = NormalizedItems(plan, metadata_of(source))
        done = convert(source, output, whole_file, transform=items)
    emit(normalized_text(items, done), None)
    raise typer.Exit(1 if items.invalid else 0)


def push_dataset(name: str, file: str, *, dry_run: bool, set_schemas: bool, as_json: bool) -> None:
    """Write a file to a dataset on the server and report what became of its items."""
    from evalcontract.datasets import source_of

    if file == "-":
        raise UsageError("push reads its file twice", hint="write standard input to a file first")
    exchange = _exchange()
    source = source_of(file)
    with exchange.connect() as server, Progress() as progress:
        report = exchange.push(
            server, name, source, dry_run=dry_run, set_schemas=set_schemas, progress=progress.update
        )
    if as_json:
        emit(json.dumps(asdict(report) | {"ok": report.ok}, indent=2) + "\n", None)
    else:
        emit("".join(f"{visible(line)}\n" for line in _lines(report)), None)
    raise typer.Exit(0 if report.ok else 1)


def _exchange() -> ModuleType:
    try:
        from evalcontract import exchange
    except ImportError as error:
        raise UsageError("Langfuse needs its SDK", hint="pip install langfuse") from error
    return exchange


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
