"""Whether two descriptions have no value in common: by type, value, bounds, or what must be in it."""

from __future__ import annotations

from itertools import islice

from evalcontract.evolution.comparing.parts import Node, accepts, child, element, fold, possible, types_of
from evalcontract.evolution.comparing.proofs import Proofs
from evalcontract.evolution.comparing.values import few_values, fewest, named, required, vacuous
from evalcontract.evolution.comparing.work import STEP, spend

MAX_APART = 10
MAX_CHOSEN = 64
"""So many choices of branches are looked at to see that none fits."""


def excludes(prover: Proofs, case: Node, kind: str, other: Node, depth: int = 0) -> bool:
    """No value of this type in `case` is accepted by `other`, whichever of its branches is chosen.

    Deeper in the values the branches of `other` are left out of account, since there may be ever more.
    """
    if depth or not any(part.subs("anyOf") or part.subs("oneOf") for part in other):
        return _excludes(prover, case, kind, other, depth)
    chosen = list(islice(prover.cases(other), MAX_CHOSEN + 1))
    return len(chosen) <= MAX_CHOSEN and all(
        _excludes(prover, case, kind, choice, depth) for choice in chosen
    )


def _excludes(prover: Proofs, case: Node, kind: str, other: Node, depth: int) -> bool:
    spend(STEP)
    values = [] if kind not in possible(other) else few_values(case, kind)
    if values is not None:
        return not any(accepts(other, value) for value in values)
    if vacuous(fold(*case, *other), kind):
        return True
    if depth > MAX_APART:
        return False
    if kind == "array":
        first = element(other, 0) if max(fewest(case, kind), fewest(other, kind)) > 0 else ()
        return bool(first) and _apart(prover, element(case, 0), first, depth)
    if kind != "object":
        return False
    if not set(named(other)).isdisjoint(required(case)):
        pairs = [(child(case, name), child(other, name)) for name in required(case)]
        if any(right and _apart(prover, left, right, depth) for left, right in pairs):
            return True
    return any(not types_of(child(case, name)) for name in required(other))


def _apart(prover: Proofs, left: Node, right: Node, depth: int) -> bool:
    cases = ((case, kind) for case in prover.cases(left) for kind in types_of(case))
    return all(excludes(prover, case, kind, right, depth + 1) for case, kind in cases)
