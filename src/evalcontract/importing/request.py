"""What an import is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evalcontract.catalog import SchemaType
from evalcontract.importing.mapping import Mapping

ID_RULES = ("content-hash", "row-number", "error")


@dataclass(frozen=True, slots=True)
class DatasetRelease:
    """What the metadata of a dataset say beside its schema type."""

    product_id: str
    scope: str
    version: str


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What to import and how. `predictions` is where prediction records go, None when they are not wanted.

    `release` makes the output a dataset with metadata, all items of the `schema_type`, which it needs.
    """

    source: Path
    mapping: Mapping
    output: Path
    predictions: Path | None = None
    schema_type: SchemaType | None = None
    ids: str | None = None
    list_delimiter: str | None = None
    allow_drop: bool = False
    keep: tuple[str, ...] = ()
    beside: tuple[tuple[str, Path], ...] = ()
    release: DatasetRelease | None = None
