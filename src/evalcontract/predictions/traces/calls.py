"""Which tools a run used: what the model asked for, joined with what the tools returned."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evalcontract.predictions.chat import ToolResult
from evalcontract.predictions.json_text import json_or_text
from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.predictions.traces.observations import Observation, Trace
from evalcontract.values import same_value

_FINAL = re.compile(r"final_result(_.*)?")
_TRANSFER = "transfer_to_"
_NOT_A_WORD = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Used:
    """The calls of a run in their order, those whose result is nowhere, and those that were no use of a tool.

    `final` is the call of an output tool, whose arguments are the answer. `handed_to` are the targets of hand-overs
    that the trace records as steps; None for one that is not named.
    """

    calls: tuple[ToolUse, ...]
    unanswered: tuple[ToolUse, ...]
    final: ToolUse | None
    handed_to: tuple[str | None, ...]


def tool_uses(trace: Trace) -> Used:
    """What the model asked for, joined with what the tools returned.

    A call is joined with the tool's own observation by its id, else by the name, in order; else with the
    result in a later message to the model. Observations that no call was joined with are calls too.
    """
    executed = [step for step in trace.observations if step.kind == "tool" and step.tool is not None]
    results = _results(trace)
    handoffs = [step for step in trace.observations if step.kind == "handoff"]
    found: list[tuple[int, ToolUse]] = []
    unanswered: list[ToolUse] = []
    handed: list[str | None] = []
    final: ToolUse | None = None
    generations = speaking(trace)
    for generation in generations:
        for call in generation.said[0].calls:
            own = _own(call, executed)
            result = next((result for result in results if _answers(result, call)), None)
            if own is not None and own.tool is not None:
                executed.remove(own)
                output = own.tool.output if own.tool.output is not None else result.output if result else None
                use = call.with_output(output, own.tool.error or (result.error if result else None))
            elif (handoff := _handoff(call, handoffs)) is not None:
                handoffs.remove(handoff)
                handed.append(handoff.handoff_to or call.name.removeprefix(_TRANSFER) or None)
                continue
            elif generation is generations[-1] and _is_output(call, trace):
                final = call
                continue
            elif result is not None:
                use = call.with_output(result.output, result.error)
            else:
                use = call
                unanswered.append(use)
            found.append((generation.started, use))
    found += [(step.started, step.tool) for step in executed if step.tool is not None]
    handed += [step.handoff_to for step in handoffs]
    calls = tuple(use for _, use in sorted(found, key=lambda one: one[0]))
    return Used(calls, tuple(unanswered), final, tuple(handed))


def speaking(trace: Trace) -> list[Observation]:
    """The generations that say something; of those within each other the outermost, since they are one call."""
    return trace.not_wrapped(step for step in trace.observations if step.kind == "generation" and step.said)


def _results(trace: Trace) -> list[ToolResult]:
    return [
        result
        for generation in trace.observations
        if generation.kind == "generation"
        for message in generation.heard
        for result in message.results
    ]


def _answers(result: ToolResult, call: ToolUse) -> bool:
    if result.call_id is not None and call.call_id is not None:
        return result.call_id == call.call_id
    return result.name is not None and result.name == call.name


def _own(call: ToolUse, executed: list[Observation]) -> Observation | None:
    """The tool's own observation; by name only where one of the two has no id."""
    by_id = [step for step in executed if step.tool and call.call_id and step.tool.call_id == call.call_id]
    by_name = [
        step
        for step in executed
        if step.tool and step.tool.name == call.name and not (call.call_id and step.tool.call_id)
    ]
    return next(iter([*by_id, *by_name]), None)


def _handoff(call: ToolUse, handoffs: list[Observation]) -> Observation | None:
    """The step that a call to hand over has become: the tool is named after the target, in words."""
    if not handoffs or not call.name.startswith(_TRANSFER):
        return None
    target = _words(call.name.removeprefix(_TRANSFER))
    named = (step for step in handoffs if step.handoff_to is not None and _words(step.handoff_to) == target)
    return next(named, next((step for step in handoffs if step.handoff_to is None), None))


def _words(name: str) -> str:
    return _NOT_A_WORD.sub("_", name.lower()).strip("_")


def _is_output(call: ToolUse, trace: Trace) -> bool:
    """Whether a call gives the answer: by the name that pydantic-ai gives it, or because the run's result is its
    arguments."""
    if _FINAL.fullmatch(call.name):
        return True
    given = json_or_text(call.arguments.value)
    ends = [trace.output, trace.entry.output if trace.entry is not None else None]
    return isinstance(given, dict) and any(end is not None and same_value(end.value, given) for end in ends)
