"""The worker's side: cells in, verdicts out, a batch of Arrow at a time."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise, repeat
from typing import Any

from evalcontract.checking import CellVerdict, folded_id, kind_of_place
from evalcontract.reading import limited
from evalcontract.spark.columns import FINDING, JUDGED, VERDICT, arrow_type
from evalcontract.spark.job import TableJob, cell_check
from evalcontract.validation import Violation, violations_of_json
from evalcontract.values import stated

_SLICE = 1000
"""Rows whose texts and verdicts are held at once."""
_SPREAD = 1009
_NONE: list[Any] = []
_as_json = json.JSONEncoder().encode  # json.dumps takes three times as long for a text
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


def judge(batches: Iterable[Any], job: TableJob, cells: Cells) -> Iterator[Any]:
    """Each batch with the verdicts on its rows as one more column."""
    import pyarrow as pa

    for batch in batches:
        for start in range(0, batch.num_rows, _SLICE):
            rows = batch.slice(start, _SLICE)
            judged = _judged(rows, job, cells)
            assert len(judged) == rows.num_rows  # nothing is dropped
            yield pa.RecordBatch.from_arrays([*rows.columns, judged], names=[*rows.schema.names, VERDICT])


def _judged(rows: Any, job: TableJob, cells: Cells) -> Any:
    """The verdicts on the rows of a batch, as an array of JUDGED."""
    import pyarrow as pa

    fields: dict[str, list[Any]] = {name: [] for name, _ in JUDGED}
    ids: Iterable[object] = repeat(None)
    if cells.id_column is not None:
        ids = _column(rows, cells.id_column).to_pylist()
    with limited(job.limits):
        for number, ((raw, verdict), id_) in enumerate(zip(_verdicts(rows, job, cells), ids, strict=False)):
            _append(fields, _with_id(verdict, id_), raw or b"", number, cells.most)
    columns = [pa.array(fields[name], arrow_type(kind)) for name, kind in JUDGED]
    return pa.StructArray.from_arrays(columns, [name for name, _ in JUDGED])


def _verdicts(rows: Any, job: TableJob, cells: Cells) -> Iterator[tuple[bytes | None, CellVerdict]]:
    """Each cell's text and the verdict on it. One value is held at a time, as many would cost more than they are."""
    check = cell_check(job)
    column = _column(rows, cells.column)
    if cells.as_values:
        for struct in column.to_pylist(maps_as_pydicts="strict"):
            value = stated(struct)
            yield json.dumps(value, default=str).encode(), _value_verdict(check, value)
    else:
        for raw in texts_of(column):
            yield raw, check.check(raw)


def _column(rows: Any, name: str) -> Any:
    return rows.column(rows.schema.get_field_index(name))


def texts_of(column: Any) -> Iterator[bytes | None]:
    """The cells of a column of texts as their bytes, None for NULL."""
    import pyarrow as pa

    wide = pa.types.is_large_string(column.type) or pa.types.is_large_binary(column.type)
    if not wide and not pa.types.is_string(column.type) and not pa.types.is_binary(column.type):
        column = column.cast(pa.binary())
    if not len(column):
        return
    _, offsets, contents = column.buffers()
    ends = memoryview(offsets).cast("q" if wide else "i")[column.offset : column.offset + len(column) + 1]
    text = memoryview(contents or b"")
    cells = (bytes(text[start:end]) for start, end in pairwise(ends))
    if not column.null_count:
        yield from cells
        return
    for cell, there in zip(cells, column.is_valid().to_pylist(), strict=True):
        yield cell if there else None


def _append(
    fields: Mapping[str, list[Any]], verdict: CellVerdict, text: bytes, number: int, most: int
) -> None:
    """Add one row to the columns of JUDGED; `number` tells rows without a key apart."""
    contract, item_id, keys, found = verdict
    errors = verdict.errors if found else 0
    key = keys[0] if keys else None
    rank = f"{errors > 0:d}{zlib.crc32(text):08x}{len(text):x}"
    fields["item_id"].append(item_id)
    fields["key"].append(None if key is None else _as_json(key))
    fields["asked"].append(next((part.hex() for part in keys[1:] if isinstance(part, bytes)), None))
    fields["folded"].append(folded_id(key) if isinstance(key, str) else None)
    fields["rank"].append(rank if key is not None else f"{rank}-{number % _SPREAD}")
    fields["contract"].append(contract)
    fields["errors"].append(errors)
    fields["advices"].append(len(found) - errors)
    fields["violations"].append([finding_of(violation) for violation in found[:most]] if found else _NONE)
    fields["more"].append(_counted(found[most:]) if found else _NONE)


def _counted(found: Iterable[Violation]) -> list[dict[str, Any]]:
    more = Counter(
        (violation.code, kind_of_place(violation.pointer), violation.severity) for violation in found
    )
    return [
        {"code": code, "place": place, "severity": severity, "count": count}
        for (code, place, severity), count in more.items()
    ]


def finding_of(violation: Violation) -> dict[str, Any]:
    """The fields of FINDING."""
    return {name: getattr(violation, name) for name in _FIELDS}


def violation_of(finding: dict[str, Any]) -> Violation:
    """A violation again."""
    return Violation(**finding)


def _with_id(verdict: CellVerdict, id_: object) -> CellVerdict:
    """The verdict under the id that the table gives the row, which must be the item's own."""
    if id_ is None:
        return verdict
    told = str(id_)
    if verdict.item_id is None:
        named = tuple(replace(violation, item_id=told) for violation in verdict.violations)
        return verdict._replace(item_id=told, violations=named)
    if verdict.item_id == told:
        return verdict
    return verdict._replace(violations=(*verdict.violations, _another_id(verdict, told)))


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
        return CellVerdict(None, violations=found)
    return check.check_value(value)  # type: ignore[no-any-return]
