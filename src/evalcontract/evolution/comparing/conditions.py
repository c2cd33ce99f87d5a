"""Keywords on the right side that hold under a condition, or of some elements only: when they follow from the left."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from evalcontract.evolution.comparing.keywords import ALL_TYPES
from evalcontract.evolution.comparing.obstacles import Goal
from evalcontract.evolution.comparing.parts import Node, Part, child, element, fold, types_of
from evalcontract.evolution.comparing.proofs import Obstacles, Proofs, holds
from evalcontract.evolution.comparing.values import fewest, most, required

Condition: TypeAlias = Callable[[Proofs, Goal, str], Obstacles]


def _if(prover: Proofs, goal: Goal, kind: str) -> Obstacles:
    """What meets the condition is accepted by `then`, and all that may not meet it by `else`."""
    part, kinds = goal.part, frozenset((kind,))
    condition = fold(*part.subs("if").values())
    if not part.subs("if"):
        return
    for then in part.subs("then").values():
        if not prover.excludes(goal.case, kind, condition):
            implied = [
                known for known in _conditional(goal.case, "then") if _within(prover, condition, known, goal)
            ]
            known_then = fold(*(part for known in implied for part in known.subs("then").values()))
            news = tuple(part for part in dict.fromkeys(condition + known_then) if part not in goal.case)
            for case in prover.cases(news, goal.case):
                yield from prover.case(case, kinds, then.folded, goal.spot)
    for otherwise in part.subs("else").values():
        if not holds(prover.case(goal.case, kinds, condition, goal.spot)):
            implied = [
                known for known in _conditional(goal.case, "else") if _around(prover, condition, known, goal)
            ]
            known_else = fold(*(part for known in implied for part in known.subs("else").values()))
            news = tuple(part for part in known_else if part not in goal.case)
            for case in prover.cases(news, goal.case):
                yield from prover.case(case, kinds, otherwise.folded, goal.spot)


def _conditional(case: Node, branch: str) -> list[Part]:
    return [part for part in case if part.subs("if") and part.subs(branch)]


def _within(prover: Proofs, condition: Node, known: Part, goal: Goal) -> bool:
    """What meets the condition meets that of `known`."""
    return _implies(prover, condition, fold(*known.subs("if").values()), goal)


def _around(prover: Proofs, condition: Node, known: Part, goal: Goal) -> bool:
    """What meets the condition of `known` meets this one."""
    return _implies(prover, fold(*known.subs("if").values()), condition, goal)


def _implies(prover: Proofs, left: Node, right: Node, goal: Goal) -> bool:
    return all(holds(prover.case(case, ALL_TYPES, right, goal.spot)) for case in prover.cases(left))


def _not(prover: Proofs, goal: Goal, kind: str) -> Obstacles:
    """Nothing of `case` is accepted by what may not be, or `case` says itself that that may not be."""
    refused = goal.part.subs("not")[0].folded
    if prover.excludes(goal.case, kind, refused):
        return
    for known in (part.subs("not")[0].folded for part in goal.case if "not" in part.keywords):
        cases = prover.cases(refused)
        if all(holds(prover.case(case, frozenset((kind,)), known, goal.spot)) for case in cases):
            return
    yield prover.obstacle(goal, "not", "refuses what 'not' lists")


def _dependent_required(prover: Proofs, goal: Goal, kind: str) -> Obstacles:
    """Each key that asks for others can't be there, or the others are asked for anyway."""
    there = set(required(goal.case))
    for key, wanted in goal.part.keywords["dependentRequired"].items():
        known = {
            name for part in goal.case for name in part.keywords.get("dependentRequired", {}).get(key, ())
        }
        missing = [name for name in wanted if name not in there | known | {key}]
        if missing and not _absent(goal.case, key):
            yield prover.obstacle(goal, "dependentRequired", f"requires {missing[0]!r} beside {key!r}")


def _dependent_schemas(prover: Proofs, goal: Goal, kind: str) -> Obstacles:
    """With each key there, what the key asks for follows."""
    for key, wanted in goal.part.subs("dependentSchemas").items():
        if not _absent(goal.case, str(key)):
            there = Part({"required": [str(key)]}, goal.part.resolver, goal.part.where)
            yield from prover.case((*goal.case, there), frozenset((kind,)), wanted.folded, goal.spot)


def _absent(case: Node, key: str) -> bool:
    return not types_of(child(case, key))


def _contains(prover: Proofs, goal: Goal, kind: str) -> Obstacles:
    """Enough elements fit, and not too many."""
    part = goal.part
    if "contains" not in part.keywords:
        return
    wanted = part.subs("contains")[0].folded
    low, high = part.keywords.get("minContains", 1), part.keywords.get("maxContains", math.inf)
    if not _enough(prover, goal, wanted, low):
        keyword = "minContains" if low != 1 else "contains"
        yield prover.obstacle(goal, keyword, f"wants at least {low} elements that fit 'contains'")
    if not _few(prover, goal, wanted, high):
        yield prover.obstacle(goal, "maxContains", f"wants at most {high} elements that fit 'contains'")


def _enough(prover: Proofs, goal: Goal, wanted: Node, low: float) -> bool:
    if low <= 0:
        return True
    spot = goal.spot.into(None, goal.case)
    for known in (part for part in goal.case if "contains" in part.keywords):
        fits = known.subs("contains")[0].folded
        if known.keywords.get("minContains", 1) >= low and holds(prover.node(fits, wanted, spot)):
            return True
    last = max((len(part.subs("prefixItems")) for part in goal.case), default=0)
    elements = (element(goal.case, index) for index in range(last + 1))
    return fewest(goal.case, "array") >= low and all(
        holds(prover.node(node, wanted, spot)) for node in elements
    )


def _few(prover: Proofs, goal: Goal, wanted: Node, high: float) -> bool:
    if most(goal.case, "array") <= high:
        return True
    spot = goal.spot.into(None, goal.case)
    return any(
        known.keywords.get("maxContains", math.inf) <= high
        and holds(prover.node(wanted, known.subs("contains")[0].folded, spot))
        for known in goal.case
        if "contains" in known.keywords
    )


CONDITIONS: dict[str, Condition] = {
    "if": _if,
    "then": _if,
    "else": _if,
    "not": _not,
    "dependentRequired": _dependent_required,
    "dependentSchemas": _dependent_schemas,
    "contains": _contains,
    "minContains": _contains,
    "maxContains": _contains,
}
"""By keyword: whether it follows. Families are settled by their first member."""
