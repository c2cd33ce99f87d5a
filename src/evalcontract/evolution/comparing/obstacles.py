"""What is to be proved, and what stands in the way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from evalcontract.evolution.comparing.codes import BreakCode, Path
from evalcontract.evolution.comparing.parts import Node, Part, Step


@dataclass(frozen=True, slots=True)
class Spot:
    """Where in the documents a proof is: the path, and where the left side last said something of that place.

    `trail`: what the left side says of each value on the way, one choice made for each union.
    """

    path: Path
    anchor: str
    trail: tuple[Node, ...] = ()

    def into(self, step: Step | None, case: Node) -> Spot:
        """One step deeper, into a member of a value that `case` describes."""
        return replace(self, path=(*self.path, step), trail=(*self.trail, case))


@dataclass(frozen=True, slots=True)
class Goal:
    """To show that all values of `case`, at `spot` in the document, are accepted by `part`."""

    case: Node
    part: Part
    spot: Spot


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What doesn't follow from the left side: a keyword of `part`, at `path` in the document, and a sentence.

    `left`: where the left side speaks of it. `trail`: what the left side says of each value on the way, that at the
    path included. `values`: values there that are refused, where the proof came upon some.
    `unsettled`: nothing was found to be wrong, but too much was left to look at.
    """

    code: BreakCode
    path: Path
    keyword: str
    left: str
    part: Part
    sentence: str
    trail: tuple[Node, ...] = ()
    values: tuple[Any, ...] = ()
    unsettled: bool = False

    @property
    def right(self) -> str:
        """Where the right side speaks of it."""
        return f"{self.part.where}/{self.keyword}" if self.keyword in self.part.keywords else self.part.where
