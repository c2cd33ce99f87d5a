"""Retrieved documents as retrievers write them."""

from __future__ import annotations

from typing import Any

from evalcontract.responses import Identities, JsonNode

_UNKNOWN = dict.fromkeys(("content", "score", "source_id", "title", "url", "metadata"))
_LISTS = ("documents", "results", "hits", "matches", "chunks", "sources", "nodes")
_TEXTS = ("content", "text", "page_content", "snippet", "chunk", "retrieved_context")


def documents_of(output: JsonNode, identities: Identities) -> list[dict[str, Any]]:
    """RetrievedDocuments from a list of documents, or from an object that holds one, in their order.

    Each is an id, or an object with an id, a text and a score under one of their common names. Ids fall back
    on filepath, url and title, in the document or in its metadata, then on a hash of the text.
    """
    if isinstance(output.value, dict):
        inner = output.get(*_LISTS)
        if inner is None:
            raise output.unlike("a list of documents", f"or an object with one of {', '.join(_LISTS)}")
        output = inner
    return [_document(element, identities) for element in output.items()]


def _document(place: JsonNode, identities: Identities) -> dict[str, Any]:
    if isinstance(place.value, str):
        if not place.value.strip():
            raise place.unlike("the id of a document")
        return {**_UNKNOWN, "document_id": place.value}
    metadata = place.get("metadata") or JsonNode({}, place.path)
    text = place.text_at(*_TEXTS)
    score = place.get("score", "relevance_score") or metadata.get("score", "relevance_score")

    def first(*names: str) -> str | None:
        return _id(place, names) or _id(metadata, names)

    return {
        "document_id": identities.of(
            place,
            own=first("document_id", "doc_id", "id"),
            filepath=first("filepath", "file_path", "source"),
            url=first("url", "uri"),
            title=first("title"),
            content=text,
        ),
        "content": text,
        "score": score.number() if score else None,
        "source_id": place.text_at("source_id") or metadata.text_at("source_id"),
        "title": first("title", "document_title", "name"),
        "url": first("url", "uri"),
        "metadata": dict(metadata.object()) or None,
    }


def _id(place: JsonNode, names: tuple[str, ...]) -> str | None:
    """Numbers are ids too: a retriever that counts its documents writes 4."""
    for name in names:
        value = place.object().get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value.strip():
            return value
    return None
