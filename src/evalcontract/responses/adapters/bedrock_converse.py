"""Amazon Bedrock Converse: blocks of cited content in the output message.

Offsets count characters, pages or chunks of the cited document, not of the answer; the span of the answer is
the whole block. Where the caller hands over the documents, character offsets are proved (end exclusive). It
is not documented whether pages count from 0 or from 1, so they are kept as they are and give no page_number.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalcontract.responses.adapters.adapted import AdaptedResponse, Collected, Span, character_span
from evalcontract.responses.shapes import Node, walk_text


def adapt(response: Node, documents: Sequence[str] = ()) -> AdaptedResponse:
    found = Collected("bedrock_converse")
    text = ""
    for block in response.need("output").need("message").need("content").items():
        cited = block.get("citationsContent")
        if cited is None:
            text += block.written_at("text")
            continue
        piece = "".join(walk_text(cited.items("content")))
        span = Span(len(text), len(text) + len(piece), piece)
        for citation in cited.items("citations"):
            _citation(citation, span, documents, found)
        text += piece
    return found.finished(text)


def _citation(citation: Node, span: Span, documents: Sequence[str], found: Collected) -> None:
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
        _prove(location, passage, documents)
    kept = citation.without("sourceContent")
    found.source(citation, passage, document_id, kept=kept, once=True)
    found.cite(document_id, span=span, quotes=[passage] if passage else None, kept=kept)


def _by_place(location: Node | None) -> str | None:
    for name in ("documentChar", "documentPage", "documentChunk", "searchResultLocation"):
        place = location.get(name) if location else None
        index = place.get("documentIndex", "searchResultIndex") if place else None
        if index is not None:
            return f"{index.path[-1]}:{index.integer()}"
    return None


def _prove(location: Node, passage: str, documents: Sequence[str]) -> None:
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
