"""`evalcontract normalize`."""

from __future__ import annotations

from typing import Annotated

from evalcontract.cli.names import refuse_names
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
from evalcontract.cli.parameters import Argument
from evalcontract.cli.roles import READS_DATA
from evalcontract.errors import UsageError
from evalcontract.files import whole_file
from evalcontract.reports import NORMALIZED


def normalize(
    file: Annotated[str, Argument(help="The dataset: a file."), READS_DATA],
    output: WrittenDataset,
    schema_type: SchemaTypeOption = None,
    input_schema: InputSchema = None,
    report_file: ReportFile = None,
    schemas: Schemas = None,
    limit: Limit = None,
    report_format: PlainFormat = None,
) -> None:
    """Take away the key in which a trace wrapped the inputs, and check the items again.

    The schema that is told or declared decides; an item without any is unwrapped when its input is one
    object under one key. Exit code: 0 written and valid, 1 an item breaks its contract afterwards or was
    refused (then nothing is written), 2 wrong usage or unreadable input.
    """
    from evalcontract.checking import plan
    from evalcontract.datasets import NormalizedItems, convert, metadata_of, source_of
    from evalcontract.release import looks_like_a_release
    from evalcontract.reports import NormalizingReport
    from evalcontract.settings import catalogue_for

    format_ = format_for(NORMALIZED, report_format, report_file)
    if file == "-":
        raise UsageError("normalize reads its file twice", hint="write standard input to a file first")
    refuse_names(file, reads=(".parquet",))
    source = source_of(file)
    made = plan(
        contract="dataset",
        schema_type=schema_type,
        input_schema=input_schema,
        catalogue=catalogue_for(schemas or (), loose=True),
    )
    items = NormalizedItems(made, metadata_of(source))
    release = looks_like_a_release(output.stem)
    done = convert(source, output, whole_file, transform=items, is_release=release)
    report = NormalizingReport(items, done)
    emit(NORMALIZED.write(format_, report), report_file)
    finish(report.exit_code, report_file)
