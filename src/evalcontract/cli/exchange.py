"""`evalcontract dataset pull` and `push`."""

from __future__ import annotations

from types import ModuleType
from typing import Annotated

from evalcontract.cli.dataset import File
from evalcontract.cli.options import (
    InputSchema,
    Limit,
    PlainFormat,
    ReportFile,
    Schemas,
    SchemaTypeOption,
    WrittenDataset,
)
from evalcontract.cli.output import emit, finish, format_for
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.progress import Progress
from evalcontract.cli.roles import SAYS
from evalcontract.errors import UsageError
from evalcontract.files import whole_file
from evalcontract.reports import NORMALIZED, PUSH


def pull(
    name: Annotated[str, Argument(help="The dataset on the Langfuse server."), SAYS],
    output: WrittenDataset,
    schema_type: SchemaTypeOption = None,
    input_schema: InputSchema = None,
    schemas: Schemas = None,
    active_only: Annotated[bool, Option("--active-only", help="Leave out archived items.")] = False,
    report_file: ReportFile = None,
    report_format: PlainFormat = None,
) -> None:
    """Read a dataset from Langfuse, with the inputs of its items made flat.

    LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are taken from the environment. Exit code:
    0 written and valid, 1 an item breaks its contract or can't be made flat, 2 the server can't be read.
    """
    from evalcontract.checking import plan
    from evalcontract.datasets import NormalizedItems, convert, metadata_of
    from evalcontract.reports import NormalizingReport
    from evalcontract.settings import catalogue_for

    format_ = format_for(NORMALIZED, report_format, report_file)
    made = plan(
        contract="dataset",
        schema_type=schema_type,
        input_schema=input_schema,
        catalogue=catalogue_for(schemas or (), loose=True),
    )
    exchange = _exchange()
    with exchange.connect() as server:
        source = exchange.pulled(server, name, active_only=active_only)
        items = NormalizedItems(made, metadata_of(source))
        done = convert(source, output, whole_file, transform=items)
    report = NormalizingReport(items, done)
    emit(NORMALIZED.write(format_, report), report_file)
    finish(report.exit_code, report_file)


def push(
    name: Annotated[str, Argument(help="The dataset on the Langfuse server; created if need be."), SAYS],
    file: File,
    dry_run: Annotated[bool, Option("--dry-run", help="Say what would be sent; send nothing.")] = False,
    set_schemas: Annotated[
        bool, Option("--set-schemas", help="Make the server refuse items that break the declared type.")
    ] = False,
    report_file: ReportFile = None,
    schemas: Schemas = None,
    limit: Limit = None,
    report_format: PlainFormat = None,
) -> None:
    """Write a dataset to Langfuse; items that are there and equal are not sent again, none is deleted.

    LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are taken from the environment. Exit code:
    0 all is there as it was sent, 1 the server refused or changed an item, 2 it can't be reached.
    """
    from evalcontract.datasets import source_of
    from evalcontract.settings import catalogue_for

    format_ = format_for(PUSH, report_format, report_file)
    catalogue = catalogue_for(schemas or ())
    if file == "-":
        raise UsageError("push reads its file twice", hint="write standard input to a file first")
    exchange = _exchange()
    source = source_of(file)
    with exchange.connect() as server, Progress() as progress:
        report = exchange.push(
            server,
            name,
            source,
            dry_run=dry_run,
            set_schemas=set_schemas,
            progress=progress.update,
            catalogue=catalogue,
        )
    emit(PUSH.write(format_, report), report_file)
    finish(0 if report.ok else 1, report_file)


def _exchange() -> ModuleType:
    try:
        from evalcontract import exchange
    except ImportError as error:
        raise UsageError("Langfuse needs its SDK", hint="pip install langfuse") from error
    return exchange
