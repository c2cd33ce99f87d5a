"""What a provider counts of an answer is measured, whole and streamed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evalcontract.predictions import from_response
from evalcontract.responses.adapters import PROVIDERS, adapt
from evalcontract.responses.adapters.identity import IDENTITY
from evalcontract.responses.adapters.usage import USAGE

TOKENS = {"input_tokens": 30, "output_tokens": 7}
ALL = TOKENS | {"total_tokens": 37}
CHAT_USAGE = {"prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37}
CHAT = {"choices": [{"message": {"content": "Yes.", "context": {"citations": []}}, "finish_reason": "stop"}]}
CHUNKS = [
    {"choices": [{"index": 0, "delta": {"content": "Yes.", "context": {"citations": []}}}]},
    {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    {"choices": [], "usage": CHAT_USAGE},
]
RESPONSE = {
    "object": "response",
    "status": "completed",
    "output": [{"type": "message", "content": [{"type": "output_text", "text": "Yes.", "annotations": []}]}],
    "usage": ALL,
}
ANTHROPIC_USAGE = {"input_tokens": 10, "cache_creation_input_tokens": 15, "cache_read_input_tokens": 5}
CONVERSE_USAGE = {"inputTokens": 25, "cacheReadInputTokens": 5, "outputTokens": 7, "totalTokens": 37}
GEMINI = {"candidates": [{"content": {"parts": [{"text": "Yes."}]}, "finishReason": "STOP"}]}
ANSWERS: dict[str, tuple[str, Any, dict[str, float]]] = {
    "chat": ("openai_chat", CHAT | {"usage": CHAT_USAGE}, ALL),
    "chat in chunks": ("openai_chat", CHUNKS, ALL),
    "azure": ("azure_on_your_data", CHAT | {"usage": CHAT_USAGE}, ALL),
    "responses": ("openai_responses", RESPONSE, ALL),
    "responses as events": (
        "openai_responses",
        [{"type": "response.completed", "response": RESPONSE}],
        ALL,
    ),
    "anthropic": (
        "anthropic",
        {
            "type": "message",
            "content": [{"type": "text", "text": "Yes."}],
            "stop_reason": "end_turn",
            "usage": ANTHROPIC_USAGE | {"output_tokens": 7},
        },
        TOKENS,
    ),
    "anthropic as events": (
        "anthropic",
        [
            {
                "type": "message_start",
                "message": {"content": [], "usage": ANTHROPIC_USAGE | {"output_tokens": 1}},
            },
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "Yes."}},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}},
            {"type": "message_stop"},
        ],
        TOKENS,
    ),
    "cohere": (
        "cohere",
        {
            "finish_reason": "COMPLETE",
            "message": {"content": [{"type": "text", "text": "Yes."}]},
            "usage": {"billed_units": {"input_tokens": 1}, "tokens": TOKENS},
        },
        TOKENS,
    ),
    "cohere as events": (
        "cohere",
        [
            {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "Yes."}}}},
            {"type": "message-end", "delta": {"finish_reason": "COMPLETE", "usage": {"tokens": TOKENS}}},
        ],
        TOKENS,
    ),
    "gemini": (
        "gemini",
        GEMINI
        | {
            "usageMetadata": {
                "promptTokenCount": 30,
                "candidatesTokenCount": 4,
                "thoughtsTokenCount": 3,
                "totalTokenCount": 37,
            }
        },
        ALL,
    ),
    "gemini in chunks": (
        "gemini",
        [
            {"usageMetadata": {"promptTokenCount": 30, "totalTokenCount": 30}},
            GEMINI
            | {"usageMetadata": {"promptTokenCount": 30, "candidatesTokenCount": 7, "totalTokenCount": 37}},
        ],
        ALL,
    ),
    "gemini of the SDK": (
        "gemini",
        GEMINI
        | {
            "usage_metadata": {
                "prompt_token_count": 30,
                "candidates_token_count": 7,
                "total_token_count": 37,
            }
        },
        ALL,
    ),
    "converse": (
        "bedrock_converse",
        {
            "output": {"message": {"role": "assistant", "content": [{"text": "Yes."}]}},
            "stopReason": "end_turn",
            "usage": CONVERSE_USAGE,
            "metrics": {"latencyMs": 801},
        },
        ALL | {"latency_ms": 801},
    ),
    "converse as events": (
        "bedrock_converse",
        [
            {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Yes."}}},
            {"messageStop": {"stopReason": "end_turn"}},
            {"metadata": {"usage": CONVERSE_USAGE, "metrics": {"latencyMs": 801}}},
        ],
        ALL | {"latency_ms": 801},
    ),
    "retrieve and generate": ("bedrock_rag", {"output": {"text": "Yes."}, "citations": []}, {}),
}


def test_every_provider_is_tried() -> None:
    assert {provider for provider, _, _ in ANSWERS.values()} == {row.name for row in PROVIDERS} == set(USAGE)


@pytest.mark.parametrize("name", ANSWERS)
def test_a_record_has_the_measurements_that_the_provider_gives(name: str) -> None:
    provider, answer, expected = ANSWERS[name]
    assert from_response("a", answer, provider).record["measurements"] == (expected or None)


def test_what_the_caller_measured_goes_first() -> None:
    provider, answer, _ = ANSWERS["chat"]
    built = from_response("a", answer, provider, measurements={"input_tokens": 1, "latency_ms": 5})
    assert built.record["measurements"] == ALL | {"input_tokens": 1, "latency_ms": 5}


@pytest.mark.parametrize("odd", [None, "30", True, -1, {}, [1]])
def test_what_is_no_count_says_nothing(odd: Any) -> None:
    answer = json.loads(json.dumps(CHAT)) | {"usage": {"prompt_tokens": odd, "completion_tokens": 7}}
    assert adapt(answer, "openai_chat").measurements == {"output_tokens": 7}
    assert adapt(answer | {"usage": odd}, "openai_chat").measurements == {}


NAMED = {"model": "m-1", "response_id": "r-1"}
CHAT_NAMES = {"id": "r-1", "model": "m-1"}
AWS = {"ResponseMetadata": {"RequestId": "r-1"}}
ROUTED = {"trace": {"promptRouter": {"invokedModelId": "m-1"}}}


def renamed(name: str, first: dict[str, Any], last: dict[str, Any] | None = None) -> tuple[str, Any]:
    """A provider and its answer of the table above, with more in the answer, or in the ends of its stream."""
    provider, answer, _ = ANSWERS[name]
    if not isinstance(answer, list):
        return provider, answer | first
    return provider, [answer[0] | first, *answer[1:-1], answer[-1] | (last or first)]


IDENTIFIED = {
    "chat": (renamed("chat", CHAT_NAMES), NAMED),
    "chat in chunks": (renamed("chat in chunks", {"id": "", "model": ""}, CHAT_NAMES), NAMED),
    "azure": (renamed("azure", CHAT_NAMES), NAMED),
    "responses": (renamed("responses", CHAT_NAMES), NAMED),
    "responses as events": (
        ("openai_responses", [{"type": "response.completed", "response": RESPONSE | CHAT_NAMES}]),
        NAMED,
    ),
    "anthropic": (renamed("anthropic", CHAT_NAMES), NAMED),
    "anthropic as events": (
        (
            "anthropic",
            [
                {"type": "message_start", "message": {"content": [], **CHAT_NAMES}},
                *ANSWERS["anthropic as events"][1][1:],
            ],
        ),
        NAMED,
    ),
    "cohere": (renamed("cohere", {"id": "r-1"}), {"response_id": "r-1"}),
    "cohere as events": (
        ("cohere", [{"type": "message-start", "id": "r-1"}, *ANSWERS["cohere as events"][1]]),
        {"response_id": "r-1"},
    ),
    "gemini": (renamed("gemini", {"modelVersion": "m-1", "responseId": "r-1"}), NAMED),
    "gemini in chunks": (renamed("gemini in chunks", {"modelVersion": "m-1", "responseId": "r-1"}), NAMED),
    "gemini of the SDK": (
        renamed("gemini of the SDK", {"model_version": "m-1", "response_id": "r-1"}),
        NAMED,
    ),
    "converse": (renamed("converse", AWS | ROUTED), NAMED),
    "converse as events": (
        (
            "bedrock_converse",
            [*ANSWERS["converse as events"][1][:-1], {"metadata": {"usage": CONVERSE_USAGE, **ROUTED}}],
        ),
        {"model": "m-1"},
    ),
    "retrieve and generate": (
        renamed("retrieve and generate", AWS | {"sessionId": "s-1"}),
        {"response_id": "r-1", "session_id": "s-1"},
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_record_says_which_model_answered_and_under_which_id(name: str) -> None:
    (provider, answer), expected = IDENTIFIED[name]
    record = from_response("a", answer, provider).record
    assert record["metadata"] == expected
    bare, nothing, _ = ANSWERS[name]
    assert "metadata" not in from_response("a", nothing, bare).record


def test_every_provider_has_a_row() -> None:
    assert set(IDENTITY) == {row.name for row in PROVIDERS}


@pytest.mark.parametrize("odd", [None, 3, True, "", " ", {}, ["r"]])
def test_what_is_no_name_says_nothing(odd: Any) -> None:
    assert adapt(CHAT | {"id": odd, "model": "m-1"}, "openai_chat").metadata == {"model": "m-1"}
