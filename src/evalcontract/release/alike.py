"""Items that ask nearly the same, in one dataset or in two, found by the sequences of characters that they share."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any
from zlib import crc32

from evalcontract.checking import located
from evalcontract.datasets import DatasetSource
from evalcontract.errors import UsageError
from evalcontract.reading import Document, Held
from evalcontract.validation import Violation
from evalcontract.values import json_text, shown

SIMILAR = 0.85
"""The share of common sequences from which two texts are nearly the same."""
LONGEST = 1000
"""Characters of a conversation that are compared, its last ones."""
_LENGTH = 5
_MOST_CANDIDATES = 100
"""Earlier texts that are looked at for one sequence: where more share their rarest ones, some pairs are missed."""
_ITEM_BYTES = 6000
"""About what an item takes, with the sequences that only it has."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class AskedText:
    """What an item asks, as the different hashes of its sequences of characters."""

    item_id: str
    sequences: array[int]


def asked_text(item: object) -> AskedText | None:
    """What an item asks; None for one without an id or an input, or whose input says nothing."""
    if not isinstance(item, Mapping) or not isinstance(item_id := item.get("item_id"), str):
        return None
    text = _folded(_said(item.get("input")))[-LONGEST:]
    if not text:
        return None
    ends = range(max(1, len(text) - _LENGTH + 1))
    return AskedText(item_id, array("I", {crc32(text[at : at + _LENGTH].encode()) for at in ends}))


def check_share(share: float) -> float:
    """The share, which lies above 0.5 and not above 1; UsageError otherwise."""
    if not 0.5 < share <= 1:
        raise UsageError(
            f"two texts are alike from a share above 0.5 to 1 on, not from {share:g}",
            hint=f"{SIMILAR} is usual",
        )
    return share


class AlikeItems:
    """Finds items that ask nearly the same as one before them, or as one of another dataset.

    All sequences of a text and of those like it are compared, and few others: two texts that share enough share one
    of their rarest sequences. What is asked is held, up to a limit: adding raises UnreadableInput beyond it.
    """

    def __init__(self, share: float = SIMILAR, *, within: bool = True, other: str | None = None) -> None:
        self._share = check_share(share)
        self._within = within
        self._other = other
        self._held = Held("what is asked", _ITEM_BYTES)
        self._theirs: list[AskedText] = []
        self._ours: list[tuple[AskedText, dict[str, Any]]] = []

    def of_the_other(self, source: DatasetSource) -> None:
        """Take every item of the other dataset. Raises UnreadableInput."""
        for event in source.events():
            if isinstance(event, Document) and (asked := asked_text(event.value)) is not None:
                self._held.add(None)
                self._theirs.append(asked)

    def add(self, document: Document) -> None:
        """Take one item, which may be reported."""
        asked = asked_text(document.value)
        if asked is not None:
            self._held.add(None)
            self._ours.append((asked, _place(document, asked.item_id)))

    def found(self) -> Iterator[Violation]:
        """An advice about each item that is like another, naming the one that is most like it."""
        ours = [asked for asked, _ in self._ours]
        frequency = Counter(sequence for asked in (*self._theirs, *ours) for sequence in asked.sequences)
        theirs, before = _Index(self._share, frequency), _Index(self._share, frequency)
        for asked in self._theirs:
            theirs.add(asked)
        for asked, at in self._ours:
            if (other := theirs.nearest(asked)) is not None:
                message, hint = f"{_alike(other)} of {self._other}", "take it out of one of the two"
                yield Violation("in-other-dataset", message, hint=hint, **at)
            if self._within:
                if (first := before.nearest(asked)) is not None:
                    hint = "keep one of them, if both ask the same"
                    yield Violation("near-duplicate", _alike(first), hint=hint, **at)
                before.add(asked)


class _Index:
    """Texts by their rarest sequences."""

    def __init__(self, share: float, frequency: Mapping[int, int]) -> None:
        self._share = share
        self._frequency = frequency
        self._texts: list[AskedText] = []
        self._places: defaultdict[int, deque[int]] = defaultdict(lambda: deque(maxlen=_MOST_CANDIDATES))

    def add(self, asked: AskedText) -> None:
        for sequence in self._rarest(asked):
            self._places[sequence].append(len(self._texts))
        self._texts.append(asked)

    def nearest(self, asked: AskedText) -> tuple[AskedText, float] | None:
        """The text that shares most with this one, if it shares enough."""
        size, sequences = len(asked.sequences), set(asked.sequences)
        candidates = {number for sequence in self._rarest(asked) for number in self._places.get(sequence, ())}
        best: tuple[AskedText, float] | None = None
        for number in sorted(candidates):
            other = self._texts[number]
            if not self._share * size <= len(other.sequences) <= size / self._share:
                continue
            common = len(sequences.intersection(other.sequences))
            share = common / (size + len(other.sequences) - common)
            if share >= self._share and (best is None or share > best[1]):
                best = other, share
        return best

    def _rarest(self, asked: AskedText) -> Iterable[int]:
        """So many of the rarest sequences that a text with enough in common has one of them."""
        size = len(asked.sequences)
        number = size - ceil(self._share * size) + 1
        ordered = sorted(asked.sequences, key=lambda sequence: (self._frequency[sequence], sequence))
        return array("I", ordered[:number])


def _alike(other: tuple[AskedText, float]) -> str:
    asked, share = other
    how = "the same" if share == 1 else f"nearly the same ({share:.0%})"
    return f"asks {how} as item {shown(asked.item_id, 60)}"


def _place(document: Document, item_id: str) -> dict[str, Any]:
    """Where a finding about the input of an item stands, and that it is an advice."""
    place = located(Violation("", "", "/input", severity="advice", item_id=item_id), document)
    names = ("pointer", "severity", "item_id", "file", "line", "column")
    return {name: getattr(place, name) for name in names}


def _said(input_: Any) -> str:
    """What people and assistants say in a conversation; of another input, all of it."""
    messages = input_.get("messages") if isinstance(input_, Mapping) else None
    if not isinstance(messages, list):
        return json_text(input_) if input_ else ""
    said = (
        message.get("content")
        for message in messages
        if isinstance(message, Mapping) and message.get("role") != "system"
    )
    return "\n".join(text if isinstance(text, str) else json_text(text) for text in said if text)


def _folded(text: str) -> str:
    """Words in small letters, with a space between two."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
