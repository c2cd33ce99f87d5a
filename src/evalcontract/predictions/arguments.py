"""Arguments of tool calls: JSON text is parsed once, and what comes out has to be an object."""

from __future__ import annotations

from typing import Any

from evalcontract.reading.refusals import Refusal
from evalcontract.reading.strict import parse
from evalcontract.responses.shapes import Node, misshapen
from evalcontract.values import Notice, actual

_TWICE = "arguments are parsed once; this is JSON text inside JSON text"


def arguments_of(raw: Node, position: int, notices: list[Notice]) -> dict[str, Any]:
    """The arguments of the tool call at `position`. No text at all stands for no arguments, which is said.

    Raises UnexpectedShape, at /tool_calls/POSITION/args, for text that is not strict JSON and for anything
    that is not an object.
    """
    value = raw.value
    if value is None or (isinstance(value, str) and not value.strip()):
        message = "a tool call without arguments is taken for one with none"
        notices.append(Notice("empty-arguments", message, raw.pointer))
        return {}
    path = ("tool_calls", position, "args")
    hint = None
    if isinstance(value, str):
        hint = _TWICE
        try:
            value = parse(value.encode())[0]
        except (Refusal, UnicodeEncodeError) as error:
            raise misshapen(path, f"the arguments at {raw.pointer} are not JSON: {error}") from None
    if not isinstance(value, dict):
        message = f"expected an object, got {actual(value)} from {raw.pointer}"
        raise misshapen(path, message, hint if isinstance(value, str) else None)
    return value
