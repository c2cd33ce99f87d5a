"""`eval-dataset validate --source FILE --input-schema MODULE:CLASS`."""

from __future__ import annotations

from typing import Annotated

from evalcontract.cli import validate as command
from evalcontract.cli.apps import App
from evalcontract.cli.options import (
    AssertFormats,
    ExpectedOutputSchema,
    InputSchema,
    Limit,
    Report,
    RunFormat,
    Schemas,
    Strict,
)
from evalcontract.cli.parameters import Option
from evalcontract.cli.roles import READS_FILES

app = App("eval-dataset", help="What `evalcontract validate` does, with the files as --source.")


@app.register()
def validate(
    source: Annotated[list[str], Option(help="File, folder or glob to check; may be repeated."), READS_FILES],
    input_schema: InputSchema = None,
    expected_output_schema: ExpectedOutputSchema = None,
    formats: AssertFormats = False,
    schemas: Schemas = None,
    limit: Limit = None,
    report_format: RunFormat = None,
    output: Report = None,
    strict: Strict = False,
) -> None:
    """Check evaluation data against its contracts."""
    command.validate(
        source,
        input_schema=input_schema,
        expected_output_schema=expected_output_schema,
        formats=formats,
        schemas=schemas,
        report_format=report_format,
        output=output,
        strict=strict,
    )
