"""What must be of its own in a file: the ids of items and records, and, by advice, what items ask."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from evalcontract.validation import Violation
from evalcontract.values import digest, shown, stated

Key = str | bytes | int | tuple[str, ...]
"""An item's id, what stands for what it asks, or a record's item, kind, run and repetition (of scores also by whom)."""
Asks = Callable[[object], Key | None]
"""Gives what stands for the input of an item: inputs that are equal as JSON share it, null being absent."""

_MESSAGE = {"role", "content"}
_RECORDS = {"prediction": "prediction", "scores": "score record"}


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


def keys_of(value: object, asks: Asks | None = None) -> tuple[Key, ...]:
    """What nothing else in the file may be: an item's id and what it asks; a record's item, run and repetition."""
    if not isinstance(value, dict) or not isinstance(item_id := value.get("item_id"), str):
        return ()
    if "input" in value and not value.keys() & _RECORDS.keys():
        asked = (asks or digest_of_input)(value["input"])
        return (item_id,) if asked is None else (item_id, asked)
    kind = next((kind for kind in _RECORDS if kind in value), None)
    if kind is None:
        return (item_id,)
    key = (item_id, kind, *_run_of(value))
    return tuple((*key, *by) for by in _evaluators(value["scores"])) if kind == "scores" else (key,)


def _evaluators(scores: object) -> list[tuple[str, ...]]:
    """Who gave the scores of a record: each may be in one record of an item, this package without a name."""
    said = scores.values() if isinstance(scores, dict) else ()
    named = {
        (name,) if isinstance(name := score.get("evaluator"), str) else ()
        for score in said
        if isinstance(score, dict)
    }
    return sorted(named) or [()]


def digest_of_input(input_: object) -> bytes | None:
    """What stands for an input in every process."""
    if not isinstance(input_, dict):
        return None
    texts = _texts(input_)
    if texts is None:
        return digest(stated(input_))
    from hashlib import sha256

    sizes = repr(list(map(len, texts)))
    return sha256("".join((*texts, sizes)).encode("utf-8", "surrogatepass")).digest()[:16]


def hash_of_input(input_: object) -> int | None:
    """What stands for an input in this process and those that are forked from it, in a third of the time."""
    if not isinstance(input_, dict):
        return None
    texts = _texts(input_)
    return hash(digest(stated(input_)) if texts is None else tuple(texts))


def _texts(input_: Mapping[str, Any]) -> list[str] | None:
    """All that a conversation with lists of texts, which most inputs are, says; None for any other input."""
    try:
        texts = _all_texts(input_)
    except (KeyError, TypeError):
        return None
    return texts if {*map(type, texts)} == {str} else None


def _all_texts(input_: Mapping[str, Any]) -> list[str]:
    texts: list[str] = []
    for key in sorted(input_):
        part = input_[key]
        if part is None:
            continue
        if part.__class__ is not list:
            raise TypeError(key)
        texts += (key, str(len(part)))
        if key != "messages":
            texts += part
            continue
        for message in part:
            texts += (message["role"], message["content"])
            if len(message) > 2 and any(message[name] is not None for name in message.keys() - _MESSAGE):
                raise TypeError(key)
    return texts


def repeated(key: Key, first: int | None) -> Violation:
    """The finding about a key that another document has too: the one with number `first`, from 0, of a file.

    None where documents have no order, as the rows of a table.
    """
    item, record = (
        ("another item", "in another record")
        if first is None
        else (f"item {first + 1} of the file", f"record {first + 1} of the file")
    )
    if isinstance(key, bytes | int):
        return Violation(
            "same-input",
            f"asks the same as {item}",
            "/input",
            hint="if both are meant, tell them apart; a second good answer belongs in alternative_responses",
            severity="advice",
        )
    if isinstance(key, tuple):
        item_id, kind, _, repetition, *by = key
        thing = _RECORDS[kind]
        which = "" if repetition == "1" else f" for repetition {repetition}"
        which += f" by {shown(by[0], 60)}" if by else ""
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
