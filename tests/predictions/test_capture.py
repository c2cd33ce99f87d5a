"""Capturing spans in the process, with the real SDK."""

from __future__ import annotations

import json
import sys
import threading

import pytest
from opentelemetry import trace as otel
from opentelemetry.sdk.trace import TracerProvider

from evalcontract.errors import IncompleteTrace, UsageError
from evalcontract.predictions import capture_spans, from_trace
from evalcontract.predictions.traces import capture


@pytest.fixture
def provider() -> TracerProvider:
    return TracerProvider(shutdown_on_exit=False)


def answer(tracer: otel.Tracer, text: str = "Yes.") -> None:
    """A run of an agent that calls a tool, as instrumentations record it."""
    with tracer.start_as_current_span("invoke_agent", attributes={"gen_ai.operation.name": "invoke_agent"}):
        with tracer.start_as_current_span("chat m", attributes={"gen_ai.operation.name": "chat"}) as span:
            call = {"type": "tool_call", "id": "c1", "name": "state", "arguments": {"lock": "north"}}
            span.set_attribute("gen_ai.output.messages", json.dumps([{"role": "assistant", "parts": [call]}]))
        with tracer.start_as_current_span("execute_tool state") as span:
            span.set_attributes(
                {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": "state",
                    "gen_ai.tool.call.id": "c1",
                    "gen_ai.tool.call.result": '"open"',
                }
            )
        with tracer.start_as_current_span("chat m", attributes={"gen_ai.operation.name": "chat"}) as span:
            said = [{"role": "assistant", "parts": [{"type": "text", "content": text}]}]
            span.set_attribute("gen_ai.output.messages", json.dumps(said))
            span.set_attribute("gen_ai.usage.output_tokens", 3)


def test_a_captured_run_becomes_a_record(provider: TracerProvider) -> None:
    with capture_spans(provider) as captured:
        answer(provider.get_tracer("t"))
        built = from_trace("i", captured.trace())
    prediction = built.record["prediction"]
    assert prediction["response"] == "Yes."
    assert prediction["tool_calls"] == [
        {
            "name": "state",
            "args": {"lock": "north"},
            "output": "open",
            "id": "c1",
            "error": None,
            "raw_args": None,
        }
    ]
    assert (built.record["trace_id"],) == captured.trace_ids
    assert built.record["measurements"]["output_tokens"] == 3


def test_each_of_several_traces_is_given_by_its_id(provider: TracerProvider) -> None:
    tracer = provider.get_tracer("t")
    with capture_spans(provider) as captured:
        for text in ("one", "two"):
            answer(tracer, text)
    with pytest.raises(UsageError, match="2 traces were captured"):
        captured.trace()
    with pytest.raises(UsageError, match="no trace 'ff' was captured"):
        captured.trace("ff")
    found = [from_trace("i", captured.trace(each)).record for each in captured.trace_ids]
    assert [each["prediction"]["response"] for each in found] == ["one", "two"]
    assert [each["trace_id"] for each in found] == list(captured.trace_ids)


def test_a_trace_is_given_the_moment_its_last_span_ends(provider: TracerProvider) -> None:
    tracer = provider.get_tracer("t")
    started, go_on = threading.Event(), threading.Event()

    def work() -> None:
        with tracer.start_as_current_span("outer"), tracer.start_as_current_span("inner"):
            started.set()
            go_on.wait(10)

    with capture_spans(provider) as captured:
        worker = threading.Thread(target=work)
        worker.start()
        started.wait(10)
        with pytest.raises(IncompleteTrace) as caught:
            captured.trace(timeout=0)
        assert caught.value.missing == ("the end of outer", "the end of inner")
        go_on.set()
        spans = captured.trace(timeout=10)
        worker.join()
    assert [each["name"] for each in spans] == ["inner", "outer"]


def test_only_spans_that_start_inside_the_block_are_captured(provider: TracerProvider) -> None:
    tracer = provider.get_tracer("t")
    with tracer.start_as_current_span("before"), capture_spans(provider) as captured:
        tracer.start_span("inside").end()
    tracer.start_span("after").end()
    assert [each["name"] for each in captured.trace()] == ["inside"]


def test_a_provider_gets_one_processor_however_often_it_is_captured(provider: TracerProvider) -> None:
    for _ in range(3):
        with capture_spans(provider) as outer, capture_spans(provider) as inner:
            provider.get_tracer("t").start_span("s").end()
        assert outer.trace() == inner.trace()
    assert len(provider._active_span_processor._span_processors) == 1


def test_a_provider_that_is_not_of_the_sdk_is_refused() -> None:
    with (
        pytest.raises(UsageError, match="is not a tracer provider of the OpenTelemetry SDK"),
        capture_spans(
            otel.NoOpTracerProvider()  # type: ignore[arg-type]
        ),
    ):
        pass


def test_without_the_sdk_the_extra_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(UsageError) as caught, capture.capture_spans():
        pass
    assert "opentelemetry-sdk" in (caught.value.hint or "")
