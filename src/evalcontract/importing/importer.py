"""The import: rows read, converted, given ids and a type, checked; then all is written, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from evalcontract.catalog import SchemaType
from evalcontract.checking import ItemIds, refuse_foreign_metadata, refuse_metadata_beside, written_sidecar_of
from evalcontract.errors import UsageError
from evalcontract.files import refuse_overwriting, write_all
from evalcontract.importing.assemble import (
    has_answer,
    item_id_of,
    item_of,
    record_of,
    told_by_row,
    used_fields,
)
from evalcontract.importing.convert import convert
from evalcontract.importing.converted import ConversionRequest, ConvertedRow
from evalcontract.importing.judging import judge_of, record_contract
from evalcontract.importing.notes import count_keys, note_predictions, note_type
from evalcontract.importing.request import ImportRequest
from evalcontract.importing.result import Ledger, Transfer
from evalcontract.importing.row import Outside, Row
from evalcontract.importing.rows import CSV_SUFFIXES, read_rows
from evalcontract.importing.targets import TYPE_KEYS, fields_of, smallest_type, widest_type
from evalcontract.importing.values import source_name, source_path
from evalcontract.importing.writing import dataset_contents, items_content, refuse_empty_delimiter, suffix_of
from evalcontract.reading import Held
from evalcontract.validation import Violation
from evalcontract.values import LINES_SUFFIXES, numbers_as_written

_ROW_BYTES = 3000
_PROGRESS_STEP = 100


@numbers_as_written()
def import_file(request: ImportRequest, progress: Callable[[str, int], None] | None = None) -> Transfer:
    """Import a file. Nothing is written when a single row can't be.

    All rows are held in memory. `progress` is told the file and the number of rows read so far. Raises UsageError,
    MappingError or UnreadableInput when the work can't begin.
    """
    mapping = request.mapping
    as_items = mapping.target == "items"
    for path in (request.output, request.predictions):
        if path is not None:
            suffix_of(path, (".json", *LINES_SUFFIXES))
    if request.predictions is not None and not any(entry.target.part == "record" for entry in mapping.fields):
        raise UsageError(f"the mapping {mapping.name} has no predictions", hint="leave out --predictions")
    if request.list_delimiter is not None and request.source.suffix.lower() not in CSV_SUFFIXES:
        raise UsageError(
            "--list-delimiter is for CSV files", hint="lists are JSON arrays in the other formats"
        )
    refuse_empty_delimiter(request.list_delimiter)
    refuse_overwriting(
        (_together(request), request.predictions), (request.source, *(path for _, path in request.beside))
    )
    if request.release is not None:
        if not as_items or request.schema_type is None:
            raise UsageError(
                "a release needs a schema type, and a mapping of items", hint="say it with --type"
            )
        refuse_foreign_metadata(request.output)
    elif as_items:
        refuse_metadata_beside(request.output)
    ledger = Ledger()
    came, converted = _read(request, ledger, progress)
    if not came and not ledger.errors:
        ledger.add(
            Violation(
                "nothing-read",
                "0 rows read",
                hint="an empty import is never a success",
                file=str(request.source),
            )
        )
    type_ = _type_of(request, used_fields(converted), ledger)
    documents: list[dict[str, object]] = []
    records: list[dict[str, object]] = []
    _build(request, converted, type_, ledger, documents, records)
    for row in converted:
        count_keys(row, mapping, ledger)
    if as_items and not ledger.errors:
        note_type(ledger, converted, type_, request)
        note_predictions(ledger, mapping)
    ledger.note_layers(mapping.catalogue)
    metadata = None
    if request.release is not None:
        declared = zip(TYPE_KEYS, (type_.name, type_.version), strict=True)
        metadata = {**asdict(request.release), **dict(declared)}
    outputs = dataset_contents(documents if as_items else records, request.output, metadata)
    if as_items and request.predictions is not None:
        outputs[request.predictions] = items_content(records, request.predictions)
    went = len(documents) if as_items else len(records)
    transfer = ledger.transfer(
        "import", str(request.source), mapping.name, came, went, tuple(map(str, outputs))
    )
    if not transfer.failed:
        write_all(outputs)
    return transfer


def _type_of(request: ImportRequest, used: set[tuple[str, str]], ledger: Ledger) -> SchemaType:
    """The schema type that is told, or else the smallest that has every field in use. It is an error if none has."""
    mapping, catalogue = request.mapping, request.mapping.catalogue
    told = request.schema_type or mapping.schema_type
    type_ = told or smallest_type(catalogue, used) or widest_type(catalogue)
    if foreign := sorted(used - fields_of(catalogue, type_)):
        names = ", ".join(f"{name} in {part}" for part, name in foreign)
        whose = f"the schema type {type_.name} has" if told else "no schema type with the other fields has"
        way_out = "leave out --type, or name" if told else "declare"
        message, hint = f"{whose} no field {names}", f"{way_out} a type that has it"
        ledger.add(Violation("type-mismatch", message, hint=hint, file=str(request.source)))
    return type_


def _together(request: ImportRequest) -> tuple[Path, ...]:
    """The files that hold the items: with metadata, JSON Lines have a second one."""
    beside = written_sidecar_of(request.output) if request.release is not None else None
    return (request.output,) if beside is None else (request.output, beside)


def _read(
    request: ImportRequest, ledger: Ledger, progress: Callable[[str, int], None] | None
) -> tuple[int, list[ConvertedRow]]:
    mapping = request.mapping
    wanted = ConversionRequest(
        request.predictions is not None,
        request.list_delimiter if request.list_delimiter is not None else mapping.list_delimiter,
        frozenset(map(source_path, request.keep)),
    )
    came, converted = 0, []
    held = Held(str(request.source), _ROW_BYTES)
    for event in read_rows(request.source, mapping, dict(request.beside)):
        if isinstance(event, Row):
            came += 1
            if progress and came % _PROGRESS_STEP == 0:
                progress(str(request.source), came)
            held.add(event.value)
            found = convert(event, mapping, wanted)
            ledger.add(*found.findings)
            converted.append(found)
        elif isinstance(event, Outside):
            _outside(event, request, ledger)
        else:
            came += event.item_id is not None
            ledger.add(event)
    return came, converted


def _outside(event: Outside, request: ImportRequest, ledger: Ledger) -> None:
    for key in event.keys:
        ledger.count(key, "dropped")
    if not request.allow_drop:
        ledger.add(
            Violation(
                "outside-rows",
                f"{', '.join(event.keys)} stand beside the rows and would be left out",
                hint="allow it with --allow-drop",
                file=str(request.source),
            )
        )


def _build(
    request: ImportRequest,
    converted: list[ConvertedRow],
    type_: SchemaType,
    ledger: Ledger,
    documents: list[dict[str, object]],
    records: list[dict[str, object]],
) -> None:
    ids, mapping = ItemIds(), request.mapping
    judge = judge_of(mapping.catalogue, type_)
    as_items = mapping.target == "items"
    records_too = not as_items or request.predictions is not None
    contract = record_contract(mapping.catalogue) if records_too else None
    by_index: dict[int, ConvertedRow] = {}
    for index, row in enumerate(converted):
        if row.dropped and not request.allow_drop:
            names = ", ".join(sorted(map(source_name, row.dropped)))
            ledger.add(
                row.row.violation(
                    "would-drop", f"the mapping leaves out {names}", hint="allow it with --allow-drop"
                )
            )
        if row.failed:
            continue
        item_id = item_id_of(row, request.ids or mapping.otherwise)
        if item_id is None:
            names = " or ".join(map(source_name, mapping.id_sources))
            ledger.add(
                row.row.violation(
                    "no-id", f"{names} is required, for /item_id", hint="or make ids with --ids"
                )
            )
            continue
        by_index[index] = row
        first = ids.add(item_id, index)
        if first != index:
            ledger.add(_repeated(row, by_index[first], item_id))
        if as_items:
            told = request.schema_type is not None or mapping.schema_type is not None
            declare = told or has_answer(row, type_, mapping.catalogue)
            item = item_of(row, item_id, type_, declare=declare)
            ledger.add(*(told_by_row(found, row, item_id) for found in judge.violations(item)))
            documents.append(item)
        if contract is not None:
            record = record_of(row, item_id, keep=not as_items)
            ledger.add(*(told_by_row(found, row, item_id) for found in contract.violations(record)))
            records.append(record)


def _repeated(row: ConvertedRow, first: ConvertedRow, item_id: str) -> Violation:
    same = row.item_id is None
    shared = ""
    if same:
        equal = row.item.get("expected_output") == first.item.get("expected_output")
        shared = f"input{'' if equal else ' and another expected output'}, so the same "
    return row.row.violation(
        "duplicate-item-id",
        f"row {first.row.number} has the same {shared}item_id {item_id[:60]}",
        hint="leave one of them out, or number the rows with --ids row-number"
        if same
        else "give each its own id",
    )
