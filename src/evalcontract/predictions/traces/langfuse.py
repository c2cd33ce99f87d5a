"""Langfuse: a trace with its observations, as the API gives them, or the observations alone.

Names are those of the API, or those that objects of its Python SDK are dumped with.
"""

from __future__ import annotations

from typing import Any

from evalcontract.predictions.chat import messages_in
from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.predictions.traces.answers import content_of, spoken_in
from evalcontract.predictions.traces.observations import Kind, Observation, Trace, counted_once
from evalcontract.predictions.traces.openinference import KINDS as OPENINFERENCE_KINDS
from evalcontract.predictions.traces.openinference import SPAN_KIND
from evalcontract.predictions.traces.times import nanoseconds
from evalcontract.predictions.traces.tools import answered_by, arguments_in, failed
from evalcontract.responses import JsonNode, misshapen
from evalcontract.values import Notice

_KINDS: dict[str, Kind] = {
    "GENERATION": "generation",
    "TOOL": "tool",
    "RETRIEVER": "retriever",
    "AGENT": "agent",
    "CHAIN": "agent",
    "EMBEDDING": "other",
    "EVALUATOR": "other",
    "GUARDRAIL": "other",
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


def read_langfuse(document: JsonNode) -> Trace:
    """The trace in a document: `{"id", "output", "observations": [...]}`, `{"trace": ..., "observations": ...}`,
    a list of observations, or a page `{"data": [...]}` of them. Raises UnexpectedShape for anything else."""
    if isinstance(document.value, list):
        head, items = None, document.items()
    else:
        head = document.get("trace") or (document if document.get("observations") is not None else None)
        items = document.items("observations", "data")
    if any(isinstance(item.value, str) for item in items):
        raise items[0].unlike("an observation", "a list of traces holds ids only: fetch the trace itself")
    notices: list[Notice] = []
    items = counted_once(((item.need("id").text(), item) for item in items), notices)
    ids = list(dict.fromkeys(item.text_at("traceId", "trace_id") or "" for item in items))
    trace_id = (head.text_at("id") if head else None) or (ids[0] if ids else "")
    others = [known for known in ids if known not in ("", trace_id)]
    if others:
        raise misshapen(
            (), "the observations are of several traces", f"give those of one, not {others[0][:60]}"
        )
    observations = sorted(
        (_observation(item, notices) for item in items), key=lambda observation: observation.started
    )
    output = content_of(head.need("output")) if head and head.get("output") else None
    cost = head.get("totalCost", "total_cost") if head else None
    return Trace(trace_id, tuple(observations), output, cost.number() if cost else None, tuple(notices))


def _observation(node: JsonNode, notices: list[Notice]) -> Observation:
    kind_name = (node.text_at("type") or "SPAN").upper()
    kind = _KINDS.get(kind_name) or _told_by_attributes(node)
    name = node.text_at("name") or ""
    started = nanoseconds(node.need("startTime", "start_time"))
    ended = node.get("endTime", "end_time")
    given, made = _content(node, "input"), _content(node, "output")
    is_root = node.get("isRootObservation", "is_root_observation")
    use = ToolUse(name, _call_id(node), arguments_in(given)) if kind == "tool" else None
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
        tool=failed(answered_by(use, made), _failure(node)) if use is not None else None,
        heard=messages_in(given) if kind == "generation" else (),
        said=spoken_in(made, notices) if kind == "generation" and made.value is not None else (),
        documents=made if kind in ("retriever", "reranker") and made.value is not None else None,
        tokens=_tokens(node),
        cost=_cost(node),
    )


def _told_by_attributes(node: JsonNode) -> Kind:
    """The kind of an observation that came through OpenTelemetry, which keeps the attributes of its span."""
    kind = _attributes(node).get(SPAN_KIND)
    return OPENINFERENCE_KINDS.get(kind.upper(), "other") if isinstance(kind, str) else "other"


def _attributes(node: JsonNode) -> dict[str, Any]:
    metadata = node.get("metadata")
    inner = (
        metadata.value.get("attributes")
        if metadata is not None and isinstance(metadata.value, dict)
        else None
    )
    return inner if isinstance(inner, dict) else {}


def _failure(node: JsonNode) -> str | None:
    """Why an observation failed; None for one that did not."""
    if (node.text_at("level") or "").upper() != "ERROR":
        return None
    return node.text_at("statusMessage", "status_message") or "the step failed"


def _content(node: JsonNode, name: str) -> JsonNode:
    return content_of(JsonNode(node.object().get(name), (*node.path, name)))


def _call_id(node: JsonNode) -> str | None:
    """The id of the call that a tool answers, where the metadata keep it."""
    metadata = node.get("metadata")
    if metadata is None or not isinstance(metadata.value, dict):
        return None
    for holder in (metadata.value, _attributes(node)):
        for name in ("tool_call_id", "gen_ai.tool.call.id"):
            if isinstance(holder.get(name), str) and holder[name]:
                return str(holder[name])
    return None


def _tokens(node: JsonNode) -> dict[str, float]:
    usage = node.get("usageDetails", "usage_details", "usage")
    found = {}
    for name, keys in _TOKENS.items():
        value = usage.get(*keys) if usage is not None else None
        if value is not None:
            found[name] = value.number()
    return found


def _cost(node: JsonNode) -> float | None:
    """In US dollars: what newer servers say of each observation, beside 0 for those that cost nothing."""
    found = node.get("totalCost", "total_cost")
    return found.number() or None if found is not None else None
