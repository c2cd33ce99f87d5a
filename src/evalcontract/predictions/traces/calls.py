"""Which tools a run used: what the model asked for, joined with what the tools returned."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Container, Iterator
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

    `final` is the call of an output tool, whose arguments are the answer. `told` are the calls that stand only in
    what a model was told, behind what the user said last. `handed_to` are the targets of hand-overs that the trace
    records as steps; None for one that is not named.
    """

    calls: tuple[ToolUse, ...]
    unanswered: tuple[ToolUse, ...]
    final: ToolUse | None
    handed_to: tuple[str | None, ...]
    told: tuple[ToolUse, ...] = ()


def tool_uses(trace: Trace) -> Used:
    """What the model asked for, joined with what the tools returned.

    A call is joined with the tool's own observation by its id, else by the name, in order; else with the
    result in a later message to the model. Observations that no call was joined with are calls too, and so are
    calls that a model was told of since the user spoke, when the trace has none that made them.
    """
    tools = [step for step in trace.observations if step.kind == "tool" and step.tool is not None]
    executed = _Executed(tools)
    results, named = _results(trace)
    handoffs = [step for step in trace.observations if step.kind == "handoff"]
    found: list[tuple[int, ToolUse]] = []
    unanswered: list[ToolUse] = []
    handed: list[str | None] = []
    final: ToolUse | None = None
    generations = speaking(trace)
    for generation in generations:
        for call in generation.said[0].calls:
            own = executed.joined_with(call)
            result = results.get(call.call_id or "") or named.get(call.name)
            if own is not None and own.tool is not None:
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
    told = []
    for generation, call in _told(generations, trace, results):
        own = executed.joined_with(call)
        result = results.get(call.call_id or "") or named.get(call.name)
        if own is not None and own.tool is not None:
            call = call.with_output(own.tool.output, own.tool.error)
        elif result is not None:
            call = call.with_output(result.output, result.error)
        else:
            unanswered.append(call)
        told.append(call)
        found.append((generation.started - 1, call))
    found += [
        (step.started, step.tool) for step in tools if step.tool is not None and not executed.is_joined(step)
    ]
    handed += [step.handoff_to for step in handoffs]
    calls = tuple(use for _, use in sorted(found, key=lambda one: one[0]))
    return Used(calls, tuple(unanswered), final, tuple(handed), tuple(told))


def _told(
    generations: list[Observation], trace: Trace, answered: Container[str]
) -> Iterator[tuple[Observation, ToolUse]]:
    """The calls of this turn that no generation of the trace made: its beginning was not recorded.

    Calls before what the user said last belong to earlier turns, or are examples.
    """
    known = [call for step in trace.observations for message in step.said for call in message.calls]
    for generation in generations:
        turn: list[ToolUse] = []
        for message in generation.heard:
            turn = [] if message.role == "user" and not message.results else [*turn, *message.calls]
        for call in turn:
            if not any(_is_same(call, other, answered) for other in known):
                known.append(call)
                yield generation, call


def _is_same(call: ToolUse, other: ToolUse, answered: Container[str]) -> bool:
    """Some instrumentations record the id of a call in one place only, or one in each of which one has a result."""
    if call.call_id is not None and other.call_id is not None and call.call_id in answered:
        return call.call_id == other.call_id
    return call.name == other.name


def speaking(trace: Trace) -> list[Observation]:
    """The generations that say something; of those within each other the outermost, since they are one call."""
    return trace.not_wrapped(step for step in trace.observations if step.kind == "generation" and step.said)


def _results(trace: Trace) -> tuple[dict[str, ToolResult], dict[str, ToolResult]]:
    """The results that a model heard: by the id of their call, and by name where they have none."""
    heard = [
        result
        for generation in trace.observations
        if generation.kind == "generation"
        for message in generation.heard
        for result in message.results
    ]
    by_id = {result.call_id: result for result in heard if result.call_id is not None}
    return by_id, {
        result.name: result for result in heard if result.call_id is None and result.name is not None
    }


class _Executed:
    """The own observations of tools, each joined with one call at most."""

    def __init__(self, steps: list[Observation]) -> None:
        self._by_id: dict[str, deque[Observation]] = {}
        self._by_name: dict[tuple[str, bool], deque[Observation]] = {}
        self._joined: set[str] = set()
        for step in steps:
            if step.tool is not None:
                known = step.tool.call_id
                if known is not None:
                    self._by_id.setdefault(known, deque()).append(step)
                self._by_name.setdefault((step.tool.name, known is not None), deque()).append(step)

    def joined_with(self, call: ToolUse) -> Observation | None:
        """The tool's own observation by its id; by name, in order, only where one of the two has no id."""
        queues = [self._by_id.get(call.call_id or ""), self._by_name.get((call.name, False))]
        if call.call_id is None:
            queues.append(self._by_name.get((call.name, True)))
        for queue in queues:
            while queue:
                step = queue.popleft()
                if step.id not in self._joined:
                    self._joined.add(step.id)
                    return step
        return None

    def is_joined(self, step: Observation) -> bool:
        return step.id in self._joined


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
