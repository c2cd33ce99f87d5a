"""Whose answer is it? By marks that only one provider sets; what merely looks alike is not taken for its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_AZURE = "azure_on_your_data"
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


def recognised(response: Any) -> str | None:
    """The provider whose answer this parsed JSON, list of chunks or text of an event stream surely is."""
    if isinstance(response, str):
        return _AZURE if f'"{_AZURE_OBJECT}' in response else None
    chunks = response[:_MAX_LOOKED_AT] if isinstance(response, list) else [response]
    if any(_is_azure(each) for each in chunks if isinstance(each, Mapping)):
        return _AZURE
    if not isinstance(response, Mapping) or "choices" in response:
        return None
    return next((name for name, marks in _MARKS if _has(response, marks)), None)


def resembled(response: Any) -> str | None:
    """The provider whose answer this may be: its citations are like that provider's and not like the contract's."""
    citations = list(_citations(response)) if isinstance(response, Mapping) else []
    texts = [each for each in citations if "content" in each and "retrieved_context" not in each]
    return _AZURE if texts and len(texts) == len(citations) else None


def _is_azure(answer: Mapping[str, Any]) -> bool:
    if any("retrieved_context" in each for each in _citations(answer)):
        return False  # a service of one's own before Azure, which has taken over its other keys
    choices = list(_choices(answer))
    if str(answer.get("object")).startswith(_AZURE_OBJECT) or any("messages" in each for each in choices):
        return True
    filtered = _AZURE_FILTERS & answer.keys() or any(_AZURE_FILTERS & each.keys() for each in choices)
    return bool(filtered) and resembled(answer) is not None


def _choices(answer: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    choices = answer.get("choices")
    for each in choices[:_MAX_LOOKED_AT] if isinstance(choices, list) else ():
        if isinstance(each, Mapping):
            yield each


def _citations(answer: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for choice in _choices(answer):
        found: Any = choice
        for key in ("message", "context", "citations"):
            found = found.get(key) if isinstance(found, Mapping) else None
        for each in found if isinstance(found, list) else ():
            if isinstance(each, Mapping):
                yield each


def _has(response: Mapping[str, Any], marks: Mapping[str, str | None]) -> bool:
    return all(key in response and (value is None or response[key] == value) for key, value in marks.items())
