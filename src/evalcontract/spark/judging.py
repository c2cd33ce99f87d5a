"""The worker's side: cells in, verdicts out, a batch of Arrow at a time."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from evalcontract.checking import CellVerdict, folded_id, kind_of_place
from evalcontract.reading import limited
from evalcontract.spark.columns import FINDING, JUDGED, arrow_type
from evalcontract.spark.job import TableJob, cell_check
from evalcontract.validation import Violation, violations_of_json

_SLICE = 1000
"""Rows that are held as Python values at once."""
_SPREAD = 1009
_FIELDS = tuple(name for name, _ in FINDING)


@dataclass(frozen=True, slots=True)
class Cells:
    """Where a table has its items: the column, whether that isn't text, and the column with their ids.

    `most` is how many violations of a row are kept in full.
    """

    column: str
    as_values: bool = False
    id_column: str | None = None
    most: int = 20


def judge(batches: Iterable[Any], job: TableJob, cells: Cells, *, keep: bool = True) -> Iterator[Any]:
    """Each batch with the verdicts on its rows as one more column; without `keep` that column alone."""
    import pyarrow as pa

    for batch in batches:
        for start in range(0, batch.num_rows, _SLICE):
            rows = batch.slice(start, _SLICE)
            verdicts = verdicts_on(rows, job, cells)
            assert len(verdicts) == rows.num_rows  # nothing is dropped
            if keep:
                columns = [*rows.columns, _judged(verdicts)]
                yield pa.RecordBatch.from_arrays(columns, names=[*rows.schema.names, "evalcontract"])
            else:
                yield pa.RecordBatch.from_struct_array(_judged(verdicts))


def verdicts_on(rows: Any, job: TableJob, cells: Cells) -> list[dict[str, Any]]:
    """The verdicts on the rows of a batch, each as the fields of JUDGED."""
    check = cell_check(job)
    column = rows.column(rows.schema.get_field_index(cells.column))
    ids = [None] * rows.num_rows
    if cells.id_column is not None:
        ids = rows.column(rows.schema.get_field_index(cells.id_column)).to_pylist()
    with limited(job.limits):
        if cells.as_values:
            values = [_without_nulls(value) for value in column.to_pylist(maps_as_pydicts="strict")]
            found = [_value_verdict(check, value) for value in values]
            raws = [json.dumps(value, default=str).encode() for value in values]
        else:
            raws = texts_of(column)
            found = [check.check(raw) for raw in raws]
        return [
            row_of(_with_id(verdict, id_), raw, number, cells.most)
            for number, (verdict, raw, id_) in enumerate(zip(found, raws, ids, strict=True))
        ]


def texts_of(column: Any) -> list[Any]:
    """The cells of a column of texts as their bytes, None for NULL."""
    import pyarrow as pa

    if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
        return list(column.to_pylist())
    return list(
        column.cast(pa.large_binary() if pa.types.is_large_string(column.type) else pa.binary()).to_pylist()
    )


def row_of(verdict: CellVerdict, raw: bytes | None, number: int, most: int) -> dict[str, Any]:
    """The fields of JUDGED for one row; `number` tells rows without a key apart."""
    errors = verdict.errors
    key = verdict.keys[0] if verdict.keys else None
    is_item = isinstance(key, str)
    text = raw or b""
    rank = f"{errors > 0:d}{zlib.crc32(text):08x}{zlib.adler32(text):08x}{len(text):x}"
    found = verdict.violations
    more: Counter[tuple[str, str, str]] = Counter(
        (violation.code, kind_of_place(violation.pointer), violation.severity) for violation in found[most:]
    )
    return {
        "item_id": verdict.item_id,
        "key": None if key is None else json.dumps(key),
        "asked": next((part.hex() for part in verdict.keys[1:] if isinstance(part, bytes)), None),
        "folded": folded_id(key) if is_item and isinstance(key, str) else None,
        "rank": rank if key is not None else f"{rank}-{number % _SPREAD}",
        "contract": verdict.contract,
        "errors": errors,
        "advices": len(found) - errors,
        "violations": [finding_of(violation) for violation in found[:most]],
        "more": [
            {"code": code, "place": place, "severity": severity, "count": count}
            for (code, place, severity), count in more.items()
        ],
    }


def finding_of(violation: Violation) -> dict[str, Any]:
    """The fields of FINDING."""
    return {name: getattr(violation, name) for name in _FIELDS}


def violation_of(finding: dict[str, Any]) -> Violation:
    """A violation again."""
    return Violation(**finding)


def _judged(verdicts: list[dict[str, Any]]) -> Any:
    import pyarrow as pa

    columns = [pa.array([row[name] for row in verdicts], arrow_type(kind)) for name, kind in JUDGED]
    return pa.StructArray.from_arrays(columns, [name for name, _ in JUDGED])


def _with_id(verdict: CellVerdict, id_: object) -> CellVerdict:
    """The verdict under the id that the table gives the row, which must be the item's own."""
    if id_ is None:
        return verdict
    told = str(id_)
    if verdict.item_id is None:
        named = tuple(replace(violation, item_id=told) for violation in verdict.violations)
        return replace(verdict, item_id=told, violations=named)
    if verdict.item_id == told:
        return verdict
    return replace(verdict, violations=(*verdict.violations, _another_id(verdict, told)))


def _another_id(verdict: CellVerdict, told: str) -> Violation:
    from evalcontract.values import shown

    return Violation(
        "id-column-disagrees",
        f"the item is {shown(verdict.item_id)}, the row's id column says {shown(told)}",
        "/item_id",
        expected=shown(told),
        actual=shown(verdict.item_id),
        hint="scores are joined by the item's own id: correct one of the two",
        contract=verdict.contract,
        item_id=verdict.item_id,
    )


def _value_verdict(check: Any, value: Any) -> CellVerdict:
    if value is None:
        return check.check(None)  # type: ignore[no-any-return]
    found = tuple(violations_of_json(value))
    if found:
        return CellVerdict(None, None, violations=found)
    return check.check_value(value)  # type: ignore[no-any-return]


def _without_nulls(value: Any) -> Any:
    """A struct has a null where JSON has nothing at all: which of the two it was isn't known any more."""
    if isinstance(value, dict):
        return {key: _without_nulls(child) for key, child in value.items() if child is not None}
    if isinstance(value, list):
        return [_without_nulls(child) for child in value]
    return value
