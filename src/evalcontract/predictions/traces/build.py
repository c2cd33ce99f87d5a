"""Predictions from traces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evalcontract.errors import IncompleteTrace, UnexpectedShape
from evalcontract.predictions.documents import documents_of
from evalcontract.predictions.json_text import json_or_text
from evalcontract.predictions.records import BuiltPrediction, allowed_parts, build
from evalcontract.predictions.tool_uses import recorded_calls, split_handoff
from evalcontract.predictions.traces.answers import last_said, text_of
from evalcontract.predictions.traces.calls import Used, speaking, tool_uses
from evalcontract.predictions.traces.finding import PARTS, Lack, find_observations, lacks, read_trace
from evalcontract.predictions.traces.observations import Observation, Trace
from evalcontract.responses import Identities, JsonNode
from evalcontract.values import Notice, json_text, listed

_LATE = "if it was just recorded, its parts may still arrive: see wait_for_trace"


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
    allow_missing: Iterable[str] = (),
    keep_source: bool = True,
) -> BuiltPrediction:
    """A record from one trace: the JSON of OpenTelemetry spans or of a Langfuse trace, or a Trace.

    The answer is the output of the observation named `answer`, else what the trace or its root records,
    else the last text of a model, else the arguments of an output tool as JSON. Observations named in `retrieval` give
    retrieved documents, beside those that are retrievals by kind. Tool calls are those that the model asked for, with
    the results of the tools' own spans or of the messages that follow. `tools` and `handoff_prefix`: see from_messages;
    hand-overs that the trace records as steps need no prefix. Measurements are latency_ms, of the root, and
    input_tokens and output_tokens, over all generations.

    Raises IncompleteTrace, which names what is missing, when the trace is partial: an observation that has
    not ended, an absent parent, root or `expected` name, a call without its result, no answer. A part named in
    `allow_missing` (see PARTS) may lack: a notice says so, and the record keeps it. Raises
    UnexpectedShape when the document is not as documented, ContractViolation when the contract is not kept.
    """
    trace = read_trace(document)
    retrievers = tuple(retrieval)
    allowed = allowed_parts(allow_missing, PARTS)
    missing = lacks(
        trace, expected=[*expected, *retrievers, *([answer] if answer else [])], remote_parent=remote_parent
    )
    _whole(missing, allowed)
    notices = list(trace.notices)
    used = tool_uses(trace)
    for call in used.told:
        message = (
            f"no step of the trace makes the call of {call.name[:60]}: it is read from what a model was told"
        )
        notices.append(Notice("told-call", message, call.arguments.pointer))
    uses, handoff_to = split_handoff(list(used.calls), handoff_prefix, notices)
    missing += [
        Lack("result", f"the result of the call of {use.name[:60]}") for use in uses if use in used.unanswered
    ]
    recorded = [target for target in used.handed_to if target is not None]
    handoff_to = handoff_to or (recorded[-1] if recorded else None)
    response = _answer(trace, answer, used, notices)
    if not response and handoff_to is None:
        missing.append(Lack("answer", "the answer"))
    documents = _documents(trace, retrievers, notices, missing)
    _whole(missing, allowed)
    notices += [Notice(f"missing-{lack.part}", f"the trace lacks {lack.said}") for lack in missing]
    unanswered = "the trace lacks the answer" if any(lack.part == "answer" for lack in missing) else None
    return build(
        item_id,
        response=response,
        retrieved_documents=documents,
        tool_calls=recorded_calls(uses, notices, tools=tools) if _shows_calls(trace) else None,
        handoff_to=handoff_to,
        handed_off=True if used.handed_to else False if handoff_prefix else None,
        finish_reason=_finish_reason(trace),
        trace_id=trace.id or None,
        measurements=_measurements(trace),
        error=unanswered,
        source=trace.source if keep_source else None,
        notices=notices,
    )


def _shows_calls(trace: Trace) -> bool:
    """Whether a tool call would have been seen: none at all says something only then."""
    return any(step.said or step.tool is not None for step in trace.observations)


def _whole(missing: list[Lack], allowed: frozenset[str]) -> None:
    """Raise IncompleteTrace for what is missing and not allowed to."""
    refused = [lack for lack in missing if lack.part not in allowed]
    if not refused:
        return
    parts = list(dict.fromkeys(lack.part for lack in refused))
    hint = _LATE
    if refused[-1].part == "answer":
        hint += "; if it never had one, record the content of messages, or name the span with `answer`"
    options = " ".join(f"--allow-missing {part}" for part in parts)
    hint += f"; to take the record without: allow_missing={parts!r} ({options})"
    said = tuple(lack.said for lack in refused)
    raise IncompleteTrace(f"the trace is not complete: it lacks {listed(said, 5)}", missing=said, hint=hint)


def _answer(trace: Trace, name: str | None, used: Used, notices: list[Notice]) -> str | None:
    named = find_observations(trace, names=(name,)) if name is not None else []
    if named:
        return _text(named[-1])
    refused: UnexpectedShape | None = None
    outputs = [trace.output] if trace.output is not None else []
    if (
        trace.entry is not None
        and trace.entry.kind != "generation"
        and not _only_looks_up(trace, trace.entry)
    ):
        outputs += [trace.entry]  # type: ignore[list-item]
    for output in outputs:
        recorded = output if isinstance(output, JsonNode) else output.output
        if isinstance(recorded.value, int | float) and not isinstance(recorded.value, bool):
            number = json_text(recorded.value)  # what stores texts as JSON gives "1889" back as a number
            message = f"the run recorded the number {number[:40]} as its result: its text is the answer"
            notices.append(Notice("number-answer", message, recorded.pointer))
            return number
        try:
            text = text_of(output) if isinstance(output, JsonNode) else _text(output)
        except UnexpectedShape as error:
            refused = refused or error
            continue
        if text:
            _tell(refused, "the answer is what its root recorded", notices)
            return text
    spoken = speaking(trace)
    if used.final is None and spoken and (spoken[-1].said[0].text or spoken[-1].said[0].refusal):
        _tell(refused, "the answer is the last text of a model", notices)
        return spoken[-1].said[0].text or spoken[-1].said[0].refusal
    if used.final is not None:
        message = f"the answer was given as the call of {used.final.name[:60]}: its arguments are the response, as JSON"
        notices.append(Notice("output-tool", message, used.final.arguments.pointer))
        return json_text(json_or_text(used.final.arguments.value))
    if refused is not None:
        raise refused
    return None


def _only_looks_up(trace: Trace, entry: Observation) -> bool:
    """Whether the run's first step is a tool or a retrieval beside the others, not one that they run within."""
    return entry.looks_up and not any(step.parent_id == entry.id for step in trace.observations)


