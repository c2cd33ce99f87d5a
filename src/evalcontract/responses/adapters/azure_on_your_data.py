"""Azure OpenAI On Your Data: a chat completion whose message carries a context.

Since API version 2024-02-15-preview the context holds `citations`; before, it held a tool message whose
content is JSON text with them, and before that the choice held a list of messages. Streams carry the context
in the first delta and the text in the rest. Offsets: none; the text carries markers `[docN]`, which count
citations from 1.
"""

from __future__ import annotations

import re
from typing import Any

from evalcontract.responses.adapters.adapted import AdaptedResponse, Collected, Span
from evalcontract.responses.adapters.streams import Answer, collected_stream
from evalcontract.responses.shapes import Node, inside, misshapen

_MARKER = re.compile(r"\[doc([1-9][0-9]{0,3})\]")


def adapt(response: Node) -> AdaptedResponse:
    found = Collected("azure_on_your_data")
    answer = (
        collected_stream(response, found)
        if isinstance(response.value, str | list)
        else _whole(response, found)
    )
    context = _context(answer)
    if context is None:
        hint = "the request named no data source, or the message only calls tools"
        raise misshapen(
            (*response.path, "choices", 0, "message", "context"), "context is required but missing", hint
        )
    ids = _sources(context.need("citations").items(), found)
    _markers(answer.text, ids, found)
    return found.finished(answer.text, context=context.without("citations", "messages"))


def _whole(response: Node, found: Collected) -> Answer:
    choices = response.need("choices").items()
    if not choices:
        raise response.need("choices").unlike("at least one choice")
    if len(choices) > 1:
        found.notice("more-choices", f"only the first of {len(choices)} choices is used", choices[1])
    messages = choices[0].items("messages")
    if messages:
        tool = next((each for each in messages if each.text_at("role") == "tool"), None)
        spoken = next((each for each in messages if each.text_at("role") == "assistant"), choices[0])
        return Answer(spoken.written_at("content"), [tool] if tool else [], None)
    message = choices[0].need("message")
    context = message.get("context")
    return Answer(message.written_at("content"), [], context)


def _context(answer: Answer) -> Node | None:
    """The object that holds the citations, wherever this version of the API puts it."""
    if answer.context is not None and answer.context.get("citations") is not None:
        return answer.context
    tools = [*answer.tool_messages, *(answer.context.items("messages") if answer.context else [])]
    for tool in tools:
        content = tool.get("content")
        if content is not None and tool.text_at("role") in ("tool", None):
            return inside(content)
    return answer.context


def _sources(citations: list[Node], found: Collected) -> list[str]:
    ids = []
    for citation in citations:
        text = citation.need("content").text()
        if not text:
            raise citation.need("content").unlike("the text of the passage")
        document_id = found.identities.of(
            citation,
            filepath=citation.text_at("filepath"),
            url=citation.text_at("url"),
            title=citation.text_at("title"),
            content=text,
        )
        # Scores of the search service have no fixed scale: they stay under their own names.
        found.source(citation, text, document_id, kept=citation.without("content"))
        ids.append(document_id)
    return ids


def _markers(text: str, ids: list[str], found: Collected) -> None:
    unresolved: dict[str, Any] = {}
    for match in _MARKER.finditer(text):
        position = int(match[1]) - 1
        if position < len(ids):
            span = Span(match.start(), match.end(), match[0])
            found.cite(ids[position], marker=match[0], span=span)
        else:
            unresolved[match[0]] = None
    if unresolved:
        names = ", ".join(list(unresolved)[:5])
        found.notice(
            "unresolved-marker", f"the answer refers to {names}; number of its citations: {len(ids)}"
        )
