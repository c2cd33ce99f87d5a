"""Where a dataset comes from: a file of any format, or memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evalcontract.checking import sidecar_metadata, sidecar_of
from evalcontract.datasets.memory import events_of
from evalcontract.errors import ContractViolation, UnreadableInput, UsageError
from evalcontract.reading import STDIN, STDIN_NAME, Event, keeps_nulls, read, read_parquet
from evalcontract.validation import Violation, violations_of_json
from evalcontract.values import COMPRESSED_SUFFIXES, PARQUET_SUFFIX, numbers_as_written

IN_MEMORY = "<dataset>"
_NO_NULLS = "this Parquet file doesn't tell nulls from absent keys: both are taken for absent"

Dataset = str | os.PathLike[str] | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DatasetSource:
    """A dataset to read, and what is known about it beforehand.

    `events` reads it from the start, again each time unless it is standard input. `stem` is the file name
    without its suffixes, None where there is no file. `beside` is the metadata that lies in a file of its
    own, `beside_file`, and `beside_faults` what is wrong with the text of that file. `placed` tells whether
    its values have lines and columns. `notes` say what the format can't tell.
    """

    label: str
    events: Callable[[], Iterator[Event]]
    stem: str | None = None
    path: Path | None = None
    beside: object = None
    beside_file: str | None = None
    beside_faults: tuple[Violation, ...] = ()
    placed: bool = True
    notes: tuple[str, ...] = ()


def source_of(dataset: Dataset) -> DatasetSource:
    """A dataset as a source.

    Raises UnreadableInput for a folder and ContractViolation for a dataset in memory that JSON can't hold.
    """
    if isinstance(dataset, Mapping):
        value = dict(dataset)
        found = tuple(violations_of_json(value))
        if found:
            raise ContractViolation(f"the dataset is not JSON: {found[0]}", violations=found)
        return DatasetSource(IN_MEMORY, lambda: events_of(value, IN_MEMORY), placed=False)
    if not isinstance(dataset, str | os.PathLike):
        raise UsageError(f"a dataset is a path or a mapping, not {type(dataset).__name__}")
    if os.fspath(dataset) == STDIN:
        return DatasetSource(STDIN_NAME, lambda: read(STDIN, items=True))
    path = Path(dataset)
    if path.is_dir():
        raise UnreadableInput(f"{path} is a folder, not a dataset", hint="name its file")
    with numbers_as_written():
        beside, faults = sidecar_metadata(str(path))
    beside_file = str(sidecar_of(path)) if beside is not None or faults else None
    if path.suffix.lower() == PARQUET_SUFFIX:
        return replace(_parquet(path), beside=beside, beside_file=beside_file, beside_faults=faults)
    return DatasetSource(
        str(path), lambda: read(path, items=True), _stem(path), path, beside, beside_file, faults
    )


def _parquet(path: Path) -> DatasetSource:
    if not path.exists():
        raise UnreadableInput(f"{path}: no such file", hint="check the spelling and the folder")
    notes = () if keeps_nulls(path) else (_NO_NULLS,)
    return DatasetSource(str(path), lambda: read_parquet(path), path.stem, path, placed=False, notes=notes)


def _stem(path: Path) -> str:
    if path.suffix.lower() in COMPRESSED_SUFFIXES:
        path = path.with_suffix("")
    return path.stem
