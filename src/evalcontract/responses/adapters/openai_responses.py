"""OpenAI Responses API: annotations of the output texts, and the results of file searches.

Offsets: characters (code points) of the output_text part that holds the annotation. `end_index` of a URL
citation is documented as the last character, but answers put it one after; both readings are tried and the
URL must be found there. `index` of a file citation is the character before which it is inserted.
"""

from __future__ import annotations

from evalcontract.responses.adapters.adapted import (
    AdaptedResponse,
    AnswerSpan,
    CollectedCitations,
    character_span,
)
from evalcontract.responses.adapters.states import refuse_error
from evalcontract.responses.adapters.streams import Frame, Stream, ends_early, keep_unknown
from evalcontract.responses.shapes import JsonNode

_LAST = ("completed", "incomplete", "failed", "cancelled")
_FAMILIES = frozenset(
    [
        "audio",
        "code_interpreter_call",
        "code_interpreter_call_code",
        "compaction",
        "content_part",
        "created",
        "custom_tool_call_input",
        "file_search_call",
        "function_call_arguments",
        "image_generation_call",
        "in_progress",
        "mcp_call",
        "mcp_call_arguments",
        "mcp_list_tools",
        "output_item",
        "output_text",
        "queued",
        "reasoning_summary_part",
        "reasoning_summary_text",
        "reasoning_text",
        "refusal",
        "shell_call_command",
        "shell_call_output_content",
        "steer",
        "web_search_call",
    ]
)
"""Events whose content the response at the end repeats."""
_NOT_SAID = ("file_search_call", "web_search_call", "reasoning")
_NO_TEXT = 'ask for them with include=["file_search_call.results"]; web pages come without their text'


def adapt(response: JsonNode, found: CollectedCitations) -> AdaptedResponse:
    searched: set[str] = set()
    texts: list[str] = []
    output = response.need("output").items()
    for item in output:
        if item.text_at("type") == "file_search_call":
            searched.update(_results(item, found))
    for item in output:
        kind = item.need("type").text()
        if kind == "message":
            for part in item.items("content"):
                text = part.written_at("text", "refusal")
                if part.text_at("type") == "refusal":
                    found.refused(part)
                base = sum(map(len, texts))
                for annotation in part.items("annotations"):
                    _annotation(annotation, text, base, searched, found)
                texts.append(text)
        elif kind not in _NOT_SAID:
            found.left_out(kind, item)
    return found.finished("".join(texts), no_text_hint=_NO_TEXT)


def _results(call: JsonNode, found: CollectedCitations) -> set[str]:
    ids = set()
    for result in call.items("results"):
        text = result.text_at("text")
        document_id = found.identities.of(
            result, own=result.text_at("file_id"), filepath=result.text_at("filename"), content=text
        )
        score = result.get("score")
        kept = result.without("text", "score")
        found.source(result, text, document_id, score=score.number() if score else None, kept=kept)
        if text:
            ids.add(document_id)
    return ids


def _annotation(note: JsonNode, text: str, base: int, searched: set[str], found: CollectedCitations) -> None:
    kind = note.need("type").text()
    if kind == "file_citation":
        index = note.need("index").integer()
        span = character_span(text, index, index, note, base=base)
    elif kind == "url_citation":
        span = _link(note, text, base, found)
    elif kind == "container_file_citation":
        start, end = note.need("start_index").integer(), note.need("end_index").integer()
        span = character_span(text, start, end, note, base=base)
    else:
        found.notice("not-a-source", f"an annotation of type {kind[:40]} is no citation and left out", note)
        return
    document_id = found.identities.of(
        note,
        own=note.text_at("file_id"),
        filepath=note.text_at("filename"),
        url=note.text_at("url"),
        title=note.text_at("title"),
    )
    if document_id not in searched:
        found.source(note, None, document_id)
    kept = note.without("index", "start_index", "end_index")
    url = note.text_at("url")
    covers_marker = bool(span.text) and (url is None or url in span.text)
    found.cite(document_id, span=span, marker=span.text if covers_marker else None, kept=kept)


def _link(note: JsonNode, text: str, base: int, found: CollectedCitations) -> AnswerSpan:
    start, end, url = (
        note.need("start_index").integer(),
        note.need("end_index").integer(),
        note.need("url").text(),
    )
    exclusive = character_span(text, start, end, note, base=base)
    if url in exclusive.text:
        return exclusive
    if end < len(text) and url in text[start : end + 1]:
        return character_span(text, start, end + 1, note, base=base)
    found.notice("unproved-offset", "the URL is not in the characters that the citation points to", note)
    return exclusive


def assemble(stream: Stream, found: CollectedCitations) -> JsonNode:
    """The whole response, which the last event of the stream repeats."""
    last: JsonNode | None = None
    unknown: list[Frame] = []
    for frame in stream.frames:
        refuse_error(frame.data)
        family = frame.kind.removeprefix("response.").split(".")[0]
        if frame.kind.removeprefix("response.") in _LAST:
            last = frame.data.need("response")
        elif not frame.kind.startswith("response.") or family not in _FAMILIES:
            unknown.append(frame)
    if last is None:
        raise ends_early(stream, "response.completed")
    keep_unknown(unknown, found)
    return last
