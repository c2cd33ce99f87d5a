"""Which tools a run used: what the model asked for, joined with what the tools returned."""

from __future__ import annotations

from typing import Any

from evalcontract.predictions.tool_uses import ToolUse
from evalcontract.predictions.traces.observations import Observation, Trace, find_observations


def tool_uses(trace: Trace) -> tuple[list[ToolUse], list[ToolUse]]:
    """All calls in their order, and those of them whose result is nowhere.

    A call is joined with the tool's own observation by its id, else by the name, in order; else with the
    result in a later message to the model. Observations that no call was joined with are calls too.
    """
    executed = [each for each in find_observations(trace, kinds=("tool",)) if each.tool is not None]
    results = _results(trace)
    found: list[tuple[int, ToolUse]] = []
    unanswered: list[ToolUse] = []
    for generation in find_observations(trace, kinds=("generation",)):
        for call in [call for said in generation.said[:1] for call in said.calls]:
            own = _own(call, executed)
            use = call
            if own is not None and own.tool is not None:
                executed.remove(own)
                output = own.tool.output if own.tool.output is not None else results.get(call.call_id)
                use = call.with_output(output)
            elif call.call_id in results:
                use = call.with_output(results[call.call_id])
            else:
                unanswered.append(use)
            found.append((generation.started, use))
    found += [(each.started, each.tool) for each in executed if each.tool is not None]
    return [use for _, use in sorted(found, key=lambda each: each[0])], unanswered


def _results(trace: Trace) -> dict[str | None, Any]:
    return {
        call_id: result
        for generation in find_observations(trace, kinds=("generation",))
        for said in generation.heard
        for call_id, result in said.results
        if call_id
    }


def _own(call: ToolUse, executed: list[Observation]) -> Observation | None:
    """The tool's own observation; by name only where one of the two has no id."""
    by_id = [each for each in executed if each.tool and call.call_id and each.tool.call_id == call.call_id]
    by_name = [
        each
        for each in executed
        if each.tool and each.tool.name == call.name and not (call.call_id and each.tool.call_id)
    ]
    return next(iter([*by_id, *by_name]), None)
