"""How a schema is walked: which keywords hold schemas by name, and which hold data that looks like a schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DIALECTS = (DIALECT, f"{DIALECT}#")
"""How a schema may write it."""
SCHEMAS_BY_NAME = frozenset({"properties", "$defs", "patternProperties", "dependentSchemas"})
DATA_KEYWORDS = frozenset({"enum", "const", "default", "examples", "required", "dependentRequired"})


def rewritten(node: dict[str, Any], rewrite: Callable[[Any], Any], dropped: frozenset[str]) -> dict[str, Any]:
    """A schema object whose subschemas went through `rewrite`; data is kept, `dropped` keywords are not."""
    made = {}
    for key, value in node.items():
        if key in dropped:
            continue
        if key in DATA_KEYWORDS:
            made[key] = value
        elif key in SCHEMAS_BY_NAME and isinstance(value, dict):
            made[key] = {name: rewrite(schema) for name, schema in value.items()}
        else:
            made[key] = rewrite(value)
    return made


def references(node: Any) -> Iterator[str]:
    """Every `$ref` in a schema, as it is written; what looks like one inside data is none."""
    if isinstance(node, list):
        for part in node:
            yield from references(part)
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        if key == "$ref" and isinstance(value, str):
            yield value
        elif key in SCHEMAS_BY_NAME and isinstance(value, dict):
            for schema in value.values():
                yield from references(schema)
        elif key not in DATA_KEYWORDS:
            yield from references(value)


def keywords_in(node: Any) -> Iterator[str]:
    """Every keyword of a schema and of the schemas inside it; keys of properties and of data are none."""
    if isinstance(node, list):
        for part in node:
            yield from keywords_in(part)
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        yield key
        if key in SCHEMAS_BY_NAME and isinstance(value, dict):
            for schema in value.values():
                yield from keywords_in(schema)
        elif key not in DATA_KEYWORDS:
            yield from keywords_in(value)
