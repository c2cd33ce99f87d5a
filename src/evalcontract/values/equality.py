"""JSON values by type, and when two of them are equal."""

from __future__ import annotations

import math
from collections.abc import Hashable
from functools import cached_property
from typing import Any


def type_of(value: Any) -> str:
    """The JSON type of `value`, with numbers split: `1.0` is an integer, `1.5` a fraction."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "integer" if value == math.floor(value) else "fraction"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def frozen(value: Any) -> Hashable:
    """The value as JSON compares it: equal and hashable where JSON values are equal; `1` is `1.0`, never `true`."""
    kind = type_of(value)
    if kind == "array":
        return kind, tuple(map(frozen, value))
    if kind == "object":
        return kind, frozenset((name, frozen(each)) for name, each in value.items())
    return kind, value


def same_value(left: Any, right: Any) -> bool:
    """JSON equality."""
    return frozen(left) == frozen(right)


class Listed(list[Any]):
    """The values of an `enum`, which are asked again and again whether they hold one."""

    @cached_property
    def known(self) -> frozenset[Hashable]:
        """The values as they compare."""
        return frozenset(map(frozen, self))
