"""What providers count of an answer: tokens and, where they say it, the time it took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evalcontract.responses.shapes import JsonNode
from evalcontract.values import follow, pointer_tokens


@dataclass(frozen=True, slots=True)
class Counted:
    """A measurement and where it stands.

    `holders` are JSON pointers in the answer or in a frame of its stream. `keys`: the first must be there, and the
    others, which a provider counts apart, are added to it.
    """

    name: str
    holders: tuple[str, ...]
    keys: tuple[str, ...]


_ANTHROPIC = ("/usage", "/message/usage")
_CHAT = (
    Counted("input_tokens", ("/usage",), ("prompt_tokens",)),
    Counted("output_tokens", ("/usage",), ("completion_tokens",)),
    Counted("total_tokens", ("/usage",), ("total_tokens",)),
)
_COHERE = ("/usage/tokens", "/delta/usage/tokens")
_CONVERSE = ("/usage", "/metadata/usage")
_RESPONSES = ("/usage", "/response/usage")

USAGE: Mapping[str, tuple[Counted, ...]] = {
    "openai_chat": _CHAT,
    "azure_on_your_data": _CHAT,
    "openai_responses": tuple(
        Counted(name, _RESPONSES, (name,)) for name in ("input_tokens", "output_tokens", "total_tokens")
    ),
    "anthropic": (
        Counted(
            "input_tokens",
            _ANTHROPIC,
            ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
        ),
        Counted("output_tokens", _ANTHROPIC, ("output_tokens",)),
    ),
    "cohere": tuple(Counted(name, _COHERE, (name,)) for name in ("input_tokens", "output_tokens")),
    "gemini": (
        Counted("input_tokens", ("/usageMetadata",), ("promptTokenCount",)),
        Counted("output_tokens", ("/usageMetadata",), ("candidatesTokenCount", "thoughtsTokenCount")),
        Counted("total_tokens", ("/usageMetadata",), ("totalTokenCount",)),
        Counted("input_tokens", ("/usage_metadata",), ("prompt_token_count",)),
        Counted("output_tokens", ("/usage_metadata",), ("candidates_token_count", "thoughts_token_count")),
        Counted("total_tokens", ("/usage_metadata",), ("total_token_count",)),
    ),
    "bedrock_rag": (),
    "bedrock_converse": (
        Counted("input_tokens", _CONVERSE, ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")),
        Counted("output_tokens", _CONVERSE, ("outputTokens",)),
        Counted("total_tokens", _CONVERSE, ("totalTokens",)),
        Counted("latency_ms", ("/metrics", "/metadata/metrics"), ("latencyMs",)),
    ),
}
"""By the name of the provider. RetrieveAndGenerate of Bedrock counts nothing."""


def usage_of(provider: str, parts: Iterable[JsonNode]) -> dict[str, float]:
    """The measurements that a whole answer tells, or the frames of a stream, of which the last counts."""
    found: dict[str, float] = {}
    for part in parts:
        for counted in USAGE[provider]:
            for holder in counted.holders:
                amount = _amount(part, holder, counted.keys)
                if amount is not None:
                    found[counted.name] = amount
    return found


def _amount(part: JsonNode, holder: str, keys: tuple[str, ...]) -> float | None:
    try:
        _, held = follow(part.value, pointer_tokens(holder))
    except LookupError:
        return None
    first, *others = (_number(held.get(key)) if isinstance(held, dict) else None for key in keys)
    return None if first is None else first + sum(other or 0 for other in others)


def _number(value: object) -> float | None:
    """A count; anything else that stands in its place says nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        return None
    return value
