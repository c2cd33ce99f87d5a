"""The options that several commands share, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from evalcontract.cli.parameters import Option
from evalcontract.cli.roles import BOUNDS, READS_FILE, READS_SCHEMA, SAYS, WRITES_DATA, WRITES_FILE
from evalcontract.reading import LIMIT_NAMES
from evalcontract.reports import (
    AGREEMENT,
    BREAKING,
    CARD,
    DIFF,
    RELEASE,
    RUN,
    SCHEMA_DIFF,
    SCORES,
    STATS,
    TRANSFER,
    Formats,
)


def _format(formats: Formats[Any]) -> Any:
    *others, last = formats.names
    names = f"{', '.join(others)} or {last}"
    return Option("--format", help=f"{names}; by default what the name of the output says, else text.")


RunFormat = Annotated[str | None, _format(RUN), SAYS]
ReleaseFormat = Annotated[str | None, _format(RELEASE), SAYS]
AgreementFormat = Annotated[str | None, _format(AGREEMENT), SAYS]
ScoresFormat = Annotated[str | None, _format(SCORES), SAYS]
BreakingFormat = Annotated[str | None, _format(BREAKING), SAYS]
SchemaDiffFormat = Annotated[str | None, _format(SCHEMA_DIFF), SAYS]
DiffFormat = Annotated[str | None, _format(DIFF), SAYS]
TransferFormat = Annotated[str | None, _format(TRANSFER), SAYS]
CardFormat = Annotated[str | None, _format(CARD), SAYS]
PlainFormat = Annotated[str | None, _format(STATS), SAYS]

Report = Annotated[Path | None, Option("--output", "-o", help="Write the report to a file."), WRITES_FILE]
ReportFile = Annotated[
    Path | None, Option("--report", help="Write the report to a file, not to standard output."), WRITES_FILE
]
Written = Annotated[Path | None, Option("--output", "-o", help="Write to a file."), WRITES_FILE]
WrittenDataset = Annotated[
    Path, Option("--output", "-o", help="The file to write: .json or .jsonl."), WRITES_DATA
]
SchemaTypeOption = Annotated[
    str | None, Option("--type", help="Schema type of all items, whatever they declare."), SAYS
]
InputSchema = Annotated[
    str | None,
    Option(
        help="Schema of every input, whatever items declare: a contract, a schema file, FILE#/$defs/NAME or "
        "package.module:Class. Types that items declare come with --schemas."
    ),
    READS_SCHEMA,
]
ExpectedOutputSchema = Annotated[
    str | None, Option(help="Schema of every expected output, likewise."), READS_SCHEMA
]
OwnType = Annotated[
    list[str] | None, Option(help="A schema type of your own: its items are checked as plain items."), SAYS
]
Limit = Annotated[
    list[str] | None,
    Option(metavar="NAME=N", help=f"Read larger files: {', '.join(LIMIT_NAMES)}. May be repeated."),
    BOUNDS,
]
"""Holds from the beginning of a command on: its function does nothing with it."""
AssertFormats = Annotated[
    bool, Option("--formats", help="Check the formats that schemas of your own name, such as date-time.")
]
Strict = Annotated[bool, Option("--strict", help="Advices fail the run too.")]
Schemas = Annotated[
    list[Path] | None,
    Option(
        "--schemas",
        metavar="FOLDER",
        help="Folder with catalog.json, for contracts of your own; repeat it for several layers.",
    ),
    READS_FILE,
]
Waive = Annotated[
    list[str] | None, Option(help="Code of a check whose failure is accepted; needs --reason."), SAYS
]
Reason = Annotated[list[str] | None, Option(help="Why, one for each --waive, in order."), SAYS]
Jobs = Annotated[int | None, Option("--jobs", "-j", min=1, help="Processes; one a core.")]
