"""Writes datasets as Parquet, in the layout that `reading.parquet` reads back exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from evalcontract.datasets.contents import Contents
from evalcontract.datasets.shape import Shape
from evalcontract.datasets.text_writers import json_bytes
from evalcontract.errors import ContractViolation
from evalcontract.reading import (
    PARQUET_BATCH,
    PARQUET_DATASET,
    PARQUET_LAYOUT,
    PARQUET_NULLS,
    PARQUET_VERSION,
    column_name,
)
from evalcontract.values import json_text, pointer, shown

_SIMPLE = {"boolean": pa.bool_(), "integer": pa.int64(), "number": pa.float64(), "string": pa.string()}


def shape_of(contents: Contents) -> Shape:
    """What the items hold; ContractViolation for an item that isn't an object."""
    shape = Shape()
    shape.kinds.add("object")
    for document in contents.items():
        if not isinstance(document.value, dict):
            raise ContractViolation(
                f"item {document.index + 1} of {contents.label} is {shown(document.value)}, not an object",
                hint="only objects have columns",
            )
        if PARQUET_NULLS in document.value:
            raise ContractViolation(
                f"item {document.index + 1} of {contents.label} has the key {PARQUET_NULLS}, which Parquet files need",
                hint="rename the key",
            )
        for key, value in document.value.items():
            shape.fields.setdefault(key, Shape(depth=1)).add(value)
    return shape


class ParquetWriter:
    """Writes items of a known shape, in row groups."""

    def __init__(self, file: BinaryIO, shape: Shape) -> None:
        self._shape = shape
        self._columns = {key: _type(below) for key, below in shape.fields.items()}
        fields = [pa.field(key, column_type) for key, column_type in self._columns.items()]
        self._schema = pa.schema([*fields, pa.field(PARQUET_NULLS, pa.list_(pa.string()))])
        self._writer = pq.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def begin(self, envelope: Mapping[str, Any] | None) -> None:
        """Nothing: what stands around the items goes to the end of a Parquet file."""

    def item(self, item: dict[str, Any]) -> None:
        """One item."""
        nulls: list[str] = []
        row = {
            key: _stored(value, self._shape.fields[key], pointer((key,)), nulls)
            for key, value in item.items()
        }
        self._rows.append(row | {PARQUET_NULLS: nulls})
        if len(self._rows) >= PARQUET_BATCH:
            self._flush()

    def end(self, envelope: Mapping[str, Any] | None) -> tuple[str, ...]:
        """Finish the file. Returns where whole numbers come back as 1.0."""
        self._flush()
        as_text, as_numbers = _exceptions(self._shape)
        layout = {"version": PARQUET_VERSION, "json": as_text}
        metadata = {PARQUET_LAYOUT: json_bytes(layout)}
        if envelope is not None:
            metadata[PARQUET_DATASET] = json_bytes(envelope)
        self._writer.add_key_value_metadata(metadata)
        self._writer.close()
        notes = [f"kept as JSON text, having no single type: {', '.join(as_text)}"] if as_text else []
        if as_numbers:
            notes.append(f"whole numbers come back with a point (1 as 1.0): {', '.join(as_numbers)}")
        return tuple(notes)

    def abandon(self) -> None:
        """Leave it as it is: pyarrow would finish it later, when its file is closed."""
        self._writer.is_open = False

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
            self._rows.clear()


def _type(shape: Shape) -> pa.DataType:
    kind = shape.kind
    if kind == "object":
        return pa.struct([pa.field(key, _type(child)) for key, child in shape.fields.items()])
    if kind == "array":
        return pa.list_(_type(shape.element or Shape()))
    return _SIMPLE[kind or "string"]


def _stored(value: Any, shape: Shape, at: str, nulls: list[str]) -> Any:
    if value is None:
        nulls.append(at)
        return None
    kind = shape.kind
    if kind is None:
        return json_text(value)
    if kind == "object":
        return {
            key: _stored(child, shape.fields[key], at + pointer((key,)), nulls)
            for key, child in value.items()
        }
    if kind == "array":
        element = shape.element or Shape()
        return [
            None if child is None else _stored(child, element, f"{at}/{index}", nulls)
            for index, child in enumerate(value)
        ]
    return float(value) if kind == "number" else value


def _exceptions(shape: Shape) -> tuple[list[str], list[str]]:
    """The columns kept as JSON text, and those that hold whole numbers among others."""
    as_text: list[str] = []
    as_numbers: list[str] = []
    waiting = [(column_name("", key), below) for key, below in shape.fields.items()]
    while waiting:
        column, below = waiting.pop()
        if below.kind is None:
            as_text.append(column)
        elif below.kind == "number" and "integer" in below.kinds:
            as_numbers.append(column)
        elif below.kind == "object":
            waiting += [(column_name(column, key), child) for key, child in below.fields.items()]
        elif below.kind == "array" and below.element is not None:
            waiting.append((column + "[]", below.element))
    return sorted(as_text), sorted(as_numbers)
