"""The metadata of a dataset whose items have nothing around them: a file of its own, beside them."""

from __future__ import annotations

from glob import escape
from pathlib import Path

from evalcontract.checking.places import from_fault
from evalcontract.errors import UsageError
from evalcontract.reading import Document, Fault, read
from evalcontract.validation import Violation, is_valid
from evalcontract.values import (
    COMPRESSED_SUFFIXES,
    JSON_SUFFIXES,
    LINES_SUFFIXES,
    PARQUET_SUFFIX,
    YAML_SUFFIXES,
    same_value,
)

METADATA = "dataset_metadata"
_SUFFIX = ".metadata.json"
_ITEMS = (*LINES_SUFFIXES, *JSON_SUFFIXES, *YAML_SUFFIXES, PARQUET_SUFFIX)


def sidecar_of(file: Path) -> Path | None:
    """Where the metadata of a file of items would be, whatever its format; None for other files.

    It is read unless the file holds a dataset, which has its metadata in it.
    """
    stem = _without(file, _ITEMS)
    return None if stem is None or _is_named_metadata(file) else file.with_name(stem + _SUFFIX)


def written_sidecar_of(file: Path) -> Path | None:
    """Where the metadata are written with a file: beside JSON Lines. In the other formats they stand in the file."""
    return sidecar_of(file) if _without(file, LINES_SUFFIXES) is not None else None


def read_sidecar_of(file: Path) -> Path | None:
    """What is read beside a file. Of a file that may hold a dataset that is a file that is there, and is no other's."""
    beside = sidecar_of(file)
    if beside is None or _without(file, LINES_SUFFIXES) is not None:
        return beside
    of_lines = any(lines.is_file() for lines in _lines_beside(beside))
    return beside if beside.is_file() and not of_lines else None


def _without(file: Path, suffixes: tuple[str, ...]) -> str | None:
    """The name of a file without one of these suffixes, and that of its compression."""
    name = file.name
    for packed in COMPRESSED_SUFFIXES:
        name = name[: -len(packed)] if name.lower().endswith(packed) else name
    for suffix in suffixes:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return None


def _is_named_metadata(file: Path) -> bool:
    return file.name.endswith(_SUFFIX)


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
    beside = written_sidecar_of(target)
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
    """Whether a file holds the metadata of the items beside it, and no items."""
    if not _is_named_metadata(file):
        return False
    named_alike = file.parent.glob(escape(file.name.removesuffix(_SUFFIX)) + ".*")
    return any(sidecar_of(items) == file and items.is_file() for items in named_alike)


def overruled(file: str, metadata: object) -> tuple[Violation, ...]:
    """An advice when the metadata in a dataset differ from those beside it, which are not read then.

    None where they are those of a file of JSON Lines with the same name.
    """
    beside = sidecar_of(Path(file))
    if file == "-" or beside is None or not beside.is_file():
        return ()
    if any(lines.is_file() for lines in _lines_beside(beside)):
        return ()
    other, faults = sidecar_metadata(file)
    if not faults and same_value(metadata, other):
        return ()
    message = f"the dataset has its own metadata: those in {beside.name} differ and are not read"
    hint = "remove that file, or the metadata around the items"
    return (Violation("metadata-beside", message, hint=hint, severity="advice", file=file),)


def sidecar_metadata(file: str) -> tuple[object, tuple[Violation, ...]]:
    """The metadata beside a file of items, None where there is none, and what is wrong with its text."""
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
