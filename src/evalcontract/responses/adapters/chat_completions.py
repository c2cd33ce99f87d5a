"""Chat completions: what their dialects share, whole and in chunks.

A chunk has a `delta` for each choice; older versions of Azure put a list of messages in its place, with the sources in
one of role tool. A stream ends with [DONE], or with a chunk that has a finish_reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evalcontract.responses.adapters.adapted import CollectedCitations
from evalcontract.responses.adapters.states import refuse_error
from evalcontract.responses.adapters.streams import Frame, Stream, ends_early, keep_unknown
from evalcontract.responses.shapes import JsonNode


def first_choice(response: JsonNode, found: CollectedCitations) -> JsonNode:
    """The choice that counts; a notice tells of others."""
    choices = response.need("choices").items()
    if not choices:
        raise response.need("choices").unlike("at least one choice")
    if len(choices) > 1:
        found.notice("more-choices", f"only the first of {len(choices)} choices is used", choices[1])
    return choices[0]


def said_or_refused(message: JsonNode, found: CollectedCitations) -> str:
    """The text of a message; a refusal stands in a field of its own."""
    for call in message.items("tool_calls"):
        found.left_out("tool call", call)
    text = message.written_at("content")
    refusal = message.get("refusal") if not text else None
    if refusal is None:
        return text
    found.refused(refusal)
    return refusal.text()


def assemble(stream: Stream, found: CollectedCitations) -> JsonNode:
    """The whole answer, from the chunks of its first choice."""
    texts: list[str] = []
    refusals: list[str] = []
    tools: list[Any] = []
    calls: dict[int, dict[str, Any]] = {}
    message: dict[str, Any] = {}
    finish: Any = None
    ended = stream.done
    unknown: list[Frame] = []
    for frame in stream.frames:
        refuse_error(frame.data)
        if "choices" not in frame.data.object():
            unknown.append(frame)
            continue
        for choice in frame.data.items("choices"):
            index = choice.get("index")
            if index is not None and index.integer() != 0:
                continue
            reason = choice.get("finish_reason")
            finish = reason.value if reason is not None else finish
            ended = ended or reason is not None or choice.object().get("end_turn") is True
            for delta in _deltas(choice):
                if delta.text_at("role") == "tool":
                    tools.append(delta.value)
                    continue
                texts.append(delta.written_at("content"))
                refusals.append(delta.written_at("refusal"))
                _calls(delta, calls)
                for name in ("context", "annotations"):
                    part = delta.get(name)
                    if part is not None:
                        message.setdefault(name, part.value)
    if not ended:
        raise ends_early(stream, "[DONE] or a finish_reason")
    keep_unknown(unknown, found)
    message |= {"role": "assistant", "content": "".join(texts), "refusal": "".join(refusals) or None}
    if calls:
        message["tool_calls"] = [calls[index] for index in sorted(calls)]
    held = {"messages": [*tools, message]} if tools else {"message": message}
    return JsonNode({"choices": [{**held, "finish_reason": finish}]})


def _deltas(choice: JsonNode) -> Iterator[JsonNode]:
    delta = choice.get("delta", "message")
    if delta is not None:
        yield delta
    for message in choice.items("messages"):
        inner = message.get("delta")
        yield inner if inner is not None else message


def _calls(delta: JsonNode, calls: dict[int, dict[str, Any]]) -> None:
    for position, call in enumerate(delta.items("tool_calls")):
        index = call.get("index")
        whole = calls.setdefault(
            index.integer() if index is not None else position,
            {"id": None, "type": "function", "function": {"name": "", "arguments": ""}},
        )
        whole["id"] = call.text_at("id") or whole["id"]
        function = call.get("function")
        for name in ("name", "arguments"):
            whole["function"][name] += function.written_at(name) if function is not None else ""
