"""Keywords whose meaning lies in their own value: when they follow, and the types that keywords are about."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from evalcontract.evolution.comparing.keywords import words
from evalcontract.evolution.comparing.parts import Node
from evalcontract.evolution.comparing.values import fewest, lowest, most


def _multiple(case: Node, kind: str, value: Any) -> bool:
    """By exact fractions; of numbers that aren't whole only where binary fractions are, as validators may round."""
    known = [part.keywords["multipleOf"] for part in case if "multipleOf" in part.keywords]
    known += [1] if kind == "integer" else []
    wanted = Fraction(str(value))
    return any(
        Fraction(str(factor)) % wanted == 0 and (kind == "integer" or (_exact(factor) and _exact(value)))
        for factor in known
    )


def _exact(value: Any) -> bool:
    """Whether a binary number is what the decimal digits say."""
    return Fraction(str(value)) == Fraction(value)


def _unique(case: Node, kind: str, value: Any) -> bool:
    known = any(part.keywords.get("uniqueItems") is True for part in case)
    return not value or known or most(case, kind) <= 1


IMPLIED: dict[str, Callable[[Node, str, Any], bool]] = {
    "minimum": lambda case, kind, value: lowest(case, kind) >= (value, False),
    "exclusiveMinimum": lambda case, kind, value: lowest(case, kind) >= (value, True),
    "maximum": lambda case, kind, value: lowest(case, kind, -1) >= (-value, False),
    "exclusiveMaximum": lambda case, kind, value: lowest(case, kind, -1) >= (-value, True),
    "multipleOf": _multiple,
    **dict.fromkeys(
        words("minLength minItems minProperties"), lambda case, kind, value: fewest(case, kind) >= value
    ),
    **dict.fromkeys(
        words("maxLength maxItems maxProperties"), lambda case, kind, value: most(case, kind) <= value
    ),
    "uniqueItems": _unique,
}
"""By keyword: whether each value of type `kind` in `case` satisfies it."""

ABOUT = {
    keyword: words(kinds)
    for kinds, keywords in {
        "integer fraction": "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
        "string": "pattern minLength maxLength",
        "array": "items prefixItems minItems maxItems uniqueItems contains minContains maxContains "
        "unevaluatedItems",
        "object": "properties patternProperties additionalProperties propertyNames required minProperties "
        "maxProperties dependentRequired dependentSchemas unevaluatedProperties",
    }.items()
    for keyword in words(keywords)
}
"""The types that a keyword is about; every type where it isn't listed."""
