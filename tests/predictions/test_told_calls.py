"""Calls of a turn whose beginning no step of the trace recorded: they stand in what the model was told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evalcontract.errors import IncompleteTrace
from evalcontract.predictions import as_dict, find_observations, from_trace

USER = {"role": "user", "content": "weather?"}
CALL = {"id": "c1", "type": "function", "function": {"name": "w", "arguments": '{"x": 1}'}}
CALLING = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "sunny"}
BLOCKS = [
    USER,
    {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "w", "input": {"x": 1}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "sunny"}]},
]
DONE = {"role": "assistant", "content": "done"}


def generation(number: int, heard: list[Any], said: Any = DONE) -> dict[str, Any]:
    return {
        "id": f"g{number}",
        "traceId": "t",
        "type": "GENERATION",
        "name": "llm",
        "startTime": f"2024-01-01T00:00:0{number}Z",
        "endTime": f"2024-01-01T00:00:0{number}.5Z",
        "input": heard,
        "output": said,
    }


def trace(*observations: dict[str, Any]) -> dict[str, Any]:
    return {"id": "t", "name": "chat", "output": "done", "observations": list(observations)}


def calls(made: Any) -> list[tuple[str, Any, Any]]:
    return [(call["name"], call["args"], call["output"]) for call in made.record["prediction"]["tool_calls"]]


@pytest.mark.parametrize("heard", [[USER, CALLING, RESULT], BLOCKS])
def test_the_call_of_this_turn_is_read_and_said(heard: list[Any]) -> None:
    made = from_trace("a", trace(generation(1, heard)))
    assert calls(made) == [("w", {"x": 1}, "sunny")]
    assert [notice.code for notice in made.notices] == ["told-call"]
    assert made.record["notices"][0].startswith("told-call")


def test_calls_of_earlier_turns_are_not_of_this_run() -> None:
    made = from_trace("a", trace(generation(1, [USER, CALLING, RESULT, DONE, USER])))
    assert (calls(made), made.notices) == ([], ())


def test_a_call_that_a_generation_made_counts_once() -> None:
    made = from_trace("a", trace(generation(1, [USER], CALLING), generation(2, [USER, CALLING, RESULT])))
    assert (calls(made), made.notices) == ([("w", {"x": 1}, "sunny")], ())


def test_the_same_call_in_two_generations_counts_once() -> None:
    heard = [USER, CALLING, RESULT]
    made = from_trace("a", trace(generation(1, heard, "thinking"), generation(2, heard)))
    assert calls(made) == [("w", {"x": 1}, "sunny")]


def test_the_tool_s_own_observation_is_joined() -> None:
    tool = generation(1, [], "rainy") | {"id": "x", "type": "TOOL", "name": "w", "input": {"x": 1}}
    made = from_trace("a", trace(tool, generation(2, [USER, CALLING, RESULT])))
    assert calls(made) == [("w", {"x": 1}, "rainy")]


def test_a_call_without_its_result_is_missing() -> None:
    with pytest.raises(IncompleteTrace, match="the result of the call of w"):
        from_trace("a", trace(generation(1, [USER, CALLING])))


def test_the_input_of_a_model_is_an_object_with_its_messages() -> None:
    (step,) = find_observations(trace(generation(1, [USER])), names=["llm"])
    assert as_dict(step.input) == {"messages": [USER]}
    assert as_dict(json.dumps([USER])) == {"messages": [USER]}
