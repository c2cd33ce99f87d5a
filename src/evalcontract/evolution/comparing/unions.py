"""Unions on the right side: which branch is meant for what the left side allows, and whether it accepts that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from evalcontract.evolution.comparing.codes import told
from evalcontract.evolution.comparing.obstacles import Goal
from evalcontract.evolution.comparing.parts import Node, Part, accepts, child, fold, possible
from evalcontract.evolution.comparing.proofs import Obstacles, Proofs, holds
from evalcontract.evolution.comparing.values import BOUNDS, named, required
from evalcontract.values import frozen

MAX_PIECES = 16


def union(prover: Proofs, goal: Goal, kind: str, name: str) -> Obstacles:
    """Some branch accepts all of `case`, and under `oneOf` no other branch accepts any of it.

    Branches that accept nothing of it are left out. Where several are left and none accepts everything, the one that
    is meant is judged: the one told apart by the same constants, by the same name, or by the same keys.
    """
    nodes = [node for branch in goal.part.subs(name).values() if kind in possible(node := branch.folded)]
    fits = [node for node in nodes if not prover.excludes(goal.case, kind, node)]
    if len(fits) > 1:
        fits = [node for node in fits if not _shut_out(prover, goal, kind, node)] or fits
    kinds = frozenset((kind,))
    if len(fits) == 1:
        yield from prover.case(goal.case, kinds, fits[0], goal.spot)
        return
    if not fits:
        meant = _meant(goal.case, nodes) if nodes else None
        if meant is not None:
            yield from prover.case(goal.case, kinds, meant, goal.spot)
            return
        yield prover.obstacle(goal, name, f"does not accept what has {_told(goal.case, kind)}")
        return
    settled = name == "anyOf"
    if settled and any(holds(prover.case(goal.case, kinds, node, goal.spot)) for node in fits):
        return
    pieces = _pieces(goal, kind, fits) if settled else []
    if pieces and all(
        any(holds(prover.case((*goal.case, piece), kinds, node, goal.spot)) for node in fits)
        for piece in pieces
    ):
        return
    parts = _by_tag(goal) if kind == "object" else []
    if parts and all(holds(union(prover, part, kind, name)) for part in parts):
        return
    meant = _meant(goal.case, fits)
    if meant is not None:
        yield from prover.case(goal.case, kinds, meant, goal.spot)
    if meant is None or not settled:
        found = prover.obstacle(goal, name, f"accepts only what {name} lists, branch by branch")
        both = [] if settled else [node for node in fits if node is not meant][: 1 if meant else 2]
        yield replace(
            found, trail=(*goal.spot.trail, fold(*goal.case, *(part for node in both for part in node)))
        )


def _shut_out(prover: Proofs, goal: Goal, kind: str, node: Node) -> bool:
    """Whether what `node` accepts lies in another branch of a `oneOf` on the left: then `case` has none of it."""
    for part in goal.case:
        branches = [branch.folded for branch in part.subs("oneOf").values()]
        others = [branch for branch in branches if not set(branch) <= set(goal.case)]
        for other in others if len(others) == len(branches) - 1 else ():
            kinds = frozenset((kind,))
            if all(holds(prover.case(case, kinds, other, goal.spot)) for case in prover.cases(node)):
                return True
    return False


def _by_tag(goal: Goal) -> list[Goal]:
    """The goal in parts, one for each value of a required key that lists a few: each may have a branch of its own."""
    for key in required(goal.case):
        known = child(goal.case, key)
        listed = next((part.listed for part in known if part.listed is not None), ())
        values = [value for value in listed if accepts(known, value)] if len(listed) <= MAX_PIECES else []
        if len(values) > 1:
            return [
                replace(
                    goal, case=(*goal.case, Part(_having(key, value), goal.part.resolver, goal.part.where))
                )
                for value in values
            ]
    return []


def _having(key: str, value: Any) -> dict[str, Any]:
    return {"properties": {key: {"const": value}}, "required": [key]}


def _pieces(goal: Goal, kind: str, nodes: Sequence[Node]) -> list[Part]:
    """The numbers cut at the bounds of all branches, so that each piece can lie in another branch."""
    words = [keyword for signs in BOUNDS.values() for keyword in signs]
    found = {
        part.keywords[word] for node in nodes for part in node for word in words if word in part.keywords
    }
    if kind not in ("integer", "fraction") or not 0 < len(found) <= MAX_PIECES:
        return []
    cuts = sorted(found)
    between = [{"exclusiveMinimum": low, "exclusiveMaximum": high} for low, high in pairwise(cuts)]
    ends = [{"exclusiveMaximum": cuts[0]}, {"exclusiveMinimum": cuts[-1]}]
    at = [{"minimum": cut, "maximum": cut} for cut in cuts]
    return [Part(piece, goal.part.resolver, goal.part.where) for piece in (*ends, *between, *at)]


def tags(node: Node) -> dict[str, Any]:
    """The properties of a node that have one value only, with that value: what tells it apart from others."""
    return {
        str(name): part.listed[0]
        for holder in node
        for name, rule in holder.subs("properties").items()
        for part in rule.folded
        if part.listed is not None and len(part.listed) == 1
    }


def _meant(case: Node, nodes: Sequence[Node]) -> Node | None:
    """The one branch that is most like `case`; None where several are, or none is."""
    likeness = [_likeness(case, node) for node in nodes]
    best = max(likeness)
    return nodes[likeness.index(best)] if likeness.count(best) == 1 and best > (0, 0, 0) else None


def _likeness(case: Node, node: Node) -> tuple[int, int, int]:
    ours, theirs = ({key: frozen(value) for key, value in tags(side).items()} for side in (case, node))
    shared = sum(theirs.get(key) == value for key, value in ours.items())
    apart = any(key in theirs and theirs[key] != value for key, value in ours.items())
    names = len(_names(case) & _names(node))
    missing = len(set(required(node)) - set(named(case)))
    return (-1, 0, 0) if apart else (shared, names, len(set(named(case)) & set(named(node))) - missing)


def _names(node: Node) -> set[str]:
    """What the definitions of a node are called."""
    places = [part.where.rpartition("#")[2] for part in node]
    return {place for place in places if place.startswith(("/$defs/", "/definitions/"))}


def _told(case: Node, kind: str) -> str:
    """What tells `case` apart, for a sentence."""
    known = tags(case)
    if known:
        return " and ".join(f"{told(value)} as {key!r}" for key, value in list(known.items())[:3])
    keys = required(case)
    return f"the key {keys[0]!r}" if kind == "object" and keys else f"this {kind}"
