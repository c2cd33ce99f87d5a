"""The names that traces are read by are those that the packages of the conventions define."""

from __future__ import annotations

from openinference.semconv.trace import (
    DocumentAttributes,
    MessageAttributes,
    MessageContentAttributes,
    OpenInferenceSpanKindValues,
    RerankerAttributes,
    SpanAttributes,
    ToolCallAttributes,
)
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes

from evalcontract.predictions.traces import openinference, otel


def test_names_of_openinference_are_those_of_its_package() -> None:
    assert set(openinference.KINDS) >= {kind.value for kind in OpenInferenceSpanKindValues}
    assert (openinference.SPAN_KIND, openinference.TOOL_NAME, openinference.FINISH_REASON) == (
        SpanAttributes.OPENINFERENCE_SPAN_KIND,
        SpanAttributes.TOOL_NAME,
        SpanAttributes.LLM_FINISH_REASON,
    )
    assert (openinference.INPUT_MESSAGES, openinference.OUTPUT_MESSAGES) == (
        SpanAttributes.LLM_INPUT_MESSAGES,
        SpanAttributes.LLM_OUTPUT_MESSAGES,
    )
    assert (openinference.INPUT_VALUE, openinference.OUTPUT_VALUE) == (
        SpanAttributes.INPUT_VALUE,
        SpanAttributes.OUTPUT_VALUE,
    )
    assert (openinference.RETRIEVED, openinference.RERANKED) == (
        SpanAttributes.RETRIEVAL_DOCUMENTS,
        RerankerAttributes.RERANKER_OUTPUT_DOCUMENTS,
    )
    assert (openinference.PROMPT_TOKENS, openinference.COMPLETION_TOKENS) == (
        SpanAttributes.LLM_TOKEN_COUNT_PROMPT,
        SpanAttributes.LLM_TOKEN_COUNT_COMPLETION,
    )


def test_messages_and_documents_under_the_names_of_the_package_are_read() -> None:
    prefix = f"{SpanAttributes.LLM_OUTPUT_MESSAGES}.0."
    call = f"{prefix}{MessageAttributes.MESSAGE_TOOL_CALLS}.0."
    content = f"{prefix}{MessageAttributes.MESSAGE_CONTENTS}.0."
    found = openinference.messages_under(
        {
            prefix + MessageAttributes.MESSAGE_ROLE: "assistant",
            content + MessageContentAttributes.MESSAGE_CONTENT_TYPE: "text",
            content + MessageContentAttributes.MESSAGE_CONTENT_TEXT: "Yes.",
            call + ToolCallAttributes.TOOL_CALL_ID: "1",
            call + ToolCallAttributes.TOOL_CALL_FUNCTION_NAME: "w",
            call + ToolCallAttributes.TOOL_CALL_FUNCTION_ARGUMENTS_JSON: "{}",
        },
        SpanAttributes.LLM_OUTPUT_MESSAGES,
    )
    assert found == [
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "Yes."}],
            "tool_calls": [{"id": "1", "function": {"name": "w", "arguments": "{}"}}],
        }
    ]
    document = f"{SpanAttributes.RETRIEVAL_DOCUMENTS}.0."
    documents = openinference.documents_under(
        {
            document + DocumentAttributes.DOCUMENT_ID: "d",
            document + DocumentAttributes.DOCUMENT_CONTENT: "text",
            document + DocumentAttributes.DOCUMENT_SCORE: 0.5,
            document + DocumentAttributes.DOCUMENT_METADATA: '{"source": "s"}',
        }
    )
    assert documents == [{"id": "d", "content": "text", "score": 0.5, "metadata": {"source": "s"}}]


def test_operations_of_the_genai_conventions_are_all_told_apart_or_other_steps_on_purpose() -> None:
    others = {"embeddings"}
    operations = {operation.value for operation in gen_ai_attributes.GenAiOperationNameValues}
    assert operations - others <= set(otel._KINDS)
