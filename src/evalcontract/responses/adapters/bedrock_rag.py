"""Amazon Bedrock RetrieveAndGenerate: parts of the answer with the references that they rest on.

Offsets: characters of `output.text`; the end of a span is inclusive. The text of the part is repeated, so
every offset is proved.
"""

from __future__ import annotations

from typing import Any

from evalcontract.responses.adapters.adapted import (
    AdaptedResponse,
    AnswerSpan,
    CollectedCitations,
    character_span,
    paged,
)
from evalcontract.responses.adapters.states import refuse_error
from evalcontract.responses.adapters.streams import Frame, Stream, ends_early, keep_unknown
from evalcontract.responses.shapes import JsonNode
from evalcontract.values import json_text

_PAGE = "x-amz-bedrock-kb-document-page-number"
_SOURCE_URI = "x-amz-bedrock-kb-source-uri"
_DATA_SOURCE = "x-amz-bedrock-kb-data-source-id"


def adapt(response: JsonNode, found: CollectedCitations) -> AdaptedResponse:
    text = response.need("output").need("text").text()
    for citation in response.items("citations"):
        part = citation.follow("generatedResponsePart", "textResponsePart")
        span = _span(part, text) if part else None
        for reference in citation.items("retrievedReferences"):
            _reference(reference, span, found)
    return found.finished(text)


def _span(part: JsonNode, text: str) -> AnswerSpan | None:
    place = part.get("span")
    if place is None:
        return None
    start, end = place.get("start"), place.need("end")
    repeated = part.get("text")
    return character_span(
        text,
        start.integer() if start else 0,
        end.integer() + 1,
        place,
        repeated=repeated.text() if repeated else None,
    )


def _reference(reference: JsonNode, span: AnswerSpan | None, found: CollectedCitations) -> None:
    content, location = reference.need("content"), reference.get("location")
    passage = _passage(content)
    metadata = reference.get("metadata") or JsonNode({})
    place = _location(location) if location else {}
    document_id = found.identities.of(
        reference,
        own=place.get("id"),
        filepath=place.get("uri"),
        url=place.get("url") or metadata.text_at(_SOURCE_URI),
        content=passage,
    )
    page = metadata.object().get(_PAGE)
    kept = reference.without("content")
    found.source(
        reference,
        passage,
        document_id,
        source_id=metadata.text_at(_DATA_SOURCE),
        kept={**kept, **(paged(page) if page is not None else {})},
        once=True,
    )
    found.cite(document_id, span=span, page=page)


def _location(location: JsonNode) -> dict[str, str]:
    """The one address of a location such as `{"type": "S3", "s3Location": {"uri": ...}}`."""
    for name in location.object():
        if name.endswith("Location"):
            inner = location.get(name)
            if inner is not None:
                return {key: value for key in ("id", "uri", "url") if (value := inner.text_at(key))}
    return {}


def _passage(content: JsonNode) -> str | None:
    """The cited text; of audio its transcription, of video its summary, of a table its row as JSON."""
    spoken, seen = content.follow("audio", "transcription"), content.follow("video", "summary")
    text = content.text_at("text") or (spoken.text() if spoken else None) or (seen.text() if seen else None)
    row = content.items("row")
    if text or not row:
        return text
    cells: dict[str, Any] = {cell.need("columnName").text(): cell.value.get("columnValue") for cell in row}
    return json_text(cells)


def assemble(stream: Stream, found: CollectedCitations) -> JsonNode:
    """The whole answer, from the events of RetrieveAndGenerateStream; no event is its last, but one has the text."""
    texts: list[str] = []
    citations: list[Any] = []
    whole: dict[str, Any] = {}
    unknown: list[Frame] = []
    for frame in stream.frames:
        refuse_error(frame.data)
        name, inner = frame.tagged
        match name:
            case "output":
                texts.append(inner.written_at("text"))
            case "citation":
                older = inner.get("citation")
                citations.append((inner if older is None else older).value)
            case "guardrail":
                whole["guardrailAction"] = inner.object().get("action")
            case "sessionId":
                pass
            case _:
                unknown.append(frame)
    if not texts:
        raise ends_early(stream, "any output")
    keep_unknown(unknown, found)
    return JsonNode({**whole, "output": {"text": "".join(texts)}, "citations": citations})
