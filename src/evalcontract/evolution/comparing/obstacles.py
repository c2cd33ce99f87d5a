"""What is to be proved, and what stands in the way."""

from __future__ import annotations

from dataclasses import dataclass

from evalcontract.evolution.comparing.codes import Code, Path
from evalcontract.evolution.comparing.parts import Node, Part


@dataclass(frozen=True, slots=True)
class Goal:
    """To show that all values of `case`, at `path` in the document, are accepted by `part`.

    `anchor`: where the left side last said something of that place.
    """

    case: Node
    part: Part
    path: Path
    anchor: str


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What doesn't follow from the left side: a keyword of `part`, at `path` in the document, and a sentence.

    `left`: where the left side speaks of it.
    """

    code: Code
    path: Path
    keyword: str
    left: str
    part: Part
    sentence: str

    @property
    def right(self) -> str:
        """Where the right side speaks of it."""
        return f"{self.part.where}/{self.keyword}" if self.keyword in self.part.keywords else self.part.where
