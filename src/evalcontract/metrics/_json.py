"""JSON equality: 1 == 1.0, "1" != 1, true != 1, key order ignored, list order kept, absent != null."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from evalcontract.errors import MetricTypeError, MetricValueError
from evalcontract.values import MAX_SHARED, frozen, shares_too_much


def json_key(value: object) -> Hashable:
    """A hashable stand-in for a JSON value: two stand-ins are equal exactly when the values are equal as
    JSON. The value has passed `check_sharing`.

    Raises MetricValueError for NaN, infinity or nesting beyond 256 levels, MetricTypeError for what JSON has
    no type for.
    """
    try:
        return frozen(value)
    except ValueError as error:
        raise MetricValueError(str(error)) from None
    except TypeError as error:
        raise MetricTypeError(str(error)) from None


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


def json_in(text: str) -> Any:
    """The JSON value that a text is; MetricValueError for what isn't strict JSON, with the reason."""
    from evalcontract.reading import Refusal, parse

    try:
        return parse(text.encode())[0]
    except (Refusal, UnicodeEncodeError) as error:
        raise MetricValueError(f"not JSON: {error}"[:200]) from None
