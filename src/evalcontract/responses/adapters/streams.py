"""Chat completions that arrive in chunks: server-sent events, or the list of their JSON objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evalcontract.responses.adapters.adapted import Collected
from evalcontract.responses.shapes import Node, inside

_DONE = "[DONE]"


@dataclass(frozen=True, slots=True)
class Answer:
    """The text of an answer, with the context or the tool messages that hold its sources."""

    text: str
    tool_messages: list[Node]
    context: Node | None


def collected_stream(response: Node, found: Collected) -> Answer:
    """The context from the first delta that has one, the text from all, up to [DONE]."""
    texts: list[str] = []
    tools: list[Node] = []
    context: Node | None = None
    finished = False
    for chunk in _chunks(response):
        if chunk.value == _DONE:
            finished = True
            break
        for choice in chunk.items("choices"):
            index = choice.get("index")
            if index is not None and index.integer() != 0:
                continue
            finished = finished or choice.get("finish_reason") is not None
            for delta in _deltas(choice):
                if delta.text_at("role") == "tool":
                    tools.append(delta)
                    continue
                context = context or delta.get("context")
                texts.append(delta.written_at("content"))
    if not finished:
        found.notice("unfinished-stream", "the stream ends without [DONE] and without a finish_reason")
    return Answer("".join(texts), tools, context)


def _deltas(choice: Node) -> Iterator[Node]:
    delta = choice.get("delta", "message")
    if delta is not None:
        yield delta
    for message in choice.items("messages"):
        inner = message.get("delta")
        yield inner if inner is not None else message


def _chunks(response: Node) -> Iterator[Node]:
    if isinstance(response.value, list):
        yield from response.items()
        return
    for index, line in enumerate(response.text().split("\n")):
        data = line.strip("\r")
        if not data.startswith("data:"):
            continue
        data = data.removeprefix("data:").strip()
        if data == _DONE:
            yield Node(_DONE, (index,))
            return
        yield inside(Node(data, (index,)))
