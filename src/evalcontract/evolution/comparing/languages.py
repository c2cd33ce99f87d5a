"""Whether all texts that match some patterns match another one, or a text that doesn't: a walk through automata."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import cache

from evalcontract.evolution.comparing.automata import LAST, Automaton, NotRegular
from evalcontract.evolution.comparing.expressions import automaton
from evalcontract.evolution.comparing.work import spend

MAX_WALK = 3_000
MAX_LENGTH = 64
"""Lengths up to here are counted on the way."""
LIKED = (97, 65, 48, 32)
"""Code points that a text is made of where it may."""
SURROGATES = (0xD800, 0xDFFF)
"""No text holds these."""


def refuted(patterns: Sequence[str], wanted: str, least: float = 0, most: float = float("inf")) -> str | None:
    """The shortest text of a length in bounds that matches all `patterns` and not `wanted`; None: there is none.

    Raises NotRegular when that isn't known: a pattern is none that is read here, or the walk is too long. Lengths
    beyond MAX_LENGTH are left out of account, so that a text may be too short or too long; None holds all the same.
    """
    known = [_automaton(pattern) for pattern in (*patterns, wanted)]
    least = int(least) if least <= MAX_LENGTH else 0
    top = int(most) if most <= MAX_LENGTH else None
    start = tuple(machine.closure(frozenset((0,))) for machine in known)
    seen = {(start, 0)}
    waiting = deque([(start, "")])
    while waiting:
        states, text = waiting.popleft()
        *lefts, right = (machine.end in at for machine, at in zip(known, states, strict=True))
        if all(lefts) and not right and len(text) >= least:
            return text
        if len(text) == top:
            continue
        for point in _points(known, states):
            after = tuple(machine.after(at, point) for machine, at in zip(known, states, strict=True))
            counted = len(text) + 1 if top is not None else min(len(text) + 1, least)
            if all(after[:-1]) and (after, counted) not in seen:
                spend(sum(map(len, after)))
                seen.add((after, counted))
                if len(seen) > MAX_WALK:
                    raise NotRegular
                waiting.append((after, text + chr(point)))
    return None


@cache
def _automaton(pattern: str) -> Automaton:
    return automaton(pattern)


def _points(known: Sequence[Automaton], states: Sequence[frozenset[int]]) -> list[int]:
    """One code point for each way to go on from here."""
    cuts = {0}
    for machine, at in zip(known, states, strict=True):
        for state in at:
            for ranges, _ in machine.moves[state]:
                for first, last in ranges:
                    cuts |= {first, last + 1}
    ordered = sorted(cut for cut in cuts if cut <= LAST)
    ends = [*(cut - 1 for cut in ordered[1:]), LAST]
    found = (_liked(first, last) for first, last in zip(ordered, ends, strict=True))
    return [point for point in found if point is not None]


def _liked(first: int, last: int) -> int | None:
    """A code point out of a range, one that reads well where there is one; None where all are halves of characters."""
    liked = next((point for point in LIKED if first <= point <= last), None)
    if liked is not None or not SURROGATES[0] <= first <= SURROGATES[1]:
        return first if liked is None else liked
    return SURROGATES[1] + 1 if last > SURROGATES[1] else None
