"""Reads Parquet: each row is an object, with a key for each column that isn't null in it.

A nested column can't hold everything that JSON can. Two things make the way back exact for files written here:
what has no single type in all items is kept as JSON text, in columns that the file's metadata lists; and a
null that was written in the JSON is told from an absent key by a column of JSON pointers, `evalcontract:nulls`.
What JSON has no value for, such as NaN, is a fault.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evalcontract.errors import UnreadableInput, UsageError
from evalcontract.reading.events import Closed, Document, Event, Fault, NoText, Opened
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.strict import parse
from evalcontract.values import not_json, pointer, short, shown

PARQUET_NULLS = "evalcontract:nulls"
PARQUET_DATASET = b"evalcontract:dataset"
PARQUET_LAYOUT = b"evalcontract:layout"
PARQUET_VERSION = 1
PARQUET_BATCH = 1000
_RENAME = "rename one of them, or leave it out"
_NO_NUMBER = "JSON has no NaN and no infinity: write null in the table instead"
_NO_TYPE = "cast the column to text before it is written"


def read_parquet(path: Path) -> Iterator[Event]:
    """The events of a Parquet file, as the readers of text give them. UnreadableInput when it is damaged."""
    name = str(path)
    with _readable(path) as parquet:
        file = parquet.ParquetFile(path)
        as_text, envelope = _metadata(file.metadata.metadata or {})
    around = None if envelope is None else Document(envelope, name, 0, NoText())
    yield Opened(name, "json", "lines" if around is None else "dataset", around)
    twice = list(_columns_of_one_name(file.schema_arrow.names))
    if twice:
        yield from (Fault("duplicate-column", what, None, _RENAME, name, fatal=True) for what in twice)
        yield Closed(name, 0, len(twice), 0, False, around)
        return
    restore = _Restore(as_text)
    documents = index = 0
    with file:
        batches = file.iter_batches(batch_size=PARQUET_BATCH)
        while True:
            with _readable(path):
                batch = next(batches, None)
                rows = None if batch is None else batch.to_pylist()
            if rows is None:
                break
            for row in rows:
                event = _restored(restore, row, name, index)
                documents += isinstance(event, Document)
                index += 1
                yield event
    yield Closed(name, documents, index - documents, 0, True, around)


def keeps_nulls(path: Path) -> bool:
    """Whether a Parquet file tells nulls from absent keys: only one that was written here does."""
    with _readable(path) as parquet:
        return PARQUET_NULLS in parquet.read_schema(path).names


def column_name(column: str, key: str) -> str:
    """The column of a key below a column, as `input.args`; an element's is `input[]`."""
    name = json.dumps(key, ensure_ascii=False) if set(key) & set('."[]') or not key else key
    return f"{column}.{name}" if column else name


def _columns_of_one_name(names: Sequence[str]) -> Iterator[str]:
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        other = first.setdefault(name, index)
        if other != index:
            yield f"columns {other + 1} and {index + 1} are both named {short(name, 60)}"


def _restored(restore: _Restore, row: dict[str, Any], name: str, index: int) -> Document | Fault:
    try:
        value = restore.item(row)
    except Refusal as refusal:
        message = f"row {index + 1}: a JSON text: {refusal.message}"
        return Fault(refusal.code, message, None, refusal.hint, name, index=index)
    found = next(not_json(value), None)
    if found is None:
        return Document(value, name, index, NoText())
    message = f"row {index + 1}, {pointer(found.path)}: {found.message}"
    hint = _NO_NUMBER if found.expected == "a finite number" else _NO_TYPE
    return Fault(found.code, message, None, hint, name, index=index)


def _metadata(metadata: Mapping[bytes, bytes]) -> tuple[frozenset[str], dict[str, Any] | None]:
    """The columns that hold JSON text, and what stands around the items."""
    layout: Any = (
        parse(metadata[PARQUET_LAYOUT])[0]
        if PARQUET_LAYOUT in metadata
        else {"version": PARQUET_VERSION, "json": []}
    )
    envelope: Any = parse(metadata[PARQUET_DATASET])[0] if PARQUET_DATASET in metadata else None
    if layout["version"] != PARQUET_VERSION:
        raise ValueError(f"its layout has the version {shown(layout['version'])}, which is not known here")
    if envelope is not None and not isinstance(envelope, dict):
        raise ValueError("its metadata is damaged")
    return frozenset(map(str, layout["json"])), envelope


@contextmanager
def _readable(path: Path) -> Iterator[Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise UsageError(
            "Parquet files need pyarrow", hint="pip install pyarrow, or save the table as .jsonl"
        ) from None
    try:
        yield parquet
    except (OSError, pyarrow.ArrowException, Refusal, ValueError, KeyError, TypeError) as error:
        raise UnreadableInput(f"{path} can't be read as Parquet: {shown(str(error), 160)}") from error


class _Restore:
    """From rows back to items. `as_text` are the columns that hold JSON text, as `input.args`."""

    def __init__(self, as_text: frozenset[str]) -> None:
        self._as_text = as_text

    def item(self, row: dict[str, Any]) -> dict[str, Any]:
        nulls = frozenset(row.pop(PARQUET_NULLS, None) or ())
        found = self._value(row, "", "", nulls)
        assert isinstance(found, dict)
        return found

    def _value(self, value: Any, column: str, at: str, nulls: frozenset[str]) -> Any:
        if value is not None and column in self._as_text:
            return parse(str(value).encode())[0]
        if isinstance(value, dict):
            found = {}
            for key, child in value.items():
                below = at + pointer((key,))
                if child is not None or below in nulls:
                    found[key] = self._value(child, column_name(column, key), below, nulls)
            return found
        if isinstance(value, list):
            return [
                self._value(child, column + "[]", f"{at}/{index}", nulls) for index, child in enumerate(value)
            ]
        return value
