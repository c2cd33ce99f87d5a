"""What providers tell of an answer beside it: which model gave it, and under which id they know it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evalcontract.responses.shapes import JsonNode
from evalcontract.values import follow, pointer_tokens

_MODEL, _ID = "model", "response_id"
_CHAT = {_MODEL: ("/model",), _ID: ("/id",)}
_REQUEST = ("/ResponseMetadata/RequestId", "/$metadata/requestId")
"""As the SDKs of AWS put what they read from the headers beside the body."""

IDENTITY: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "openai_chat": _CHAT,
    "azure_on_your_data": _CHAT,
    "openai_responses": {_MODEL: ("/model", "/response/model"), _ID: ("/id", "/response/id")},
    "anthropic": {_MODEL: ("/model", "/message/model"), _ID: ("/id", "/message/id")},
    "cohere": {_ID: ("/id",)},
    "gemini": {_MODEL: ("/modelVersion", "/model_version"), _ID: ("/responseId", "/response_id")},
    "bedrock_rag": {_ID: _REQUEST, "session_id": ("/sessionId",)},
    "bedrock_converse": {
        _MODEL: ("/trace/promptRouter/invokedModelId", "/metadata/trace/promptRouter/invokedModelId"),
        _ID: _REQUEST,
    },
}
"""By the name of the provider: JSON pointers in the answer or in a frame of its stream, by the name in metadata."""


def identity_of(provider: str, parts: Iterable[JsonNode]) -> dict[str, str]:
    """What a whole answer tells, or the frames of a stream, of which the first that tells something counts."""
    found: dict[str, str] = {}
    for part in parts:
        for name, pointers in IDENTITY[provider].items():
            told = next(filter(None, (_text(part, pointer) for pointer in pointers)), None)
            if told is not None:
                found.setdefault(name, told)
    return found


def _text(part: JsonNode, pointer: str) -> str | None:
    try:
        _, value = follow(part.value, pointer_tokens(pointer))
    except LookupError:
        return None
    return value if isinstance(value, str) and value.strip() else None
