"""Arguments of tool calls as providers send them: parsed once, and brought towards their declared types on
request.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalcontract.errors import MetricTypeError, MetricValueError
from evalcontract.metrics._json import check_sharing, json_in
from evalcontract.values import actual, coerced


@dataclass(frozen=True, slots=True)
class ParsedArguments:
    """Arguments as an object, and what was odd about them."""

    args: Mapping[str, Any]
    warnings: tuple[str, ...] = ()


def parse_arguments(arguments: object, pointer: str = "/args") -> ParsedArguments:
    """Arguments as an object: an object is taken as it is, text is parsed as JSON once, empty text is `{}`
    with a warning.

    Raises MetricValueError for text that isn't JSON, or is JSON but no object, and MetricTypeError for any
    other value; `pointer` says in the message where the arguments stand.
    """
    if isinstance(arguments, Mapping):
        return ParsedArguments(arguments)
    if not isinstance(arguments, str):
        raise MetricTypeError(f"{pointer}: expected an object, got {type(arguments).__name__}")
    if not arguments.strip():
        return ParsedArguments({}, (f"{pointer}: empty text taken as no arguments",))
    try:
        parsed = json_in(arguments)
    except MetricValueError as error:
        raise MetricValueError(f"{pointer}: the arguments are {error.message}"[:200]) from None
    if not isinstance(parsed, dict):
        raise MetricValueError(f"{pointer}: expected an object, got {actual(parsed)}")
    return ParsedArguments(parsed)


def coerce_arguments(args: Mapping[str, Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments moved towards the types that a tool's JSON Schema declares for its parameters, never away
    from them.

    "42" becomes 42 where an integer is declared, 20 becomes "20" where a string is, JSON text an object where
    one is; "020" stays text everywhere, and so does a number that no double can hold. What can't be read as
    the declared type, and parameters without one, stay as they are. The type names "dict", "float" and "tuple"
    that some tool lists use are read as "object", "number" and "array".
    """
    check_sharing(args)
    found: dict[str, Any] = coerced(dict(args), {**parameters, "type": "object"})
    return found
