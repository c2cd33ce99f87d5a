"""How much work a comparison may take: all of it is counted, so it ends, and everywhere in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

BUDGET = 250_000
"""The work of one proof, or of one search for documents, where no other is told."""
STEP = 10
"""A step of the search for obstacles takes as long as so many looks of a validator at a value."""
_LEFT: ContextVar[list[int]] = ContextVar("work that is left")


class GaveUp(Exception):
    """There is no answer; the message says why."""


@contextmanager
def at_most(amount: int) -> Iterator[list[int]]:
    """Allow so much work inside; what is left of it is the one element of the list."""
    left = [amount]
    token = _LEFT.set(left)
    try:
        yield left
    finally:
        _LEFT.reset(token)


def spend(amount: int = 1) -> None:
    """Count work, in looks of a validator at a value. Raises GaveUp when there has been too much.

    Outside of a limit any amount is fine.
    """
    left = _LEFT.get(None)
    if left is not None:
        left[0] -= amount
        if left[0] < 0:
            raise GaveUp("not settled within the budget")
