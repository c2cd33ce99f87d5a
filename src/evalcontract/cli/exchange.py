"""`evalcontract dataset pull` and `push`."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from evalcontract.catalog import Catalogue
from evalcontract.checking import Plan
from evalcontract.cli.progress import Progress
from evalcontract.errors import UsageError
from evalcontract.files import whole_file

if TYPE_CHECKING:
    from evalcontract.exchange import PushReport
    from evalcontract.reports import NormalizingReport


def pull_dataset(name: str, output: Path, plan: Plan, *, active_only: bool) -> NormalizingReport:
    """Read a dataset from the server into a file; the report of what was done to its items."""
    from evalcontract.datasets import NormalizedItems, convert, metadata_of
    from evalcontract.reports import NormalizingReport

    exchange = _exchange()
    with exchange.connect() as server:
        source = exchange.pulled(server, name, active_only=active_only)
        items = NormalizedItems(plan, metadata_of(source))
        done = convert(source, output, whole_file, transform=items)
    return NormalizingReport(items, done)


def push_dataset(
    name: str, file: str, *, dry_run: bool, set_schemas: bool, catalogue: Catalogue
) -> PushReport:
    """Write a file to a dataset on the server; the report of what became of its items."""
    from evalcontract.datasets import source_of

    if file == "-":
        raise UsageError("push reads its file twice", hint="write standard input to a file first")
    exchange = _exchange()
    source = source_of(file)
    with exchange.connect() as server, Progress() as progress:
        report: PushReport = exchange.push(
            server,
            name,
            source,
            dry_run=dry_run,
            set_schemas=set_schemas,
            progress=progress.update,
            catalogue=catalogue,
        )
    return report


def _exchange() -> ModuleType:
    try:
        from evalcontract import exchange
    except ImportError as error:
        raise UsageError("Langfuse needs its SDK", hint="pip install langfuse") from error
    return exchange
