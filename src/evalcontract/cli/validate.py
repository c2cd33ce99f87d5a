"""`evalcontract validate`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from evalcontract.cli.names import named_inputs
from evalcontract.cli.options import (
    AssertFormats,
    ExpectedOutputSchema,
    InputSchema,
    Jobs,
    Limit,
    OwnType,
    Report,
    RunFormat,
    Schemas,
    SchemaTypeOption,
    Strict,
)
from evalcontract.cli.output import emit, finish, format_for, look_for, say_notes
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.progress import Progress
from evalcontract.cli.roles import READS_FILES, SAYS
from evalcontract.errors import UsageError
from evalcontract.reports import RUN

if TYPE_CHECKING:
    from evalcontract.validation import Engine

Paths = Annotated[list[str], Argument(help="Files, folders, globs, or - for standard input."), READS_FILES]
Contract = Annotated[
    str | None, Option(help="Check each document against this contract: NAME or NAME@VERSION."), SAYS
]
MaxViolations = Annotated[
    int, Option(min=1, help="Findings given in full; further ones are counted and grouped.")
]
EngineOption = Annotated[
    str,
    Option(
        "--engine", help="fast, or reference: every document goes to the reference validator, same verdicts."
    ),
    SAYS,
]


def validate(
    paths: Paths,
    contract: Contract = None,
    schema_type: SchemaTypeOption = None,
    input_schema: InputSchema = None,
    expected_output_schema: ExpectedOutputSchema = None,
    formats: AssertFormats = False,
    own_type: OwnType = None,
    schemas: Schemas = None,
    limit: Limit = None,
    report_format: RunFormat = None,
    output: Report = None,
    max_violations: MaxViolations = 1000,
    strict: Strict = False,
    engine: EngineOption = "fast",
    jobs: Jobs = None,
) -> None:
    """Check evaluation data against its contracts.

    Exit code: 0 clean, 1 violations, 2 wrong usage or unreadable input.
    """
    from evalcontract.checking import Splitting, check_files, plan
    from evalcontract.settings import catalogue_for, excluded_by_settings, folders_for
    from evalcontract.workers import cores

    format_ = format_for(RUN, report_format, output)
    made = plan(
        contract=contract,
        schema_type=schema_type,
        input_schema=input_schema,
        expected_output_schema=expected_output_schema,
        own_types=tuple(own_type or ()),
        formats=formats,
        engine=_engine(engine),
        catalogue=catalogue_for(schemas or (), loose=True),
    )
    named = named_inputs(paths, excluded_by_settings(), folders_for(schemas or ()))
    with Progress(named.files) as progress:
        result = check_files(
            named.files,
            made,
            max_violations=max_violations,
            strict=strict,
            progress=progress.update,
            splitting=Splitting(jobs or cores()),
        )
    unreadable = tuple((name, str(error)) for name, error in named.unreadable)
    result = replace(result, unreadable=(*result.unreadable, *unreadable), skipped=named.skipped)
    say_notes(made.told.notes)
    emit(RUN.write(format_, result, look_for(output)), output)
    finish(result.exit_code, output)


def _engine(name: str) -> Engine:
    from evalcontract.validation import ENGINES

    for engine in ENGINES:
        if engine == name:
            return engine
    raise UsageError(f"there is no engine {name!r}", hint=f"known: {', '.join(ENGINES)}")
