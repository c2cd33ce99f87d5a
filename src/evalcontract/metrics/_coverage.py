"""How much of one sentence the contexts cover: the parts of the groundedness formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from evalcontract.metrics._postings import GAP, Places
from evalcontract.metrics._terms import WORD_WEIGHT
from evalcontract.metrics._windows import Windows

FOLLOWS_WITHIN, STANDS_WITHIN = 2, 4
"""How many terms further the second term of a pair may follow, or stand on either side."""
NOTABLE_MISSING = 0.8
"""What a sentence is worth of which a number or a name stands in no context."""


class Evidence:
    """The contexts as they are read for one answer: the row of their terms, and where the answer's stand."""

    __slots__ = ("_row", "_windows", "_worth", "places")

    def __init__(self, row: Sequence[str], places: Places) -> None:
        self._row = row
        self.places = places
        self._windows = Windows(row, places, GAP)
        self._worth: dict[tuple[str, str], float] = {}

    def coverage(self, keys: Sequence[str], weights: Mapping[str, int]) -> float:
        """c of one sentence: f * (U + W)/2 * (1 + L)/2; `keys` are its terms in order."""
        places = self.places
        found = [key for key in weights if key in places]
        if not found:
            return 0.0
        total, covered = sum(weights.values()), sum(map(weights.__getitem__, found))
        window = self._windows.greatest({key: weights[key] for key in found}, covered)
        links = self._links(keys, weights)
        anywhere, together = covered / total, window / total
        kept = together if links is None else links
        value = (anywhere + together) / 2 * (1 + kept) / 2
        if covered < total and any(w > WORD_WEIGHT and key not in places for key, w in weights.items()):
            value *= NOTABLE_MISSING
        return value

    def _links(self, keys: Sequence[str], weights: Mapping[str, int]) -> float | None:
        """L: how far neighbours are kept together, None for a sentence without two terms."""
        places, known = self.places, self._worth
        total, kept = 0, 0.0
        for pair in pairwise(keys):
            first, second = pair
            weight = weights[first] + weights[second]
            total += weight
            if first in places and second in places:
                worth = known.get(pair)
                if worth is None:
                    worth = known[pair] = self._worth_of(first, second)
                kept += weight * worth
        return kept / total if total else None

    def _worth_of(self, first: str, second: str) -> float:
        if first == second:
            return 1.0
        row, ours, theirs = self._row, self.places[first], self.places[second]
        near = False
        if len(ours) <= len(theirs):
            for place in ours:
                if second in row[place + 1 : place + 1 + FOLLOWS_WITHIN]:
                    return 1.0
                near = near or second in row[place - STANDS_WITHIN : place + STANDS_WITHIN + 1]
        else:
            for place in theirs:
                if first in row[place - FOLLOWS_WITHIN : place]:
                    return 1.0
                near = near or first in row[place - STANDS_WITHIN : place + STANDS_WITHIN + 1]
        return 0.5 if near else 0.0
