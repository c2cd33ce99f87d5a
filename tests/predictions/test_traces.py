"""Questions to traces, and waiting for those that come late."""

from __future__ import annotations

import asyncio
import copy
import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.errors import IncompleteTrace, UnexpectedShape
from evalcontract.predictions import (
    as_dict,
    coerce_text,
    find_observations,
    from_trace,
    missing_from,
    read_trace,
    wait_for_trace,
)

DATA = Path(__file__).parent / "data" / "trace"


def source(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_bytes())["source"]


@pytest.mark.parametrize("name", ["otel_sdk_spans", "otlp", "langfuse"])
def test_observations_are_found_by_name_and_by_kind_in_the_order_of_their_start(name: str) -> None:
    trace = read_trace(source(name))
    kinds = [each.kind for each in find_observations(trace, kinds=("generation", "tool", "retriever"))]
    assert sorted(kinds) == ["generation", "generation", "retriever", "tool"]
    starts = [each.started for each in find_observations(trace)]
    assert starts == sorted(starts)
    (tool,) = find_observations(trace, kinds=("tool",))
    assert find_observations(trace, names=tool.name) == [tool]
    assert find_observations(trace, names=(tool.name,), kinds="agent") == []
    assert as_dict(tool.output) == as_dict(tool.output.value) == {"state": "open"}
    assert find_observations(source(name), names=[tool.name])[0] == tool
    assert not find_observations(trace, names=["nothing"])


def test_spans_of_the_sdk_and_otlp_are_the_same_trace_whatever_their_order() -> None:
    expected = from_trace("i", source("otlp"), keep_source=False)
    for spans in (source("otel_sdk_spans"), source("otel_sdk_spans")[::-1]):
        assert from_trace("i", spans, keep_source=False) == expected


def test_any_span_taken_away_is_missed_or_changes_nothing() -> None:
    whole = source("otel_sdk_spans")
    names = [span["name"] for span in whole]
    prediction = from_trace("i", whole).record["prediction"]
    outcomes = []
    for span in whole:
        rest = [each for each in whole if each is not span]
        try:
            # Two spans have one name; what the first of them says is told by the tool's span too.
            assert from_trace("i", rest, expected=names).record["prediction"] == prediction
            outcomes.append("same")
        except IncompleteTrace:
            outcomes.append("missed")
    assert sorted(outcomes) == ["missed"] * 4 + ["same"]


def test_what_a_trace_lacks_is_named() -> None:
    trace = read_trace({"resourceSpans": []})
    assert missing_from(trace) == ("any observation",)
    late = source("fails_langfuse_late")
    assert missing_from(read_trace(late), expected=("lock_state", "ask")) == (
        "the end of ask",
        "an observation named lock_state",
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("plain", "plain"),
        ('{"answer": "not decoded"}', '{"answer": "not decoded"}'),
        ({"answer": "a", "n": 1}, "a"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab"),
        ([{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}], "a"),
        ({"output": {"response": "deep"}}, "deep"),
    ],
)
def test_text_is_found_where_outputs_keep_it(value: Any, expected: str | None) -> None:
    assert coerce_text(value) == expected


@pytest.mark.parametrize("value", [3, True, [], {}, {"result": "x"}, [{"role": "user", "content": "q"}]])
def test_a_text_is_never_made_up(value: Any) -> None:
    with pytest.raises(UnexpectedShape):
        coerce_text(value)


def test_an_object_is_parsed_once_and_nothing_else_is_taken_for_one() -> None:
    assert as_dict({"a": 1}) == as_dict('{"a": 1}') == {"a": 1}
    for value in ("[1]", json.dumps('{"a": 1}'), "{'a': 1}", None, 3):
        with pytest.raises(UnexpectedShape):
            as_dict(value)


