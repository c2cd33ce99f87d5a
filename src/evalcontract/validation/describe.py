"""Short descriptions of what a schema expects and what a value is, for messages."""

from __future__ import annotations

from typing import Any

from evalcontract.values import cut

LIMIT = 80


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
