"""Where terms stand in the contexts of an item."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from typing import Protocol

GAP = 80
"""Places left free between two contexts: a stretch of so many terms never holds terms of both."""

Places = Mapping[str, Sequence[int]]


class Postings(Protocol):
    """Where terms stand in some contexts, which are laid out in one row of places."""

    @property
    def row(self) -> Sequence[str]:
        """The terms of the contexts, with GAP free places around each."""
        ...

    def places(self, wanted: Mapping[str, object]) -> Places:
        """The places of at least the wanted terms, in order; a term that stands nowhere has no entry."""
        ...

    def only(self, chosen: Sequence[int]) -> Postings:
        """The places in some of the contexts (0-based positions)."""
        ...


class AllPostings:
    """The places in all contexts. The first time only the wanted terms are looked for; whoever comes again gets
    all that there are.
    """

    __slots__ = ("_all", "_asked", "_bounds", "_texts", "row")

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        free = [""] * GAP
        self.row: list[str] = free.copy()
        self._bounds: list[tuple[int, int]] = []
        for keys in texts:
            start = len(self.row)
            self._bounds.append((start, start + len(keys)))
            self.row += keys
            self.row += free
        self._texts = texts
        self._asked = False
        self._all: dict[str, list[int]] | None = None

    def places(self, wanted: Mapping[str, object]) -> Places:
        """As Postings says."""
        if self._all is None and not self._asked:
            self._asked = True
            return self._found(wanted)
        return self.everything()

    def everything(self) -> Places:
        """The places of all terms."""
        if self._all is None:
            self._all = self._found(None)
        return self._all

    def only(self, chosen: Sequence[int]) -> SomePostings:
        """As Postings says."""
        return SomePostings(self, [self._bounds[position] for position in chosen])

    def _found(self, wanted: Mapping[str, object] | None) -> dict[str, list[int]]:
        places: defaultdict[str, list[int]] = defaultdict(list)
        for keys, (start, _) in zip(self._texts, self._bounds, strict=True):
            row: Iterable[tuple[int, str]] = enumerate(keys, start)
            if wanted is not None:
                row = compress(row, map(wanted.__contains__, keys))
            for place, key in row:
                places[key].append(place)
        return dict(places)


class SomePostings:
    """The places in some of the contexts of another one; `bounds` are where each begins and ends."""

    __slots__ = ("_bounds", "_whole", "row")

    def __init__(self, whole: AllPostings, bounds: Sequence[tuple[int, int]]) -> None:
        self.row = whole.row
        self._whole = whole
        self._bounds = bounds

    def places(self, wanted: Mapping[str, object]) -> Places:
        """As Postings says."""
        everything = self._whole.everything()
        places: dict[str, list[int]] = {}
        for key in wanted:
            where = everything.get(key, ())
            held = [
                place
                for start, end in self._bounds
                for place in where[bisect_left(where, start) : bisect_left(where, end)]
            ]
            if held:
                places[key] = held
        return places

    def only(self, chosen: Sequence[int]) -> SomePostings:
        """As Postings says."""
        return SomePostings(self._whole, [self._bounds[position] for position in chosen])
