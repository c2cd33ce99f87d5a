"""Spans of OpenTelemetry in one form: of OTLP JSON, of the SDK's `ReadableSpan.to_json`, and of pages of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evalcontract.predictions.traces.attributes import flattened
from evalcontract.predictions.traces.times import nanoseconds
from evalcontract.responses import JsonNode

_MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """A span with its attributes and events under dotted keys. Times are in nanoseconds."""

    node: JsonNode
    trace_id: str
    id: str
    parent_id: str | None
    started: int
    ended: int | None
    attributes: dict[str, Any]
    events: tuple[tuple[str, dict[str, Any]], ...]


def spans_in(document: JsonNode) -> Iterator[TraceSpan]:
    """Every span of a document. Raises UnexpectedShape for what is none."""
    if isinstance(document.value, list) and len(document.path) < _MAX_DEPTH:
        for element in document.items():
            yield from spans_in(element)
        return
    outer = document.items("resourceSpans", "resource_spans")
    for resource in outer:
        for scope in resource.items("scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
            yield from map(_otlp_span, scope.items("spans"))
    if outer:
        return
    if "spans" in document.object() or "data" in document.object():
        for span in document.items("spans", "data"):
            yield from spans_in(span)
    elif "context" in document.object():
        yield _sdk_span(document)
    elif document.get("spanId", "span_id") is not None:
        yield _otlp_span(document)
    elif not {"resourceSpans", "resource_spans"} & document.object().keys():
        raise document.unlike("a span: OTLP JSON, or what ReadableSpan.to_json writes")


def _sdk_span(node: JsonNode) -> TraceSpan:
    context = node.need("context")
    parent = node.text_at("parent_id")
    ended = node.get("end_time")
    attributes = node.get("attributes")
    return TraceSpan(
        node,
        context.need("trace_id").text().removeprefix("0x"),
        context.need("span_id").text().removeprefix("0x"),
        parent.removeprefix("0x") if parent else None,
        nanoseconds(node.need("start_time")),
        nanoseconds(ended) if ended else None,
        flattened(attributes.object()) if attributes else {},
        tuple(
            (event.text_at("name") or "", dict(inner.object()) if (inner := event.get("attributes")) else {})
            for event in node.items("events")
        ),
    )


def _otlp_span(node: JsonNode) -> TraceSpan:
    ended = node.get("endTimeUnixNano", "end_time_unix_nano")
    done = nanoseconds(ended) if ended else 0
    return TraceSpan(
        node,
        node.need("traceId", "trace_id").text(),
        node.need("spanId", "span_id").text(),
        node.text_at("parentSpanId", "parent_span_id"),
        nanoseconds(node.need("startTimeUnixNano", "start_time_unix_nano")),
        done or None,
        _attributes(node),
        tuple((event.text_at("name") or "", _attributes(event)) for event in node.items("events")),
    )


def _attributes(node: JsonNode) -> dict[str, Any]:
    return {
        attribute.need("key").text(): _any_value(attribute.get("value"), 0)
        for attribute in node.items("attributes")
    }


def _any_value(value: JsonNode | None, depth: int) -> Any:
    """A value of OTLP JSON, which names its type and writes 64-bit integers as strings."""
    if value is None or not value.object():
        return None
    if depth > _MAX_DEPTH:
        raise value.unlike(f"values nested at most {_MAX_DEPTH} deep")
    (kind,) = list(value.object())[:1]
    inner = JsonNode(value.object()[kind], (*value.path, kind))
    if kind == "intValue":
        text = str(inner.value)
        if not text.removeprefix("-").isdecimal() or len(text) > 20:
            raise inner.unlike("an integer")
        return int(text)
    if kind == "arrayValue":
        return [_any_value(element, depth + 1) for element in inner.items("values")]
    if kind == "kvlistValue":
        return {
            entry.need("key").text(): _any_value(entry.get("value"), depth + 1)
            for entry in inner.items("values")
        }
    return inner.value
