"""JSON values by type, when two of them are equal, and a digest that equal values share.

Key order doesn't count, the order of arrays does; 1 is 1.0 and never true; null is not absent.
"""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Any

MAX_DEPTH = 100
"""How deep arrays and objects may stand in each other: in every language, in what is read and what is built."""
_COMPARABLE_DEPTH = 256


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


def frozen(value: object, depth: int = _COMPARABLE_DEPTH) -> Hashable:
    """A hashable stand-in: two stand-ins are equal exactly when the values are equal as JSON.

    ValueError for NaN, infinity and nesting beyond `depth` levels, TypeError for what JSON has no type for.
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, int | float):
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{value} is no JSON number")
        return value
    if depth <= 0:
        raise ValueError("a value is nested too deep to be compared")
    if isinstance(value, list | tuple):
        return "array", *(frozen(element, depth - 1) for element in value)
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise TypeError("the keys of a JSON object are strings")
        return "object", frozenset((key, frozen(member, depth - 1)) for key, member in value.items())
    raise TypeError(f"{type(value).__name__} is no JSON type")


def same_value(left: object, right: object) -> bool:
    """JSON equality; raises like `frozen`."""
    return frozen(left) == frozen(right)


def digest(value: object) -> bytes:
    """16 bytes that JSON values share when they are equal: the first of the sha256 of `canonical`."""
    from hashlib import sha256

    return sha256(canonical(value)).digest()[:16]


def canonical(value: object) -> bytes:
    """A value as one JSON text: sorted keys, no spaces, whole numbers without fraction or exponent, UTF-8."""
    text = _text(value)
    if ".0" in text or "e+" in text:
        text = _text(_whole(value))
    return text.encode("utf-8", "surrogatepass")


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _whole(value: Any) -> Any:
    """The value with an integer for each number like 1.0."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(element) for element in value]
    return value


class Listed(list[Any]):
    """The values of an `enum`, which are asked again and again whether they hold one."""

    @cached_property
    def known(self) -> frozenset[Hashable]:
        """The values as they compare."""
        return frozenset(map(frozen, self))
