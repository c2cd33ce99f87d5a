"""What a drawn document shall have at the place that it is drawn for."""

from __future__ import annotations

from typing import Any, NamedTuple

from evalcontract.evolution.comparing.parts import Node, Part
from evalcontract.evolution.comparing.values import COUNTS


class Aim(NamedTuple):
    """What a document shall have at its focus: one of `values`, or a value at the edge of what a keyword says.

    `trail`: what the left side says of each value on the way, one choice made for each union.
    """

    trail: tuple[Node, ...] = ()
    values: tuple[Any, ...] = ()
    keyword: str = ""
    part: Part | None = None

    def deeper(self) -> Aim:
        """The aim of the next value on the way."""
        return self._replace(trail=self.trail[1:])

    @property
    def size(self) -> int | None:
        """The length or count just beyond what the keyword allows; None where it is about something else."""
        bound = self.part.keywords.get(self.keyword) if self.part is not None else None
        if self.keyword in SMALLEST and isinstance(bound, int | float):
            return int(bound) - 1
        return int(bound) + 1 if self.keyword in LARGEST and isinstance(bound, int | float) else None


SMALLEST, LARGEST = (frozenset(pair[end] for pair in COUNTS.values()) for end in (0, 1))
NO_AIM = Aim()
