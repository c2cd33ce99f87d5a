"""What an import tells of rows that are neither refused nor wrong: the fate of keys, answers kept, types declared."""

from __future__ import annotations

from evalcontract.catalog import SchemaType
from evalcontract.importing.assemble import kept_names, sources_of
from evalcontract.importing.converted import ConvertedRow
from evalcontract.importing.mapping import Mapping
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


def note_type(ledger: Ledger, count: int, without: int, type_: SchemaType) -> None:
    """Say how many of `count` items declare the schema type, and why those `without` a reference answer don't."""
    label = f"{type_.name}@{type_.version}"
    if declared := count - without:
        ledger.notes.append(f"{declared} of {count} items declare the schema type {label}")
    if without:
        ledger.notes.append(
            f"{without} of {count} items have no reference answer and declare no schema type; "
            f"they were checked as {label} without it"
        )
