"""The metadata of a dataset whose items are JSON Lines: a file of its own, beside them."""

from __future__ import annotations

from pathlib import Path

from evalcontract.checking.places import from_fault
from evalcontract.reading import Document, Fault, read
from evalcontract.validation import Violation

METADATA = "dataset_metadata"
_SUFFIX = ".metadata.json"
_LINES = (".jsonl", ".ndjson")


def sidecar_of(file: Path) -> Path | None:
    """Where the metadata of a JSON Lines file would be; None for other files."""
    name = file.name.removesuffix(".gz").removesuffix(".zst")
    for suffix in _LINES:
        if name.endswith(suffix):
            return file.with_name(name.removesuffix(suffix) + _SUFFIX)
    return None


def is_sidecar(file: Path) -> bool:
    """Whether a file holds the metadata of the JSON Lines file beside it, and no items."""
    stem = file.name.removesuffix(_SUFFIX)
    return file.name.endswith(_SUFFIX) and any(
        file.with_name(stem + suffix + packed).is_file()
        for suffix in _LINES
        for packed in ("", ".gz", ".zst")
    )


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
