"""What a node says of values: their bounds and lengths, their keys, or all of them where they are few."""

from __future__ import annotations

import math
from typing import Any

from evalcontract.evolution.comparing.parts import Node, Part, accepts, child, types_of
from evalcontract.values import type_of

MAX_RANGE = 64

NUMBER_KEYWORDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
COUNTS = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
BOUNDS = {
    1: {"minimum": False, "exclusiveMinimum": True},
    -1: {"maximum": False, "exclusiveMaximum": True},
}
"""Lower and upper bounds, each with whether the bound itself is left out."""


def lowest(node: Node, kind: str, sign: int = 1) -> tuple[float, bool]:
    """The tightest lower bound (value, exclusive) of numbers of `kind`; with `sign=-1` the upper, negated."""
    bounds: list[tuple[float, bool]] = [
        (sign * part.keywords[keyword], exclusive)
        for part in node
        for keyword, exclusive in BOUNDS[sign].items()
        if keyword in part.keywords
    ]
    value, exclusive = max(bounds, default=(-math.inf, False))
    if kind != "integer" or value == -math.inf:
        return value, exclusive
    return (math.floor(value) + 1 if exclusive else math.ceil(value)), False


def fewest(node: Node, kind: str) -> float:
    """The smallest length of strings, arrays or objects that the node says.

    An object has its required keys, an array as many elements as it must contain of one kind.
    """
    counts: list[float] = [part.keywords.get(COUNTS[kind][0], 0) for part in node]
    if kind == "array":
        counts += [part.keywords.get("minContains", 1) for part in node if "contains" in part.keywords]
    return max([*counts, len(required(node)) if kind == "object" else 0])


def most(node: Node, kind: str) -> float:
    """The largest length that the node says, infinite without a limit; a closed object has its own keys."""
    limits: list[float] = [part.keywords.get(COUNTS[kind][1], math.inf) for part in node]
    if kind == "object":
        limits += [len(keys) for part in node if (keys := closed_keys(part)) is not None]
    if kind == "array":
        limits += [len(part.subs("prefixItems")) for part in node if part.keywords.get("items") is False]
        closed = [part for part in node if part.keywords.get("unevaluatedItems") is False]
        limits += [part.evaluated_items for part in closed if part.evaluated_items is not None]
    return min([*limits, math.inf])


def closed_keys(part: Part) -> list[str] | None:
    """The only keys that the part allows, None where it allows others."""
    seen = part.evaluated_keys if part.keywords.get("unevaluatedProperties") is False else None
    if seen and not seen.rest and not seen.patterns:
        return list(seen.names)
    if part.keywords.get("additionalProperties") is not False or part.keywords.get("patternProperties"):
        return None
    return list(part.keywords.get("properties", ()))


def required(node: Node) -> list[str]:
    """Every key that some part requires, each once."""
    return list(dict.fromkeys(name for part in node for name in part.keywords.get("required", ())))


def named(node: Node) -> list[str]:
    """Every key that some part has a property for, each once."""
    return list(dict.fromkeys(name for part in node for name in part.keywords.get("properties", ())))


def few_values(node: Node, kind: str) -> list[Any] | None:
    """All values of type `kind` that the node accepts, where they are few enough to ask the validator."""
    values = next((part.listed for part in node if part.listed is not None), None)
    if values is None and kind in ("null", "boolean"):
        values = [None, False, True]
    if values is None and kind == "integer":
        low, high = lowest(node, kind)[0], -lowest(node, kind, -1)[0]
        values = list(range(int(low), int(high) + 1)) if high - low < MAX_RANGE else None
    if values is None and kind in COUNTS and most(node, kind) == 0:
        values = ["", [], {}]
    return values and [value for value in values if type_of(value) == kind and accepts(node, value)]


def vacuous(node: Node, kind: str) -> bool:
    """Whether the node plainly accepts no value of type `kind`. False says nothing."""
    if few_values(node, kind) == [] or (kind in COUNTS and fewest(node, kind) > most(node, kind)):
        return True
    if kind == "fraction" and any(part.keywords.get("multipleOf", 0.5) % 1 == 0 for part in node):
        return True
    if kind in ("integer", "fraction"):
        (low, above), (high, below) = lowest(node, kind), lowest(node, kind, -1)
        return low > -high or (low == -high and (above or below))
    return kind == "object" and any(not types_of(child(node, name)) for name in required(node))