class LateStore:
    """A trace store to which the parts of a trace come one attempt after another."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.pauses: list[float] = []

    def fetch(self) -> Any:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    async def fetch_later(self) -> Any:
        return self.fetch()

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


@pytest.mark.parametrize("as_coroutine", [False, True])
def test_waiting_ends_with_the_first_whole_trace(as_coroutine: bool) -> None:
    whole = source("langfuse")
    begun = copy.deepcopy(whole)
    begun["observations"] = begun["observations"][1:]
    store = LateStore(None, {"data": []}, begun, source("fails_langfuse_late"), whole)
    fetch = store.fetch_later if as_coroutine else store.fetch
    found = asyncio.run(
        wait_for_trace(fetch, expected=("lock_state",), backoff=(1, 2, 4, 8, 16), sleep=store.sleep)
    )
    assert found == whole
    assert store.pauses == [1, 2, 4, 8]


def test_waiting_in_vain_says_what_was_missing_the_last_time() -> None:
    store = LateStore(None, source("fails_langfuse_late"))
    with pytest.raises(IncompleteTrace, match="after 3 attempts: it lacks the end of ask") as caught:
        asyncio.run(wait_for_trace(store.fetch, backoff=(0.5, 0.5), sleep=store.sleep))
    assert caught.value.missing == ("the end of ask",)
    assert store.pauses == [0.5, 0.5]


def test_waiting_does_not_go_on_for_what_is_no_trace() -> None:
    store = LateStore({"message": "not found"})
    with pytest.raises(UnexpectedShape):
        asyncio.run(wait_for_trace(store.fetch, sleep=store.sleep))
    assert store.pauses == []


def nested(key: str, depth: int) -> Any:
    value: Any = "deep"
    for _ in range(depth):
        value = {key: value}
    return value


def test_values_nested_without_end_are_refused_and_never_recursed_into() -> None:
    with pytest.raises(UnexpectedShape, match="at most 40 levels deep"):
        coerce_text(nested("content", 5000))
    spans: Any = source("otel_sdk_spans")
    for _ in range(5000):
        spans = [spans]
    with pytest.raises(UnexpectedShape):
        read_trace({"spans": spans})
    for key in ("data", "chat", "messages"):
        with pytest.raises(UnexpectedShape):
            read_trace(nested(key, 5000))


def test_an_output_of_a_generation_that_repeats_the_conversation_is_read_from_its_end() -> None:
    trace = source("langfuse")
    trace["output"] = trace["observations"][0]["output"] = None
    for each in trace["observations"]:
        if each["type"] == "GENERATION":
            each["output"] = [*each["input"], {"role": "assistant", "content": "old"}, each["output"]]
    prediction = from_trace("i", trace).record["prediction"]
    assert prediction["response"] == "Yes, the north lock is open."
    assert [call["name"] for call in prediction["tool_calls"]] == ["lock_state"]


def test_spans_without_their_export_are_no_observations_of_langfuse() -> None:
    (resource,) = source("otlp")["resourceSpans"]
    spans = resource["scopeSpans"][0]["spans"]
    expected = from_trace("i", source("otlp"), keep_source=False)
    assert from_trace("i", spans, keep_source=False) == expected
    assert from_trace("i", {"spans": spans}, keep_source=False) == expected


def test_observations_in_the_names_of_the_sdk_are_the_same() -> None:
    trace = source("langfuse")
    expected = from_trace("i", trace, keep_source=False)

    def snake(name: str) -> str:
        return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)

    dumped = {snake(key): value for key, value in trace.items()}
    dumped["observations"] = [
        {snake(key): value for key, value in each.items()} for each in trace["observations"]
    ]
    assert from_trace("i", dumped, keep_source=False) == expected
    alone = from_trace("i", dumped["observations"], keep_source=False).record
    assert alone["prediction"] == expected.record["prediction"]


def test_an_observation_that_is_marked_as_root_needs_no_parent() -> None:
    trace = source("langfuse")
    trace["observations"][0]["parentObservationId"] = "in-another-service"
    with pytest.raises(IncompleteTrace, match="in-another-service, the parent of ask"):
        from_trace("i", trace)
    trace["observations"][0]["isRootObservation"] = True
    assert from_trace("i", trace).record["prediction"]["response"] == "Yes, the north lock is open."


def test_a_circle_of_any_length_is_a_trace_without_its_end_and_never_walked_forever() -> None:
    times = {"start_time": 1, "end_time": 2}
    for length in (1, 2, 200):
        circle = [
            {"name": "s", "context": {"trace_id": "0x1", "span_id": f"0x{at:x}a"}, "attributes": {}, **times}
            | {"parent_id": f"0x{(at + 1) % length:x}a"}
            for at in range(length)
        ]
        roots = [
            {"name": "r", "context": {"trace_id": "0x1", "span_id": f"0x{at}b"}, "attributes": {}, **times}
            for at in range(2)
        ]
        assert read_trace([*circle, *roots]).entry is not None
        with pytest.raises(IncompleteTrace, match="the root"):
            from_trace("i", circle)


def test_what_runs_in_steps_deep_below_each_other_is_read_in_time_that_grows_with_it() -> None:
    spans = [
        {
            "name": "s",
            "context": {"trace_id": "0x1", "span_id": f"0x{at + 1:x}"},
            "parent_id": f"0x{at:x}" if at else None,
            "start_time": at,
            "end_time": at + 1,
            "attributes": {"gen_ai.operation.name": "chat", "gen_ai.output.messages": "Yes."},
        }
        for at in range(2000)
    ]
    assert from_trace("i", spans, keep_source=False).record["prediction"]["response"] == "Yes."
