"""OpenAI chat completions, and those of services that speak their language.

Sources are the url citations of a web search, or a `context` that keeps the contract as it stands. Offsets of url
citations: characters of the message; the end is documented as the last character, but answers put it one after.
"""

from __future__ import annotations

from evalcontract.responses.adapters.adapted import (
    AdaptedResponse,
    AnswerSpan,
    CollectedCitations,
    character_span,
)
from evalcontract.responses.adapters.chat_completions import first_choice, said_or_refused
from evalcontract.responses.shapes import JsonNode

_NO_TEXT = "web pages come without their text"
_UNKNOWN = dict.fromkeys(("document_id", "score", "source_id"))


def adapt(response: JsonNode, found: CollectedCitations) -> AdaptedResponse:
    message = first_choice(response, found).need("message")
    text = said_or_refused(message, found)
    context = message.get("context")
    for citation in context.items("citations") if context is not None else ():
        _passage(citation, found)
    for note in message.items("annotations"):
        _annotation(note, text, found)
    if context is None and not message.items("annotations"):
        found.notice("no-context", "the answer names no sources", message)
    kept = context.without("citations") if context is not None else {}
    return found.finished(text, context=kept, no_text_hint=_NO_TEXT)


def _passage(citation: JsonNode, found: CollectedCitations) -> None:
    hint = "if this is an answer of azure_on_your_data, say --provider azure_on_your_data"
    if citation.get("retrieved_context") is None and citation.get("content") is not None:
        raise citation.unlike("a citation with retrieved_context", hint)
    citation.need("retrieved_context").text()
    found.passage(citation, {**_UNKNOWN, **citation.object()})


def _annotation(note: JsonNode, text: str, found: CollectedCitations) -> None:
    kind = note.need("type").text()
    if kind != "url_citation":
        found.notice("not-a-source", f"an annotation of type {kind[:40]} is no citation and left out", note)
        return
    inner = note.need("url_citation")
    url, title = inner.need("url").text(), inner.text_at("title")
    document_id = found.identities.of(inner, url=url, title=title)
    found.source(inner, inner.text_at("content"), document_id, kept=inner.without("content"))
    found.cite(
        document_id,
        span=_span(inner, text, url, found),
        kept=inner.without("start_index", "end_index", "content"),
    )


def _span(inner: JsonNode, text: str, url: str, found: CollectedCitations) -> AnswerSpan | None:
    first, last = inner.get("start_index"), inner.get("end_index")
    if first is None or last is None:
        return None
    start, end = first.integer(), last.integer()
    span = character_span(text, start, end, inner)
    if url in span.text:
        return span
    if end < len(text) and url in text[start : end + 1]:
        return character_span(text, start, end + 1, inner)
    found.notice("unproved-offset", "the URL is not in the characters that the citation points to", inner)
    return span
