"""Gemini: groundingMetadata of the first candidate, in the names of the REST API or of the Python SDK.

Offsets: bytes of UTF-8 in the part that `partIndex` names, end exclusive; a start of 0 and a part of 0 are
left out. Some answers count over all parts instead. The text of the segment is repeated, so every offset is
proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evalcontract.errors import OffsetMismatch
from evalcontract.responses.adapters.adapted import (
    AdaptedResponse,
    AnswerSpan,
    CollectedCitations,
    byte_span,
    paged,
)
from evalcontract.responses.adapters.states import refuse_error
from evalcontract.responses.adapters.streams import Frame, Stream, ends_early, keep_unknown
from evalcontract.responses.shapes import JsonNode

_NOT_SAID = {"thought", "thoughtSignature", "thought_signature", "text"}
_CHUNK = {"candidates", "promptFeedback", "prompt_feedback", "usageMetadata", "usage_metadata"}
_NO_TEXT = "pages that a web search found come without their text"


@dataclass(frozen=True, slots=True)
class _Chunk:
    document_id: str
    page: Any
    kept: dict[str, Any]


def adapt(response: JsonNode, found: CollectedCitations) -> AdaptedResponse:
    if response.follow("promptFeedback", "blockReason") or response.follow("prompt_feedback", "block_reason"):
        return found.finished("")
    candidates = response.need("candidates").items()
    if not candidates:
        raise response.need("candidates").unlike("at least one candidate")
    if len(candidates) > 1:
        found.notice("more-choices", f"only the first of {len(candidates)} candidates is used", candidates[1])
    content = candidates[0].get("content") if found.finish_reason else candidates[0].need("content")
    parts = [_text(part, found) for part in (content.items("parts") if content else [])]
    metadata = candidates[0].get("groundingMetadata", "grounding_metadata")
    if metadata is None:
        found.notice("no-context", "the answer is not grounded, so it has no sources")
        return found.finished("".join(parts))
    chunks = [_chunk(chunk, found) for chunk in metadata.items("groundingChunks", "grounding_chunks")]
    for support in metadata.items("groundingSupports", "grounding_supports"):
        span = _span(support.need("segment"), parts)
        for index, confidence in _references(support):
            if not 0 <= index.integer() < len(chunks):
                raise index.unlike(f"the index of one of {len(chunks)} chunks")
            chunk = chunks[index.integer()]
            kept = chunk.kept if confidence is None else {**chunk.kept, "confidence": confidence}
            found.cite(chunk.document_id, span=span, page=chunk.page, kept=kept)
    queries = metadata.get("webSearchQueries", "web_search_queries", "retrievalQueries", "retrieval_queries")
    context = {"search_queries": queries.value} if queries else {}
    return found.finished("".join(parts), context=context, no_text_hint=_NO_TEXT)


def _text(part: JsonNode, found: CollectedCitations) -> str:
    """The text of a part of the answer; thoughts and calls have none, but keep their place in the count."""
    text = part.get("text")
    if text is None:
        for kind in part.object():
            if kind not in _NOT_SAID:
                found.left_out(kind, part)
    return text.text() if text is not None and not part.object().get("thought") else ""


def _references(support: JsonNode) -> Iterator[tuple[JsonNode, Any]]:
    confidences = support.items("confidenceScores", "confidence_scores")
    for position, index in enumerate(support.items("groundingChunkIndices", "grounding_chunk_indices")):
        yield index, confidences[position].number() if position < len(confidences) else None


def _span(segment: JsonNode, parts: list[str]) -> AnswerSpan:
    start, end = (segment.get("startIndex", "start_index"), segment.get("endIndex", "end_index"))
    first, last = (start.integer() if start else 0), (end.integer() if end else 0)
    named = segment.get("partIndex", "part_index")
    index = named.integer() if named else 0
    repeated = segment.need("text").text()
    if not 0 <= index < len(parts):
        raise (named or segment).unlike(f"the index of one of {len(parts)} parts")
    base = sum(map(len, parts[:index]))
    try:
        return byte_span(parts[index], first, last, segment, base=base, repeated=repeated)
    except OffsetMismatch:
        if len(parts) == 1 or named is not None:
            raise
        return byte_span("".join(parts), first, last, segment, repeated=repeated)


def _chunk(chunk: JsonNode, found: CollectedCitations) -> _Chunk:
    inner = chunk.get("retrievedContext", "retrieved_context", "web", "maps", "image")
    if inner is None:
        raise chunk.unlike("a chunk with retrievedContext, web, maps or image")
    rag = inner.get("ragChunk", "rag_chunk")
    text = inner.text_at("text") or (rag.text_at("text") if rag else None)
    title = inner.text_at("title")
    document_id = found.identities.of(
        inner,
        own=inner.text_at("documentName", "document_name", "placeId", "place_id")
        or (rag.text_at("fileId", "file_id") if rag else None),
        url=inner.text_at("uri", "sourceUri", "source_uri"),
        title=title,
        content=text,
    )
    page = _page(inner, rag)
    kept = {key: value for key, value in (("title", title), ("url", inner.text_at("uri"))) if value}
    found.source(
        inner,
        text,
        document_id,
        source_id=inner.text_at("fileSearchStore", "file_search_store"),
        kept={**kept, **(paged(page) if page is not None else {})},
    )
    return _Chunk(document_id, page, kept)


def _page(inner: JsonNode, rag: JsonNode | None) -> Any:
    """Both count from 1; of a span of pages it is the first."""
    page = inner.get("pageNumber", "page_number")
    if page is None and rag is not None:
        span = rag.get("pageSpan", "page_span")
        page = span.get("firstPage", "first_page") if span else None
    return page.value if page else None


def assemble(stream: Stream, found: CollectedCitations) -> JsonNode:
    """The whole answer, from chunks of its shape. One says how it ended, or that the prompt was blocked."""
    parts: list[dict[str, Any]] = []
    candidate: dict[str, Any] = {}
    whole: dict[str, Any] = {}
    unknown: list[Frame] = []
    for frame in stream.frames:
        refuse_error(frame.data)
        if not _CHUNK & frame.data.object().keys():
            unknown.append(frame)
            continue
        whole |= frame.data.without("candidates")
        for chunk in frame.data.items("candidates"):
            index = chunk.get("index")
            if index is not None and index.integer() != 0:
                continue
            content = chunk.get("content")
            for part in content.items("parts") if content is not None else ():
                _append(part, parts)
            candidate |= chunk.without("content")
    blocked = whole.keys() & {"promptFeedback", "prompt_feedback"}
    if not candidate.keys() & {"finishReason", "finish_reason"} and not blocked:
        raise ends_early(stream, "a finishReason")
    keep_unknown(unknown, found)
    if candidate or parts:
        whole["candidates"] = [{**candidate, "content": {"role": "model", "parts": parts}}]
    return JsonNode(whole)


def _append(part: JsonNode, parts: list[dict[str, Any]]) -> None:
    """Pieces of text that follow each other are one part, as in an answer that comes at once."""
    value = dict(part.object())
    text = value.get("text")
    last = parts[-1] if parts else {}
    if (
        isinstance(text, str)
        and isinstance(last.get("text"), str)
        and last.get("thought") == value.get("thought")
    ):
        last["text"] += text
    else:
        parts.append(value)
