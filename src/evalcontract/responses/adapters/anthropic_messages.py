"""Anthropic Messages API: text blocks with citations.

Offsets count characters, blocks or pages of the cited document, not of the answer, and their ends are
exclusive; pages count from 1. The span of the answer is the whole text block. Where the caller hands over
the documents, character offsets are proved: they must lead to `cited_text`.
"""

from __future__ import annotations

from typing import Any

from evalcontract.responses.adapters.adapted import (
    AdaptedResponse,
    AnswerSpan,
    CollectedCitations,
    character_span,
)
from evalcontract.responses.adapters.states import refuse_error
from evalcontract.responses.adapters.streams import Frame, Stream, ends_early, keep_unknown
from evalcontract.responses.shapes import JsonNode

_NOT_SAID = (
    "thinking",
    "redacted_thinking",
    "server_tool_use",
    "web_search_tool_result",
    "web_fetch_tool_result",
)
"""Blocks that are no part of the answer: thoughts, and searches that the provider ran by itself."""


def adapt(response: JsonNode, found: CollectedCitations) -> AdaptedResponse:
    text = ""
    for block in response.need("content").items():
        kind = block.need("type").text()
        if kind != "text":
            if kind not in _NOT_SAID:
                found.left_out(kind, block)
            continue
        piece = block.need("text").text()
        span = AnswerSpan(len(text), len(text) + len(piece), piece)
        for citation in block.items("citations"):
            _citation(citation, span, found)
        text += piece
    return found.finished(text)


def _citation(citation: JsonNode, span: AnswerSpan, found: CollectedCitations) -> None:
    kind = citation.need("type").text()
    cited = citation.need("cited_text").text()
    title = citation.text_at("document_title", "title")
    index = citation.get("document_index", "search_result_index")
    by_place = f"{index.path[-1]}:{index.integer()}" if index else None
    document_id = found.identities.of(
        citation,
        # The position in the request tells documents apart that have nothing else.
        own=citation.text_at("file_id") or (None if title or citation.get("url", "source") else by_place),
        url=citation.text_at("url", "source"),
        title=title,
        content=cited,
    )
    if kind == "char_location":
        _prove(citation, cited, found)
    page = citation.need("start_page_number").integer() if kind == "page_location" else None
    kept = {**citation.without("cited_text", "encrypted_index", "document_title", "title"), "title": title}
    found.source(citation, cited, document_id, kept={**kept, **_page(page)}, once=True)
    found.cite(document_id, span=span, quotes=[cited], page=page, kept=kept)


def _page(page: int | None) -> dict[str, Any]:
    return {} if page is None else {"page_number": page}


def _prove(citation: JsonNode, cited: str, found: CollectedCitations) -> None:
    index = citation.need("document_index").integer()
    if 0 <= index < len(found.documents):
        start = citation.need("start_char_index").integer()
        end = citation.need("end_char_index").integer()
        character_span(found.documents[index], start, end, citation, repeated=cited)


def assemble(stream: Stream, found: CollectedCitations) -> JsonNode:
    """The whole message, from the events of its stream; message_stop is the last."""
    message: dict[str, Any] | None = None
    blocks: dict[int, dict[str, Any]] = {}
    inputs: dict[int, str] = {}
    stopped = False
    unknown: list[Frame] = []
    for frame in stream.frames:
        refuse_error(frame.data)
        match frame.kind:
            case "message_start":
                message = dict(frame.data.need("message").object())
            case "content_block_start":
                begun = dict(frame.data.need("content_block").object())
                blocks[frame.data.need("index").integer()] = {
                    **begun,
                    "citations": [*(begun.get("citations") or ())],
                }
            case "content_block_delta":
                if not _grow(frame.data, blocks, inputs):
                    unknown.append(frame)
            case "message_delta":
                message = {**(message or {}), **frame.data.need("delta").without()}
            case "message_stop":
                stopped = True
            case "ping" | "content_block_stop":
                pass
            case _:
                unknown.append(frame)
    if message is None or not stopped:
        raise ends_early(stream, "message_stop")
    keep_unknown(unknown, found)
    for index, written in inputs.items():
        blocks[index]["input"] = written
    return JsonNode({**message, "content": [blocks[index] for index in sorted(blocks)]})


def _grow(frame: JsonNode, blocks: dict[int, dict[str, Any]], inputs: dict[int, str]) -> bool:
    """Put a delta into its block; False for a delta of an unknown kind."""
    place, delta = frame.need("index"), frame.need("delta")
    index = place.integer()
    if index not in blocks:
        raise place.unlike("the index of a block that has begun")
    match delta.text_at("type"):
        case "text_delta":
            blocks[index]["text"] = JsonNode(blocks[index]).written_at("text") + delta.need("text").text()
        case "citations_delta":
            blocks[index]["citations"].append(delta.need("citation").value)
        case "input_json_delta":
            inputs[index] = inputs.get(index, "") + delta.written_at("partial_json")
        case "thinking_delta" | "signature_delta":
            pass
        case _:
            return False
    return True
