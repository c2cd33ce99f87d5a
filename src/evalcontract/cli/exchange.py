"""`evalcontract dataset pull` and `push`."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import typer

from evalcontract.checking import Plan
from evalcontract.cli.output import emit
from evalcontract.cli.progress import Progress
from evalcontract.errors import UsageError
from evalcontract.files import whole_file
from evalcontract.reports import NORMALIZED, PUSH


def pull_dataset(name: str, output: Path, format_: str, plan: Plan, *, active_only: bool) -> None:
    """Read a dataset from the server into a file and report what was done to its items."""
    from evalcontract.datasets import convert
    from evalcontract.datasets.metadata import metadata_of
    from evalcontract.datasets.normalizing import NormalizedItems
    from evalcontract.reports.normalizing import NormalizingReport

    exchange = _exchange()
    with exchange.connect() as server:
        source = exchange.pulled(server, name, active_only=active_only)
        items = NormalizedItems(plan, metadata_of(source))
        done = convert(source, output, whole_file, transform=items)
    report = NormalizingReport(items, done)
    emit(NORMALIZED.write(format_, report))
    raise typer.Exit(report.exit_code)


def push_dataset(name: str, file: str, format_: str, *, dry_run: bool, set_schemas: bool) -> None:
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
    emit(PUSH.write(format_, report))
    raise typer.Exit(0 if report.ok else 1)


def _exchange() -> ModuleType:
    try:
        from evalcontract import exchange
    except ImportError as error:
        raise UsageError("Langfuse needs its SDK", hint="pip install langfuse") from error
    return exchange
