"""`evalcontract normalize`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalcontract.cli.names import refuse_names
from evalcontract.cli.output import emit
from evalcontract.cli.validate import InputSchema, SchemaTypeOption
from evalcontract.errors import UsageError
from evalcontract.files import whole_file

if TYPE_CHECKING:
    from evalcontract.datasets.convert import Converted
    from evalcontract.datasets.normalizing import NormalizedItems


def normalize(
    file: Annotated[str, typer.Argument(help="The dataset: a file.", show_default=False)],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write: .json or .jsonl.", show_default=False)
    ],
    schema_type: SchemaTypeOption = None,
    input_schema: InputSchema = None,
    report_format: Annotated[str, typer.Option("--format", help="text or json.")] = "text",
) -> None:
    """Take away the key in which a trace wrapped the inputs, and check the items again.

    The schema that is told or declared decides; an item without any is unwrapped when its input is one
    object under one key. Exit code: 0 written and valid, 1 an item breaks its contract afterwards or was
    refused (then nothing is written), 2 wrong usage or unreadable input.
    """
    from evalcontract.checking import plan
    from evalcontract.datasets import convert, source_of
    from evalcontract.datasets.metadata import metadata_of
    from evalcontract.datasets.normalizing import NormalizedItems

    if report_format not in ("text", "json"):
        raise UsageError(f"there is no format {report_format!r}", hint="known: text, json")
    if file == "-":
        raise UsageError("normalize reads its file twice", hint="write standard input to a file first")
    refuse_names(file, reads=(".parquet",))
    source = source_of(file)
    made = plan(contract="dataset", schema_type=schema_type, input_schema=input_schema)
    items = NormalizedItems(made, metadata_of(source))
    done = convert(source, output, whole_file, transform=items)
    emit(_json(items, done) if report_format == "json" else normalized_text(items, done), None)
    raise typer.Exit(1 if items.invalid else 0)


def normalized_text(items: NormalizedItems, done: Converted) -> str:
    """What was unwrapped, what was left and why, and what was written."""
    from evalcontract.reports.wording import visible
    from evalcontract.validation.describe import counted

    lines = [
        f"{counted(count, 'input')} unwrapped from {key}" for key, count in items.unwrapped.most_common()
    ]
    lines += [f"left as it is: item {name}: {doubt}" for name, doubt in items.left]
    rest = items.left_count - len(items.left)
    lines += [f"and {rest} more left as they are"] if rest else []
    decided = ", ".join(
        f"{label} ({counted(count, 'item')})" for label, count in items.by_schema.most_common()
    )
    lines += [f"decided by {decided}"] if decided else []
    lines += [f"{counted(done.items, 'item')} written to {', '.join(map(str, done.files))}"]
    if items.invalid:
        why = f"evalcontract validate {done.files[0]} says why"
        lines += [f"failed: {counted(items.invalid, 'item')} not valid; {why}"]
    return "".join(f"{visible(line)}\n" for line in lines)


def _json(items: NormalizedItems, done: Converted) -> str:
    import json

    document = {
        "items": items.items,
        "unwrapped": dict(items.unwrapped),
        "left": [{"item_id": name, "reason": doubt} for name, doubt in items.left],
        "left_count": items.left_count,
        "decided_by": dict(items.by_schema),
        "invalid": items.invalid,
        "files": [str(each) for each in done.files],
    }
    return json.dumps(document, indent=2) + "\n"
