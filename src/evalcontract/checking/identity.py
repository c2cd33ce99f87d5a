"""Item ids over a whole file: repeated ones, and ones that only look different."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

from evalcontract.validation import Violation
from evalcontract.values import shown


class ItemIds:
    """Remembers where each item_id was first seen, by the number of its item."""

    def __init__(self) -> None:
        self._first: dict[str, int] = {}
        self.add: Callable[[str, int], int] = self._first.setdefault
        """The number of the first item with this id, which is the item's own where the id is new."""

    def look_alikes(self) -> Iterator[Violation]:
        """Advices about ids that differ only by case, outer space or Unicode normal form."""
        if self._are_folded() or len(set(map(_folded, self._first))) == len(self._first):
            return
        seen: dict[str, str] = {}
        for item_id in self._first:
            folded = _folded(item_id)
            other = seen.setdefault(folded, item_id)
            if other != item_id:
                yield Violation(
                    "look-alike-id",
                    f"item_id {shown(item_id)} and {shown(other)} differ only by case, space or Unicode form",
                    "/item_id",
                    hint="platforms that fold ids will merge the two items",
                    severity="advice",
                    item_id=item_id,
                )

    def _are_folded(self) -> bool:
        """Whether each id is its own folded form: small letters of ASCII and no space. Told of all at once."""
        together = "\n".join(self._first)
        return together.isascii() and together.lower() == together and together.split() == list(self._first)


def _folded(item_id: str) -> str:
    if item_id.isascii():
        return item_id.strip().lower()
    return unicodedata.normalize("NFKC", item_id).strip().casefold()


def repeated(item_id: str, first: int) -> Violation:
    """The violation of an id that the item with number `first`, from 0, has too."""
    return Violation(
        "duplicate-item-id",
        f"item_id {shown(item_id)} is already used by item {first + 1} of the file",
        "/item_id",
        expected="an id that is unique in the dataset",
        actual=shown(item_id),
        hint="give each item an id of its own",
        item_id=item_id,
    )
