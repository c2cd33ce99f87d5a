"""What an import tells of rows that are neither refused nor wrong: the fate of keys, answers kept, types declared."""

from __future__ import annotations

from evalcontract.catalog import SchemaType
from evalcontract.importing.assemble import has_answer, kept_names, sources_of
from evalcontract.importing.converted import ConvertedRow
from evalcontract.importing.mapping import Mapping
from evalcontract.importing.request import ImportRequest
from evalcontract.importing.result import Ledger
from evalcontract.importing.targets import IMPORTED
from evalcontract.importing.values import source_name

_KEPT_IN = "/" + "/".join(IMPORTED)


def count_keys(row: ConvertedRow, mapping: Mapping, ledger: Ledger) -> None:
    """Count what became of each key of a row."""
    for source, target in sources_of(row):
        ledger.count(source_name(source), "mapped", target)
    if row.id_source is not None:
        ledger.count(source_name(row.id_source), "mapped", "/item_id")
    place = _KEPT_IN if mapping.target == "items" else f"/{IMPORTED[-1]}"
    for name in kept_names(row, mapping):
        ledger.count(name, "kept", place)
    for path in row.dropped:
        ledger.count(source_name(path), "dropped")
    for key in row.empty:
        ledger.count(source_name((key,)), "empty")


def note_predictions(ledger: Ledger, mapping: Mapping) -> None:
    """Say how the answers among what is kept become prediction records."""
    answers = {
        source_name(path)
        for entry in mapping.fields
        if entry.target.part == "record"
        for path in entry.sources
    }
    kept = sorted({key for key, fate, _ in ledger.keys if fate == "kept" and key in answers})
    if kept:
        ledger.notes.append(
            f"what a system answered ({', '.join(kept)}) becomes prediction records with --predictions FILE"
        )


def note_type(ledger: Ledger, rows: list[ConvertedRow], type_: SchemaType, request: ImportRequest) -> None:
    """Say how many items declare the schema type, and why the others don't."""
    told = request.schema_type is not None or request.mapping.schema_type is not None
    catalogue = request.mapping.catalogue
    without = 0 if told else sum(not has_answer(row, type_, catalogue) for row in rows)
    declared = len(rows) - without
    if declared:
        ledger.notes.append(
            f"{declared} of {len(rows)} items declare the schema type {type_.name}@{type_.version}"
        )
    if without:
        ledger.notes.append(
            f"{without} of {len(rows)} items have no reference answer and declare no schema type; "
            f"they were checked as {type_.name}@{type_.version} without it"
        )
