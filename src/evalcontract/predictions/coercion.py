"""Arguments turned towards the types that their tool declares, with a notice of each change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evalcontract.responses import JsonNode
from evalcontract.values import Notice, coerced, pointer, short

Schema = Mapping[str, Any]
_Path = tuple[str | int, ...]


def parameters_by_name(tools: Iterable[Any]) -> dict[str, Schema]:
    """The parameter schema of each tool, from definitions in OpenAI's or Anthropic's shape."""
    found: dict[str, Schema] = {}
    for index, tool in enumerate(tools):
        definition = JsonNode(tool, (index,))
        inner = definition.get("function") or definition
        schema = inner.get("parameters", "input_schema")
        if schema is not None:
            found[inner.need("name").text()] = schema.object()
    return found


def coerced_arguments(
    args: dict[str, Any], schema: Schema, path: _Path, notices: list[Notice]
) -> dict[str, Any]:
    """`args` with every value turned towards its declared type; each change is a notice. A new object."""

    def told(below: _Path, value: Any, became: Any, kind: str) -> None:
        message = f"{short(value, 40)} was read as {short(became, 40)}: the tool declares {kind}"
        notices.append(Notice("coerced-argument", message, pointer((*path, *below))))

    found: dict[str, Any] = coerced(args, {**schema, "type": "object"}, told)
    return found
