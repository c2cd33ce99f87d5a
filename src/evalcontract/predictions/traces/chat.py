"""Messages as traces record them, in the shapes of the GenAI conventions and of chat APIs."""

from __future__ import annotations

from typing import Any

from evalcontract.predictions.messages import calls_of
from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.predictions.traces.observations import Said, json_or_text, text_of
from evalcontract.responses.shapes import Node

_CALL, _RESULT = "tool_call", "tool_call_response"


_MAX_DEPTH = 40


def messages_in(node: Node | None) -> tuple[Said, ...]:
    """The messages in a value: a list of them, one of them, an object with `messages`, or the text of one."""
    if node is None:
        return ()
    value = json_or_text(node.value)
    node = Node(value, node.path)
    if isinstance(value, str):
        return (Said("assistant", value),)
    if isinstance(value, dict):
        inner = node.get("messages", "message")
        if inner is not None and len(node.path) < _MAX_DEPTH:
            return messages_in(inner)
        return (said(node),) if _is_message(value) else ()
    if isinstance(value, list):
        return tuple(said(each) for each in node.items() if _is_message(each.value))
    return ()


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and any(key in value for key in ("role", "parts", "content", "tool_calls"))


def said(message: Node) -> Said:
    """One message, with `parts` as the GenAI conventions write it, or with `content` and `tool_calls`."""
    role = message.text_at("role") or "assistant"
    if message.get("parts") is not None:
        return _from_parts(role, message.items("parts"))
    content = message.get("content")
    text = text_of(content) if content is not None and content.value != [] else ""
    call_id = message.text_at("tool_call_id")
    results = ((call_id, content.value if content else None),) if role == "tool" and call_id else ()
    return Said(role, text or "", tuple(calls_of(message)), results)


def _from_parts(role: str, parts: list[Node]) -> Said:
    texts: list[str] = []
    calls: list[ToolUse] = []
    results: list[tuple[str, Any]] = []
    for part in parts:
        kind = part.text_at("type")
        if kind == "text":
            texts.append(part.need("content").text())
        elif kind == _CALL:
            written = part.get("arguments") or Node(None, (*part.path, "arguments"))
            calls.append(ToolUse(part.need("name").text(), part.text_at("id"), written))
        elif kind == _RESULT:
            answer = part.get("response", "result")
            results.append((part.text_at("id") or "", answer.value if answer else None))
    return Said(role, "".join(texts), tuple(calls), tuple(results))
