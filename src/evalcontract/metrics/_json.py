"""JSON equality: 1 == 1.0, "1" != 1, true != 1, key order ignored, list order kept, absent != null."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import isfinite

from evalcontract.errors import MetricTypeError, MetricValueError
from evalcontract.values.sharing import MAX_SHARED, shares_too_much

MAX_DEPTH = 200


def json_key(value: object, depth: int = MAX_DEPTH) -> Hashable:
    """A hashable stand-in for a JSON value: two stand-ins are equal exactly when the values are equal as
    JSON. The value has passed `check_sharing`.

    Raises MetricValueError for NaN, infinity or nesting beyond 200 levels, MetricTypeError for what JSON has
    no type for.
    """
    if depth < 0:
        raise MetricValueError(f"a value is nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, bool):
        return ("boolean", value)
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        if not isfinite(value):
            raise MetricValueError(f"{value} is no JSON number")
        return value
    if isinstance(value, list | tuple):
        return ("array", *(json_key(member, depth - 1) for member in value))
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise MetricTypeError("the keys of a JSON object are strings")
        return ("object", frozenset((key, json_key(member, depth - 1)) for key, member in value.items()))
    raise MetricTypeError(f"{type(value).__name__} is no JSON type")


def check_sharing(*values: object) -> None:
    """Raise MetricValueError for a value too large to be walked: one that holds a part over and over, or itself."""
    if any(map(shares_too_much, values)):
        raise MetricValueError(
            f"a value holds the same parts, or itself, again at more than {MAX_SHARED:,} places"
        )


def json_equal(left: object, right: object) -> bool:
    """Whether two values are equal as JSON. Raises like `json_key` and `check_sharing`."""
    check_sharing(left, right)
    return json_key(left) == json_key(right)
