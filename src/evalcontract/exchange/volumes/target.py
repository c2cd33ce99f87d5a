"""Where a release goes: a path in a volume, and a table of releases."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evalcontract.errors import ContractError, UsageError
from evalcontract.release import DatasetName, volume_path
from evalcontract.values import shown

_FOLDER = re.compile(r"/Volumes(/[A-Za-z0-9_.-]+){3,30}/?")
_TABLE = re.compile(r"[A-Za-z0-9_-]{1,255}(\.[A-Za-z0-9_-]{1,255}){2}")


class VolumeError(ContractError):
    """The workspace can't be reached, refuses, or has something else than what was written."""


@dataclass(frozen=True, slots=True)
class Target:
    """A path in a volume, and the table (`catalog.schema.table`) with the SQL warehouse that writes its row, if any."""

    path: str
    table: str | None = None
    warehouse: str | None = None

    @property
    def digest_path(self) -> str:
        """Where the sha256 of the snapshot stands, as `sha256sum --check` reads it."""
        return f"{self.path}.sha256"


def target_of(
    name: DatasetName, volume: str, *, table: str | None = None, warehouse: str | None = None
) -> Target:
    """Where a release goes. `volume` is a catalog, below which the path is `volume_path`'s, or a folder in a volume.

    Raises UsageError for what is neither, and for a table without a warehouse.
    """
    if volume.startswith("/"):
        if not _FOLDER.fullmatch(volume) or "/../" in f"{volume}/" or "/./" in f"{volume}/":
            raise UsageError(
                f"{shown(volume)} is no folder in a volume",
                hint="write /Volumes/CATALOG/SCHEMA/VOLUME/FOLDER",
            )
        path = f"{volume.rstrip('/')}/{name}.json"
    else:
        path = volume_path(volume, name)
    if table is not None and not _TABLE.fullmatch(table):
        raise UsageError(f"{shown(table)} is no table", hint="write catalog.schema.table")
    if (table is None) != (warehouse is None):
        raise UsageError("a row in a table needs --table and --warehouse", hint="give both, or neither")
    return Target(path, table, warehouse)
