"""Automata over ranges of code points: which texts they accept is found by walking."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Code points, as pairs of first and last, in order and apart."""

LAST = 0x10FFFF
MAX_STATES = 2_000


class NotRegular(Exception):
    """The pattern has something that isn't read here; that says nothing of what it matches."""


def union(ranges: Ranges) -> Ranges:
    """The same code points, in order and apart."""
    made: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if made and first <= made[-1][1] + 1:
            made[-1] = made[-1][0], max(made[-1][1], last)
        else:
            made.append((first, last))
    return tuple(made)


def others(ranges: Ranges) -> Ranges:
    """Every other code point."""
    edges = [(-1, -1), *union(ranges), (LAST + 1, LAST + 1)]
    return tuple((left[1] + 1, right[0] - 1) for left, right in pairwise(edges) if left[1] + 1 < right[0])


@dataclass(slots=True)
class Automaton:
    """States by number, with moves on code points and moves on nothing; it begins in 0 and accepts in `end`."""

    moves: list[list[tuple[Ranges, int]]] = field(default_factory=list)
    jumps: list[list[int]] = field(default_factory=list)
    end: int = 0

    def state(self) -> int:
        """A new state. Raises NotRegular when there are too many."""
        if len(self.moves) >= MAX_STATES:
            raise NotRegular
        self.moves.append([])
        self.jumps.append([])
        return len(self.moves) - 1

    def closure(self, states: frozenset[int]) -> frozenset[int]:
        """The states, and all that can be reached from them on nothing."""
        found, pending = set(states), list(states)
        while pending:
            news = [state for state in self.jumps[pending.pop()] if state not in found]
            found.update(news)
            pending += news
        return frozenset(found)

    def after(self, states: frozenset[int], point: int) -> frozenset[int]:
        """Where a code point leads from the states."""
        targets = {
            target
            for state in states
            for ranges, target in self.moves[state]
            if any(first <= point <= last for first, last in ranges)
        }
        return self.closure(frozenset(targets))
