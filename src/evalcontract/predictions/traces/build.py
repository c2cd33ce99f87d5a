"""Predictions from traces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evalcontract.errors import IncompleteTrace
from evalcontract.predictions.documents import documents_of
from evalcontract.predictions.records import BuiltPrediction, build
from evalcontract.predictions.tool_uses import recorded_calls, split_handoff
from evalcontract.predictions.traces.calls import tool_uses
from evalcontract.predictions.traces.langfuse import is_langfuse, read_langfuse
from evalcontract.predictions.traces.observations import (
    Observation,
    Trace,
    find_observations,
    missing_from,
    text_of,
)
from evalcontract.predictions.traces.otel import is_otel, read_otel
from evalcontract.responses.identities import Identities
from evalcontract.responses.shapes import Node, misshapen, plain
from evalcontract.values import Notice

_LATE = "if it was just recorded, its parts may still arrive: see wait_for_trace"


def read_trace(document: Any) -> Trace:
    """The trace in the JSON of an OpenTelemetry export, of SDK spans, or of Langfuse.

    Raises UnexpectedShape when it is none of these, or holds several traces.
    """
    value = plain(document)
    if isinstance(value, list):
        value = [plain(each) for each in value]
    if is_langfuse(value):
        return read_langfuse(Node(value))
    if is_otel(value):
        return read_otel(Node(value))
    hint = "OTLP JSON, a list of ReadableSpan.to_json objects, or a Langfuse trace with its observations"
    raise misshapen((), "this is no trace of a known shape", hint)


def from_trace(
    item_id: str,
    document: Any,
    *,
    answer: str | None = None,
    retrieval: Iterable[str] = (),
    expected: Iterable[str] = (),
    tools: Iterable[Any] | None = None,
    handoff_prefix: str | None = None,
    remote_parent: bool = False,
    keep_source: bool = True,
) -> BuiltPrediction:
    """A record from one trace: the JSON of OpenTelemetry spans or of a Langfuse trace.

    The answer is the output of the observation named `answer`, else what the trace or its root records,
    else the last text of a model. Observations named in `retrieval` give retrieved documents, beside those
    that are retrievals by kind. Tool calls are those that the model asked for, with the results of the
    tools' own spans or of the messages that follow. `tools` and `handoff_prefix`: see from_messages.
    Measurements are latency_ms, of the root, and input_tokens and output_tokens, over all generations.

    Raises IncompleteTrace, which names what is missing, when the trace is partial: an observation that has
    not ended, an absent parent, root or `expected` name, a call without its result, no answer. Raises
    UnexpectedShape when the document is not as documented, ContractViolation when the contract is not kept.
    """
    trace = read_trace(document)
    retrievers = tuple(retrieval)
    wanted = [*expected, *retrievers, *([answer] if answer else [])]
    _whole(missing_from(trace, expected=wanted, remote_parent=remote_parent))
    notices: list[Notice] = []
    found, unanswered = tool_uses(trace)
    uses, handoff_to = split_handoff(found, handoff_prefix, notices)
    response = _answer(trace, answer)
    missing = [f"the result of the call of {use.name[:60]}" for use in uses if use in unanswered]
    if not response and handoff_to is None:
        missing.append("the answer")
    _whole(tuple(missing))
    return build(
        item_id,
        response=response,
        retrieved_documents=_documents(trace, retrievers, notices),
        tool_calls=recorded_calls(uses, notices, tools=tools) if _shows_calls(trace) else None,
        handoff_to=handoff_to,
        trace_id=trace.id or None,
        measurements=_measurements(trace),
        source=plain(document) if keep_source else None,
        notices=notices,
    )


def _shows_calls(trace: Trace) -> bool:
    """Whether a tool call would have been seen: none at all says something only then."""
    return any(each.said or each.tool is not None for each in trace.observations)


def _whole(missing: tuple[str, ...]) -> None:
    if missing:
        named = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        hint = _LATE
        if missing[-1] == "the answer":
            hint += "; if it never had one, record the content of messages, or name the span with `answer`"
        raise IncompleteTrace(f"the trace is not complete: it lacks {named}", missing=missing, hint=hint)


def _answer(trace: Trace, name: str | None) -> str | None:
    if name is not None:
        named = list(find_observations(trace, names=(name,)))
        return _text(named[-1])
    if trace.output is not None:
        return text_of(trace.output)
    if trace.entry is not None and trace.entry.kind != "generation":
        text = _text(trace.entry)
        if text:
            return text
    spoken = [each for each in find_observations(trace, kinds=("generation",)) if each.said]
    return spoken[-1].said[0].text if spoken else None


def _text(observation: Observation) -> str | None:
    if observation.said:
        # The messages of a generation are alternatives; those of an agent follow each other.
        return observation.said[0 if observation.kind == "generation" else -1].text
    return text_of(observation.output)


def _documents(trace: Trace, names: tuple[str, ...], notices: list[Notice]) -> list[dict[str, Any]] | None:
    retrievals = [
        each
        for each in trace.observations
        if each.documents is not None or each.kind == "retriever" or each.name in names
    ]
    if not retrievals:
        return None
    identities = Identities()
    found = []
    for each in retrievals:
        listed = each.documents or each.output
        if listed.value is None:
            raise IncompleteTrace(
                f"the documents of {each.name[:60]} were not recorded",
                missing=(f"the documents of {each.name[:60]}",),
            )
        found += documents_of(listed, identities)
    if len(retrievals) > 1:
        message = (
            f"{len(retrievals)} retrievals one after the other: the rank in the list is not of one search"
        )
        notices.append(Notice("several-retrievals", message))
    notices += identities.notices()
    return found


def _measurements(trace: Trace) -> dict[str, float]:
    found: dict[str, float] = {}
    entry = trace.entry
    if entry is not None and entry.ended is not None:
        found["latency_ms"] = (entry.ended - entry.started) / 1_000_000
    for generation in find_observations(trace, kinds=("generation",)):
        for name, value in generation.tokens.items():
            found[name] = found.get(name, 0) + value
    if trace.cost is not None:
        found["total_cost_usd"] = trace.cost
    return found
