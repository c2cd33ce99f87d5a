"""Traces fetched from a Langfuse server over loopback HTTP, and traces of this process by their ids."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langfuse.api import LangfuseAPI
from opentelemetry.sdk.trace import TracerProvider

from evalcontract.errors import IncompleteTrace, UsageError
from evalcontract.predictions import (
    FetchError,
    capture_spans,
    fetch_trace,
    find_observations,
    from_trace,
    get_local_trace,
    keep_local_traces,
)
from tests.support.fixtures import load
from tests.support.langfuse_server import KEYS, FakeLangfuse, running

PUBLIC, SECRET = KEYS
DATA = Path(__file__).parent / "data" / "trace"


@pytest.fixture
def langfuse(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeLangfuse]:
    with running() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        yield server


def observations() -> list[dict[str, Any]]:
    return [
        {**step, "level": "DEFAULT"}
        for step in load(DATA / "langfuse_langgraph.json")["source"]["observations"]
    ]


def fetched(trace_id: str, **options: Any) -> Any:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    return asyncio.run(fetch_trace(trace_id, sleep=sleep, **options)), pauses


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_trace_is_fetched_page_by_page_once_it_is_whole(langfuse: FakeLangfuse) -> None:
    whole = observations()
    trace_id = whole[0]["traceId"]
    langfuse.arrivals = [[], whole[:2], whole]
    trace, pauses = fetched(trace_id, backoff=(1, 2, 4), expected=("lock_state",))
    assert pauses == [1, 2]
    expected = load(DATA / "langfuse_langgraph.expected.json")["record"]
    found = from_trace("item-1", trace).record
    assert found["prediction"] == expected["prediction"]
    assert found["trace_id"] == trace_id
    assert len(found["source_transcript"]["observations"]) == len(whole)
    with httpx.Client() as http:
        keys = {"username": KEYS[PUBLIC], "password": KEYS[SECRET]}
        client = LangfuseAPI(base_url=langfuse.url, httpx_client=http, **keys)
        assert fetched(trace_id, client=client)[0] == trace


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_trace_that_does_not_come_is_incomplete_and_a_refusal_is_said_at_once(
    langfuse: FakeLangfuse,
) -> None:
    langfuse.arrivals = [[]]
    with pytest.raises(IncompleteTrace, match="after 3 attempts: it lacks the trace"):
        fetched("t1", backoff=(1, 2))
    langfuse.faults = [(401, {"message": "Invalid credentials"}, {})]
    with pytest.raises(FetchError, match="Langfuse answers 401"):
        fetched("t1")


def test_without_keys_or_with_another_client_it_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="keys of the Langfuse project"):
        fetched("t1")
    with pytest.raises(UsageError, match="str is no client"):
        fetched("t1", client="client")


def turn(provider: TracerProvider, answer: str) -> int:
    with provider.get_tracer("t").start_as_current_span("ask") as span:
        span.set_attribute("output.value", answer)
        return span.get_span_context().trace_id


def test_a_trace_of_this_process_is_had_by_its_id_after_the_turn() -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    keep_local_traces(provider, limit=2)
    keep_local_traces(provider, limit=2)
    ids = [turn(provider, answer) for answer in ("one", "two", "three")]
    trace = get_local_trace(ids[2])
    assert trace == get_local_trace(format(ids[2], "032x")) == get_local_trace("0x" + trace.id.upper())
    (ask,) = find_observations(trace, names=["ask"])
    assert ask.output.value == "three"
    record = from_trace("i", trace, answer="ask").record
    assert (record["prediction"]["response"], record["trace_id"]) == ("three", trace.id)
    assert record["source_transcript"] == trace.source
    assert get_local_trace(ids[1]).observations[0].output.value == "two"
    with pytest.raises(UsageError, match="was captured"):
        get_local_trace(ids[0])


def test_a_trace_inside_a_captured_block_is_had_by_its_id_too() -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    with capture_spans(provider):
        trace_id = turn(provider, "one")
        assert get_local_trace(trace_id).observations[0].name == "ask"


def test_a_turn_that_goes_on_is_incomplete_and_no_traces_at_all_are_wrong_usage() -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    keep_local_traces(provider)
    with (
        provider.get_tracer("t").start_as_current_span("ask") as span,
        pytest.raises(IncompleteTrace, match="lacks the end of ask"),
    ):
        get_local_trace(span.get_span_context().trace_id, timeout=0.01)
    with pytest.raises(UsageError, match="0 traces can't be kept"):
        keep_local_traces(provider, limit=0)
