"""Anthropic Messages API: text blocks with citations.

Offsets count characters, blocks or pages of the cited document, not of the answer, and their ends are
exclusive; pages count from 1. The span of the answer is the whole text block. Where the caller hands over
the documents, character offsets are proved: they must lead to `cited_text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evalcontract.responses.adapters.adapted import AdaptedResponse, Collected, Span, character_span
from evalcontract.responses.shapes import Node


def adapt(response: Node, documents: Sequence[str] = ()) -> AdaptedResponse:
    found = Collected("anthropic")
    text = ""
    for block in response.need("content").items():
        if block.text_at("type") != "text":
            continue
        piece = block.need("text").text()
        span = Span(len(text), len(text) + len(piece), piece)
        for citation in block.items("citations"):
            _citation(citation, span, documents, found)
        text += piece
    return found.finished(text)


def _citation(citation: Node, span: Span, documents: Sequence[str], found: Collected) -> None:
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
        _prove(citation, cited, documents)
    page = citation.need("start_page_number").integer() if kind == "page_location" else None
    kept = citation.without("cited_text", "encrypted_index")
    found.source(citation, cited, document_id, kept={**kept, **_page(page)}, once=True)
    found.cite(document_id, span=span, quotes=[cited], page=page, kept=kept)


def _page(page: int | None) -> dict[str, Any]:
    return {} if page is None else {"page_number": page}


def _prove(citation: Node, cited: str, documents: Sequence[str]) -> None:
    index = citation.need("document_index").integer()
    if 0 <= index < len(documents):
        start = citation.need("start_char_index").integer()
        end = citation.need("end_char_index").integer()
        character_span(documents[index], start, end, citation, repeated=cited)
