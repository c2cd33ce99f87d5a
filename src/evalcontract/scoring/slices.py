"""Parts of a dataset: the items with the same value at a JSON pointer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from evalcontract.errors import UsageError
from evalcontract.values import follow, pointer_tokens

MOST_SLICES = 1000


class Slicer:
    """Tells the slices of an item, such as `language=de` by `/metadata/raw_metadata/language`.

    A slice is called after the last step of its pointer. Of an array each text, number or boolean is a slice; an item
    without any is in none. Raises UsageError for pointers whose last steps are the same, NotAPointer for other texts.
    """

    def __init__(self, pointers: Sequence[str]) -> None:
        self._tokens = [pointer_tokens(text) for text in pointers]
        self.keys = tuple(tokens[-1] if tokens else "" for tokens in self._tokens)
        if "" in self.keys:
            raise UsageError(
                "--by needs the pointer of a value",
                hint="write for example --by /metadata/raw_metadata/language",
            )
        for key in self.keys:
            if self.keys.count(key) > 1:
                raise UsageError(f"two pointers of --by end in {key!r}", hint="slices are called after that")
        self._seen: dict[str, set[str]] = {key: set() for key in self.keys}

    def of(self, item: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the item's slices."""
        return tuple(
            f"{key}={label}"
            for key, tokens in zip(self.keys, self._tokens, strict=True)
            for label in self._labels(key, item, tokens)
        )

    def _labels(self, key: str, item: Mapping[str, Any], tokens: Sequence[str]) -> list[str]:
        try:
            value = follow(item, tokens)[1]
        except LookupError:
            return []
        values = value if isinstance(value, list) else [value]
        labels = list(dict.fromkeys(label for part in values if (label := _label(part)) is not None))
        seen = self._seen[key]
        seen.update(labels)
        if len(seen) > MOST_SLICES:
            raise UsageError(
                f"{key} has more than {MOST_SLICES:,} different values",
                hint="break a run down by something with fewer",
            )
        return labels


def _label(value: object) -> str | None:
    if isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, bool | int | float) else None
