"""Whose answer is it? By marks that only one provider sets; what merely looks alike is not taken for its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evalcontract.errors import UnexpectedShape
from evalcontract.responses.adapters.streams import is_stream, stream_of
from evalcontract.responses.shapes import JsonNode

_AZURE = "azure_on_your_data"
_CHAT = "openai_chat"
_AZURE_OBJECT = "extensions.chat.completion"
_AZURE_FILTERS = frozenset({"prompt_filter_results", "content_filter_results"})
_MAX_LOOKED_AT = 200

# What an answer of each provider has at its top, with the value where the provider fixes it.
_MARKS: tuple[tuple[str, Mapping[str, str | None]], ...] = (
    ("openai_responses", {"object": "response", "output": None}),
    ("anthropic", {"type": "message", "role": "assistant", "content": None}),
    ("gemini", {"candidates": None}),
    ("bedrock_rag", {"sessionId": None, "output": None, "citations": None}),
    ("bedrock_converse", {"stopReason": None, "output": None}),
    ("cohere", {"finish_reason": None, "message": None}),
)

# What only one provider calls a frame, a kind of frame, or a key of one.
_FRAME_MARKS: Mapping[str, str] = {
    "chat.completion.chunk": _CHAT,
    "response.created": "openai_responses",
    "response.completed": "openai_responses",
    "response.failed": "openai_responses",
    "response.incomplete": "openai_responses",
    "message_start": "anthropic",
    "message-start": "cohere",
    "message-end": "cohere",
    "candidates": "gemini",
    "messageStart": "bedrock_converse",
    "messageStop": "bedrock_converse",
    "citation": "bedrock_rag",
    "guardrail": "bedrock_rag",
}


def recognised(response: Any) -> str | None:
    """The provider whose answer this parsed JSON, list of chunks or text of an event stream surely is."""
    if is_stream(JsonNode(response)):
        return _of_stream(response)
    if not isinstance(response, Mapping):
        return None
    if _is_azure(response):
        return _AZURE
    if "choices" in response:
        return _CHAT if any(_message(choice).get("annotations") for choice in _choices(response)) else None
    return next((name for name, marks in _MARKS if _has(response, marks)), None)


def _of_stream(response: Any) -> str | None:
    try:
        frames = stream_of(JsonNode(response)).frames[:_MAX_LOOKED_AT]
    except UnexpectedShape:
        return None
    if any(_is_azure(frame.data.object()) for frame in frames):
        return _AZURE
    for frame in frames:
        value = frame.data.object()
        names = {frame.event, value.get("type"), value.get("object"), *value}
        found = next((name for mark, name in _FRAME_MARKS.items() if mark in names), None)
        if found is not None:
            return found
    return None


def resembled(response: Any) -> str | None:
    """The provider whose answer this may be: its citations are like that provider's and not like the contract's."""
    citations = list(_citations(response)) if isinstance(response, Mapping) else []
    texts = [
        citation for citation in citations if "content" in citation and "retrieved_context" not in citation
    ]
    return _AZURE if texts and len(texts) == len(citations) else None


def _is_azure(answer: Mapping[str, Any]) -> bool:
    if any("retrieved_context" in citation for citation in _citations(answer)):
        return False  # a service of one's own before Azure, which has taken over its other keys
    choices = list(_choices(answer))
    if str(answer.get("object")).startswith(_AZURE_OBJECT) or any("messages" in choice for choice in choices):
        return True
    filtered = _AZURE_FILTERS & answer.keys() or any(_AZURE_FILTERS & choice.keys() for choice in choices)
    return bool(filtered) and resembled(answer) is not None


def _choices(answer: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    choices = answer.get("choices")
    for choice in choices[:_MAX_LOOKED_AT] if isinstance(choices, list) else ():
        if isinstance(choice, Mapping):
            yield choice


def _message(choice: Mapping[str, Any]) -> Mapping[str, Any]:
    message = choice.get("message")
    return message if isinstance(message, Mapping) else {}


def _citations(answer: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for choice in _choices(answer):
        found: Any = choice
        for key in ("message", "context", "citations"):
            found = found.get(key) if isinstance(found, Mapping) else None
        for citation in found if isinstance(found, list) else ():
            if isinstance(citation, Mapping):
                yield citation


def _has(response: Mapping[str, Any], marks: Mapping[str, str | None]) -> bool:
    return all(key in response and (value is None or response[key] == value) for key, value in marks.items())
