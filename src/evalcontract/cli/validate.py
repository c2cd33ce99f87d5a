"""`evalcontract validate`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalcontract.cli.names import refuse_names
from evalcontract.cli.output import emit, finish, is_terminal
from evalcontract.cli.progress import Progress
from evalcontract.errors import UsageError
from evalcontract.files import refuse_input

if TYPE_CHECKING:
    from evalcontract.validation.compiled import Engine

Paths = Annotated[
    list[str], typer.Argument(help="Files, folders, globs, or - for standard input.", show_default=False)
]
Contract = Annotated[
    str | None,
    typer.Option(help="Check each document against this contract: NAME or NAME@VERSION.", show_default=False),
]
SchemaTypeOption = Annotated[
    str | None,
    typer.Option("--type", help="Schema type of all items, whatever they declare.", show_default=False),
]
InputSchema = Annotated[
    str | None,
    typer.Option(
        help="Schema of every input: a contract, a schema file or package.module:Class.", show_default=False
    ),
]
ExpectedOutputSchema = Annotated[
    str | None, typer.Option(help="Schema of every expected output, likewise.", show_default=False)
]
OwnType = Annotated[
    list[str] | None,
    typer.Option(help="A schema type of your own: its items are checked as plain items.", show_default=False),
]
Format = Annotated[str, typer.Option("--format", help="text, json, github, junit or sarif.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the report to a file.", show_default=False)
]
MaxViolations = Annotated[
    int, typer.Option(min=1, help="Findings given in full; further ones are counted and grouped.")
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine", help="fast, or reference: every document goes to the reference validator, same verdicts."
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", min=1, help="Processes for large JSON Lines files; one a core.", show_default=False
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Advices fail the run too.")]


def validate(
    paths: Paths,
    contract: Contract = None,
    schema_type: SchemaTypeOption = None,
    input_schema: InputSchema = None,
    expected_output_schema: ExpectedOutputSchema = None,
    own_type: OwnType = None,
    report_format: Format = "text",
    output: Output = None,
    max_violations: MaxViolations = 1000,
    strict: Strict = False,
    engine: EngineOption = "fast",
    jobs: Jobs = None,
) -> None:
    """Check evaluation data against its contracts.

    Exit code: 0 clean, 1 violations, 2 wrong usage or unreadable input.
    """
    from evalcontract.catalog.errata import errata_of
    from evalcontract.checking import Splitting, check_files, cores, plan
    from evalcontract.reading import find_inputs
    from evalcontract.reports import FORMATS, text
    from evalcontract.reports.wording import visible

    if report_format not in FORMATS:
        raise UsageError(f"there is no format {report_format!r}", hint=f"known: {', '.join(FORMATS)}")
    made = plan(
        contract=contract,
        schema_type=schema_type,
        input_schema=input_schema,
        expected_output_schema=expected_output_schema,
        own_types=tuple(own_type or ()),
        engine=_engine(engine),
    )
    refuse_names(*paths, folders=True)
    files = find_inputs(paths)
    refuse_input([output], files)
    with Progress() as progress:
        result = check_files(
            files,
            made,
            max_violations=max_violations,
            strict=strict,
            progress=progress.update,
            splitting=Splitting(jobs or cores()),
        )
    for erratum in errata_of(made.catalogue, [label for each in result.files for label, _ in each.contracts]):
        print(f"note: {visible(erratum)}", file=sys.stderr)
    if report_format == "text":
        emit(text(result, colour=output is None and is_terminal()), output)
    else:
        emit(FORMATS[report_format](result), output)
    finish(result.exit_code, output)


def _engine(name: str) -> Engine:
    from evalcontract.validation.compiled import ENGINES

    for each in ENGINES:
        if each == name:
            return each
    raise UsageError(f"there is no engine {name!r}", hint=f"known: {', '.join(ENGINES)}")
