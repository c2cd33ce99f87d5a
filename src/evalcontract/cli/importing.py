"""`evalcontract import`, `evalcontract export` and `evalcontract presets`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from evalcontract.cli.names import refuse_names
from evalcontract.cli.options import Limit, ReportFile, Schemas, TransferFormat
from evalcontract.cli.output import emit, finish, format_for, look_for, refuse_misnamed
from evalcontract.cli.parameters import Argument, Option
from evalcontract.cli.progress import Progress
from evalcontract.cli.roles import READS_DATA, READS_FILE, SAYS, WRITES_DATA, WRITES_FILE
from evalcontract.errors import UsageError
from evalcontract.reports import TRANSFER

if TYPE_CHECKING:
    from evalcontract.catalog import Catalogue
    from evalcontract.importing import DatasetRelease, Transfer

Source = Annotated[
    Path, Argument(help="The file to read, or - for JSON or JSON Lines on standard input."), READS_DATA
]
Map = Annotated[
    str | None, Option("--map", help="A preset (see `evalcontract presets`) or a mapping file."), READS_FILE
]
Output = Annotated[Path | None, Option("--output", "-o", help="The file to write."), WRITES_DATA]
Predictions = Annotated[
    Path | None, Option(help="File of prediction records, for what the system answered."), WRITES_FILE
]
SchemaTypeOption = Annotated[str | None, Option("--type", help="Schema type that all items declare."), SAYS]
Ids = Annotated[str | None, Option(help="Ids of rows without one: content-hash, row-number or error."), SAYS]
ListDelimiter = Annotated[
    str | None, Option(help="What parts lists in the cells of a CSV file, for example '|'."), SAYS
]
AllowDrop = Annotated[bool, Option("--allow-drop", "--allow-loss", help="Leave out what can't be held.")]
Keep = Annotated[
    list[str] | None, Option(help="A key that only looks misspelt: keep it in the metadata."), SAYS
]
RecordsToExport = Annotated[
    Path | None, Option("--predictions", help="The prediction records of the items."), READS_DATA
]
QueriesToWrite = Annotated[
    Path | None, Option("--queries", help="For judgements: write the file of query texts."), WRITES_FILE
]
Queries = Annotated[
    Path | None, Option(help="For judgements of a test collection: the file of query texts."), READS_FILE
]
Corpus = Annotated[
    Path | None, Option(help="For judgements: the corpus, to check that judged documents exist."), READS_FILE
]


Product = Annotated[str | None, Option(help="Make a release: the product_id."), SAYS]
Scope = Annotated[str | None, Option(help="Of a release: the scope."), SAYS]
Version = Annotated[str | None, Option(help="Of a release: its version, such as 1.0."), SAYS]


def import_(
    source: Source,
    mapping: Map = None,
    output: Output = None,
    predictions: Predictions = None,
    schema_type: SchemaTypeOption = None,
    ids: Ids = None,
    list_delimiter: ListDelimiter = None,
    allow_drop: AllowDrop = False,
    keep: Keep = None,
    queries: Queries = None,
    corpus: Corpus = None,
    product: Product = None,
    scope: Scope = None,
    version: Version = None,
    suggest: Annotated[
        bool, Option("--suggest", help="Propose a mapping from the keys, print it, write nothing.")
    ] = False,
    scores: Annotated[
        bool,
        Option("--scores", help="The file is a table of scores that others gave: make score records of it."),
    ] = False,
    evaluator: Annotated[
        str | None, Option(help="Of scores: who scored, where no column says it."), SAYS
    ] = None,
    metric_name: Annotated[
        str | None, Option(help="Of scores: what was scored, where no column says it."), SAYS
    ] = None,
    scale: Annotated[
        str | None,
        Option(metavar="MIN,MAX", help="Of scores: the lowest and highest value, where they aren't 0 and 1."),
        SAYS,
    ] = None,
    schemas: Schemas = None,
    report_file: ReportFile = None,
    limit: Limit = None,
    report_format: TransferFormat = None,
) -> None:
    """Turn a file of another tool into contract data: all of it, or nothing with the reasons.

    Keys without a field are kept in metadata.raw_metadata.imported. --product, --scope, --version and --type make a
    dataset that can go out as a release, in the file that is named like it. Exit code: 0 written, 1 not, 2 wrong usage.
    """
    from evalcontract.importing import ID_RULES, ImportRequest, import_file, load_mapping
    from evalcontract.settings import catalogue_for
    from evalcontract.validation import told_type

    catalogue = catalogue_for(schemas or ())
    format_ = format_for(TRANSFER, report_format, report_file)
    refuse_names(source, queries, corpus, reads=(".csv", ".tsv", ".parquet"))
    if suggest:
        from evalcontract.importing import suggest_mapping

        refuse_misnamed(output, "yaml")
        emit(suggest_mapping(source, catalogue), output)
        return
    if scores:
        told = {
            "--map": mapping,
            "--predictions": predictions,
            "--type": schema_type,
            "--ids": ids,
            "--list-delimiter": list_delimiter,
            "--product": product,
            "--scope": scope,
            "--version": version,
        }
        if odd := [name for name, value in told.items() if value is not None]:
            raise UsageError(f"{odd[0]} is not for scores", hint="leave it out")
        _import_scores(source, output, evaluator, metric_name, scale, catalogue, format_, report_file)
        return
    if only := [
        name
        for name, value in (("--evaluator", evaluator), ("--metric-name", metric_name), ("--scale", scale))
        if value is not None
    ]:
        raise UsageError(f"{only[0]} is for scores", hint="write --scores beside it")
    if mapping is None or output is None:
        raise UsageError(
            "an import needs --map and -o",
            hint="see `evalcontract presets`, or let --suggest propose a mapping",
        )
    if ids is not None and ids not in ID_RULES:
        raise UsageError(f"there is no id rule {ids!r}", hint=f"known: {', '.join(ID_RULES)}")
    beside = (("queries", queries), ("corpus", corpus))
    release = _release(product, scope, version, schema_type, output)
    request = ImportRequest(
        release=release,
        source=source,
        mapping=load_mapping(mapping, catalogue),
        output=output,
        predictions=predictions,
        schema_type=told_type(catalogue, schema_type) if schema_type is not None else None,
        ids=ids,
        list_delimiter=list_delimiter,
        allow_drop=allow_drop,
        keep=tuple(keep or ()),
        beside=tuple((name, path) for name, path in beside if path is not None),
    )
    with Progress([str(source)]) as progress:
        transfer = import_file(request, progress.update)
    _report(transfer, format_, report_file)


def _import_scores(
    source: Path,
    output: Path | None,
    evaluator: str | None,
    metric: str | None,
    scale: str | None,
    catalogue: Catalogue,
    format_: str,
    report_file: Path | None,
) -> None:
    from evalcontract.importing import ScoresRequest, import_scores, scale_in

    if output is None:
        raise UsageError("an import needs -o", hint="name a file of score records, such as scores.jsonl")
    limits = scale_in(scale) if scale is not None else None
    request = ScoresRequest(source, output, evaluator, metric, limits, catalogue)
    with Progress([str(source)]) as progress:
        transfer = import_scores(request, progress.update)
    _report(transfer, format_, report_file)


def export(
    source: Source,
    mapping: Map = None,
    output: Output = None,
    predictions: RecordsToExport = None,
    list_delimiter: ListDelimiter = None,
    allow_drop: AllowDrop = False,
    queries: QueriesToWrite = None,
    schemas: Schemas = None,
    report_file: ReportFile = None,
    limit: Limit = None,
    report_format: TransferFormat = None,
) -> None:
    """Turn contract data into a file of another tool, where that can hold it.

    What the other format can't hold stops the export; fields that it has no place for can be left out with
    --allow-drop. Exit code: 0 written, 1 not, 2 wrong usage.
    """
    from evalcontract.importing import ExportRequest, export_file, load_mapping
    from evalcontract.settings import catalogue_for

    format_ = format_for(TRANSFER, report_format, report_file)
    refuse_names(source, predictions)
    if mapping is None or output is None:
        raise UsageError("an export needs --map and -o", hint="see `evalcontract presets`")
    request = ExportRequest(
        source=source,
        mapping=load_mapping(mapping, catalogue_for(schemas or ())),
        output=output,
        predictions=predictions,
        list_delimiter=list_delimiter,
        allow_drop=allow_drop,
        queries=queries,
    )
    _report(export_file(request), format_, report_file)


def presets(name: Annotated[str | None, Argument(help="Print this one."), SAYS] = None) -> None:
    """List the mappings that come with evalcontract, or print one to start your own from."""
    from evalcontract.importing import preset_names, preset_text
    from evalcontract.reports import presets_text

    if name is not None:
        emit(preset_text(name))
        return
    emit(presets_text(preset_names()))


def _release(
    product: str | None, scope: str | None, version: str | None, schema_type: str | None, output: Path
) -> DatasetRelease | None:
    """The release that is asked for; UsageError when a part is missing or the file is named otherwise."""
    from evalcontract.importing import DatasetRelease
    from evalcontract.release import DatasetName, ReleaseVersion, looks_like_a_release

    told = {"--product": product, "--scope": scope, "--version": version}
    if not any(told.values()):
        if looks_like_a_release(output.stem):
            raise UsageError(
                f"{output.name} is the name of a release, which has metadata",
                hint="say them with --product, --scope, --version and --type, or choose another name",
            )
        return None
    missing = [name for name, value in {**told, "--type": schema_type}.items() if not value]
    if product is None or scope is None or version is None or schema_type is None or missing:
        raise UsageError(f"a release needs {' and '.join(missing)} too", hint="or leave all of them out")
    type_name = schema_type.partition("@")[0]
    number = ReleaseVersion.parse(version)
    names = [
        str(DatasetName(product, type_name, scope, number, type_written))
        for type_written in ([True, False] if type_name == "qa" else [True])
    ]
    if output.stem not in names:
        raise UsageError(
            f"the file of this release is not named {output.stem}", hint=f"name it {names[0]}.json or .jsonl"
        )
    return DatasetRelease(product, scope, version)


def _report(transfer: Transfer, format_: str, file: Path | None) -> None:
    emit(TRANSFER.write(format_, transfer, look_for(file)), file)
    finish(transfer.exit_code, file)
