"""One conversation in the shape of every framework, and blocks of every kind wherever they may stand."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.errors import IncompleteTrace, UnexpectedShape
from evalcontract.predictions import from_messages, from_trace
from evalcontract.predictions.chat.blocks import UNSAID

Turn = tuple[str, str, dict[str, Any], str, str]
"""A question, the name and arguments of a call, its result, and the answer."""


def openai(turn: Turn) -> list[dict[str, Any]]:
    question, name, args, result, answer = turn
    function = {"name": name, "arguments": json.dumps(args)}
    return [
        {"role": "user", "content": question},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "1", "content": result},
        {"role": "assistant", "content": answer},
    ]


def anthropic(turn: Turn) -> list[dict[str, Any]]:
    question, name, args, result, answer = turn
    return [
        {"role": "user", "content": [{"type": "text", "text": question}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": name, "input": args}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": result}]},
        {"role": "assistant", "content": [{"type": "text", "text": answer}]},
    ]


def responses(turn: Turn) -> list[dict[str, Any]]:
    question, name, args, result, answer = turn
    return [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": question}]},
        {"type": "function_call", "call_id": "1", "name": name, "arguments": json.dumps(args)},
        {"type": "function_call_output", "call_id": "1", "output": result},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": answer}]},
    ]


def langchain(turn: Turn) -> list[dict[str, Any]]:
    question, name, args, result, answer = turn
    calls = [{"name": name, "args": args, "id": "1", "type": "tool_call"}]
    return [
        {"type": "human", "content": question},
        {"type": "ai", "content": "", "tool_calls": calls, "invalid_tool_calls": []},
        {"type": "tool", "content": result, "tool_call_id": "1", "status": "success"},
        {"type": "ai", "content": answer, "tool_calls": []},
    ]


def gemini(turn: Turn) -> list[dict[str, Any]]:
    question, name, args, result, answer = turn
    return [
        {"role": "user", "parts": [{"text": question}]},
        {"role": "model", "parts": [{"functionCall": {"id": "1", "name": name, "args": args}}]},
        {"role": "user", "parts": [{"functionResponse": {"id": "1", "name": name, "response": result}}]},
        {"role": "model", "parts": [{"text": answer}]},
    ]


def bedrock(turn: Turn) -> list[dict[str, Any]]:
    question, name, args, result, answer = turn
    return [
        {"role": "user", "content": [{"text": question}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "1", "name": name, "input": args}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "1", "content": result}}]},
        {"role": "assistant", "content": [{"text": answer}]},
    ]


def conventions(turn: Turn) -> list[dict[str, Any]]:
    question, name, args, result, answer = turn
    return [
        {"role": "user", "parts": [{"type": "text", "content": question}]},
        {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": name, "arguments": args}]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": result}]},
        {"role": "assistant", "parts": [{"type": "text", "content": answer}]},
    ]


SHAPES: list[Callable[[Turn], list[dict[str, Any]]]] = [
    openai,
    anthropic,
    responses,
    langchain,
    gemini,
    bedrock,
    conventions,
]
NOTHING = {"error": None, "raw_args": None}
texts = st.text(min_size=1, max_size=12).filter(lambda text: text[0] not in '{["')
turns = st.tuples(
    texts,
    st.from_regex(r"[a-z_]{1,12}", fullmatch=True),
    st.dictionaries(st.text(max_size=4), st.integers() | texts | st.booleans(), max_size=3),
    texts,
    texts,
)


@given(turn=turns)
def test_a_conversation_gives_one_prediction_in_whatever_shape_it_is_written(turn: Turn) -> None:
    _, name, args, result, answer = turn
    expected = [{**NOTHING, "name": name, "args": args, "output": result, "id": "1"}]
    for shape in SHAPES:
        found = from_messages("i", shape(turn), keep_source=False)
        assert found.record["prediction"]["response"] == answer, shape
        assert found.record["prediction"]["tool_calls"] == expected, shape
        assert found.notices == ()


@given(turn=turns)
def test_a_trace_gives_the_same_prediction_in_whatever_shape_its_messages_are_written(turn: Turn) -> None:
    _, name, args, result, answer = turn
    for shape in SHAPES:
        question, call, outcome, said = shape(turn)
        for wrap in (lambda value: value, json.dumps, lambda value: {"messages": value}):
            steps = [
                generation("1", wrap([question]), wrap([call])),
                generation("2", wrap([question, call, outcome]), wrap([said])),
            ]
            found = from_trace("i", {"id": "t", "observations": steps}, keep_source=False).record[
                "prediction"
            ]
            assert found["response"] == answer, shape
            assert found["tool_calls"] == [
                {**NOTHING, "name": name, "args": args, "output": result, "id": "1"}
            ]


def generation(step: str, heard: Any, said: Any) -> dict[str, Any]:
    times = {"startTime": f"2026-01-01T00:00:0{step}Z", "endTime": f"2026-01-01T00:00:0{step}.5Z"}
    return {"id": step, "type": "GENERATION", "name": "model", "input": heard, "output": said, **times}


QUESTION = {"role": "user", "content": "Open?"}
TEXTS: list[Any] = [
    "Yes.",
    {"type": "text", "text": "Yes."},
    {"type": "output_text", "text": "Yes."},
    {"type": "text", "content": "Yes."},
    {"part_kind": "text", "content": "Yes."},
    {"text": "Yes."},
]
CALLS: list[Any] = [
    {"type": "tool_use", "id": "1", "name": "w", "input": {"x": 1}},
    {"type": "server_tool_use", "id": "1", "name": "w", "input": {"x": 1}},
    {"type": "browser_click_tool_use", "id": "1", "name": "w", "input": {"x": 1}},
    {"type": "function_call", "call_id": "1", "id": "fc", "name": "w", "arguments": '{"x": 1}'},
    {"type": "custom_tool_call", "call_id": "1", "name": "w", "input": '{"x": 1}'},
    {"type": "mcp_call", "id": "1", "name": "w", "arguments": '{"x": 1}'},
    {"type": "tool_call", "id": "1", "name": "w", "args": {"x": 1}},
    {"type": "tool_call", "id": ["1"], "name": "w", "arguments": {"x": 1}},
    {"type": "tool-call", "toolCallId": "1", "toolName": "w", "input": {"x": 1}},
    {"type": "tool-call", "toolCallId": "1", "toolName": "w", "args": {"x": 1}},
    {"part_kind": "tool-call", "tool_call_id": "1", "tool_name": "w", "args": {"x": 1}},
    {"type": "function", "id": "1", "function": {"name": "w", "arguments": '{"x": 1}'}},
    {"functionCall": {"id": "1", "name": "w", "args": {"x": 1}}},
    {"function_call": {"id": "1", "name": "w", "args": {"x": 1}}},
    {"toolUse": {"toolUseId": "1", "name": "w", "input": {"x": 1}}},
    {"type": "w_call", "id": "1", "x": 1},
]


@pytest.mark.parametrize("key", ["content", "parts"])
@pytest.mark.parametrize("block", TEXTS, ids=str)
def test_text_is_read_from_blocks_of_every_kind(block: Any, key: str) -> None:
    found = from_messages("i", [QUESTION, {"role": "assistant", key: [block, block]}])
    assert found.record["prediction"]["response"] == "Yes.Yes."
    assert found.notices == ()


@pytest.mark.parametrize("key", ["content", "parts"])
@pytest.mark.parametrize("block", CALLS, ids=str)
def test_a_call_is_read_from_blocks_of_every_kind(block: Any, key: str) -> None:
    (call,) = from_messages("i", [QUESTION, {"role": "assistant", key: [block]}]).record["prediction"][
        "tool_calls"
    ]
    assert (call["name"], call["args"], call["id"]) == ("w", {"x": 1}, "1")


@pytest.mark.parametrize("kind", sorted(UNSAID))
def test_thoughts_are_no_part_of_an_answer(kind: str) -> None:
    blocks = [{"type": kind, "thinking": "So.", "text": "So."}, {"type": "text", "text": "Yes."}]
    found = from_messages("i", [QUESTION, {"role": "assistant", "content": blocks}])
    assert (found.record["prediction"]["response"], found.notices) == ("Yes.", ())


@given(kind=st.from_regex(r"[a-z]{1,8}_[xyz]{1,3}", fullmatch=True), in_parts=st.booleans())
def test_a_block_of_an_unknown_kind_never_disappears(kind: str, in_parts: bool) -> None:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": "Yes."}, {"type": kind, "value": 1}]
    message = {"role": "assistant", "parts" if in_parts else "content": blocks}
    found = from_messages("i", [QUESTION, message])
    assert [notice.code for notice in found.notices] == ["not-text"]
    assert kind in found.notices[0].message
    blocks[1] = {"type": kind, "name": "w", "input": {}}
    with pytest.raises(UnexpectedShape, match="a block of a known kind"):
        from_messages("i", [QUESTION, message])


@pytest.mark.parametrize("block", [{}, {"value": 1}, 3, None, [], {"type": 3}], ids=str)
def test_a_block_without_a_kind_is_refused_by_its_place(block: Any) -> None:
    with pytest.raises(UnexpectedShape, match="/messages/1/content/0"):
        from_messages("i", [QUESTION, {"role": "assistant", "content": [block]}])


WHOLES: list[tuple[Any, str | None]] = [
    ("Yes.", None),
    ('"Yes."', None),
    (["Yes."], None),
    ({"completion": "Yes."}, None),
    ({"text": "Yes."}, None),
    ({"role": "assistant", "content": "Yes."}, None),
    (
        {"choices": [{"message": {"role": "assistant", "content": "Yes."}, "finish_reason": "length"}]},
        "length",
    ),
    (
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "text", "text": "Yes."}],
            "stop_reason": "max_tokens",
        },
        "max_tokens",
    ),
    (
        {
            "object": "response",
            "output": [
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]}
            ],
        },
        None,
    ),
    (
        {
            "candidates": [
                {"content": {"role": "model", "parts": [{"text": "Yes."}]}, "finishReason": "SAFETY"}
            ]
        },
        "SAFETY",
    ),
    (
        {
            "output": {"message": {"role": "assistant", "content": [{"text": "Yes."}]}},
            "stopReason": "end_turn",
        },
        "end_turn",
    ),
    ({"message": {"content": [{"type": "text", "text": "Yes."}]}, "finish_reason": "COMPLETE"}, "COMPLETE"),
    ({"message": {"role": "assistant", "content": "Yes."}, "done": True, "done_reason": "stop"}, "stop"),
    (
        {
            "generations": [
                [
                    {
                        "text": "Yes.",
                        "message": {
                            "lc": 1,
                            "type": "constructor",
                            "id": ["AIMessage"],
                            "kwargs": {"content": "Yes.", "type": "ai"},
                        },
                    }
                ]
            ]
        },
        None,
    ),
    ({"text": "Yes.", "toolCalls": []}, None),
]


@pytest.mark.parametrize(("output", "reason"), WHOLES, ids=str)
def test_the_whole_answer_of_any_provider_is_what_the_model_said(output: Any, reason: str | None) -> None:
    found = from_trace("i", {"id": "t", "observations": [generation("1", [QUESTION], output)]})
    prediction = found.record["prediction"]
    assert (prediction["response"], prediction["finish_reason"]) == ("Yes.", reason)
    cut = {"length": "cut-off", "max_tokens": "cut-off", "SAFETY": "filtered"}.get(str(reason))
    assert [notice.code for notice in found.notices] == ([cut] if cut else [])
    assert (found.record["notices"] is not None) == (cut is not None)


def test_calls_beside_a_text_never_disappear() -> None:
    output = {"text": "Yes.", "toolCalls": [{"toolCallId": "1", "toolName": "w", "input": "{}"}]}
    trace = {"id": "t", "observations": [generation("1", [QUESTION], output)]}
    with pytest.raises(IncompleteTrace, match="the result of the call of w"):
        from_trace("i", trace)
    (call,) = from_trace("i", trace, allow_missing=["result"]).record["prediction"]["tool_calls"]
    assert call["name"] == "w"


def test_what_a_tool_s_step_says_of_its_failure_is_the_error_of_the_call() -> None:
    call = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "w", "arguments": "{}"}}]}
    times = {"startTime": "2026-01-01T00:00:02Z", "endTime": "2026-01-01T00:00:02Z"}
    tool = {"id": "9", "type": "TOOL", "name": "w", "level": "ERROR", "statusMessage": "boom", **times}
    steps = [generation("1", [QUESTION], call), tool, generation("3", [QUESTION], "I can't tell.")]
    (made,) = from_trace("i", {"id": "t", "observations": steps}).record["prediction"]["tool_calls"]
    assert (made["output"], made["error"]) == (None, "boom")


def test_a_message_of_an_unknown_role_is_said() -> None:
    messages = [QUESTION, {"role": "wizard", "content": "Hm."}, {"role": "assistant", "content": "Yes."}]
    assert [notice.code for notice in from_messages("i", messages).notices] == ["unknown-role"]


@pytest.mark.parametrize("key", ["tool_call_id", "toolCallId"])
@pytest.mark.parametrize("written", ["c1", ["c1"], 1, [1]], ids=str)
def test_a_result_finds_its_call_however_the_id_is_written(key: str, written: Any) -> None:
    call = {"id": written, "type": "function", "function": {"name": "w", "arguments": "{}"}}
    conversation = [
        QUESTION,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", key: written, "content": "open"},
        {"role": "assistant", "content": "Yes."},
    ]
    found = from_messages("i", conversation)
    assert [made["output"] for made in found.record["prediction"]["tool_calls"]] == ["open"]
    assert found.notices == ()
