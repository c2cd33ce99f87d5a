"""`eval-dataset validate --source FILE --input-schema MODULE:CLASS`."""

from __future__ import annotations

from typing import Annotated

import typer

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
from evalcontract.cli.roles import READS_FILES

_ABOUT = "What `evalcontract validate` does, with the files as --source."

app = App(
    name="eval-dataset",
    help=_ABOUT,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(help=_ABOUT)
def _root() -> None:
    """Make `validate` a command of its own: an app with a single command has none."""


@app.command()
def validate(
    source: Annotated[
        list[str], typer.Option(help="File, folder or glob to check; may be repeated."), READS_FILES
    ],
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
