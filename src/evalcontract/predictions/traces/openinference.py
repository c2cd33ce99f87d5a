"""Spans of OpenInference, which the instrumentations of LangChain, LangGraph, LlamaIndex and OpenAI Agents write.

What a model heard and said, and what a retriever found, stands under numbered attributes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evalcontract.predictions.json_text import json_or_text
from evalcontract.predictions.traces.attributes import unflattened
from evalcontract.predictions.traces.observations import Kind

SPAN_KIND = "openinference.span.kind"
INPUT_MESSAGES, OUTPUT_MESSAGES = "llm.input_messages", "llm.output_messages"
INPUT_VALUE, OUTPUT_VALUE = "input.value", "output.value"
RETRIEVED, RERANKED = "retrieval.documents", "reranker.output_documents"
TOOL_NAME = "tool.name"
PROMPT_TOKENS, COMPLETION_TOKENS = "llm.token_count.prompt", "llm.token_count.completion"
FINISH_REASON = "llm.finish_reason"
KINDS: Mapping[str, Kind] = {
    "LLM": "generation",
    "TOOL": "tool",
    "RETRIEVER": "retriever",
    "RERANKER": "reranker",
    "AGENT": "agent",
    "CHAIN": "other",
    "DECISION": "other",
    "EMBEDDING": "other",
    "GUARDRAIL": "other",
    "EVALUATOR": "other",
    "PROMPT": "other",
    "UNKNOWN": "other",
}


def messages_under(attributes: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """The messages under a prefix, in the shape of a chat API."""
    found = unflattened(attributes, prefix)
    return (
        [_message(element) for element in found if isinstance(element, dict)]
        if isinstance(found, list)
        else []
    )


def _message(element: dict[str, Any]) -> dict[str, Any]:
    inner = element.get("message", element)
    message = dict(inner) if isinstance(inner, dict) else {}
    contents = message.pop("contents", None)
    if isinstance(contents, list) and not message.get("content"):
        message["content"] = [_inside(block, "message_content") for block in contents]
    calls = message.pop("tool_calls", None)
    if isinstance(calls, list):
        message["tool_calls"] = [_inside(call, "tool_call") for call in calls]
    name = message.pop("function_call_name", None)
    if name is not None:
        message["function_call"] = {
            "name": name,
            "arguments": message.pop("function_call_arguments_json", None),
        }
    message.setdefault("role", "assistant")
    return message


def _inside(value: Any, key: str) -> Any:
    return value.get(key, value) if isinstance(value, dict) else value


def documents_under(attributes: Mapping[str, Any]) -> list[Any] | None:
    """The documents of a retriever or reranker, in the order of their numbers; None where none were recorded."""
    for prefix in (RERANKED, RETRIEVED):
        found = unflattened(attributes, prefix)
        if isinstance(found, list):
            return [_document(_inside(element, "document")) for element in found]
    return None


def _document(document: Any) -> Any:
    if not isinstance(document, dict):
        return document
    return {**document, "metadata": json_or_text(document.get("metadata"))}
