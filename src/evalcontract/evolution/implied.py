"""Keywords of the right side by kind, and when those follow whose meaning lies in their own value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from evalcontract.evolution.parts import ANNOTATIONS, Node
from evalcontract.evolution.values import fewest, lowest, most

Implied: TypeAlias = Callable[[Node, str, Any], bool]
"""`(case, kind, value)`: whether each value of type `kind` in `case` satisfies the keyword with `value`."""


def _bound(sign: int, exclusive: bool) -> Implied:
    def implied(case: Node, kind: str, value: Any) -> bool:
        known = lowest(case, kind, sign=sign)
        if known is None:
            return False
        bound, strict = known
        return bound > sign * value or (bound == sign * value and (strict or not exclusive))

    return implied


def _multiple(case: Node, kind: str, value: Any) -> bool:
    """Whole numbers only: a quotient of fractions is a matter of rounding."""
    if value != int(value):
        return False
    known = [part.keywords["multipleOf"] for part in case if "multipleOf" in part.keywords]
    whole = [each for each in known if each == int(each)]
    return kind == "integer" and (value == 1 or any(each % value == 0 for each in whole))


def _at_least(case: Node, kind: str, value: Any) -> bool:
    return bool(fewest(case, kind) >= value)


def _at_most(case: Node, kind: str, value: Any) -> bool:
    return bool(most(case, kind) <= value)


def _unique(case: Node, kind: str, value: Any) -> bool:
    return (
        not value or most(case, kind) <= 1 or any(part.keywords.get("uniqueItems") is True for part in case)
    )


FOLDED = ANNOTATIONS | {"$ref", "allOf", "type"}
"""Keywords of the right side that need no look of their own: folded away, or compared by type before."""
OF_OBJECTS = frozenset(("additionalProperties", "patternProperties", "properties"))
OF_ARRAYS = frozenset(("items", "prefixItems"))
OPAQUE = {
    **dict.fromkeys(("contains", "minContains", "maxContains", "unevaluatedItems"), ("array",)),
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "unevaluatedProperties"), ("object",)),
}
"""Keywords that follow only from themselves, with the only types they are about."""
NUMBERS = ("integer", "fraction")
IMPLIED: dict[str, tuple[tuple[str, ...], Implied]] = {
    "minimum": (NUMBERS, _bound(1, exclusive=False)),
    "exclusiveMinimum": (NUMBERS, _bound(1, exclusive=True)),
    "maximum": (NUMBERS, _bound(-1, exclusive=False)),
    "exclusiveMaximum": (NUMBERS, _bound(-1, exclusive=True)),
    "multipleOf": (NUMBERS, _multiple),
    "minLength": (("string",), _at_least),
    "maxLength": (("string",), _at_most),
    "minItems": (("array",), _at_least),
    "maxItems": (("array",), _at_most),
    "minProperties": (("object",), _at_least),
    "maxProperties": (("object",), _at_most),
    "uniqueItems": (("array",), _unique),
}
"""By keyword: the types it is about, and when it follows."""
