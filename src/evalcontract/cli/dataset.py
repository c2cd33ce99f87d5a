"""`evalcontract dataset`: releases of datasets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalcontract.cli.names import refuse_names
from evalcontract.cli.output import emit, finish, is_terminal
from evalcontract.cli.progress import Progress
from evalcontract.cli.validate import (
    ExpectedOutputSchema,
    InputSchema,
    Output,
    OwnType,
    SchemaTypeOption,
    Strict,
)
from evalcontract.errors import UsageError
from evalcontract.files import refuse_input

if TYPE_CHECKING:
    from evalcontract.release import DatasetName

dataset_app = typer.Typer(
    help="Check, name, compare and exchange releases of datasets.", no_args_is_help=True
)


def _dataset(name: str | None) -> str | None:
    refuse_names(name, reads=(".parquet",))
    return name


File = Annotated[
    str,
    typer.Argument(
        help="The dataset: a file, or - for standard input.", show_default=False, callback=_dataset
    ),
]
Previous = Annotated[
    str | None,
    typer.Option(
        help="The release before this one, of the same dataset.", show_default=False, callback=_dataset
    ),
]
Format = Annotated[str, typer.Option("--format", help="text, json, github, junit or sarif.")]
PlainFormat = Annotated[str, typer.Option("--format", help="text or json.")]


@dataset_app.command()
def check(
    file: File,
    previous: Previous = None,
    name: Annotated[
        str | None, typer.Option(help="Name of the release, by default that of its file.", show_default=False)
    ] = None,
    input_schema: InputSchema = None,
    expected_output_schema: ExpectedOutputSchema = None,
    previous_input_schema: Annotated[
        str | None, typer.Option(help="Schema of the previous release's inputs.", show_default=False)
    ] = None,
    previous_expected_output_schema: Annotated[
        str | None, typer.Option(help="Schema of its expected outputs.", show_default=False)
    ] = None,
    own_type: OwnType = None,
    waive: Annotated[
        list[str] | None,
        typer.Option(help="Code of a check whose failure is accepted; needs --reason.", show_default=False),
    ] = None,
    reason: Annotated[
        list[str] | None, typer.Option(help="Why, one for each --waive, in order.", show_default=False)
    ] = None,
    paths: Annotated[bool, typer.Option("--paths", help="Show every path of the items.")] = False,
    report_format: Format = "text",
    output: Output = None,
    strict: Strict = False,
) -> None:
    """May this dataset go out as a release, and why not.

    Exit code: 0 it may, 1 a check failed, 2 wrong usage or unreadable input.
    """
    from evalcontract.release import check_release
    from evalcontract.reports.release import RELEASE_FORMATS, release_text

    _known_format(report_format, tuple(RELEASE_FORMATS))
    refuse_input([output], [file, previous])
    with Progress() as progress:
        report = check_release(
            file,
            previous,
            name=name,
            input_schema=input_schema,
            expected_output_schema=expected_output_schema,
            previous_input_schema=previous_input_schema,
            previous_expected_output_schema=previous_expected_output_schema,
            own_types=own_type or (),
            waive=_waivers(waive or [], reason or []),
            strict=strict,
            progress=progress.update,
        )
    if report_format == "text":
        emit(release_text(report, colour=output is None and is_terminal(), paths=paths), output)
    else:
        emit(RELEASE_FORMATS[report_format](report), output)
    finish(report.exit_code, output)


@dataset_app.command()
def checks() -> None:
    """List the checks of a release: code, kinds of release, what is demanded and why."""
    from evalcontract.release import CHECKS

    lines = []
    for each in CHECKS:
        kinds = ", ".join(kind for kind in ("new", "minor", "major") if kind in each.kinds)
        lines.append(f"{each.code} ({each.severity}; {kinds})\n  {each.name}\n  because {each.why}")
    emit("\n".join(lines) + "\n", None)


@dataset_app.command("name")
def print_name(
    file: Annotated[
        str, typer.Argument(metavar="FILE|NAME", help="A dataset, or the name of one.", callback=_dataset)
    ],
    product: Annotated[str | None, typer.Option(help="The product_id.", show_default=False)] = None,
    scope: Annotated[str | None, typer.Option(help="The scope.", show_default=False)] = None,
    schema_type: Annotated[
        str | None, typer.Option("--type", help="The schema type.", show_default=False)
    ] = None,
    report_format: PlainFormat = "text",
) -> None:
    """Print the name of a release and its parts. A file's metadata decides; a name alone may be ambiguous."""
    import json

    _known_format(report_format, ("text", "json"))
    name = _name(file, product, scope, schema_type)
    parts = {
        "name": str(name),
        "product_id": name.product_id,
        "schema_type": name.schema_type,
        "scope": name.scope,
        "version": str(name.version),
    }
    if report_format == "json":
        emit(json.dumps(parts, indent=2) + "\n", None)
    else:
        emit("".join(f"{what.ljust(11)}  {part}\n" for what, part in parts.items()), None)


