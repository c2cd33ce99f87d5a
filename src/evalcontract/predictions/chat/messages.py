"""Messages in the shapes that are met: chat completions, Anthropic, items of the Responses API, LangChain, Gemini,
Bedrock, pydantic-ai, the AI SDK, and the GenAI conventions of OpenTelemetry."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evalcontract.predictions.chat.blocks import CALLS, RESULTS, UNSAID, Gathered, call_of, kind_of, result_of
from evalcontract.predictions.chat.said import Said, ToolResult
from evalcontract.predictions.json_text import json_or_text
from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.responses import JsonNode
from evalcontract.values import Notice

_ROLES = {
    "human": "user",
    "humanmessage": "user",
    "humanmessagechunk": "user",
    "request": "user",
    "ai": "assistant",
    "aimessage": "assistant",
    "aimessagechunk": "assistant",
    "model": "assistant",
    "response": "assistant",
    "chatbot": "assistant",
    "developer": "system",
    "systemmessage": "system",
    "toolmessage": "tool",
    "functionmessage": "function",
}
_KNOWN_ROLES = frozenset({"user", "assistant", "system", "tool", "function", *_ROLES})
_HOLDERS = (
    "messages",
    "message",
    "output",
    "outputs",
    "generations",
    "choices",
    "candidates",
    "data",
    "kwargs",
)
_MAX_DEPTH = 40


def messages_in(node: JsonNode | None, notices: list[Notice] | None = None) -> tuple[Said, ...]:
    """The messages in a value: a list of them, one of them, an object that holds some, or the text of one.

    `notices` takes what is said of parts that are left out. What is no message is passed over.
    """
    if node is None or len(node.path) > _MAX_DEPTH:
        return ()
    value = json_or_text(node.value)
    node = JsonNode(value, node.path)
    if isinstance(value, str):
        return (Said("assistant", value, place=node),)
    if isinstance(value, list):
        if _is_pair(value):
            return (Said(_role(value[0]), value[1], place=node),)
        return tuple(one for element in node.items() for one in _listed(element, notices))
    if not isinstance(value, dict):
        return ()
    if _is_message(value):
        found = said(node, notices)
        return (found,) if found is not None else ()
    if value.get("object") == "response" and isinstance(value.get("output"), list):
        return turn_in(node.need("output"), notices)
    for name in _HOLDERS:
        if isinstance(value.get(name), dict | list):
            return _ended(messages_in(JsonNode(value[name], (*node.path, name)), notices), node)
    content = value.get("content")
    if isinstance(content, dict) and "parts" in content:  # a candidate of Gemini
        return _ended(
            messages_in(JsonNode({"role": "model", **content}, (*node.path, "content")), notices), node
        )
    return ()


def _ended(messages: tuple[Said, ...], holder: JsonNode) -> tuple[Said, ...]:
    """The messages with how the last of them ended, where what holds them says so: a choice, a whole answer."""
    reason = _finish_reason(holder)
    if reason is None or not messages or messages[-1].finish_reason is not None:
        return messages
    return (*messages[:-1], replace(messages[-1], finish_reason=reason))


def turn_in(node: JsonNode, notices: list[Notice] | None = None) -> tuple[Said, ...]:
    """The same, with neighbouring items of the Responses API put together to the one message that they are."""
    found: list[Said] = []
    for one in messages_in(node, notices):
        if found and one.role == "assistant" == found[-1].role and (one.is_part or found[-1].is_part):
            last = found.pop()
            one = Said(
                "assistant",
                last.text + one.text,
                (*last.calls, *one.calls),
                (*last.results, *one.results),
                last.refusal or one.refusal,
                one.finish_reason or last.finish_reason,
                last.place,
                is_part=True,
            )
        found.append(one)
    return tuple(found)


def _listed(element: JsonNode, notices: list[Notice] | None) -> tuple[Said, ...]:
    """What one element of a list says; texts among messages are none."""
    return messages_in(element, notices) if isinstance(element.value, dict | list) else ()


def said(message: JsonNode, notices: list[Notice] | None = None) -> Said | None:
    """One message; None for the definition of a tool, which LangChain lists among them."""
    message = _unwrapped(message)
    kind = _item_kind(message)
    if kind is not None:
        return _item(message, kind, notices)
    content = message.get("content", "parts", "text")
    if content is not None and isinstance(content.value, dict) and _is_definition(content.value):
        return None
    role = _role(message.text_at("role", "type", "kind") or "assistant")
    gathered = Gathered()
    if role in ("tool", "function"):
        if (
            role == "function"
            or message.get("tool_call_id", "toolCallId") is not None
            or not _has_results(content)
        ):
            result = result_of(message, "tool_result")
            named = ToolResult(result.call_id if role == "tool" else None, *_rest(result))
            return Said("tool", "", results=(named,), place=message)
        role = "tool"
    _read(content, gathered)
    for call in message.items("tool_calls", "toolCalls"):
        gathered.add(JsonNode({"type": "function", **call.object()}, call.path))
    _more_calls(message, gathered)
    if notices is not None:
        notices += gathered.notices
    refusal = message.text_at("refusal") or "".join(gathered.refusals) or None
    return Said(
        role,
        "".join(gathered.texts),
        tuple(gathered.calls),
        tuple(gathered.results),
        refusal,
        _finish_reason(message),
        message,
    )


def _rest(result: ToolResult) -> tuple[str | None, Any, str | None, JsonNode]:
    return result.name, result.output, result.error, result.place


def _read(content: JsonNode | None, gathered: Gathered) -> None:
    if content is None:
        return
    if isinstance(content.value, str):
        gathered.texts.append(content.value)
    elif isinstance(content.value, dict):
        gathered.add_object(content)
    else:
        for block in content.items():
            gathered.add(block)


def _more_calls(message: JsonNode, gathered: Gathered) -> None:
    """Calls in the places of older APIs, and those whose arguments LangChain could not parse."""
    for call in message.items("invalid_tool_calls"):
        gathered.calls.append(call_of(call))
    single = message.get("function_call")
    if single is not None:
        gathered.calls.append(call_of(single))
    more = message.get("additional_kwargs")
    if more is not None and isinstance(more.value, dict) and not gathered.calls:
        for call in more.items("tool_calls"):
            gathered.calls.append(call_of(call))
        single = more.get("function_call")
        if single is not None:
            gathered.calls.append(call_of(single))


def _item_kind(message: JsonNode) -> str | None:
    """The kind of an item of the Responses API that is no message."""
    if "role" in message.object() or ("content" in message.object() and message.text_at("type") is None):
        return None
    kind = message.text_at("type")
    if kind is None or _role(kind) in ("user", "assistant", "system", "tool", "function"):
        return None
    return kind_of(message)[0] if kind != "message" else None


def _item(message: JsonNode, kind: str, notices: list[Notice] | None) -> Said:
    gathered = Gathered()
    gathered.add(message)
    if notices is not None:
        notices += gathered.notices
    role = "tool" if gathered.results else "assistant"
    texts = () if kind in UNSAID else gathered.texts
    return Said(
        role,
        "".join(texts),
        tuple(gathered.calls),
        tuple(gathered.results),
        place=message,
        is_part=role == "assistant",
    )


def _unwrapped(message: JsonNode) -> JsonNode:
    """A message that LangChain wrote as `{"lc", "id", "kwargs"}` or as `{"type", "data"}`."""
    value = message.object()
    inner = message.get("kwargs", "data")
    if inner is None or not isinstance(inner.value, dict) or not {"type", "id"} & value.keys():
        return message
    names = value.get("id")
    named = (
        names[-1] if isinstance(names, list) and names and isinstance(names[-1], str) else value.get("type")
    )
    kind = inner.value.get("type", named)
    return JsonNode({**inner.value, "type": kind}, inner.path)


def _is_message(value: dict[str, Any]) -> bool:
    held = [key for key in ("role", "parts", "content", "tool_calls", "toolCalls") if key in value]
    if held and not _is_candidate(value):
        alone = held == ["content"] and isinstance(value["content"], dict)
        return not alone and not _is_definition(value.get("content"))
    if isinstance(value.get("kwargs"), dict) and value.get("type") == "constructor":
        return True
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if isinstance(value.get("data"), dict):
        return _role(kind) in ("user", "assistant", "system", "tool", "function")
    plain = kind.replace("-", "_")
    return plain in CALLS | RESULTS | UNSAID or plain.endswith(("_call", "_call_output"))


def _is_candidate(value: dict[str, Any]) -> bool:
    content = value.get("content")
    return "role" not in value and isinstance(content, dict) and "parts" in content


def _is_definition(value: Any) -> bool:
    """Whether it is what a tool can do: a function with a description or parameters, and no call of it."""
    if not isinstance(value, dict) or value.get("type") != "function":
        return False
    inner = value.get("function", value)
    return isinstance(inner, dict) and not {"arguments", "args", "input"} & inner.keys()


def _is_pair(value: list[Any]) -> bool:
    """`["user", "text"]`, as LangChain takes messages."""
    return (
        len(value) == 2 and all(isinstance(part, str) for part in value) and value[0].lower() in _KNOWN_ROLES
    )


def _has_results(content: JsonNode | None) -> bool:
    if content is None or not isinstance(content.value, list):
        return False
    return any(isinstance(block.value, dict) and kind_of(block)[0] in RESULTS for block in content.items())


def _role(written: str) -> str:
    return _ROLES.get(written.lower(), written.lower())


def _finish_reason(message: JsonNode) -> str | None:
    found = message.get("finish_reason", "stop_reason", "finishReason", "stopReason", "done_reason")
    details = message.get("response_metadata")
    if found is None and details is not None and isinstance(details.value, dict):
        found = details.get("finish_reason", "stop_reason")
    return found.value if found is not None and isinstance(found.value, str) and found.value else None


def uses_in(messages: list[Said]) -> tuple[list[ToolUse], list[ToolResult]]:
    """The calls of the assistant in their order, each with its result, and the results that no call awaits."""
    uses: list[ToolUse] = []
    astray: list[ToolResult] = []
    for message in messages:
        uses += message.calls
        for result in message.results:
            index = next(
                (at for at, use in enumerate(uses) if not use.answered and _answers(result, use)), None
            )
            if index is None:
                astray.append(result)
            else:
                uses[index] = uses[index].with_output(result.output, result.error)
    return uses, astray


def _answers(result: ToolResult, use: ToolUse) -> bool:
    if result.call_id is not None and use.call_id is not None:
        return result.call_id == use.call_id
    return result.name is not None and result.name == use.name
