"""The documents that an answer could rest on, and what is known of their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from evalcontract.metrics._result import rests_on

Record = Mapping[str, Any]
Supplied = Sequence[tuple[str | None, str | None]]

_NAMELESS = "\0"


def is_nameless(document_id: str) -> bool:
    """Whether this is the stand-in for a retrieved document without an id."""
    return document_id.startswith(_NAMELESS)


def retrieved_ids(retrieved: Sequence[Record]) -> list[str]:
    """The ids of retrieved documents, best first; one without an id has a name that nothing cites."""
    return [row.get("document_id") or f"{_NAMELESS}{rank}" for rank, row in enumerate(retrieved, 1)]


def supplied_by(ids: Sequence[str] | None, texts: Sequence[str] | None) -> Supplied:
    """(id, text) of what an item supplies; a text may have no id, and an id no text."""
    return [(id_ or None, text or None) for id_, text in zip_longest(ids or (), texts or ())]


@dataclass(frozen=True, slots=True)
class Documents:
    """`by_id`: the documents with their texts, None where none is known; what was retrieved first, best first.

    `nameless` are texts that the item supplies without an id. `numbered` are the ids that [1], [2], ... mean.
    `retrieved` has the known texts of each retrieved document, empty where there is none; it is None when what was
    retrieved is not recorded.
    """

    by_id: Mapping[str, str | None]
    nameless: Sequence[str]
    numbered: Sequence[str]
    retrieved: Sequence[Sequence[str]] | None

    @property
    def texts(self) -> list[str]:
        """All known texts."""
        return [*filter(None, self.by_id.values()), *self.nameless]

    @property
    def partly_known(self) -> str | None:
        """How many of the retrieved documents have a text, None when all have."""
        known = sum(map(bool, self.retrieved or ()))
        return rests_on(known, len(self.retrieved or ()) - known, "documents")


def documents_of(supplied: Supplied, retrieved: Sequence[Record] | None, *, judged: bool) -> Documents:
    """What an answer could rest on: what was retrieved, and what the item supplies.

    Where the item judges the retrieval (`judged`), its own documents are there to be found, and only what was
    retrieved counts; they are taken when nothing was recorded. A document has all the texts that either side knows.
    """
    given: dict[str, list[str]] = {}
    nameless: list[str] = []
    for id_, text in supplied:
        if id_ is None:
            nameless += [text] if text else []
        else:
            given.setdefault(id_, []).extend([text] if text else [])
    if retrieved is None:
        return Documents(_joined(given), nameless, list(given), None)
    found: dict[str, list[str]] = {}
    for id_, row in zip(retrieved_ids(retrieved), retrieved, strict=True):
        content = row.get("content")
        found.setdefault(id_, []).extend([content] if content else [])
    for id_, texts in found.items():
        texts.extend(given.get(id_, ()))
    distinct = [list(dict.fromkeys(texts)) for texts in found.values()]
    numbered = list(found)
    if judged:
        return Documents(_joined(found), (), numbered, distinct)
    known = {text for texts in distinct for text in texts}
    others = {id_: texts for id_, texts in given.items() if id_ not in found}
    return Documents(
        _joined(found | others), [text for text in nameless if text not in known], numbered, distinct
    )


def _joined(texts: Mapping[str, Sequence[str]]) -> dict[str, str | None]:
    return {id_: "\n\n".join(dict.fromkeys(known)) or None for id_, known in texts.items()}