@dataset_app.command("path")
def print_path(
    file: Annotated[
        str, typer.Argument(metavar="FILE|NAME", help="A dataset, or the name of one.", callback=_dataset)
    ],
    catalog: Annotated[str, typer.Option(help="The catalog that holds the volume.", show_default=False)],
) -> None:
    """Print where a release lies in a volume."""
    from evalcontract.release import volume_path

    emit(volume_path(catalog, _name(file)) + "\n", None)


@dataset_app.command()
def diff(
    before: Annotated[str, typer.Argument(help="The older dataset.", callback=_dataset)],
    after: Annotated[str, typer.Argument(help="The newer dataset.", callback=_dataset)],
    report_format: PlainFormat = "text",
    output: Output = None,
) -> None:
    """Compare two datasets: items by item_id, keys and metadata. Exit code 0, whether or not they differ."""
    from evalcontract.release.diff import diff_datasets
    from evalcontract.reports.datasets import diff_json, diff_text

    _known_format(report_format, ("text", "json"))
    refuse_input([output], [before, after])
    found = diff_datasets(before, after)
    emit(diff_json(found) if report_format == "json" else diff_text(found), output)


@dataset_app.command("next-version")
def print_next_version(
    file: File,
    previous: Annotated[
        str, typer.Option(help="The release before this one.", show_default=False, callback=_dataset)
    ],
    report_format: PlainFormat = "text",
) -> None:
    """Say which number the data calls for: on the first line, with the reasons below."""
    from evalcontract.release.next_version import next_version
    from evalcontract.reports.datasets import next_version_json, next_version_text

    _known_format(report_format, ("text", "json"))
    found = next_version(file, previous)
    emit(next_version_json(found) if report_format == "json" else next_version_text(found), None)


@dataset_app.command()
def stats(file: File, report_format: PlainFormat = "text", output: Output = None) -> None:
    """Count items, types, turns, lengths, tools, scripts and nulls."""
    from evalcontract.release.stats import dataset_stats
    from evalcontract.reports.datasets import stats_json, stats_text

    _known_format(report_format, ("text", "json"))
    refuse_input([output], [file])
    found = dataset_stats(file)
    emit(stats_json(found) if report_format == "json" else stats_text(found), output)


@dataset_app.command()
def pull(
    name: Annotated[str, typer.Argument(help="The dataset on the Langfuse server.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write: .json or .jsonl.", show_default=False)
    ],
    schema_type: SchemaTypeOption = None,
    input_schema: InputSchema = None,
    active_only: Annotated[bool, typer.Option("--active-only", help="Leave out archived items.")] = False,
) -> None:
    """Read a dataset from Langfuse, with the inputs of its items made flat.

    LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are taken from the environment. Exit code:
    0 written and valid, 1 an item breaks its contract or can't be made flat, 2 the server can't be read.
    """
    from evalcontract.checking import plan
    from evalcontract.cli.exchange import pull_dataset

    pull_dataset(
        name,
        output,
        plan(contract="dataset", schema_type=schema_type, input_schema=input_schema),
        active_only=active_only,
    )


@dataset_app.command()
def push(
    name: Annotated[str, typer.Argument(help="The dataset on the Langfuse server; created if need be.")],
    file: File,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be sent; send nothing.")] = False,
    set_schemas: Annotated[
        bool, typer.Option("--set-schemas", help="Make the server refuse items that break the declared type.")
    ] = False,
    report_format: PlainFormat = "text",
) -> None:
    """Write a dataset to Langfuse; items that are there and equal are not sent again, none is deleted.

    LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are taken from the environment. Exit code:
    0 all is there as it was sent, 1 the server refused or changed an item, 2 it can't be reached.
    """
    from evalcontract.cli.exchange import push_dataset

    _known_format(report_format, ("text", "json"))
    push_dataset(name, file, dry_run=dry_run, set_schemas=set_schemas, as_json=report_format == "json")


def _name(
    text: str, product: str | None = None, scope: str | None = None, schema_type: str | None = None
) -> DatasetName:
    from evalcontract.release import DatasetName
    from evalcontract.release.identify import release_name

    if text == "-" or Path(text).exists():
        return release_name(text)
    return DatasetName.parse(text, product_id=product, scope=scope, schema_type=schema_type)


def _waivers(codes: list[str], reasons: list[str]) -> dict[str, str]:
    if len(codes) != len(reasons):
        raise UsageError(
            f"{len(codes)} --waive and {len(reasons)} --reason",
            hint="give one --reason TEXT after each --waive CODE",
        )
    if len(set(codes)) != len(codes):
        raise UsageError("a check is waived twice", hint="give each --waive CODE once")
    return dict(zip(codes, reasons, strict=True))


def _known_format(wanted: str, known: tuple[str, ...]) -> None:
    if wanted not in known:
        raise UsageError(f"there is no format {wanted!r}", hint=f"known: {', '.join(known)}")
