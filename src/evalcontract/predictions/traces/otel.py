"""OpenTelemetry spans, as OTLP JSON or as the SDK's `ReadableSpan.to_json`.

Content is read from where each generation of the GenAI conventions put it: the attributes gen_ai.input.messages
and gen_ai.output.messages, on the span or on its gen_ai.client.inference.operation.details event; the events
gen_ai.user.message, gen_ai.assistant.message, gen_ai.tool.message and gen_ai.choice; the attributes
gen_ai.prompt and gen_ai.completion, on the span or on its gen_ai.content.* events, whole or in numbered keys. So is
what OpenInference and OpenLLMetry (traceloop) write.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evalcontract.predictions.chat import Said, messages_in
from evalcontract.predictions.json_text import json_or_text
from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.predictions.traces import openinference
from evalcontract.predictions.traces.answers import content_of, spoken_in
from evalcontract.predictions.traces.observations import Kind, Observation, Trace, counted_once
from evalcontract.predictions.traces.spans import TraceSpan, spans_in
from evalcontract.predictions.traces.tools import answered_by, arguments_in, failed
from evalcontract.responses import JsonNode, misshapen
from evalcontract.values import Notice

_OPERATION = "gen_ai.operation.name"
_KINDS: dict[str, Kind] = {
    "chat": "generation",
    "text_completion": "generation",
    "generate_content": "generation",
    "execute_tool": "tool",
    "retrieval": "retriever",
    "invoke_agent": "agent",
    "create_agent": "other",
    "invoke_workflow": "agent",
    "handoff": "handoff",
}
_TRACELOOP_KINDS: dict[str, Kind] = {
    "workflow": "agent",
    "agent": "agent",
    "tool": "tool",
    "handoff": "handoff",
}
_LANGFUSE_KINDS: dict[str, Kind] = {
    "generation": "generation",
    "tool": "tool",
    "retriever": "retriever",
    "agent": "agent",
    "chain": "agent",
}
_TOLD_BY: tuple[tuple[str, dict[str, Kind]], ...] = (
    (_OPERATION, _KINDS),
    ("traceloop.span.kind", _TRACELOOP_KINDS),
    ("langfuse.observation.type", _LANGFUSE_KINDS),
)
"""The attributes that tell the kind of a span, and what their values mean; anything else is another step."""
_FINISH_REASONS = ("gen_ai.response.finish_reasons", openinference.FINISH_REASON)
_DETAILS = "gen_ai.client.inference.operation.details"
_HEARD_EVENTS = (
    "gen_ai.system.message",
    "gen_ai.user.message",
    "gen_ai.assistant.message",
    "gen_ai.tool.message",
)
_INPUTS = ("gen_ai.input.messages", "gen_ai.prompt", openinference.INPUT_MESSAGES)
_OUTPUTS = ("gen_ai.output.messages", "gen_ai.completion", openinference.OUTPUT_MESSAGES)
_OTHER_INPUTS = (openinference.INPUT_VALUE, "langfuse.observation.input", "traceloop.entity.input")
_OTHER_OUTPUTS = (
    openinference.OUTPUT_VALUE,
    "langfuse.observation.output",
    "traceloop.entity.output",
    "final_result",  # of an agent of pydantic-ai
)
_ARGUMENTS = ("gen_ai.tool.call.arguments", "tool_arguments")
_RESULTS = ("gen_ai.tool.call.result", "tool_response")
_TOKENS = {
    "input_tokens": ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", openinference.PROMPT_TOKENS),
    "output_tokens": (
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.completion_tokens",
        openinference.COMPLETION_TOKENS,
    ),
}
_HANDOFF_NAME = "handoff to "


def is_otel(value: Any) -> bool:
    """Whether a value looks like spans of OpenTelemetry."""
    if isinstance(value, dict):
        page = value.get("data")
        held = {"resourceSpans", "resource_spans", "spans"} & value.keys()
        return bool(held) or is_otel([value]) or (isinstance(page, list) and is_otel(page))
    return isinstance(value, list) and any(
        isinstance(span, dict) and ("context" in span or "spanId" in span or "resourceSpans" in span)
        for span in value
    )


def read_otel(document: JsonNode) -> Trace:
    """The trace in a document. Raises UnexpectedShape when it holds none, more than one, or a span twice with
    different content."""
    notices: list[Notice] = []
    read = {f"{span.trace_id} {span.id}": span for span in spans_in(document)}
    counted_once(((f"{span.trace_id} {span.id}", span.node) for span in spans_in(document)), notices)
    spans = sorted(read.values(), key=lambda span: span.started)
    ids = list(dict.fromkeys(span.trace_id for span in spans))
    if len(ids) > 1:
        raise misshapen((), f"the spans are of {len(ids)} traces", f"give those of one: {', '.join(ids[:5])}")
    observations = tuple(_observation(span, notices) for span in spans)
    return Trace(ids[0] if ids else "", observations, notices=tuple(notices))


def _observation(span: TraceSpan, notices: list[Notice]) -> Observation:
    kind, name = _kind(span), span.node.text_at("name") or ""
    said = _said(span, _OUTPUTS, "gen_ai.content.completion", notices) or _choices(span, notices)
    heard = _said(span, _INPUTS, "gen_ai.content.prompt", None) or _events(span, _HEARD_EVENTS)
    if kind is None:
        kind = "generation" if said else "other"
    output = _value(span, *_OTHER_OUTPUTS, *_RESULTS)
    if kind == "generation" and not said and output.value is not None:
        said = spoken_in(output, notices)
    return Observation(
        id=span.id,
        parent_id=span.parent_id,
        name=name,
        kind=kind,
        started=span.started,
        ended=span.ended,
        input=_value(span, *_OTHER_INPUTS, *_ARGUMENTS),
        output=output,
        tool=_tool(span, name) if kind == "tool" else None,
        heard=heard,
        said=tuple(_ended(message, span) for message in said),
        documents=_documents(span),
        tokens=_tokens(span),
        handoff_to=_handoff(span, name) if kind == "handoff" else None,
    )


def _ended(message: Said, span: TraceSpan) -> Said:
    """The message with how it ended, where only its span says so."""
    for name in _FINISH_REASONS:
        found = json_or_text(span.attributes.get(name))
        found = found[0] if isinstance(found, list) and found else found
        if message.finish_reason is None and isinstance(found, str) and found:
            return replace(message, finish_reason=found)
    return message


def _kind(span: TraceSpan) -> Kind | None:
    """By the attribute that says it in the conventions that the span keeps; None where none does."""
    name = span.node.text_at("name") or ""
    kind = span.attributes.get(openinference.SPAN_KIND) or span.node.text_at("span_kind")
    if kind == "TOOL" and name.startswith(_HANDOFF_NAME) and openinference.TOOL_NAME not in span.attributes:
        return "handoff"
    found = openinference.KINDS.get(kind.upper()) if isinstance(kind, str) else None
    for attribute, kinds in _TOLD_BY:
        named = span.attributes.get(attribute)
        if found is None and isinstance(named, str):
            found = kinds.get(named, "other")
    return found


def _value(span: TraceSpan, *names: str) -> JsonNode:
    for name in names:
        if span.attributes.get(name) is not None:
            return content_of(JsonNode(span.attributes[name], (*span.node.path, "attributes", name)))
    return JsonNode(None, span.node.path)


def _tool(span: TraceSpan, name: str) -> ToolUse:
    called = span.attributes.get("gen_ai.tool.name") or span.attributes.get(openinference.TOOL_NAME)
    known = span.attributes.get("gen_ai.tool.call.id")
    use = ToolUse(
        str(called or name.removeprefix("execute_tool ")),
        str(known) if known else None,
        arguments_in(_value(span, *_ARGUMENTS, *_OTHER_INPUTS)),
    )
    # The end of its span answers a call, also where the content was not recorded.
    return failed(answered_by(use, _value(span, *_RESULTS, *_OTHER_OUTPUTS)), _failure(span.node))


def _failure(node: JsonNode) -> str | None:
    """Why a span failed, from its status as the SDK or OTLP writes it; None for one that did not."""
    status = node.get("status")
    if status is None or not isinstance(status.value, dict):
        return None
    code = status.get("status_code", "code")
    if code is None or str(code.value).upper() not in ("ERROR", "STATUS_CODE_ERROR", "2"):
        return None
    return status.text_at("description", "message") or "the step failed"


def _handoff(span: TraceSpan, name: str) -> str | None:
    named = span.attributes.get("gen_ai.handoff.to_agent")
    if named is None and name.startswith(_HANDOFF_NAME):
        named = span.attributes.get(openinference.OUTPUT_VALUE) or name.removeprefix(_HANDOFF_NAME)
    return named if isinstance(named, str) and named.strip() and named != "unknown" else None


def _documents(span: TraceSpan) -> JsonNode | None:
    found = _value(span, "gen_ai.retrieval.documents")
    if found.value is not None:
        return found
    documents = openinference.documents_under(span.attributes)
    place = (*span.node.path, "attributes", openinference.RETRIEVED)
    return None if documents is None else JsonNode(documents, place)


def _tokens(span: TraceSpan) -> dict[str, float]:
    found = {}
    for name, keys in _TOKENS.items():
        values = [span.attributes[key] for key in keys if isinstance(span.attributes.get(key), int | float)]
        if values:
            found[name] = values[0]
    return found


def _said(
    span: TraceSpan, names: tuple[str, ...], content_event: str, notices: list[Notice] | None
) -> tuple[Said, ...]:
    places = [("attributes", span.attributes)]
    places += [(name, event) for name, event in span.events if name in (_DETAILS, content_event)]
    for place, attributes in places:
        for name in names:
            path = (*span.node.path, place, name)
            value = attributes.get(name)
            if value is not None:
                return messages_in(JsonNode(value, path), notices)
            found = openinference.messages_under(attributes, name)
            if found:
                return messages_in(JsonNode(found, path), notices)
    return ()


def _events(span: TraceSpan, names: tuple[str, ...]) -> tuple[Said, ...]:
    found: list[Said] = []
    for name, attributes in span.events:
        if name in names:
            content = json_or_text(attributes.get("gen_ai.event.content"))
            body = content if isinstance(content, dict) else {**attributes}
            body.setdefault("role", name.split(".")[1])
            if isinstance(body.get("tool_calls"), str):
                body["tool_calls"] = json_or_text(body["tool_calls"])
            if body["role"] == "tool" and "tool_call_id" not in body and "id" in body:
                body["tool_call_id"] = body["id"]
            found += messages_in(JsonNode([body], (*span.node.path, "events", name)))
    return tuple(found)


def _choices(span: TraceSpan, notices: list[Notice]) -> tuple[Said, ...]:
    """The messages of gen_ai.choice events; the message is an attribute of its own or spread over them."""
    found: list[Said] = []
    for name, attributes in span.events:
        if name == "gen_ai.choice":
            content = json_or_text(attributes.get("gen_ai.event.content"))
            body = content if isinstance(content, dict) else {**attributes}
            message = json_or_text(body.get("message", body))
            if isinstance(message, dict):
                message = {"role": "assistant", **message}
                if isinstance(message.get("tool_calls"), str):
                    message["tool_calls"] = json_or_text(message["tool_calls"])
            found += messages_in(JsonNode(message, (*span.node.path, "events", name)), notices)
    return tuple(found)
