"""The worker's side of scoring: an item with its predictions in, score records and sums out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jiter

from evalcontract.reading import limited
from evalcontract.scoring import (
    BaseTypes,
    Header,
    ScoreRequest,
    ScoreSettings,
    Slicer,
    Task,
    Totals,
    Worker,
)
from evalcontract.scoring import Job as ScoreJob
from evalcontract.spark.columns import SCORED, arrow_type
from evalcontract.spark.job import TableJob, catalogue_of

_SLICE = 500
"""Rows that are held as Python values at once."""
_NUMBERS = 1 << 20
"""Bytes of measurements in one row."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """What a worker is told: `job` has the catalogue, `wanted` none of its own.

    An item has so many `repetitions`; with `live` there are no items, and records say what they were asked.
    """

    job: TableJob
    settings: ScoreSettings
    wanted: ScoreRequest
    header: Header
    metadata: Mapping[str, object] | None
    repetitions: int
    live: bool = False


def measure(batches: Iterable[Any], told: Measuring) -> Iterator[Any]:
    """Score the rows `item_id`, `item` and `texts`, the predictions; without `item` there is none for them."""
    import pyarrow as pa

    settings, wanted = told.settings, told.wanted
    worker = Worker(ScoreJob(settings, told.header, repetitions=told.repetitions))
    types = BaseTypes(catalogue_of(told.job), told.metadata, wanted.schema_type, wanted.own_types)
    slicer, totals = Slicer(wanted.by), Totals(settings, wanted)
    for batch in batches:
        for start in range(0, batch.num_rows, _SLICE):
            made: list[dict[str, Any]] = []
            with limited(told.job.limits):
                for row in batch.slice(start, _SLICE).to_pylist():
                    made += _scored(row, told, worker, types, slicer, totals)
            yield pa.RecordBatch.from_struct_array(pa.array(made, arrow_type(SCORED)))
    yield pa.RecordBatch.from_struct_array(pa.array(list(_sums(totals)), arrow_type(SCORED)))


def _scored(
    row: Mapping[str, Any], told: Measuring, worker: Worker, types: BaseTypes, slicer: Slicer, totals: Totals
) -> Iterator[dict[str, Any]]:
    item_id, texts = row["item_id"], tuple(sorted(_bytes_of(row["texts"] or ()), key=_order))
    if told.live:
        item, schema_type = _asked(item_id, texts[0]), None
    elif row["item"] is None:
        yield _row("extra", item_id)
        return
    else:
        item = jiter.from_json(row["item"].encode())
        schema_type = types.of(item)
    if len(texts) > told.repetitions:
        yield _row("crowded", item_id, str(len(texts)))
        return
    if not texts:
        yield _row("missing", item_id)
    elif len(texts) < told.repetitions:
        yield _row("incomplete", item_id)
    task = Task(item, schema_type, texts, slices=slicer.of(item))
    (done,) = worker([task])
    values = {name: score.value for name, score in done.scores.items() if score.value is not None}
    totals.add(done, values, task)
    for line in done.lines:
        yield _row("record", item_id, line.decode().rstrip("\n"))


def _asked(item_id: str, record: bytes) -> dict[str, Any]:
    """What live traffic was asked, as the item that its records are predictions for."""
    return {"item_id": item_id, "input": jiter.from_json(record).get("input") or {}}


def _bytes_of(texts: Iterable[str]) -> list[bytes]:
    return [text.encode() for text in texts]


def _order(text: bytes) -> tuple[int, bytes]:
    """The order of an item's records: a table has none of its own."""
    return jiter.from_json(text).get("repetition") or 1, text


def _sums(totals: Totals) -> Iterator[dict[str, Any]]:
    yield _row("state", None, json.dumps(totals.state()))
    for part, name, values in totals.numbers():
        for start in range(0, len(values), _NUMBERS):
            yield {**_row("numbers", part, name), "numbers": values[start : start + _NUMBERS]}


def _row(kind: str, name: str | None, text: str | None = None) -> dict[str, Any]:
    return {"kind": kind, "name": name, "text": text, "numbers": None}


def gathered(batches: Iterable[Any], told: Measuring) -> Iterator[Any]:
    """The sums of the sums among rows of SCORED, and the others as they are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    totals = Totals(told.settings, told.wanted)
    for batch in batches:
        is_state = pc.equal(batch.column(0), "state")
        for state in batch.filter(is_state).column(2).to_pylist():
            totals.merge_text(state)
        others = batch.filter(pc.invert(is_state))  # whose fields the engine may declare otherwise than ours
        yield pa.RecordBatch.from_arrays(others.columns, names=others.schema.names)
    state = _row("state", None, json.dumps(totals.state()))
    yield pa.RecordBatch.from_struct_array(pa.array([state], arrow_type(SCORED)))
