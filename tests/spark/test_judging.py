"""Cells are taken from Arrow as they are, and judged without an engine as with one."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.spark.columns import VERDICT
from evalcontract.spark.job import job_of
from evalcontract.spark.judging import Cells, judge, texts_of
from tests.support.tables import mixed

TEXTS = (pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.string_view(), pa.binary_view())


@pytest.mark.parametrize("kind", TEXTS, ids=str)
@given(
    cells=st.lists(st.none() | st.text(max_size=9), max_size=9),
    start=st.integers(0, 9),
    length=st.integers(0, 9),
)
def test_cells_are_the_bytes_of_their_texts(
    kind: Any, cells: list[str | None], start: int, length: int
) -> None:
    raws = [None if cell is None else cell.encode() for cell in cells]
    column = pa.array(raws, pa.binary()).cast(kind) if kind != pa.binary_view() else pa.array(raws, kind)
    assert list(texts_of(column)) == raws
    assert list(texts_of(column.slice(start, length))) == raws[start : start + length]


def test_the_cut_into_batches_changes_nothing() -> None:
    texts = [*mixed(1500), None]
    whole = pa.RecordBatch.from_pydict({"value": pa.array(texts), "n": list(range(1501))})
    job, cells = job_of(None, None), Cells("value")
    (one,) = {
        tuple(_verdicts(judge(batches, job, cells)))
        for batches in ([whole], _cut(whole, 7), _cut(whole, 1000))
    }
    assert len(one) == 1501


def _cut(batch: Any, rows: int) -> list[Any]:
    return [batch.slice(start, rows) for start in range(0, batch.num_rows, rows)]


def _verdicts(batches: Any) -> list[str]:
    """What is said of each row, but for the number that tells rows without a key apart."""
    told = []
    for batch in batches:
        for row in batch.to_pylist():
            verdict = row[VERDICT]
            verdict["rank"] = verdict["rank"].partition("-")[0]
            told.append(str((row["n"], row["value"], verdict)))
    return told
