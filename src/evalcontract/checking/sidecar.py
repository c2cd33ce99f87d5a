"""The metadata of a dataset whose items are JSON Lines: a file of its own, beside them."""

from __future__ import annotations

from pathlib import Path

from evalcontract.checking.places import from_fault
from evalcontract.errors import UsageError
from evalcontract.reading import Document, Fault, read
from evalcontract.validation import Violation, is_valid
from evalcontract.values import COMPRESSED_SUFFIXES, LINES_SUFFIXES

METADATA = "dataset_metadata"
_SUFFIX = ".metadata.json"


def sidecar_of(file: Path) -> Path | None:
    """Where the metadata of a JSON Lines file would be; None for other files."""
    name = file.stem if file.suffix in COMPRESSED_SUFFIXES else file.name
    for suffix in LINES_SUFFIXES:
        if name.endswith(suffix):
            return file.with_name(name.removesuffix(suffix) + _SUFFIX)
    return None


def refuse_metadata_beside(target: Path) -> None:
    """Raise UsageError when a file beside items that are to be written would be taken for their metadata."""
    beside = sidecar_of(target)
    if beside is not None and beside.exists():
        raise UsageError(
            f"{beside} would be taken for the metadata of {target}",
            hint="remove it, or choose another name",
        )


def refuse_foreign_metadata(target: Path) -> None:
    """Raise UsageError when the metadata of a dataset that is to be written have the name of something else.

    What is there may be replaced when it is the metadata of the dataset that is written anew, and of no other.
    """
    beside = sidecar_of(target)
    if beside is None or not beside.exists():
        return
    lines = [file for file in _lines_beside(beside) if file.is_file()]
    if not target.exists() or len(lines) != 1 or not _holds_metadata(target):
        raise UsageError(
            f"{beside} is there already, and not the metadata of an older {target.name}",
            hint=f"the metadata of {target.name} are written beside it: choose another name, or remove that file",
        )


def _holds_metadata(target: Path) -> bool:
    metadata, faults = sidecar_metadata(str(target))
    return not faults and is_valid(metadata, METADATA)


def _lines_beside(sidecar: Path) -> list[Path]:
    """The files of JSON Lines whose metadata a file would be."""
    stem = sidecar.name.removesuffix(_SUFFIX)
    return [
        sidecar.with_name(stem + suffix + packed)
        for suffix in LINES_SUFFIXES
        for packed in ("", *COMPRESSED_SUFFIXES)
    ]


def is_sidecar(file: Path) -> bool:
    """Whether a file holds the metadata of the JSON Lines file beside it, and no items."""
    return file.name.endswith(_SUFFIX) and any(lines.is_file() for lines in _lines_beside(file))


def sidecar_metadata(file: str) -> tuple[object, tuple[Violation, ...]]:
    """The metadata beside a JSON Lines file, None where there is none, and what is wrong with its text."""
    path = sidecar_of(Path(file))
    if file == "-" or path is None or not path.is_file():
        return None, ()
    metadata, faults = None, []
    for event in read(path, items=False):
        if isinstance(event, Document):
            metadata = event.value
        elif isinstance(event, Fault):
            faults.append(from_fault(event))
    return metadata, tuple(faults)