def _tell(refused: UnexpectedShape | None, instead: str, notices: list[Notice]) -> None:
    """Say that the run recorded no text as its result, and what is taken instead."""
    if refused is not None:
        place = str(getattr(refused.violations[0], "pointer", "")) if refused.violations else ""
        notices.append(
            Notice("answer-elsewhere", f"the run recorded no text as its result: {instead}", place)
        )


def _text(step: Observation) -> str | None:
    if step.said:
        # The messages of a generation are alternatives; those of an agent follow each other.
        message = step.said[0] if step.kind == "generation" else last_said(step.said) or step.said[-1]
        return message.text or message.refusal
    return text_of(step.output)


def _finish_reason(trace: Trace) -> str | None:
    spoken = speaking(trace)
    return spoken[-1].said[0].finish_reason if spoken else None


def _documents(
    trace: Trace, names: tuple[str, ...], notices: list[Notice], missing: list[Lack]
) -> list[dict[str, Any]] | None:
    retrievals = trace.not_wrapped(
        step
        for step in trace.observations
        if step.documents is not None or step.kind == "retriever" or step.name in names
    )
    rerankings = [step for step in retrievals if step.kind == "reranker"]
    if rerankings and len(retrievals) > 1:
        notices.append(Notice("reranked", "the documents are those of the last reranking, in its order"))
        retrievals = rerankings[-1:]
    if not retrievals:
        return None
    identities = Identities()
    found = []
    for step in retrievals:
        listed_documents = step.documents or step.output
        if listed_documents.value is None:
            missing.append(Lack("documents", f"the documents of {step.label}"))
        else:
            found += documents_of(listed_documents, identities)
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
    for name in ("input_tokens", "output_tokens"):
        counts = [step.tokens[name] for step in _counting(trace, name)]
        if counts:
            found[name] = sum(counts)
    costs = [
        step.cost for step in trace.not_wrapped(step for step in trace.observations if step.cost is not None)
    ]
    cost = trace.cost if trace.cost is not None else sum(known for known in costs if known) if costs else None
    if cost is not None:
        found["cost_usd"] = cost
    return found


def _counting(trace: Trace, name: str) -> list[Observation]:
    """The generations whose tokens count: a wrapper's or those of what it wraps, never both."""
    return trace.not_wrapped(
        step for step in trace.observations if step.kind == "generation" and name in step.tokens
    )
