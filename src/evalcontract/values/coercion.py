"""Values turned towards the type that a JSON Schema declares, and never by guessing.

A value changes only when its schema names one type, the value is not of it, and there is one reading: "42"
becomes 42 for an integer, 42 becomes "42" for a string; "020" is no integer and stays, and so does a number
that no double can hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from evalcontract.values.equality import MAX_DEPTH

Path = tuple[str | int, ...]
Told = Callable[[Path, Any, Any, str], None]
"""Is told of a change: the path, the value, what it became, and the declared type."""

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,308})(\.[0-9]{1,308})?([eE][-+]?[0-9]{1,3})?")
_TYPES = {"dict": "object", "float": "number", "tuple": "array"}
"""Names of types that tool collections use and JSON Schema does not know."""
_MAX_DEPTH = 20


def coerced(value: Any, schema: object, told: Told | None = None, path: Path = ()) -> Any:
    """The value with every part turned towards its declared type; what is given is not changed."""
    if not isinstance(schema, Mapping) or len(path) > _MAX_DEPTH:
        return value
    declared = schema.get("type")
    kind = _TYPES.get(declared, declared) if isinstance(declared, str) else None
    changed = _towards(value, kind)
    if changed is not value and told is not None:
        told(path, value, changed, str(kind))
    properties, items = schema.get("properties"), schema.get("items")
    if kind == "object" and isinstance(changed, Mapping) and isinstance(properties, Mapping):
        return {
            key: coerced(member, properties.get(key), told, (*path, key)) for key, member in changed.items()
        }
    if kind == "array" and isinstance(changed, list) and isinstance(items, Mapping):
        return [coerced(element, items, told, (*path, index)) for index, element in enumerate(changed)]
    return changed


def fits_double(number: float) -> bool:
    """Whether a double can hold the number, rounded. NaN and infinity are no numbers."""
    try:
        return float(number) - float(number) == 0
    except OverflowError:
        return False


def _towards(value: Any, kind: str | None) -> Any:
    if kind == "string" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        return value
    if kind in ("integer", "number"):
        return _number(value, whole=kind == "integer")
    if kind == "boolean" and value in ("true", "false"):
        return value == "true"
    if (kind, value[:1]) in (("object", "{"), ("array", "[")):
        return _structure(value)
    return value


def _number(text: str, *, whole: bool) -> Any:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return text
    fraction = match.lastindex is not None
    if whole and fraction:
        return text
    number = float(text) if fraction else int(text)
    return number if fits_double(number) else text


def _structure(text: str) -> Any:
    """What strict JSON text says; other text as it is."""
    try:
        found = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_refused, parse_float=_finite, parse_int=_finite
        )
        json.dumps(found, ensure_ascii=False).encode()  # a lone surrogate is no text
    except (ValueError, RecursionError):
        return text
    return text if _too_deep(found) else found


def _too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        parts = (part for part in level if isinstance(part, dict | list))
        level = [child for part in parts for child in (part.values() if isinstance(part, dict) else part)]
    return any(isinstance(part, dict | list) for part in level)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key stands twice")
    return members


def _finite(text: str) -> Any:
    number = _number(text, whole=False)
    return number if number is not text else _refused(text)


def _refused(text: str) -> Any:
    raise ValueError(f"{text} is no number")
