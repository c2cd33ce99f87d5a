"""What a node says of values: their types, integers apart from other numbers, their bounds, or all of them."""

from __future__ import annotations

import math
from typing import Any

from evalcontract.errors import SchemaError
from evalcontract.evolution.equality import type_of
from evalcontract.evolution.parts import Node, Part, child, fold, matched

TYPES = ("null", "boolean", "integer", "fraction", "string", "array", "object")
ALL_TYPES = frozenset(TYPES)
MAX_RANGE = 64

NUMBER_KEYWORDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
COUNTS = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}


def listed(part: Part) -> list[Any] | None:
    """The values that `const` or `enum` list, None without either."""
    if "const" in part.keywords:
        return [part.keywords["const"]]
    return part.keywords.get("enum")


def own_types(part: Part) -> frozenset[str]:
    """The types that the part itself can accept, by `type`, `const` and `enum` alone."""
    if part.schema is False:
        return frozenset()
    declared = part.keywords.get("type", list(ALL_TYPES))
    names = {declared} if isinstance(declared, str) else set(declared)
    if "number" in names:
        names |= {"integer", "fraction"}
    values = listed(part)
    return ALL_TYPES & names if values is None else ALL_TYPES & names & {type_of(value) for value in values}


def types_of(node: Node) -> frozenset[str]:
    """The types that every part of the node can accept by itself."""
    return ALL_TYPES.intersection(*map(own_types, node))


class Possible:
    """The types that parts may accept, `anyOf` and `oneOf` branches counted in: perhaps too many, never too few."""

    def __init__(self) -> None:
        self._known: dict[int, frozenset[str] | None] = {}

    def of(self, node: Node) -> frozenset[str]:
        """The types for a node. Raises SchemaError when it refers to itself without end."""
        return ALL_TYPES.intersection(*map(self._of_part, node))

    def _of_part(self, part: Part) -> frozenset[str]:
        key = id(part.schema)
        if key not in self._known:
            self._known[key] = None
            found = own_types(part)
            for branches in filter(None, (part.subs("anyOf"), part.subs("oneOf"))):
                found &= frozenset().union(*(self.of(fold(branch)) for branch in branches))
            self._known[key] = found
        known = self._known[key]
        if known is None:
            raise SchemaError(f"{part.where} refers to itself without end")
        return known


def lowest(node: Node, kind: str, *, sign: int = 1) -> tuple[float, bool] | None:
    """The tightest lower bound (value, exclusive) of numbers of `kind`; with `sign=-1` the upper, negated."""
    bounds = [
        (sign * part.keywords[keyword], exclusive)
        for part in node
        for keyword, exclusive in _BOUNDS[sign]
        if keyword in part.keywords
    ]
    if not bounds:
        return None
    value, exclusive = max(bounds)
    if kind != "integer":
        return value, exclusive
    return (math.floor(value) + 1 if exclusive else math.ceil(value)), False


_BOUNDS = {
    1: (("minimum", False), ("exclusiveMinimum", True)),
    -1: (("maximum", False), ("exclusiveMaximum", True)),
}


def fewest(node: Node, kind: str) -> float:
    """The smallest length of strings, arrays or objects that the node says; an object has its required keys."""
    counts: list[float] = [part.keywords.get(COUNTS[kind][0], 0) for part in node]
    return max([*counts, len(required(node)) if kind == "object" else 0])


def most(node: Node, kind: str) -> float:
    """The largest length that the node says, infinite without a limit; a closed object has its own keys."""
    limits: list[float] = [part.keywords.get(COUNTS[kind][1], math.inf) for part in node]
    if kind == "object":
        limits += [len(keys) for part in node if (keys := closed_keys(part)) is not None]
    if kind == "array":
        limits += [len(part.subs("prefixItems")) for part in node if part.keywords.get("items") is False]
    return min([*limits, math.inf])


def closed_keys(part: Part) -> list[str] | None:
    """The only keys that the part allows, None where it allows others."""
    if part.keywords.get("additionalProperties") is not False or part.keywords.get("patternProperties"):
        return None
    return list(part.keywords.get("properties", ()))


def required(node: Node) -> list[str]:
    """Every key that some part requires, each once."""
    return list(dict.fromkeys(name for part in node for name in part.keywords.get("required", ())))


def candidates(node: Node, kind: str) -> list[Any] | None:
    """All values of type `kind` that the node can accept, where they are few; None where they aren't."""
    if kind in ("null", "boolean"):
        return [None] if kind == "null" else [False, True]
    for part in node:
        values = listed(part)
        if values is not None:
            return [value for value in values if type_of(value) == kind]
    low, high = lowest(node, kind), lowest(node, kind, sign=-1)
    if kind == "integer" and low and high and -high[0] - low[0] < MAX_RANGE:
        return list(range(int(low[0]), int(-high[0]) + 1))
    if kind in COUNTS and most(node, kind) == 0:
        return [{"string": "", "array": [], "object": {}}[kind]]
    return None


def few_values(node: Node, kind: str) -> list[Any] | None:
    """All values of type `kind` that the node accepts, where they are few enough to ask the validator."""
    values = candidates(node, kind)
    return (
        None if values is None else [value for value in values if all(part.accepts(value) for part in node)]
    )


def vacuous(node: Node, kind: str) -> bool:
    """Whether the node plainly accepts no value of type `kind`. False says nothing."""
    if few_values(node, kind) == [] or (kind in COUNTS and fewest(node, kind) > most(node, kind)):
        return True
    if kind == "fraction" and any(part.keywords.get("multipleOf", 0.5) % 1 == 0 for part in node):
        return True
    low, high = lowest(node, kind), lowest(node, kind, sign=-1)
    if kind in ("integer", "fraction") and low and high:
        return low[0] > -high[0] or (low[0] == -high[0] and (low[1] or high[1]))
    return kind == "object" and any(
        not types_of(child(node, name, matched(node, name))) for name in required(node)
    )
