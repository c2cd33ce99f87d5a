"""Converted rows to contract documents: ids, the declared schema type, what is kept, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from evalcontract.catalog import Catalogue, SchemaType
from evalcontract.importing.converted import ConvertedRow
from evalcontract.importing.judging import ANSWER
from evalcontract.importing.mapping import Mapping
from evalcontract.importing.targets import IMPORTED, PARTS, TYPE_KEYS, fields_of
from evalcontract.importing.values import Path, put, source_name
from evalcontract.validation import Violation
from evalcontract.values import digest, pointer

_ID_DIGITS = 16


def used_fields(row: ConvertedRow) -> set[tuple[str, str]]:
    """The fields that a row fills, as (part of the item, name)."""
    return {(part, name) for part in PARTS for name in _object(row.item.get(part))}


def item_id_of(converted: ConvertedRow, otherwise: str) -> str | None:
    """The id of a row's item: its own, or one made by the rule; None when it must have its own."""
    if converted.item_id is not None:
        return converted.item_id
    if otherwise == "row-number":
        return f"row-{converted.row.number}"
    return content_hash(converted.item.get("input", {})) if otherwise == "content-hash" else None


def content_hash(value: object) -> str:
    """16 hexadecimal digits of the sha256 of a value as canonical JSON."""
    return digest(value).hex()[:_ID_DIGITS]


def item_of(converted: ConvertedRow, item_id: str, type_: SchemaType, *, declare: bool) -> dict[str, object]:
    """The evaluation item; what is kept lies in metadata.raw_metadata.imported."""
    parts = converted.item
    item: dict[str, object] = {"item_id": item_id, "input": parts.get("input", {})}
    if "expected_output" in parts:
        item["expected_output"] = parts["expected_output"]
    declared = dict(zip(TYPE_KEYS, (type_.name, type_.version), strict=True)) if declare else {}
    raw_metadata = {**declared, **_object(_object(parts.get("metadata")).get("raw_metadata"))}
    if raw_metadata:
        item["metadata"] = {"raw_metadata": raw_metadata}
    if converted.kept:
        put(item, IMPORTED, converted.kept)
    return item


def record_of(converted: ConvertedRow, item_id: str, *, keep: bool) -> dict[str, object]:
    """The prediction record; what is kept of its row lies in its key imported."""
    record = {"item_id": item_id, "prediction": {}, **converted.record}
    return record | ({IMPORTED[-1]: converted.kept} if keep and converted.kept else {})


def has_answer(converted: ConvertedRow, type_: SchemaType, catalogue: Catalogue) -> bool:
    """Whether a row gives what is expected, without which no schema type can be declared.

    That is a response, or anything where the schema type has none.
    """
    expected = converted.item.get("expected_output")
    if ("expected_output", ANSWER) in fields_of(catalogue, type_):
        return _object(expected).get(ANSWER) is not None
    return expected is not None


def told_by_row(violation: Violation, converted: ConvertedRow, item_id: str) -> Violation:
    """The violation at the place in the row that the value came from."""
    for target, source in converted.used.items():
        at = str(target)
        if violation.pointer == at or violation.pointer.startswith(at + "/"):
            below = violation.pointer.removeprefix(at)
            place = converted.row.place(pointer(source) + below)
            return replace(
                violation,
                message=f"{violation.message}, in {violation.pointer} made of {source_name(source)}",
                pointer=pointer(source) + below,
                item_id=item_id,
                file=converted.row.file,
                line=place.line if place else None,
                column=place.column if place else None,
            )
    place = converted.row.place("")
    return replace(
        violation,
        item_id=item_id,
        file=converted.row.file,
        line=place.line if place else None,
        column=place.column if place else None,
    )


def kept_names(converted: ConvertedRow, mapping: Mapping) -> Iterator[str]:
    """The keys that are kept, one level deeper where a mapping reads below a key."""
    for key, value in converted.kept.items():
        if key in mapping.split and isinstance(value, dict) and value:
            yield from (source_name((key, str(inner))) for inner in value)
        else:
            yield source_name((key,))


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def sources_of(converted: ConvertedRow) -> Iterator[tuple[Path, str]]:
    """Each source that was read, with the field it filled."""
    yield from ((source, str(target)) for target, source in converted.used.items())
