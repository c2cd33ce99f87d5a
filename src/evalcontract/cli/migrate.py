"""`evalcontract migrate`."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalcontract.cli.names import refuse_names
from evalcontract.cli.output import emit
from evalcontract.errors import UnreadableInput, UsageError
from evalcontract.files import refuse_input, whole_file, write_whole
from evalcontract.reports.wording import visible
from evalcontract.validation.describe import counted

if TYPE_CHECKING:
    from evalcontract.datasets import Source
    from evalcontract.evolution.migrating.file_migration import MovedFile
    from evalcontract.reading import Event

_SHOWN = 20


def migrate(
    file: Annotated[
        str,
        typer.Argument(
            help="A JSON, JSON Lines or YAML file, with its metadata beside it; - for standard input."
        ),
    ],
    to: Annotated[str, typer.Option(help="Schema type or contract, with the version to move to: NAME@X.Y.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The new file: .json or .jsonl. Without it nothing is written.",
            show_default=False,
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from", "--from-version", help="Version of documents that declare none.", show_default=False
        ),
    ] = None,
    schemas: Annotated[
        Path | None,
        typer.Option(help="Folder with catalog.json, for schemas of your own.", show_default=False),
    ] = None,
    report_format: Annotated[str, typer.Option("--format", help="text or json.")] = "text",
) -> None:
    """Move data to another version of its schema, all of it or nothing.

    Without --output this is a dry run. Exit code: 0 moved, 1 something can't be moved, 2 wrong usage.
    """
    from evalcontract.datasets import source_of
    from evalcontract.evolution.migrating.file_migration import move_file
    from evalcontract.evolution.versions.choosing import open_catalogue

    if report_format not in ("text", "json"):
        raise UsageError(f"there is no format {report_format!r}", hint="known: text, json")
    refuse_names(file)
    catalogue, source = open_catalogue(schemas), source_of(file)
    for fault in source.beside_faults:
        raise UnreadableInput(f"{fault.file}: {fault.message}", hint=fault.hint)
    if output is not None:
        _check_target(source, output)
    done = move_file(catalogue, source.path or file, to, start, source.beside)
    written = _write(done, source, output) if output is not None and not done.refused else ()
    emit(_text(done, written) if report_format == "text" else _json(done, written), None)
    raise typer.Exit(1 if done.refused else 0)


def _check_target(source: Source, output: Path) -> None:
    from evalcontract.datasets import format_of_target

    refuse_input([output], [source.path, source.beside_file])
    if format_of_target(output) == "parquet":
        raise UsageError("JSON and JSON Lines are written", hint="convert the new file to Parquet afterwards")


def _write(done: MovedFile, source: Source, output: Path) -> tuple[Path, ...]:
    """Write the new file and, where it is JSON Lines, its metadata beside it; the names of the files."""
    from evalcontract.datasets import convert, format_of_target
    from evalcontract.datasets.memory import events_of, events_of_items

    if done.container == "document":
        indent = None if format_of_target(output) == "lines" else 2
        text = json.dumps(done.moved[0], ensure_ascii=False, indent=indent)
        write_whole(output, f"{text}\n".encode())
        return (output,)

    def events() -> Iterator[Event]:
        if done.envelope is None:
            return events_of_items(done.moved, source.label)
        return events_of({**done.envelope, "items": done.moved}, source.label)

    moved = replace(source, events=events, beside=None)
    return convert(moved, output, whole_file).files


def _text(done: MovedFile, written: tuple[Path, ...]) -> str:
    lines = [f"refused {name}: {reason}" for name, reason in done.refused[:_SHOWN]]
    if len(done.refused) > _SHOWN:
        lines.append(f"and {len(done.refused) - _SHOWN} more refused")
    places = Counter(_place(record.op, record.path, record.to) for _, record in done.records)
    examples = {
        _place(record.op, record.path, record.to): (name, record) for name, record in reversed(done.records)
    }
    for place, count in places.items():
        name, record = examples[place]
        lines.append(f"{place}: {counted(count, 'time')}, first in {name}: {record}")
    for part, gone, new in done.keys:
        changed = ", ".join([*(f"-{key}" for key in gone), *(f"+{key}" for key in new)])
        lines.append(f"the keys of {part} changed ({changed}): release this as a new major of the dataset")
    if written and done.format == "yaml":
        lines.append("the YAML was written as JSON, without its comments")
    refused = sum(name != "metadata" for name, _ in done.refused)
    moved = len(done.moved) - done.unchanged - refused
    outcome = f"written to {', '.join(map(str, written))}" if written else "nothing was written"
    lines.append(f"{counted(moved, 'document')} moved, {done.unchanged:,} had that version, {outcome}")
    return "".join(f"{visible(line)}\n" for line in lines)


def _place(op: str, path: str, to: str | None) -> str:
    """The operation with indices left out, so that the same step in many places is one line."""
    where = re.sub(r"/[0-9]+(?=/|$)", "/*", path)
    return f"{op} {where}" + (f" to {re.sub(r'/[0-9]+(?=/|$)', '/*', to)}" if to else "")


def _json(done: MovedFile, written: tuple[Path, ...]) -> str:
    document = {
        "ok": not done.refused,
        "documents": len(done.moved),
        "unchanged": done.unchanged,
        "records": [{"document": name, **asdict(record)} for name, record in done.records],
        "refused": [{"document": name, "reason": reason} for name, reason in done.refused],
        "keys": [{"part": part, "gone": gone, "new": new} for part, gone, new in done.keys],
        "files": [str(each) for each in written],
    }
    return json.dumps(document, indent=2) + "\n"
