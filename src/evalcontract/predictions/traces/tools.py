"""What the own observation of a tool says of its call: frameworks wrap the arguments and the result."""

from __future__ import annotations

from evalcontract.predictions.chat import messages_in
from evalcontract.predictions.json_text import json_or_text
from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.predictions.traces.answers import content_of
from evalcontract.responses import JsonNode


def arguments_in(given: JsonNode) -> JsonNode:
    """The arguments in a recorded input: of a decorated function `{"args": [], "kwargs": {...}}`, of LangChain a
    whole call, or `{"input_str", "inputs"}`. Raises UnexpectedShape for positional arguments."""
    value = given.value
    if not isinstance(value, dict):
        return given
    if value.keys() == {"args", "kwargs"}:
        if value["args"]:
            hint = "call the traced function with named arguments"
            raise JsonNode(value["args"], (*given.path, "args")).unlike("no positional arguments", hint)
        return JsonNode(value["kwargs"], (*given.path, "kwargs"))
    if value.get("type") == "tool_call" and "args" in value:
        return JsonNode(value["args"], (*given.path, "args"))
    if "input_str" in value:
        name = "inputs" if isinstance(value.get("inputs"), dict) else "input_str"
        return JsonNode(json_or_text(value[name]), (*given.path, name))
    return given


def failed(use: ToolUse, why: str | None) -> ToolUse:
    """The call with why its tool failed, where its step says so and its result does not."""
    return use if why is None or use.error is not None else use.with_output(use.output, why)


def answered_by(use: ToolUse, made: JsonNode) -> ToolUse:
    """The call with what its tool returned; a message that holds a result also tells the id of the call."""
    value = made.value
    if isinstance(value, dict) and "output" in value and value.keys() <= {"output", "kwargs", "tags"}:
        made = JsonNode(value["output"], (*made.path, "output"))
    results = [
        result
        for message in (messages_in(made) if isinstance(made.value, dict) else ())
        for result in message.results
    ]
    if len(results) == 1:
        (result,) = results
        known = ToolUse(use.name, use.call_id or result.call_id, use.arguments)
        return known.with_output(json_or_text(result.output), result.error)
    return use.with_output(content_of(made).value)
