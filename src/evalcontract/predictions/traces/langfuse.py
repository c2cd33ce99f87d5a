"""Langfuse: a trace with its observations, as the API gives them, or the observations alone.

Names are those of the API, or those that objects of its Python SDK are dumped with.
"""

from __future__ import annotations

from typing import Any

from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.predictions.traces.chat import messages_in
from evalcontract.predictions.traces.observations import Kind, Observation, Said, Trace, json_or_text
from evalcontract.predictions.traces.times import nanoseconds
from evalcontract.responses.shapes import Node, misshapen

_KINDS: dict[str, Kind] = {
    "GENERATION": "generation",
    "TOOL": "tool",
    "RETRIEVER": "retriever",
    "AGENT": "agent",
    "CHAIN": "agent",
}
_TOKENS = {"input_tokens": ("input", "promptTokens"), "output_tokens": ("output", "completionTokens")}


def is_langfuse(value: Any) -> bool:
    """Whether a value looks like a trace or observations of Langfuse."""
    if isinstance(value, dict):
        page = value.get("data")
        return "observations" in value or (isinstance(page, list) and (not page or is_langfuse(page)))
    return isinstance(value, list) and any(map(_is_observation, value))


def _is_observation(value: Any) -> bool:
    """Spans of OpenTelemetry have a start too, but no type, and ids of their own."""
    if not isinstance(value, dict) or {"spanId", "span_id", "context"} & value.keys():
        return False
    return "type" in value and bool({"startTime", "start_time"} & value.keys())


def read_langfuse(document: Node) -> Trace:
    """The trace in a document: `{"id", "output", "observations": [...]}`, `{"trace": ..., "observations": ...}`,
    a list of observations, or a page `{"data": [...]}` of them. Raises UnexpectedShape for anything else."""
    if isinstance(document.value, list):
        head, items = None, document.items()
    else:
        head = document.get("trace") or (document if document.get("observations") is not None else None)
        items = document.items("observations", "data")
    if any(isinstance(each.value, str) for each in items):
        raise items[0].unlike("an observation", "a list of traces holds ids only: fetch the trace itself")
    ids = list(dict.fromkeys(each.text_at("traceId", "trace_id") or "" for each in items))
    trace_id = (head.text_at("id") if head else None) or (ids[0] if ids else "")
    others = [each for each in ids if each not in ("", trace_id)]
    if others:
        raise misshapen(
            (), "the observations are of several traces", f"give those of one, not {others[0][:60]}"
        )
    observations = sorted(map(_observation, items), key=lambda each: each.started)
    output = head.get("output") if head else None
    cost = head.get("totalCost", "total_cost") if head else None
    return Trace(trace_id, tuple(observations), output, cost.number() if cost else None)


def _observation(node: Node) -> Observation:
    kind_name = (node.text_at("type") or "SPAN").upper()
    kind = _KINDS.get(kind_name, "other")
    name = node.text_at("name") or ""
    started = nanoseconds(node.need("startTime", "start_time"))
    ended = node.get("endTime", "end_time")
    given, made = _content(node, "input"), _content(node, "output")
    is_root = node.get("isRootObservation", "is_root_observation")
    return Observation(
        id=node.need("id").text(),
        parent_id=None
        if is_root is not None and is_root.value is True
        else node.text_at("parentObservationId", "parent_observation_id"),
        name=name,
        kind=kind,
        started=started,
        # An event is a moment: it has no end.
        ended=nanoseconds(ended) if ended else started if kind_name == "EVENT" else None,
        input=given,
        output=made,
        tool=ToolUse(name, _call_id(node), _arguments(given)).with_output(made.value)
        if kind == "tool"
        else None,
        heard=messages_in(given) if kind == "generation" else (),
        said=_said(made) if kind == "generation" and made.value is not None else (),
        documents=made if kind == "retriever" and made.value is not None else None,
        tokens=_tokens(node),
    )


def _said(made: Node) -> tuple[Said, ...]:
    """What the model said; an output may hold the messages before it too."""
    return tuple(each for each in messages_in(made) if each.role == "assistant")[-1:]


def _content(node: Node, name: str) -> Node:
    """What was recorded; objects and arrays may have been recorded as JSON text."""
    return Node(json_or_text(node.object().get(name)), (*node.path, name))


def _call_id(node: Node) -> str | None:
    metadata = node.get("metadata")
    if metadata is None or not isinstance(metadata.value, dict):
        return None
    return metadata.text_at("tool_call_id", "gen_ai.tool.call.id")


def _arguments(given: Node) -> Node:
    """The arguments of a traced function: the decorator records `{"args": [], "kwargs": {...}}`."""
    if isinstance(given.value, dict) and given.value.keys() == {"args", "kwargs"}:
        if given.value["args"]:
            hint = "call the traced function with named arguments"
            raise Node(given.value["args"], (*given.path, "args")).unlike("no positional arguments", hint)
        return Node(given.value["kwargs"], (*given.path, "kwargs"))
    return given


def _tokens(node: Node) -> dict[str, float]:
    usage = node.get("usageDetails", "usage_details", "usage")
    found = {}
    for name, keys in _TOKENS.items():
        value = usage.get(*keys) if usage is not None else None
        if value is not None:
            found[name] = value.number()
    return found
