"""Turning arguments towards the types that their tool declares, and never by guessing.

A value changes only when the JSON Schema of the parameter names one type, the value is not of it, and there
is one reading: "42" becomes 42 for an integer, 42 becomes "42" for a string; "020" is no integer and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from evalcontract.reading.refusals import Refusal
from evalcontract.reading.strict import parse
from evalcontract.responses.shapes import Node
from evalcontract.validation.describe import short
from evalcontract.values.notices import Notice
from evalcontract.values.pointers import pointer

Schema = Mapping[str, Any]
_Path = tuple[str | int, ...]

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,15})")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,17})?(?:[eE][-+]?[0-9]{1,2})?")
_TYPES = {"dict": "object", "float": "number", "tuple": "array"}
"""Names of types that tool collections use and JSON Schema does not know."""
_MAX_DEPTH = 20


def parameters_by_name(tools: Iterable[Any]) -> dict[str, Schema]:
    """The parameter schema of each tool, from definitions in OpenAI's or Anthropic's shape."""
    found: dict[str, Schema] = {}
    for index, tool in enumerate(tools):
        definition = Node(tool, (index,))
        inner = definition.get("function") or definition
        schema = inner.get("parameters", "input_schema")
        if schema is not None:
            found[inner.need("name").text()] = schema.object()
    return found


def coerced(args: dict[str, Any], schema: Schema, path: _Path, notices: list[Notice]) -> dict[str, Any]:
    """`args` with every value turned towards its declared type; each change is a notice. A new object."""
    result: dict[str, Any] = _towards(args, {**schema, "type": "object"}, path, notices)
    return result


def _towards(value: Any, schema: Any, path: _Path, notices: list[Notice]) -> Any:
    if not isinstance(schema, Mapping) or len(path) > _MAX_DEPTH:
        return value
    declared = schema.get("type")
    kind = _TYPES.get(declared, declared) if isinstance(declared, str) else None
    changed = _converted(value, kind)
    if changed is not value:
        message = f"{short(value, 40)} was read as {short(changed, 40)}: the tool declares {kind}"
        notices.append(Notice("coerced-argument", message, pointer(path)))
    if kind == "object" and isinstance(changed, dict):
        properties = schema.get("properties")
        known = properties if isinstance(properties, Mapping) else {}
        return {
            key: _towards(each, known[key], (*path, key), notices) if key in known else each
            for key, each in changed.items()
        }
    if kind == "array" and isinstance(changed, list):
        return [
            _towards(each, schema.get("items"), (*path, index), notices) for index, each in enumerate(changed)
        ]
    return changed


def _converted(value: Any, kind: str | None) -> Any:
    if kind == "string" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        return value
    if kind == "integer" and _INTEGER.fullmatch(value):
        return int(value)
    if kind == "number" and _NUMBER.fullmatch(value):
        return parse(value.encode())[0]
    if kind == "boolean" and value in ("true", "false"):
        return value == "true"
    if kind in ("object", "array") and value[:1] in ("{", "["):
        try:
            read = parse(value.encode())[0]
        except (Refusal, UnicodeEncodeError):
            return value
        return read if isinstance(read, dict if kind == "object" else list) else value
    return value
