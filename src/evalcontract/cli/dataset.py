"""`evalcontract dataset`: releases of datasets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from evalcontract.cli.apps import App
from evalcontract.cli.names import refuse_names
from evalcontract.cli.options import (
    AssertFormats,
    CardFormat,
    DiffFormat,
    ExpectedOutputSchema,
    InputSchema,
    Limit,
    OwnType,
    PlainFormat,
    Reason,
    ReleaseFormat,
    Report,
    Schemas,
    Strict,
    Waive,
)
from evalcontract.cli.output import emit, finish, format_for, look_for
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.progress import Progress
from evalcontract.cli.roles import READS_DATA, READS_SCHEMA, SAYS
from evalcontract.errors import UsageError
from evalcontract.reports import CARD, DIFF, NAME, NEXT_VERSION, RELEASE, STATS

if TYPE_CHECKING:
    from evalcontract.release import DatasetName

dataset_app = App(
    "dataset",
    help="Check, name, compare, publish and exchange releases of datasets.",
    homes={"publish": "publishing:publish", "pull": "exchange:pull", "push": "exchange:push"},
)


def _dataset(name: str | None) -> str | None:
    refuse_names(name, reads=(".parquet",))
    return name


File = Annotated[
    str, Argument(help="The dataset: a file, or - for standard input.", callback=_dataset), READS_DATA
]
Previous = Annotated[
    str | None,
    Option(help="The release before this one, of the same dataset.", callback=_dataset),
    READS_DATA,
]


@dataset_app.register()
def check(
    file: File,
    previous: Previous = None,
    name: Annotated[
        str | None, Option(help="Name of the release, by default that of its file."), SAYS
    ] = None,
    input_schema: InputSchema = None,
    expected_output_schema: ExpectedOutputSchema = None,
    previous_input_schema: Annotated[
        str | None, Option(help="Schema of the previous release's inputs."), READS_SCHEMA
    ] = None,
    previous_expected_output_schema: Annotated[
        str | None, Option(help="Schema of its expected outputs."), READS_SCHEMA
    ] = None,
    near_duplicates: Annotated[
        float | None,
        Option(metavar="SHARE", help="Advise on items that share this much of what they ask, such as 0.85."),
    ] = None,
    disjoint_from: Annotated[
        str | None,
        Option(help="Advise on items that another dataset has, or nearly has.", callback=_dataset),
        READS_DATA,
    ] = None,
    formats: AssertFormats = False,
    own_type: OwnType = None,
    schemas: Schemas = None,
    waive: Waive = None,
    reason: Reason = None,
    paths: Annotated[bool, Option("--paths", help="Show every path of the items.")] = False,
    limit: Limit = None,
    report_format: ReleaseFormat = None,
    output: Report = None,
    strict: Strict = False,
) -> None:
    """May this dataset go out as a release, and why not.

    Exit code: 0 it may, 1 a check failed, 2 wrong usage or unreadable input.
    """
    from evalcontract.release import check_release
    from evalcontract.settings import catalogue_for

    format_ = format_for(RELEASE, report_format, output)
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
            near_duplicates=near_duplicates,
            disjoint_from=disjoint_from,
            formats=formats,
            waive=waivers_in(waive or [], reason or []),
            strict=strict,
            progress=progress.update,
            catalogue=catalogue_for(schemas or (), loose=True),
        )
    emit(RELEASE.write(format_, report, look_for(output, every_path=paths)), output)
    finish(report.exit_code, output)


@dataset_app.register()
def checks() -> None:
    """List the checks of a release: code, kinds of release, what is demanded and why."""
    from evalcontract.reports import checks_text

    emit(checks_text())


@dataset_app.register("name")
def print_name(
    file: Annotated[
        str,
        Argument(metavar="FILE|NAME", help="A dataset, or the name of one.", callback=_dataset),
        READS_DATA,
    ],
    product: Annotated[str | None, Option(help="The product_id."), SAYS] = None,
    scope: Annotated[str | None, Option(help="The scope."), SAYS] = None,
    schema_type: Annotated[str | None, Option("--type", help="The schema type."), SAYS] = None,
    schemas: Schemas = None,
    limit: Limit = None,
    report_format: PlainFormat = None,
) -> None:
    """Print the name of a release and its parts. A file's metadata decides; a name alone may be ambiguous."""
    format_ = format_for(NAME, report_format)
    emit(NAME.write(format_, _name(file, product, scope, schema_type, schemas)))


