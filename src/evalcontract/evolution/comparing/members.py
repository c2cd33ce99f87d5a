"""Keywords on the right side about the members of objects and arrays: when they follow from the left."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

from evalcontract.evolution.comparing.codes import BreakCode
from evalcontract.evolution.comparing.obstacles import Goal, Spot
from evalcontract.evolution.comparing.parts import child, constrains, element, fold
from evalcontract.evolution.comparing.proofs import Obstacles, Proofs, holds
from evalcontract.evolution.comparing.values import closed_keys, most, named, required


def properties(prover: Proofs, goal: Goal) -> Obstacles:
    """The value under each key that a side names, and under any other key, is accepted."""
    parts = (goal.part, *goal.case)
    for name in dict.fromkeys([*named(parts), *required(goal.case)]):
        yield from _property(prover, goal, name, frozenset())
    seen = [part.evaluated_keys for part in parts if "unevaluatedProperties" in part.keywords]
    patterns = {str(pattern) for part in parts for pattern in part.subs("patternProperties")}
    patterns.update(pattern for keys in seen if keys for pattern in keys.patterns)
    for size in range(len(patterns) + 1):
        for hits in combinations(sorted(patterns), size):
            yield from _property(prover, goal, None, frozenset(hits))
    if goal.part.subs("unevaluatedProperties") and goal.part.evaluated_keys is None:
        yield prover.unknown(goal, "unevaluatedProperties")


def _property(prover: Proofs, goal: Goal, name: str | None, patterns: frozenset[str]) -> Obstacles:
    """What `case` says of the value under a key implies what `part` says."""
    left, right = child(goal.case, name, patterns), child((goal.part,), name, patterns)
    proof = prover.node(left, right, goal.spot.into(name, goal.case))
    if name is None or constrains(left) or name in required(goal.case) + named(goal.case):
        yield from proof
    elif name in goal.part.subs("properties"):
        if not holds(proof):
            at = replace(goal, part=goal.part.subs("properties")[name], spot=goal.spot.into(name, goal.case))
            clause, code = f"restricts the values of {name!r}", BreakCode.NEW_PROPERTY_ON_OPEN_OBJECT
            yield replace(prover.obstacle(at, "properties", clause, code), trail=at.spot.trail)
    else:
        yield from proof


def elements(prover: Proofs, goal: Goal) -> Obstacles:
    """Each element that a side speaks of by its place, and any other element, is accepted."""
    parts = (*goal.case, goal.part)
    lengths = [len(part.subs("prefixItems")) for part in parts]
    seen = [part.evaluated_items for part in parts if "unevaluatedItems" in part.keywords]
    longest = max(lengths + [int(count) for count in seen if count is not None and count < math.inf])
    for index in (at for at in range(longest + 1) if at < most(goal.case, "array")):
        left, right = element(goal.case, index), element((goal.part,), index)
        step = index if index < longest else None
        yield from prover.node(left, right, goal.spot.into(step, goal.case))
    if goal.part.subs("unevaluatedItems") and goal.part.evaluated_items is None:
        yield prover.unknown(goal, "unevaluatedItems")


def names(prover: Proofs, goal: Goal) -> Obstacles:
    """The keys themselves are accepted."""
    wanted = goal.part.subs("propertyNames")[0]
    closed = [keys for part in goal.case if (keys := closed_keys(part)) is not None]
    if any(all(map(wanted.accepts, keys)) for keys in closed):
        return
    known = fold(*(rule for part in goal.case for rule in part.subs("propertyNames").values()))
    spot = Spot((), goal.spot.anchor)
    for case in prover.cases(known):
        if not holds(prover.case(case, frozenset(("string",)), wanted.folded, spot)):
            yield prover.obstacle(goal, "propertyNames", "restricts the names of keys")
