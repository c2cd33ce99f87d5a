"""From one format to another without loss, or with the loss said."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, Literal, Protocol

from evalcontract.checking import (
    ItemIds,
    keys_of,
    located,
    read_sidecar_of,
    refuse_foreign_metadata,
    refuse_metadata_beside,
    repeated,
    written_sidecar_of,
)
from evalcontract.datasets.contents import Contents
from evalcontract.datasets.sources import DatasetSource
from evalcontract.datasets.text_writers import METADATA, JsonWriter, LinesWriter, Writer
from evalcontract.errors import ContractViolation, UsageError
from evalcontract.files import refuse_overwriting
from evalcontract.reading import Document
from evalcontract.validation import Violation
from evalcontract.values import LINES_SUFFIXES, PARQUET_SUFFIX, numbers_as_written

Format = Literal["json", "lines", "parquet"]
FORMATS: dict[str, Format] = {
    ".json": "json",
    **dict.fromkeys(LINES_SUFFIXES, "lines"),
    PARQUET_SUFFIX: "parquet",
}

_SHOWN = 5

OpenFile = Callable[[Path], AbstractContextManager[BinaryIO]]


class ItemTransform(Protocol):
    """Changes items on their way."""

    def change(self, document: Document) -> Any:
        """The item to write, or the same one; the document's value must not be changed."""

    def finish(self) -> None:
        """Called behind the last item: an error raised here leaves nothing written."""


@dataclass(frozen=True, slots=True)
class ConvertedFiles:
    """What was written: the files, the number of items, and what the format couldn't keep, in sentences."""

    files: tuple[Path, ...]
    items: int
    notes: tuple[str, ...]


def format_of_target(path: Path) -> Format:
    """The format that a file name asks for; UsageError for any other suffix."""
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        raise UsageError(
            f"{path}: {path.suffix or 'no suffix'} names no format that is written",
            hint=f"use one of {', '.join(FORMATS)}",
        )
    return found


@numbers_as_written()
def convert(
    source: DatasetSource,
    target: Path,
    open_file: OpenFile,
    *,
    transform: ItemTransform | None = None,
    allow_loss: bool = False,
    is_release: bool = False,
) -> ConvertedFiles:
    """Write a dataset to a file in the format of its suffix, changed by `transform` item by item.

    What must be of its own in a file (the id of an item; item, run and repetition of a record) must not stand twice.
    `open_file` opens what is written; it should let a file appear whole or not at all. Raises
    ContractViolation for a dataset that can't be read to its end or repeats an id, for a loss that isn't allowed, and
    for a release (`is_release`) without metadata.
    """
    kind = format_of_target(target)
    _refuse_itself(source, target)
    if kind == "parquet" and transform is not None:
        raise UsageError(
            "items are changed in JSON formats only", hint="write .jsonl, then convert that file"
        )
    beside = written_sidecar_of(target)
    written = [target]
    with ExitStack() as files:

        def open_sidecar() -> BinaryIO:
            assert beside is not None
            refuse_foreign_metadata(target)
            written.append(beside)
            return files.enter_context(open_file(beside))

        writer: Writer
        if kind == "parquet":
            parquet = _parquet_writing()
            shape = parquet.shape_of(Contents(source))
            rows = parquet.ParquetWriter(files.enter_context(open_file(target)), shape)
            files.callback(rows.abandon)
            writer = rows
        elif kind == "lines":
            file = files.enter_context(open_file(target))
            writer = LinesWriter(file, open_sidecar, allow_loss=allow_loss)
        else:
            writer = JsonWriter(files.enter_context(open_file(target)))
        contents = Contents(source)
        items = 0
        writer.begin(contents.envelope)
        keys, repeats = ItemIds(), RepeatedKeys(source.label)
        for document in contents.items():
            repeats.look(document, keys)
            writer.item(transform.change(document) if transform else document.value)
            items += 1
        if transform:
            transform.finish()
        repeats.refuse()
        if is_release and not (contents.envelope or {}).get(METADATA):
            raise ContractViolation(
                f"{target.name} is the name of a release, and {source.label} has no metadata",
                hint="choose another name, or make a release with evalcontract import --product, --scope and --version",
            )
        notes = writer.end(contents.envelope)
        if contents.envelope is None or (kind == "lines" and beside not in written):
            refuse_metadata_beside(target)
    return ConvertedFiles(tuple(written), items, (*source.notes, *notes))


class RepeatedKeys:
    """Ids that stand twice, which no verb lets pass: joined by them, one of the two would be lost."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._found: list[Violation] = []
        self._count = 0

    def look(self, document: Document, ids: ItemIds) -> None:
        """Remember the keys of a document, and note one that was there before."""
        for key in keys_of(document.value):
            if isinstance(key, bytes):
                continue
            first = ids.add(key, document.index)
            if first != document.index:
                self._count += 1
                if len(self._found) < _SHOWN:
                    self._found.append(located(repeated(key, first), document))

    def refuse(self) -> None:
        """Raise ContractViolation when there was one."""
        if not self._count:
            return
        lines = [
            f"{found.file}{f':{found.line}' if found.line else ''}: {found.message}" for found in self._found
        ]
        rest = self._count - len(lines)
        raise ContractViolation(
            f"{self._label} repeats what must be unique:",
            details=(*lines, *([f"and {rest} more"] if rest else [])),
            violations=tuple(self._found),
            hint=f"nothing was written; {self._found[0].hint}",
        )


def _parquet_writing() -> ModuleType:
    try:
        from evalcontract.datasets import parquet
    except ImportError as error:
        raise UsageError("Parquet files need pyarrow", hint="pip install pyarrow") from error
    return parquet


def _refuse_itself(source: DatasetSource, target: Path) -> None:
    refuse_overwriting(
        (target, written_sidecar_of(target)), (source.path, source.path and read_sidecar_of(source.path))
    )
