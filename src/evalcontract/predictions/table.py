"""The kinds of sources of predictions: one row each, which the documentation reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Builder:
    """A builder with one kind of source, and what it makes of it, in words for the documentation."""

    function: str
    source: str
    keeps: str
    derives: str
    cannot_know: str


BUILDERS: tuple[Builder, ...] = (
    Builder(
        function="from_messages",
        source="Chat messages: chat completions, Anthropic, items of OpenAI Responses, LangChain, Gemini, "
        "Bedrock Converse, pydantic-ai, AI SDK, GenAI conventions",
        keeps="the last text of the assistant, tool calls in order with their ids, outputs and errors as they are, "
        "arguments that are no object as raw_args, why the answer ended",
        derives="arguments from their JSON text, parsed once; hand-overs from a prefix of tool names, and their target "
        "from the name or from the arguments",
        cannot_know="citations, retrieved documents",
    ),
    Builder(
        function="from_result",
        source="What a function returned: a dict, a dataclass, an object with model_dump",
        keeps="what the mapping leads to, as it is",
        derives="nothing",
        cannot_know="what the mapping does not name",
    ),
    Builder(
        function="from_response",
        source="A provider's answer, through an adapter",
        keeps="the text, the passages as retrieved documents, what the adapter keeps",
        derives="citations, as the adapter does",
        cannot_know="tool calls, hand-overs, what the adapter can't know",
    ),
    Builder(
        function="from_trace",
        source="OpenTelemetry spans of the GenAI conventions (current and older names), of OpenInference and "
        "OpenLLMetry, as OTLP JSON or from the SDK",
        keeps="tool calls with arguments and results, retrieved documents in their order (after a reranking its own), "
        "hand-overs that are steps, the trace id",
        derives="the answer (root agent, else last generation, else an output tool), latency_ms of the root, tokens "
        "over all generations, of those within each other once",
        cannot_know="citations; anything where content was not recorded, which is an error",
    ),
    Builder(
        function="from_trace",
        source="A Langfuse trace with its observations, or observations alone",
        keeps="tool observations and calls in generations, output of retrievers in its order, the trace id, the cost",
        derives="the answer (output of the trace, of the root, else of the last generation), latency and tokens "
        "likewise; joins calls without an id with tool observations by name and order",
        cannot_know="citations; which observation retrieves or answers where its type does not say so (name it)",
    ),
    Builder(
        function="from_transcript",
        source="An Open WebUI chat export",
        keeps="the last turn of the branch that was shown last, its sources with their distances, native tool calls",
        derives="the visible text without folded blocks, citations from [N] markers, page_number from the "
        "0-based page",
        cannot_know="score (a distance may mean either direction), tool calls that were not native",
    ),
    Builder(
        function="from_transcript",
        source="A Copilot Studio conversation transcript",
        keeps="the last turn, plan steps as tool calls (knowledge search too), cited knowledge sources, passages",
        derives="the response (messages joined by blank lines; the generator's text where it is blank), latency_ms",
        cannot_know="to whom a conversation was handed over, scores, which passage a marker means",
    ),
)
