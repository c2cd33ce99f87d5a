"""OpenTelemetry spans of the GenAI conventions, as OTLP JSON or as the SDK's `ReadableSpan.to_json`.

Content is read from where each generation of the conventions put it: the attributes gen_ai.input.messages
and gen_ai.output.messages, on the span or on its gen_ai.client.inference.operation.details event; the events
gen_ai.user.message, gen_ai.assistant.message, gen_ai.tool.message and gen_ai.choice; the attributes
gen_ai.prompt and gen_ai.completion, on the span or on its gen_ai.content.* events, whole or in numbered keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.predictions.traces.chat import messages_in
from evalcontract.predictions.traces.numbered import numbered_messages
from evalcontract.predictions.traces.observations import Kind, Observation, Said, Trace, json_or_text
from evalcontract.predictions.traces.times import nanoseconds
from evalcontract.responses.shapes import Node, misshapen

_KINDS: dict[str, Kind] = {
    "chat": "generation",
    "text_completion": "generation",
    "generate_content": "generation",
    "execute_tool": "tool",
    "retrieval": "retriever",
    "invoke_agent": "agent",
    "invoke_workflow": "agent",
}
_DETAILS = "gen_ai.client.inference.operation.details"
_HEARD_EVENTS = (
    "gen_ai.system.message",
    "gen_ai.user.message",
    "gen_ai.assistant.message",
    "gen_ai.tool.message",
)
_INPUTS = ("gen_ai.input.messages", "gen_ai.prompt")
_OUTPUTS = ("gen_ai.output.messages", "gen_ai.completion")
_OTHER_INPUTS = ("input.value", "langfuse.observation.input", "traceloop.entity.input")
_OTHER_OUTPUTS = ("output.value", "langfuse.observation.output", "traceloop.entity.output")
_TOKENS = {
    "input_tokens": ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    "output_tokens": ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
}
_MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class _Span:
    node: Node
    trace_id: str
    id: str
    parent_id: str | None
    started: int
    ended: int | None
    attributes: dict[str, Any]
    events: tuple[tuple[str, dict[str, Any]], ...]


def is_otel(value: Any) -> bool:
    """Whether a value looks like spans of OpenTelemetry."""
    if isinstance(value, dict):
        return bool({"resourceSpans", "resource_spans", "spans"} & value.keys()) or is_otel([value])
    return (
        isinstance(value, list)
        and bool(value)
        and any(
            isinstance(each, dict) and ("context" in each or "spanId" in each or "resourceSpans" in each)
            for each in value
        )
    )


def read_otel(document: Node) -> Trace:
    """The trace in a document. Raises UnexpectedShape when it holds none, or more than one."""
    spans = sorted(_spans(document), key=lambda span: span.started)
    ids = list(dict.fromkeys(span.trace_id for span in spans))
    if len(ids) > 1:
        raise misshapen((), f"the spans are of {len(ids)} traces", f"give those of one: {', '.join(ids[:5])}")
    return Trace(ids[0] if ids else "", tuple(map(_observation, spans)))


def _spans(document: Node) -> Iterator[_Span]:
    if isinstance(document.value, list) and len(document.path) < _MAX_DEPTH:
        for each in document.items():
            yield from _spans(each)
        return
    outer = document.items("resourceSpans", "resource_spans")
    for resource in outer:
        for scope in resource.items("scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
            yield from map(_otlp_span, scope.items("spans"))
    if outer:
        return
    if "spans" in document.object():
        for each in document.items("spans"):
            yield from _spans(each)
    elif "context" in document.object():
        yield _sdk_span(document)
    elif document.get("spanId", "span_id") is not None:
        yield _otlp_span(document)
    elif not {"resourceSpans", "resource_spans"} & document.object().keys():
        raise document.unlike("a span: OTLP JSON, or what ReadableSpan.to_json writes")


def _sdk_span(node: Node) -> _Span:
    context = node.need("context")
    parent = node.text_at("parent_id")
    ended = node.get("end_time")
    attributes = node.get("attributes")
    return _Span(
        node,
        context.need("trace_id").text().removeprefix("0x"),
        context.need("span_id").text().removeprefix("0x"),
        parent.removeprefix("0x") if parent else None,
        nanoseconds(node.need("start_time")),
        nanoseconds(ended) if ended else None,
        dict(attributes.object()) if attributes else {},
        tuple(
            (each.text_at("name") or "", dict(inner.object()) if (inner := each.get("attributes")) else {})
            for each in node.items("events")
        ),
    )


def _otlp_span(node: Node) -> _Span:
    ended = node.get("endTimeUnixNano", "end_time_unix_nano")
    done = nanoseconds(ended) if ended else 0
    return _Span(
        node,
        node.need("traceId", "trace_id").text(),
        node.need("spanId", "span_id").text(),
        node.text_at("parentSpanId", "parent_span_id"),
        nanoseconds(node.need("startTimeUnixNano", "start_time_unix_nano")),
        done or None,
        _attributes(node),
        tuple((each.text_at("name") or "", _attributes(each)) for each in node.items("events")),
    )


def _attributes(node: Node) -> dict[str, Any]:
    return {each.need("key").text(): _any_value(each.get("value"), 0) for each in node.items("attributes")}


def _any_value(value: Node | None, depth: int) -> Any:
    """A value of OTLP JSON, which names its type and writes 64-bit integers as strings."""
    if value is None or not value.object():
        return None
    if depth > _MAX_DEPTH:
        raise value.unlike(f"values nested at most {_MAX_DEPTH} deep")
    (kind,) = list(value.object())[:1]
    inner = Node(value.object()[kind], (*value.path, kind))
    if kind == "intValue":
        text = str(inner.value)
        if not text.removeprefix("-").isdecimal() or len(text) > 20:
            raise inner.unlike("an integer")
        return int(text)
    if kind == "arrayValue":
        return [_any_value(each, depth + 1) for each in inner.items("values")]
    if kind == "kvlistValue":
        return {
            each.need("key").text(): _any_value(each.get("value"), depth + 1)
            for each in inner.items("values")
        }
    return inner.value


def _observation(span: _Span) -> Observation:
    said = _said(span, _OUTPUTS, "gen_ai.content.completion") or _choices(span)
    heard = _said(span, _INPUTS, "gen_ai.content.prompt") or _events(span, _HEARD_EVENTS)
    name = span.node.text_at("name") or ""
    operation = span.attributes.get("gen_ai.operation.name")
    kind = _KINDS.get(operation, "other") if isinstance(operation, str) else "other"
    if operation is None and said:
        kind = "generation"
    return Observation(
        id=span.id,
        parent_id=span.parent_id,
        name=name,
        kind=kind,
        started=span.started,
        ended=span.ended,
        input=_value(span, *_OTHER_INPUTS, "gen_ai.tool.call.arguments"),
        output=_value(span, *_OTHER_OUTPUTS, "gen_ai.tool.call.result"),
        tool=_tool(span, name) if kind == "tool" else None,
        heard=heard,
        said=said,
        documents=_documents(span),
        tokens=_tokens(span),
    )


def _value(span: _Span, *names: str) -> Node:
    for name in names:
        if span.attributes.get(name) is not None:
            return Node(json_or_text(span.attributes[name]), (*span.node.path, "attributes", name))
    return Node(None, span.node.path)


def _tool(span: _Span, name: str) -> ToolUse:
    called = span.attributes.get("gen_ai.tool.name") or name.removeprefix("execute_tool ")
    call_id = span.attributes.get("gen_ai.tool.call.id")
    result = _value(span, "gen_ai.tool.call.result", *_OTHER_OUTPUTS)
    use = ToolUse(
        str(called),
        str(call_id) if call_id else None,
        _value(span, "gen_ai.tool.call.arguments", *_OTHER_INPUTS),
    )
    # The end of its span answers a call, also where the content was not recorded.
    return use.with_output(result.value)


def _documents(span: _Span) -> Node | None:
    found = _value(span, "gen_ai.retrieval.documents")
    return None if found.value is None else found


def _tokens(span: _Span) -> dict[str, float]:
    found = {}
    for name, keys in _TOKENS.items():
        values = [span.attributes[key] for key in keys if isinstance(span.attributes.get(key), int | float)]
        if values:
            found[name] = values[0]
    return found


def _said(span: _Span, names: tuple[str, ...], content_event: str) -> tuple[Said, ...]:
    places = [("attributes", span.attributes)]
    places += [(name, event) for name, event in span.events if name in (_DETAILS, content_event)]
    for place, attributes in places:
        for name in names:
            value = attributes.get(name)
            if value is not None:
                return messages_in(Node(value, (*span.node.path, place, name)))
        found = numbered_messages(attributes, names[-1])
        if found:
            return messages_in(Node(found, (*span.node.path, place)))
    return ()


def _events(span: _Span, names: tuple[str, ...]) -> tuple[Said, ...]:
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
            found += messages_in(Node([body], (*span.node.path, "events", name)))
    return tuple(found)


def _choices(span: _Span) -> tuple[Said, ...]:
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
            found += messages_in(Node(message, (*span.node.path, "events", name)))
    return tuple(found)
