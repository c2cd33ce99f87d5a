"""Arguments of tool calls: JSON text is parsed once, and what is no object then is kept as it was written."""

from __future__ import annotations

from typing import Any

from evalcontract.reading import Refusal, parse
from evalcontract.responses import JsonNode
from evalcontract.values import Notice, actual, json_text

_TWICE = "arguments are parsed once; this is JSON text inside JSON text"


def arguments_of(raw: JsonNode, notices: list[Notice]) -> tuple[dict[str, Any], str | None]:
    """The arguments of a tool call, and their text when they are no JSON object, as models may write them.

    No text at all stands for no arguments. A notice says either.
    """
    value = raw.value
    if value is None or (isinstance(value, str) and not value.strip()):
        message = "a tool call without arguments is taken for one with none"
        notices.append(Notice("empty-arguments", message, raw.pointer))
        return {}, None
    if isinstance(value, dict):
        return value, None
    written, hint = value, None
    if isinstance(value, str):
        try:
            value = parse(value.encode())[0]
        except (Refusal, UnicodeEncodeError) as error:
            return _raw(written, f"are not JSON: {error}", raw, notices)
        hint = _TWICE if isinstance(value, str) else None
    if isinstance(value, dict):
        return value, None
    return _raw(written, f"are no object: {actual(value)}", raw, notices, hint)


def _raw(
    written: Any, fault: str, raw: JsonNode, notices: list[Notice], hint: str | None = None
) -> tuple[dict[str, Any], str]:
    message = f"the arguments {fault}; they are kept as raw_args and match nothing"
    notices.append(Notice("arguments-not-object", message, raw.pointer, hint))
    return {}, written if isinstance(written, str) else json_text(written)
