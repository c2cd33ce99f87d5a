"""Datasets to check: a file, or a dataset that is in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalcontract.checking.sidecar import sidecar_metadata, sidecar_of
from evalcontract.errors import ContractViolation, UnreadableInput, UsageError
from evalcontract.reading import Closed, Document, Event, Opened, Position, read
from evalcontract.reading.events import START
from evalcontract.reading.sources import COMPRESSED_SUFFIXES, STDIN, STDIN_NAME
from evalcontract.validation import Violation
from evalcontract.validation.json_values import not_json

IN_MEMORY = "<dataset>"

Dataset = str | os.PathLike[str] | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """A dataset that can be read as often as `again` says, and what is known about it beforehand.

    `stem` is the file name without its suffixes, None where there is no file. `beside` is the metadata that
    lies in a file of its own, `beside_file`, and `beside_faults` what is wrong with the text of that file.
    """

    label: str
    events: Callable[[], Iterator[Event]]
    stem: str | None = None
    path: Path | None = None
    beside: object = None
    beside_file: str | None = None
    beside_faults: tuple[Violation, ...] = ()


def source_of(dataset: Dataset) -> Source:
    """A dataset as a source. UnreadableInput for a folder, ContractViolation for NaN."""
    if isinstance(dataset, Mapping):
        found = tuple(not_json(dict(dataset)))
        if found:
            raise ContractViolation(f"the dataset is not JSON: {found[0]}", violations=found)
        value = dict(dataset)
        return Source(IN_MEMORY, lambda: _in_memory(value))
    if not isinstance(dataset, str | os.PathLike):
        raise UsageError(f"a dataset is a path or a mapping, not {type(dataset).__name__}")
    if os.fspath(dataset) == STDIN:
        return Source(STDIN_NAME, lambda: read(STDIN, items=True))
    path = Path(dataset)
    if path.is_dir():
        raise UnreadableInput(f"{path} is a folder, not a dataset", hint="name its file")
    beside, faults = sidecar_metadata(str(path))
    return Source(
        str(path),
        lambda: read(path, items=True),
        _stem(path),
        path,
        beside,
        str(sidecar_of(path)) if beside is not None or faults else None,
        faults,
    )


def _stem(path: Path) -> str:
    if path.suffix.lower() in COMPRESSED_SUFFIXES:
        path = path.with_suffix("")
    return path.stem


@dataclass(frozen=True, slots=True)
class _NoText:
    """Origin of a value that was never text."""

    start: Position = START
    raw: None = None

    def find(self, tokens: tuple[str, ...], *, key: bool) -> Position:
        raise LookupError(tokens)


def _in_memory(dataset: dict[str, Any]) -> Iterator[Event]:
    items = dataset.get("items")
    rest = {key: value for key, value in dataset.items() if key != "items"}
    envelope = Document(rest if isinstance(items, list) else dataset, IN_MEMORY, 0, _NoText())
    values = items if isinstance(items, list) else []
    yield Opened(IN_MEMORY, "json", "dataset", envelope)
    for index, value in enumerate(values):
        yield Document(value, IN_MEMORY, index, _NoText())
    yield Closed(IN_MEMORY, len(values), 0, 0, True, envelope)
