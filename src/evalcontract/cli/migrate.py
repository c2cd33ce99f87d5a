"""`evalcontract migrate`."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalcontract.cli.output import emit
from evalcontract.errors import UsageError
from evalcontract.files import refuse_input, write_whole
from evalcontract.reports.wording import visible
from evalcontract.validation.describe import counted

if TYPE_CHECKING:
    from evalcontract.evolution.moving import MovedFile

_SHOWN = 20


def migrate(
    file: Annotated[Path, typer.Argument(help="A JSON or JSON Lines file.")],
    to: Annotated[str, typer.Option(help="Schema type or contract, with the version to move to: NAME@X.Y.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="The new file. Without it nothing is written.", show_default=False
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--from", help="Version of documents that declare none.", show_default=False),
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
    from evalcontract.evolution.choosing import open_catalogue
    from evalcontract.evolution.moving import move_file

    if report_format not in ("text", "json"):
        raise UsageError(f"there is no format {report_format!r}", hint="known: text, json")
    refuse_input([output], [file])
    done = move_file(open_catalogue(schemas), file, to, start)
    if output is not None and done.text is not None:
        write_whole(output, done.text.encode())
    emit(_text(done, output) if report_format == "text" else _json(done), None)
    raise typer.Exit(1 if done.refused else 0)


def _text(done: MovedFile, output: Path | None) -> str:
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
    moved = done.documents - done.unchanged - len(done.refused)
    outcome = "nothing was written" if done.refused or output is None else f"written to {output}"
    lines.append(f"{counted(moved, 'document')} moved, {done.unchanged:,} had that version, {outcome}")
    return "".join(f"{visible(line)}\n" for line in lines)


def _place(op: str, path: str, to: str | None) -> str:
    """The operation with indices left out, so that the same step in many places is one line."""
    where = re.sub(r"/[0-9]+(?=/|$)", "/*", path)
    return f"{op} {where}" + (f" to {re.sub(r'/[0-9]+(?=/|$)', '/*', to)}" if to else "")


def _json(done: MovedFile) -> str:
    document = {
        "ok": not done.refused,
        "documents": done.documents,
        "unchanged": done.unchanged,
        "records": [{"document": name, **asdict(record)} for name, record in done.records],
        "refused": [{"document": name, "reason": reason} for name, reason in done.refused],
        "keys": [{"part": part, "gone": gone, "new": new} for part, gone, new in done.keys],
    }
    return json.dumps(document, indent=2) + "\n"
