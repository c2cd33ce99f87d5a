"""Cohere Chat API v2: a message with citations of documents and of tool outputs.

Offsets: characters of the content block that `content_index` names (the first text block when it is left
out), end exclusive. The cited text is repeated, so every offset is proved.
"""

from __future__ import annotations

import json
from typing import Any

from evalcontract.responses.adapters.adapted import AdaptedResponse, CollectedCitations, character_span
from evalcontract.responses.adapters.states import refuse_error
from evalcontract.responses.adapters.streams import Frame, Stream, ends_early, keep_unknown
from evalcontract.responses.shapes import JsonNode

_OTHER_FRAMES = (
    "message-start",
    "content-end",
    "citation-end",
    "tool-plan-delta",
    "tool-call-delta",
    "tool-call-end",
    "debug",
)
_PASSAGES = ("text", "snippet", "content", "data")


def adapt(response: JsonNode, found: CollectedCitations) -> AdaptedResponse:
    message = response.need("message")
    blocks = message.items("content")
    starts: dict[int, int] = {}
    text = ""
    for index, block in enumerate(blocks):
        kind = block.text_at("type") or "text"
        if kind == "text":
            starts[index] = len(text)
            text += block.need("text").text()
        elif kind != "thinking":
            found.left_out(kind, block)
    for call in message.items("tool_calls"):
        found.left_out("tool call", call)
    for citation in message.items("citations"):
        _citation(citation, blocks, starts, found)
    return found.finished(text)


def _citation(
    citation: JsonNode, blocks: list[JsonNode], starts: dict[int, int], found: CollectedCitations
) -> None:
    kind = citation.text_at("type") or "TEXT_CONTENT"
    if kind != "TEXT_CONTENT":
        found.notice(
            "not-in-the-answer", f"a citation in {kind[:40]} is not of the answer and left out", citation
        )
        return
    block = _block(citation, starts)
    span = character_span(
        blocks[block].need("text").text(),
        citation.need("start").integer(),
        citation.need("end").integer(),
        citation,
        base=starts[block],
        repeated=citation.need("text").text(),
    )
    for source in citation.items("sources"):
        document = source.get("document", "tool_output")
        passage = _passage(document) if document else None
        document_id = found.identities.of(
            source,
            own=source.text_at("id"),
            url=document.text_at("url") if document else None,
            title=document.text_at("title") if document else None,
            content=passage,
        )
        kept = source.without("document", "tool_output")
        found.source(source, passage, document_id, kept={**_rest(document), **kept}, once=True)
        found.cite(document_id, span=span, kept=kept)


def _block(citation: JsonNode, starts: dict[int, int]) -> int:
    named = citation.get("content_index")
    # A block of thoughts may come first: 0 is what is sent when nothing was counted.
    index = named.integer() if named else min(starts, default=0)
    if index in starts:
        return index
    if index == 0 and starts:
        return min(starts)
    raise (named or citation).unlike("the index of a text block")


def _passage(document: JsonNode) -> str | None:
    """The text of a document; a tool output or document without one is given as JSON."""
    if not document.object():
        return None
    for name in _PASSAGES:
        value = document.object().get(name)
        if isinstance(value, str) and value:
            return value
    return json.dumps(document.value, ensure_ascii=False, sort_keys=True)


def _rest(document: JsonNode | None) -> dict[str, Any]:
    return document.without(*_PASSAGES, "id") if document else {}


def assemble(stream: Stream, found: CollectedCitations) -> JsonNode:
    """The whole answer, from the events of its stream; message-end is the last."""
    blocks: dict[int, dict[str, Any]] = {}
    citations: list[Any] = []
    calls: list[Any] = []
    end: JsonNode | None = None
    unknown: list[Frame] = []
    for frame in stream.frames:
        refuse_error(frame.data)
        message = frame.data.follow("delta", "message") or JsonNode({}, frame.data.path)
        match frame.kind:
            case "content-start" | "content-delta":
                _grow(frame.data, message.need("content"), blocks)
            case "citation-start":
                citations.append(message.need("citations").value)
            case "tool-call-start":
                calls.append(message.need("tool_calls").value)
            case "message-end":
                end = frame.data.need("delta")
            case kind if kind not in _OTHER_FRAMES:
                unknown.append(frame)
    if end is None:
        raise ends_early(stream, "message-end")
    keep_unknown(unknown, found)
    message = JsonNode(
        {"content": [blocks[index] for index in sorted(blocks)], "citations": citations, "tool_calls": calls}
    )
    return JsonNode({**end.without("usage"), "message": message.value})


def _grow(frame: JsonNode, content: JsonNode, blocks: dict[int, dict[str, Any]]) -> None:
    """Put a piece into its block; a block of thoughts is told by its name."""
    index = frame.get("index")
    block = blocks.setdefault(index.integer() if index is not None else 0, {})
    for name in ("text", "thinking"):
        piece = content.get(name)
        if piece is not None:
            block[name] = block.get(name, "") + piece.text()
    block["type"] = content.text_at("type") or ("thinking" if block.get("thinking") else "text")
    if block["type"] == "text":
        block.setdefault("text", "")
