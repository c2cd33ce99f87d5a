"""What changed between two datasets: items by item_id, keys and metadata."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalcontract.datasets import Contents, Dataset, DatasetSource, source_of
from evalcontract.errors import UsageError
from evalcontract.reading import STDIN_NAME
from evalcontract.release.changes import changes
from evalcontract.release.keys import KeyUnions
from evalcontract.values import digest

DETAILED = 200
_PLACES = 50


@dataclass(frozen=True, slots=True)
class ItemChange:
    """An item that is not as it was: (JSON pointer, added | removed | changed), the first places only."""

    item_id: str
    places: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class DatasetDiff:
    """Two datasets compared. Items are joined by item_id, the first of several with one id.

    `details` has the places of the first `DETAILED` changed items. `unnamed` counts items without an id and
    `repeated` items whose id was there before, in both datasets: neither is compared.
    """

    before: str
    after: str
    items_before: int
    items_after: int
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    details: tuple[ItemChange, ...]
    keys_added: tuple[str, ...]
    keys_removed: tuple[str, ...]
    metadata: tuple[tuple[str, str], ...]
    metadata_before: Mapping[str, Any]
    metadata_after: Mapping[str, Any]
    unnamed: int = 0
    repeated: int = 0

    @property
    def same_items(self) -> bool:
        """Whether the items are the same, in whatever order."""
        return not (self.added or self.removed or self.changed)


def diff_datasets(before: Dataset, after: Dataset) -> DatasetDiff:
    """Compare two datasets in memory for ids and keys only. Each is read twice when items have changed.

    Raises ContractViolation for a dataset that can't be read to its end.
    """
    old, new = _DiffedDataset(source_of(before)), _DiffedDataset(source_of(after))
    changed = tuple(
        item_id for item_id, seen in new.digests.items() if old.digests.get(item_id, seen) != seen
    )
    return DatasetDiff(
        before=old.source.label,
        after=new.source.label,
        items_before=old.items,
        items_after=new.items,
        added=tuple(item_id for item_id in new.digests if item_id not in old.digests),
        removed=tuple(item_id for item_id in old.digests if item_id not in new.digests),
        changed=changed,
        details=_details(old, new, changed[:DETAILED]),
        keys_added=tuple(sorted(new.keys.named() - old.keys.named())),
        keys_removed=tuple(sorted(old.keys.named() - new.keys.named())),
        metadata=tuple(changes(old.metadata, new.metadata)),
        metadata_before=old.metadata,
        metadata_after=new.metadata,
        unnamed=old.unnamed + new.unnamed,
        repeated=old.repeated + new.repeated,
    )


class _DiffedDataset:
    """One of the two datasets, read once."""

    def __init__(self, source: DatasetSource) -> None:
        if source.label == STDIN_NAME:
            raise UsageError("standard input can't be compared", hint="write it to a file first")
        self.source = source
        self.digests: dict[str, bytes] = {}
        self.keys = KeyUnions()
        self.items = self.unnamed = self.repeated = 0
        contents = Contents(source)
        for document in contents.items():
            self._add(document.value)
        metadata = (contents.envelope or {}).get("metadata")
        self.metadata: Mapping[str, Any] = metadata if isinstance(metadata, dict) else {}

    def _add(self, item: Any) -> None:
        self.items += 1
        item_id = _id(item)
        if item_id is None:
            self.unnamed += 1
            return
        self.keys.add(item, item_id)
        if item_id in self.digests:
            self.repeated += 1
        else:
            self.digests[item_id] = digest(item)

    def picked(self, ids: frozenset[str]) -> dict[str, Any]:
        """The items with these ids."""
        found: dict[str, Any] = {}
        for document in Contents(self.source).items():
            item_id = _id(document.value)
            if item_id in ids:
                found.setdefault(item_id, document.value)
        return found


def _details(old: _DiffedDataset, new: _DiffedDataset, ids: tuple[str, ...]) -> tuple[ItemChange, ...]:
    if not ids:
        return ()
    wanted = frozenset(ids)
    before, after = old.picked(wanted), new.picked(wanted)
    return tuple(
        ItemChange(item_id, tuple(changes(before[item_id], after[item_id]))[:_PLACES]) for item_id in ids
    )


def _id(item: Any) -> str | None:
    item_id = item.get("item_id") if isinstance(item, dict) else None
    return item_id if isinstance(item_id, str) else None
