"""Amazon Bedrock Converse: blocks of cited content in the output message.

Offsets count characters, pages or chunks of the cited document, not of the answer; the span of the answer is
the whole block. Where the caller hands over the documents, character offsets are proved (end exclusive). It
is not documented whether pages count from 0 or from 1, so they are kept as they are and give no page_number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evalcontract.responses.adapters.adapted import (
    AdaptedResponse,
    AnswerSpan,
    CollectedCitations,
    character_span,
)
from evalcontract.responses.adapters.states import refuse_error
from evalcontract.responses.adapters.streams import Frame, Stream, ends_early, keep_unknown
from evalcontract.responses.shapes import JsonNode, walk_text


def adapt(response: JsonNode, found: CollectedCitations) -> AdaptedResponse:
    text = ""
    for block in response.need("output").need("message").need("content").items():
        cited = block.get("citationsContent")
        if cited is None:
            text += block.written_at("text")
            for kind in block.object():
                if kind not in ("text", "reasoningContent"):
                    found.left_out(kind, block)
            continue
        piece = "".join(walk_text(cited.items("content")))
        span = AnswerSpan(len(text), len(text) + len(piece), piece)
        for citation in cited.items("citations"):
            _citation(citation, span, found)
        text += piece
    return found.finished(text)


def _citation(citation: JsonNode, span: AnswerSpan, found: CollectedCitations) -> None:
    passage = "".join(walk_text(citation.items("sourceContent"))) or None
    location = citation.get("location")
    web = location.get("web") if location else None
    title = citation.text_at("title")
    url = citation.text_at("source") or (web.text_at("url") if web else None)
    document_id = found.identities.of(
        citation,
        # The position in the request tells documents apart that have nothing else.
        own=None if url or title else _by_place(location),
        url=url,
        title=title,
        content=passage,
    )
    if location is not None and passage is not None:
        _prove(location, passage, found.documents)
    kept = citation.without("sourceContent")
    found.source(citation, passage, document_id, kept=kept, once=True)
    found.cite(document_id, span=span, quotes=[passage] if passage else None, kept=kept)


def _by_place(location: JsonNode | None) -> str | None:
    for name in ("documentChar", "documentPage", "documentChunk", "searchResultLocation"):
        place = location.get(name) if location else None
        index = place.get("documentIndex", "searchResultIndex") if place else None
        if index is not None:
            return f"{index.path[-1]}:{index.integer()}"
    return None


def _prove(location: JsonNode, passage: str, documents: Sequence[str]) -> None:
    place = location.get("documentChar")
    if place is None:
        return
    index = place.get("documentIndex")
    document = index.integer() if index else 0
    if 0 <= document < len(documents):
        start = place.get("start")
        character_span(
            documents[document],
            start.integer() if start else 0,
            place.need("end").integer(),
            place,
            repeated=passage,
        )


def assemble(stream: Stream, found: CollectedCitations) -> JsonNode:
    """The whole answer, from the events of ConverseStream; messageStop says how it ended."""
    blocks: dict[int, dict[str, Any]] = {}
    stop: JsonNode | None = None
    unknown: list[Frame] = []
    for frame in stream.frames:
        refuse_error(frame.data)
        name, inner = frame.tagged
        match name:
            case "contentBlockStart":
                blocks[inner.need("contentBlockIndex").integer()] = dict(inner.need("start").object())
            case "contentBlockDelta":
                index = inner.need("contentBlockIndex").integer()
                _grow(inner.need("delta"), blocks.setdefault(index, {}))
            case "messageStop":
                stop = inner
            case "messageStart" | "contentBlockStop" | "metadata":
                pass
            case _:
                unknown.append(frame)
    if stop is None:
        raise ends_early(stream, "messageStop")
    keep_unknown(unknown, found)
    content = [_cited(blocks[index]) for index in sorted(blocks)]
    return JsonNode({**stop.object(), "output": {"message": {"role": "assistant", "content": content}}})


def _grow(delta: JsonNode, block: dict[str, Any]) -> None:
    for name in delta.object():
        piece = delta.need(name)
        if name == "text":
            block["text"] = block.get("text", "") + piece.text()
        elif name == "citation":
            block.setdefault("citations", []).append(piece.value)
        else:
            block.setdefault(name, piece.value)


def _cited(block: dict[str, Any]) -> dict[str, Any]:
    """A block with citations as it is in an answer that comes at once."""
    if "citations" not in block:
        return block
    return {
        "citationsContent": {"content": [{"text": block.get("text", "")}], "citations": block["citations"]}
    }