@dataset_app.register("path")
def print_path(
    file: Annotated[
        str,
        Argument(metavar="FILE|NAME", help="A dataset, or the name of one.", callback=_dataset),
        READS_DATA,
    ],
    catalog: Annotated[str, Option(help="The catalog that holds the volume."), SAYS],
    schemas: Schemas = None,
    limit: Limit = None,
) -> None:
    """Print where a release lies in a volume."""
    from evalcontract.release import volume_path

    emit(volume_path(catalog, _name(file, schemas=schemas)) + "\n")


@dataset_app.register()
def diff(
    before: Annotated[str, Argument(help="The older dataset.", callback=_dataset), READS_DATA],
    after: Annotated[str, Argument(help="The newer dataset.", callback=_dataset), READS_DATA],
    limit: Limit = None,
    report_format: DiffFormat = None,
    output: Report = None,
) -> None:
    """Compare two datasets: items by item_id, keys and metadata. Exit code 0, whether or not they differ."""
    from evalcontract.release import diff_datasets

    format_ = format_for(DIFF, report_format, output)
    emit(DIFF.write(format_, diff_datasets(before, after)), output)


@dataset_app.register("next-version")
def print_next_version(
    file: File,
    previous: Annotated[str, Option(help="The release before this one.", callback=_dataset), READS_DATA],
    limit: Limit = None,
    report_format: PlainFormat = None,
) -> None:
    """Say which number the data calls for: on the first line, with the reasons below."""
    from evalcontract.release import next_version

    format_ = format_for(NEXT_VERSION, report_format)
    emit(NEXT_VERSION.write(format_, next_version(file, previous)))


@dataset_app.register()
def stats(file: File, limit: Limit = None, report_format: PlainFormat = None, output: Report = None) -> None:
    """Count items, types, turns, lengths, tools, scripts and nulls."""
    from evalcontract.release import dataset_stats

    format_ = format_for(STATS, report_format, output)
    emit(STATS.write(format_, dataset_stats(file)), output)


@dataset_app.register()
def card(
    file: File,
    schemas: Schemas = None,
    limit: Limit = None,
    report_format: CardFormat = None,
    output: Report = None,
) -> None:
    """Write a dataset's card: Markdown with the header that Hugging Face reads, or Croissant with --format json."""
    from evalcontract.release import dataset_card
    from evalcontract.settings import catalogue_for

    format_ = format_for(CARD, report_format, output)
    emit(CARD.write(format_, dataset_card(file, catalogue_for(schemas or ()))), output)


def _name(
    text: str,
    product: str | None = None,
    scope: str | None = None,
    schema_type: str | None = None,
    schemas: list[Path] | None = None,
) -> DatasetName:
    from evalcontract.release import DatasetName, release_name
    from evalcontract.settings import catalogue_for

    if text == "-" or Path(text).exists():
        return release_name(text)
    return DatasetName.parse(
        text, product_id=product, scope=scope, schema_type=schema_type, catalogue=catalogue_for(schemas or ())
    )


def waivers_in(codes: list[str], reasons: list[str]) -> dict[str, str]:
    """What --waive and --reason say together. Raises UsageError."""
    if len(codes) != len(reasons):
        raise UsageError(
            f"{len(codes)} --waive and {len(reasons)} --reason",
            hint="give one --reason TEXT after each --waive CODE",
        )
    if len(set(codes)) != len(codes):
        raise UsageError("a check is waived twice", hint="give each --waive CODE once")
    return dict(zip(codes, reasons, strict=True))
