"""What must be of its own in a file: the ids of items and records, and, by advice, what items ask."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from evalcontract.validation import Violation
from evalcontract.values import shown

Key = str | bytes | tuple[str, ...]
"""An item's id, the digest of what it asks, or a record's item, kind, run and repetition."""

_MARK = "\0"
_RECORDS = {"prediction": "prediction", "scores": "score record"}
_PASSAGE = 200


class ItemIds:
    """Remembers where each key was first seen, by the number of its document."""

    def __init__(self) -> None:
        self._first: dict[Key, int] = {}
        self.add: Callable[[Key, int], int] = self._first.setdefault
        """The number of the first document with this key, which is the document's own where the key is new."""

    def look_alikes(self) -> Iterator[Violation]:
        """Advices about ids of items that differ only by case, outer space or Unicode normal form."""
        ids = [key for key in self._first if isinstance(key, str)]
        if _are_folded(ids) or len(set(map(folded_id, ids))) == len(ids):
            return
        seen: dict[str, str] = {}
        for item_id in ids:
            folded = folded_id(item_id)
            other = seen.setdefault(folded, item_id)
            if other != item_id:
                yield look_alike(item_id, other)


def look_alike(item_id: str, other: str) -> Violation:
    """The advice about an id that folds to the same as another one."""
    return Violation(
        "look-alike-id",
        f"item_id {shown(item_id)} and {shown(other)} differ only by case, space or Unicode form",
        "/item_id",
        hint="platforms that fold ids will merge the two items",
        severity="advice",
        item_id=item_id,
    )


def keys_of(value: object) -> tuple[Key, ...]:
    """What nothing else in the file may be: an item's id and what it asks; a record's item, run and repetition."""
    if not isinstance(value, dict) or not isinstance(item_id := value.get("item_id"), str):
        return ()
    if "input" in value and not value.keys() & _RECORDS.keys():
        asked = key_of_input(value["input"])
        return (item_id,) if asked is None else (item_id, asked)
    kind = next((kind for kind in _RECORDS if kind in value), None)
    return (item_id,) if kind is None else ((item_id, kind, *_run_of(value)),)


def key_of_input(input_: object) -> bytes | None:
    """A digest of what an item asks: its conversation, and the passages in so far as they are told apart quickly."""
    if not isinstance(input_, dict):
        return None
    messages = input_.get("messages")
    if not isinstance(messages, list):
        return hashlib.blake2b(json.dumps(input_, sort_keys=True).encode(), digest_size=8).digest()
    texts = [str(message.get("content")) for message in messages if isinstance(message, dict)]
    passages = input_.get("context")
    if passages and isinstance(passages, list):
        texts += [str(len(passages)), *(str(passage)[:_PASSAGE] for passage in passages)]
    return hashlib.blake2b(_MARK.join(texts).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def repeated(key: Key, first: int | None) -> Violation:
    """The finding about a key that another document has too: the one with number `first`, from 0, of a file.

    None where documents have no order, as the rows of a table.
    """
    item, record = (
        ("another item", "in another record")
        if first is None
        else (f"item {first + 1} of the file", f"record {first + 1} of the file")
    )
    if isinstance(key, bytes):
        return Violation(
            "same-input",
            f"asks the same as {item}",
            "/input",
            hint="if both are meant, tell them apart; a second good answer belongs in alternative_responses",
            severity="advice",
        )
    if isinstance(key, tuple):
        item_id, kind, _, repetition = key
        thing = _RECORDS[kind]
        which = "" if repetition == "1" else f" for repetition {repetition}"
        return Violation(
            f"duplicate-{thing.replace(' ', '-')}",
            f"item {shown(item_id)} already has a {thing}{which}, {record}",
            "/item_id",
            expected=f"one {thing} for an item and repetition",
            actual=shown(item_id),
            hint="keep one of them, or number them with repetition",
            item_id=item_id,
        )
    return Violation(
        "duplicate-item-id",
        f"item_id {shown(key)} is already used by {item}",
        "/item_id",
        expected="an id that is unique in the dataset",
        actual=shown(key),
        hint="give each item an id of its own",
        item_id=key,
    )


def _run_of(record: Mapping[str, Any]) -> tuple[str, str]:
    run, repetition = record.get("run_id"), record.get("repetition")
    return (run if isinstance(run, str) else "", "1" if repetition in (None, 1) else str(repetition))


def _are_folded(ids: list[str]) -> bool:
    """Whether each id is its own folded form: small letters of ASCII and no space. Told of all at once."""
    together = "\n".join(ids)
    return together.isascii() and together.lower() == together and together.split() == ids


def folded_id(item_id: str) -> str:
    """What a platform that folds ids makes of one."""
    if item_id.isascii():
        return item_id.strip().lower()
    return unicodedata.normalize("NFKC", item_id).strip().casefold()
