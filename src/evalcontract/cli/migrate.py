"""`evalcontract migrate`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from evalcontract.cli.names import refuse_names
from evalcontract.cli.options import Limit, PlainFormat, ReportFile, Schemas
from evalcontract.cli.output import emit, finish, format_for
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.roles import READS_DATA, SAYS, WRITES_DATA
from evalcontract.errors import ContractViolation, UsageError
from evalcontract.files import whole_file, write_whole
from evalcontract.reports import MIGRATED
from evalcontract.values import json_text

if TYPE_CHECKING:
    from evalcontract.datasets import DatasetSource
    from evalcontract.evolution.migrating import MovedFile
    from evalcontract.reading import Event


def migrate(
    file: Annotated[
        str,
        Argument(help="A JSON, JSON Lines or YAML file, with its metadata beside it; - for standard input."),
        READS_DATA,
    ],
    to: Annotated[str, Option(help="Schema type or contract, with the version to move to: NAME@X.Y."), SAYS],
    output: Annotated[
        Path | None,
        Option("--output", "-o", help="The new file: .json or .jsonl. Without it nothing is written."),
        WRITES_DATA,
    ] = None,
    start: Annotated[
        str | None, Option("--from", "--from-version", help="Version of documents that declare none."), SAYS
    ] = None,
    strict: Annotated[
        bool, Option("--strict", help="Operations that never applied fail the run too.")
    ] = False,
    schemas: Schemas = None,
    report_file: ReportFile = None,
    limit: Limit = None,
    report_format: PlainFormat = None,
) -> None:
    """Move data to another version of its schema, all of it or nothing.

    Without --output this is a dry run. Exit code: 0 moved, 1 something can't be moved, 2 wrong usage.
    """
    from evalcontract.datasets import source_of
    from evalcontract.evolution.migrating import move_file
    from evalcontract.reports import MigrationReport
    from evalcontract.settings import catalogue_for

    format_ = format_for(MIGRATED, report_format, report_file)
    refuse_names(file)
    catalogue, source = catalogue_for(schemas or ()), source_of(file)
    if output is not None:
        _check_target(output)
    for fault in source.beside_faults:
        if not _has_own_metadata(source):
            raise ContractViolation(f"{fault.file}: {fault.message}", hint=fault.hint)
    done = move_file(catalogue, source.path or file, to, start, source.beside)
    report = MigrationReport(done, strict=strict)
    if output is not None and not report.exit_code:
        report = replace(report, written=_write(done, source, output))
    emit(MIGRATED.write(format_, report), report_file)
    finish(report.exit_code, report_file)


def _has_own_metadata(source: DatasetSource) -> bool:
    from evalcontract.reading import Opened

    return any(event.container == "dataset" for event in source.events() if isinstance(event, Opened))


def _check_target(output: Path) -> None:
    from evalcontract.datasets import format_of_target

    if format_of_target(output) == "parquet":
        raise UsageError("JSON and JSON Lines are written", hint="convert the new file to Parquet afterwards")


def _write(done: MovedFile, source: DatasetSource, output: Path) -> tuple[Path, ...]:
    """Write the new file and, where it is JSON Lines, its metadata beside it; the names of the files."""
    from evalcontract.datasets import convert, events_of, events_of_items, format_of_target
    from evalcontract.release import looks_like_a_release

    if done.container == "document":
        indent = None if format_of_target(output) == "lines" else 2
        text = json_text(done.moved[0], indent)
        write_whole(output, f"{text}\n".encode())
        return (output,)

    def events() -> Iterator[Event]:
        if done.envelope is None:
            return events_of_items(done.moved, source.label)
        return events_of({**done.envelope, "items": done.moved}, source.label)

    moved = replace(source, events=events, beside=None)
    release = looks_like_a_release(output.stem)
    return convert(moved, output, whole_file, is_release=release).files
