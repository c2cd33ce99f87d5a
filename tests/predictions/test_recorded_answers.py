"""Which of the values that a trace records is the answer: never what a tool gave, and texts as they were said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evalcontract.errors import IncompleteTrace
from evalcontract.predictions import BuiltPrediction, from_trace

MOMENTS = {"startTime": "2026-01-01T00:00:00Z", "endTime": "2026-01-01T00:00:01Z"}
LOOKS_UP: dict[str, dict[str, Any]] = {
    "tool": {"id": "w", "type": "TOOL", "name": "w", "input": {}, "output": "1", **MOMENTS},
    "retriever": {"id": "w", "type": "RETRIEVER", "name": "w", "input": "q", "output": [], **MOMENTS},
}
SAYS = {"id": "g", "type": "GENERATION", "name": "llm", "input": "q", "output": "At seven.", **MOMENTS}


def langfuse(output: Any, *observations: dict[str, Any]) -> BuiltPrediction:
    return from_trace("i", {"id": "t", "output": output, "observations": list(observations)})


def otel(output: str) -> BuiltPrediction:
    attribute = {"key": "output.value", "value": {"stringValue": output}}
    span = {"traceId": "0" * 31 + "1", "spanId": "a" * 16, "name": "ask", "attributes": [attribute]}
    span |= {"startTimeUnixNano": "1000000000", "endTimeUnixNano": "2000000000"}
    return from_trace("i", {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})


@pytest.mark.parametrize("kind", LOOKS_UP)
@pytest.mark.parametrize("output", [None, {}, True, [], {"count": 1}])
def test_what_a_tool_gave_beside_a_model_is_not_the_answer(kind: str, output: Any) -> None:
    made = langfuse(output, LOOKS_UP[kind], SAYS)
    assert made.record["prediction"]["response"] == "At seven."


def test_what_a_tool_gave_alone_is_no_answer_but_by_its_name() -> None:
    with pytest.raises(IncompleteTrace, match="the answer"):
        langfuse(None, LOOKS_UP["tool"])
    trace = {"id": "t", "output": None, "observations": [LOOKS_UP["tool"]]}
    assert from_trace("i", trace, answer="w").record["prediction"]["response"] == "1"


def test_a_tool_within_which_the_others_run_gives_the_answer() -> None:
    assert (
        langfuse(None, LOOKS_UP["tool"], SAYS | {"parentObservationId": "w"}).record["prediction"]["response"]
        == "1"
    )


@pytest.mark.parametrize("number", [1889, 0, -2.5])
def test_a_number_as_result_is_its_text_with_a_notice(number: float) -> None:
    root = {"id": "r", "type": "SPAN", "name": "root", "input": "q", "output": number, **MOMENTS}
    for made in (langfuse(number, SAYS), langfuse(None, root)):
        assert made.record["prediction"]["response"] == json.dumps(number)
        assert [notice.code for notice in made.notices] == ["number-answer"]


@pytest.mark.parametrize("text", ["Hello", 'a "b"', "1889", "{"])
def test_a_text_that_was_recorded_as_json_is_the_text_inside(text: str) -> None:
    assert otel(json.dumps(text)).record["prediction"]["response"] == text
    assert langfuse(json.dumps(text), SAYS).record["prediction"]["response"] == text


@pytest.mark.parametrize("text", ['"a" and "b"', '"unfinished', "Hello", 'say "Hello"'])
def test_a_text_that_is_no_json_stays(text: str) -> None:
    assert otel(text).record["prediction"]["response"] == text
    assert langfuse(text, SAYS).record["prediction"]["response"] == text
