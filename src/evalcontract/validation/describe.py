"""Short descriptions of what a schema expects and what a value is, for messages."""

from __future__ import annotations

import json
from typing import Any

from evalcontract.catalog.names import cut, shown

LIMIT = 80


def short(value: object, limit: int = LIMIT) -> str:
    """A value as JSON, at most `limit` characters."""
    if isinstance(value, str):
        text = json.dumps(value[: limit + 1], ensure_ascii=False)
    elif isinstance(value, dict | list):
        return actual(value)
    else:
        try:
            text = json.dumps(value)
        except (TypeError, ValueError):
            text = shown(value, limit)
    return cut(text, limit)


def actual(value: object) -> str:
    """A value's type and, where that is short, the value."""
    match value:
        case None:
            return "null"
        case bool():
            return f"boolean {json.dumps(value)}"
        case int():
            return f"integer {short(value)}"
        case float():
            return f"number {short(value)}"
        case str():
            return f"string {short(value, LIMIT - 7)}"
        case list():
            return f"array of {len(value)}"
        case dict() if not value:
            return "empty object"
        case dict():
            return short_list("object with ", [str(key) for key in value])
        case _:
            return shown(value)


def short_list(prefix: str, words: list[str]) -> str:
    """`prefix` and as many words as fit into one short line."""
    return cut(prefix + ", ".join(words), LIMIT)


def expected_type(schema: dict[str, Any]) -> str:
    """The type that a schema asks for: `array of strings or null`."""
    types = schema.get("type", [])
    names = [types] if isinstance(types, str) else list(types)
    return " or ".join(_type_name(name, schema) for name in names) or "another value"


def _type_name(name: str, schema: dict[str, Any]) -> str:
    items = schema.get("items")
    if name != "array" or not isinstance(items, dict):
        return name
    if "$ref" in items:
        return "array of objects"
    of = items.get("type")
    return f"array of {of}s" if isinstance(of, str) else "array"


def counted(number: int, thing: str) -> str:
    """`1 item`, `2 items`."""
    return f"{number:,} {thing}" + ("" if number == 1 else "s")
