"""What the parts of the prover ask of each other."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Protocol, TypeAlias

from evalcontract.evolution.comparing.codes import BreakCode
from evalcontract.evolution.comparing.obstacles import Goal, Obstacle, Spot
from evalcontract.evolution.comparing.parts import Node

Obstacles: TypeAlias = Generator[Obstacle, None, None]
"""A proof under way: what stands in its way, one by one; nothing when it holds."""


def holds(proof: Obstacles) -> bool:
    """Whether a proof holds; it is looked at no further than the first obstacle."""
    found = next(proof, None)
    proof.close()
    return found is None


class Proofs(Protocol):
    """The prover, as what it calls upon knows it."""

    def node(self, left: Node, right: Node, spot: Spot) -> Obstacles:
        """Left implies right."""

    def cases(self, todo: Node, done: Node = ()) -> Iterator[Node]:
        """The node as a union of nodes without open choices, each with what is `done` already."""

    def case(self, case: Node, kinds: frozenset[str], right: Node, spot: Spot) -> Obstacles:
        """All values of these types in a node without open choices are accepted by `right`."""

    def excludes(self, case: Node, kind: str, other: Node) -> bool:
        """No value of this type in `case` is accepted by `other`."""

    def obstacle(self, goal: Goal, keyword: str, clause: str, code: BreakCode | None = None) -> Obstacle:
        """That a keyword of the goal's part doesn't follow."""

    def unknown(self, goal: Goal, keyword: str) -> Obstacle:
        """That a keyword is not understood here."""
