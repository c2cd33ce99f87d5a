"""Datasets as Parquet: a column for each key of the items, objects as nested columns.

A nested column can't hold everything that JSON can. Two things make the way back exact: what has no single
type in all items is kept as JSON text, in columns that the file's metadata lists; and a null that was
written in the JSON is told from an absent key by a column of JSON pointers, `evalcontract:nulls`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from evalcontract.datasets.contents import Contents
from evalcontract.datasets.memory import NoText
from evalcontract.datasets.shape import Shape
from evalcontract.datasets.text_writers import json_text
from evalcontract.errors import ContractViolation, UnreadableInput
from evalcontract.reading import Closed, Document, Event, Fault, Opened
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.strict import parse
from evalcontract.validation.json_values import not_json
from evalcontract.values import shown

NULLS = "evalcontract:nulls"
_DATASET = b"evalcontract:dataset"
_LAYOUT = b"evalcontract:layout"
_VERSION = 1
_BATCH_ITEMS = 1000
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
        if NULLS in document.value:
            raise ContractViolation(
                f"item {document.index + 1} of {contents.label} has the key {NULLS}, which Parquet files need",
                hint="rename the key",
            )
        for key, value in document.value.items():
            shape.fields.setdefault(key, Shape(depth=1)).add(value)
    return shape


class ParquetWriter:
    """Writes items of a known shape, in row groups."""

    def __init__(self, file: BinaryIO, shape: Shape) -> None:
        self._shape = shape
        self._columns = {key: _type(each) for key, each in shape.fields.items()}
        fields = [pa.field(key, each) for key, each in self._columns.items()]
        self._schema = pa.schema([*fields, pa.field(NULLS, pa.list_(pa.string()))])
        self._writer = pq.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def begin(self, envelope: Mapping[str, Any] | None) -> None:
        """Nothing: what stands around the items goes to the end of a Parquet file."""

    def item(self, item: dict[str, Any]) -> None:
        """One item."""
        nulls: list[str] = []
        row = {
            key: _stored(value, self._shape.fields[key], "/" + _token(key), nulls)
            for key, value in item.items()
        }
        self._rows.append(row | {NULLS: nulls})
        if len(self._rows) >= _BATCH_ITEMS:
            self._flush()

    def end(self, envelope: Mapping[str, Any] | None) -> tuple[str, ...]:
        """Finish the file. Returns where whole numbers come back as 1.0."""
        self._flush()
        as_text, as_numbers = _exceptions(self._shape)
        layout = {"version": _VERSION, "json": as_text}
        metadata = {_LAYOUT: json_text(layout)}
        if envelope is not None:
            metadata[_DATASET] = json_text(envelope)
        self._writer.add_key_value_metadata(metadata)
        self._writer.close()
        notes = [f"kept as JSON text, having no single type: {', '.join(as_text)}"] if as_text else []
        if as_numbers:
            notes.append(f"whole numbers come back with a point (1 as 1.0): {', '.join(as_numbers)}")
        return tuple(notes)

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
            self._rows.clear()


def read_parquet(path: Path) -> Iterator[Event]:
    """The events of a Parquet file, as the readers of text give them. UnreadableInput when it is damaged."""
    name = str(path)
    with _readable(path):
        file = pq.ParquetFile(path)
        as_text, envelope = _metadata(file.metadata.metadata or {})
    around = None if envelope is None else Document(envelope, name, 0, NoText())
    yield Opened(name, "json", "lines" if around is None else "dataset", around)
    restore = _Restore(as_text)
    documents = index = 0
    with file:
        batches = file.iter_batches(batch_size=_BATCH_ITEMS)
        while True:
            with _readable(path):
                batch = next(batches, None)
            if batch is None:
                break
            for row in batch.to_pylist():
                event = _restored(restore, row, name, index)
                documents += isinstance(event, Document)
                index += 1
                yield event
    yield Closed(name, documents, index - documents, 0, True, around)


def keeps_nulls(path: Path) -> bool:
    """Whether a Parquet file tells nulls from absent keys: only one that was written here does."""
    with _readable(path):
        return NULLS in pq.read_schema(path).names


def _restored(restore: _Restore, row: dict[str, Any], name: str, index: int) -> Document | Fault:
    try:
        value = restore.item(row)
    except Refusal as refusal:
        return Fault(refusal.code, f"a JSON text: {refusal.message}", None, refusal.hint, name, index=index)
    found = next(not_json(value), None)
    if found is None:
        return Document(value, name, index, NoText())
    return Fault(found.code, f"{found.pointer}: {found.message}", None, found.hint, name, index=index)


def _metadata(metadata: Mapping[bytes, bytes]) -> tuple[frozenset[str], dict[str, Any] | None]:
    """The columns that hold JSON text, and what stands around the items."""
    layout: Any = parse(metadata[_LAYOUT])[0] if _LAYOUT in metadata else {"version": _VERSION, "json": []}
    envelope: Any = parse(metadata[_DATASET])[0] if _DATASET in metadata else None
    if layout["version"] != _VERSION:
        raise ValueError(f"its layout has the version {shown(layout['version'])}, which is not known here")
    if envelope is not None and not isinstance(envelope, dict):
        raise ValueError("its metadata is damaged")
    return frozenset(map(str, layout["json"])), envelope


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, pa.ArrowException, Refusal, ValueError, KeyError, TypeError) as error:
        raise UnreadableInput(f"{path} can't be read as Parquet: {shown(str(error), 160)}") from error


class _Restore:
    """From rows back to items. `as_text` are the columns that hold JSON text, as `input.args`."""

    def __init__(self, as_text: frozenset[str]) -> None:
        self._as_text = as_text

    def item(self, row: dict[str, Any]) -> dict[str, Any]:
        nulls = frozenset(row.pop(NULLS, None) or ())
        found = self._value(row, "", "", nulls)
        assert isinstance(found, dict)
        return found

    def _value(self, value: Any, column: str, pointer: str, nulls: frozenset[str]) -> Any:
        if value is not None and column in self._as_text:
            return parse(str(value).encode())[0]
        if isinstance(value, dict):
            found = {}
            for key, child in value.items():
                below = f"{pointer}/{_token(key)}"
                if child is not None or below in nulls:
                    found[key] = self._value(child, _column(column, key), below, nulls)
            return found
        if isinstance(value, list):
            return [
                self._value(child, column + "[]", f"{pointer}/{at}", nulls) for at, child in enumerate(value)
            ]
        return value


def _type(shape: Shape) -> pa.DataType:
    kind = shape.kind
    if kind == "object":
        return pa.struct([pa.field(key, _type(child)) for key, child in shape.fields.items()])
    if kind == "array":
        return pa.list_(_type(shape.element or Shape()))
    return _SIMPLE[kind or "string"]


def _stored(value: Any, shape: Shape, pointer: str, nulls: list[str]) -> Any:
    if value is None:
        nulls.append(pointer)
        return None
    kind = shape.kind
    if kind is None:
        return json_text(value).decode()
    if kind == "object":
        return {
            key: _stored(child, shape.fields[key], f"{pointer}/{_token(key)}", nulls)
            for key, child in value.items()
        }
    if kind == "array":
        element = shape.element or Shape()
        return [
            None if child is None else _stored(child, element, f"{pointer}/{at}", nulls)
            for at, child in enumerate(value)
        ]
    return float(value) if kind == "number" else value


def _exceptions(shape: Shape) -> tuple[list[str], list[str]]:
    """The columns kept as JSON text, and those that hold whole numbers among others."""
    as_text: list[str] = []
    as_numbers: list[str] = []
    waiting = [(_column("", key), each) for key, each in shape.fields.items()]
    while waiting:
        column, each = waiting.pop()
        if each.kind is None:
            as_text.append(column)
        elif each.kind == "number" and "integer" in each.kinds:
            as_numbers.append(column)
        elif each.kind == "object":
            waiting += [(_column(column, key), child) for key, child in each.fields.items()]
        elif each.kind == "array" and each.element is not None:
            waiting.append((column + "[]", each.element))
    return sorted(as_text), sorted(as_numbers)


def _column(column: str, key: str) -> str:
    name = json.dumps(key, ensure_ascii=False) if set(key) & set('."[]') or not key else key
    return f"{column}.{name}" if column else name


def _token(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
