"""Azure OpenAI On Your Data: a chat completion whose message carries a context.

Since API version 2024-02-15-preview the context holds `citations`; before, it held a tool message whose
content is JSON text with them, and before that the choice held a list of messages. Streams carry the context
in the first delta and the text in the rest. Offsets: none; the text carries markers `[docN]`, which count
citations from 1.
"""

from __future__ import annotations

import re
from typing import Any

from evalcontract.responses.adapters.adapted import AdaptedResponse, AnswerSpan, CollectedCitations
from evalcontract.responses.adapters.chat_completions import first_choice, said_or_refused
from evalcontract.responses.shapes import JsonNode, inside, misshapen

_MARKER = re.compile(r"\[doc([1-9][0-9]{0,3})\]")


def adapt(response: JsonNode, found: CollectedCitations) -> AdaptedResponse:
    choice = first_choice(response, found)
    message, tools, context = _parts(choice)
    text = said_or_refused(message, found)
    holder = _context(tools, context)
    if holder is None:
        hint = "the request named no data source, or the message only calls tools"
        raise misshapen((*choice.path, "message", "context"), "context is required but missing", hint)
    ids = _sources(holder.need("citations").items(), found)
    _markers(text, ids, found)
    return found.finished(text, context=holder.without("citations", "messages"))


def _parts(choice: JsonNode) -> tuple[JsonNode, list[JsonNode], JsonNode | None]:
    """The message of the assistant, the tool messages beside it, and its context."""
    messages = choice.items("messages")
    if messages:
        tools = [message for message in messages if message.text_at("role") == "tool"]
        spoken = next((message for message in messages if message.text_at("role") == "assistant"), None)
        return spoken or JsonNode({}, choice.path), tools[:1], None
    message = choice.need("message")
    return message, [], message.get("context")


def _context(tools: list[JsonNode], context: JsonNode | None) -> JsonNode | None:
    """The object that holds the citations, wherever this version of the API puts it."""
    if context is not None and context.get("citations") is not None:
        return context
    for tool in [*tools, *(context.items("messages") if context else [])]:
        content = tool.get("content")
        if content is not None and tool.text_at("role") in ("tool", None):
            return inside(content)
    return context


def _sources(citations: list[JsonNode], found: CollectedCitations) -> list[str]:
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


def _markers(text: str, ids: list[str], found: CollectedCitations) -> None:
    unresolved: dict[str, Any] = {}
    for match in _MARKER.finditer(text):
        position = int(match[1]) - 1
        if position < len(ids):
            span = AnswerSpan(match.start(), match.end(), match[0])
            found.cite(ids[position], marker=match[0], span=span)
        else:
            unresolved[match[0]] = None
    if unresolved:
        names = ", ".join(list(unresolved)[:5])
        found.notice(
            "unresolved-marker", f"the answer refers to {names}; number of its citations: {len(ids)}"
        )
