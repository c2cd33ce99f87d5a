"""Spans of this process as they end, from a tracer provider of the OpenTelemetry SDK (extra `otel`)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from evalcontract.errors import IncompleteTrace, UsageError
from evalcontract.predictions.traces.finding import read_trace
from evalcontract.predictions.traces.observations import Trace

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import ReadableSpan, Span, TracerProvider

_INSTALL = "pip install opentelemetry-sdk"


class CapturedSpans:
    """The spans that started inside a `capture_spans` block, by trace; the newest `limit` traces are kept."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit
        self._changed = threading.Condition()
        self._open: dict[int, dict[int, str]] = {}
        self._ended: dict[int, list[ReadableSpan]] = {}

    @property
    def trace_ids(self) -> tuple[str, ...]:
        """The ids of the traces seen so far, as 32 hexadecimal digits, oldest first."""
        with self._changed:
            return tuple(map(_hexadecimal, self._open))

    def trace(self, trace_id: str | None = None, *, timeout: float = 10.0) -> list[dict[str, Any]]:
        """The spans of one trace, for `from_trace`, as soon as every one that has started has ended.

        Without `trace_id` there has to be exactly one trace. Waits at most `timeout` seconds. Raises
        IncompleteTrace, naming the spans that have not ended, and UsageError for an unknown trace.
        """
        with self._changed:
            key = self._key(trace_id)
            if not self._changed.wait_for(lambda: not self._open[key], timeout):
                missing = tuple(f"the end of {name}" for name in self._open[key].values())
                raise IncompleteTrace(
                    f"after {timeout:g} s the trace lacks {', '.join(missing[:5])}",
                    missing=missing,
                    hint="end the spans before asking, or wait longer",
                )
            return [json.loads(span.to_json(indent=None)) for span in self._ended[key]]

    def _key(self, trace_id: str | None) -> int:
        known = ", ".join(map(_hexadecimal, list(self._open)[-5:])) or "none"
        if trace_id is None:
            if len(self._open) != 1:
                raise UsageError(f"{len(self._open)} traces were captured", hint=f"name one of: {known}")
            return next(iter(self._open))
        for seen in self._open:
            if _hexadecimal(seen) == trace_id.lower().removeprefix("0x"):
                return seen
        raise UsageError(f"no trace {trace_id[:40]!r} was captured", hint=f"captured: {known}")

    def _started(self, span: Span) -> None:
        context = span.get_span_context()
        with self._changed:
            self._open.setdefault(context.trace_id, {})[context.span_id] = span.name
            self._ended.setdefault(context.trace_id, [])
            while self._limit is not None and len(self._open) > self._limit:
                oldest = next(iter(self._open))
                del self._open[oldest], self._ended[oldest]

    def _finished(self, span: ReadableSpan) -> None:
        context = span.get_span_context()
        with self._changed:
            # A span that started before the block is not waited for, and not part of what was captured.
            if (
                context is not None
                and self._open.get(context.trace_id, {}).pop(context.span_id, None) is not None
            ):
                self._ended[context.trace_id].append(span)
                self._changed.notify_all()


def _hexadecimal(trace_id: int) -> str:
    return format(trace_id, "032x")


class _Dispatcher:
    """The one processor on a provider: the SDK can add processors but not take them off again."""

    def __init__(self) -> None:
        self.captures: tuple[CapturedSpans, ...] = ()
        self.kept: CapturedSpans | None = None

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        for capture in self.captures:
            capture._started(span)

    def _on_ending(self, span: Span) -> None:
        """Part of the SDK's protocol; a span is of use once it has ended."""

    def on_end(self, span: ReadableSpan) -> None:
        for capture in self.captures:
            capture._finished(span)

    def shutdown(self) -> None:
        self.captures = ()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return True


_dispatchers: WeakKeyDictionary[Any, _Dispatcher] = WeakKeyDictionary()
_lock = threading.Lock()


def keep_local_traces(provider: TracerProvider | None = None, *, limit: int = 100) -> None:
    """From now on keep the newest `limit` traces of this process, for `get_local_trace`. Once is enough.

    `provider` is a tracer provider of the SDK; the global one by default. Raises UsageError when the SDK is not
    installed, the provider is not of the SDK, or the limit is below 1.
    """
    if limit < 1:
        raise UsageError(f"{limit} traces can't be kept", hint="at least 1")
    dispatcher = _dispatcher(provider)
    with _lock:
        if dispatcher.kept is None:
            dispatcher.kept = CapturedSpans(limit)
            dispatcher.captures += (dispatcher.kept,)
        dispatcher.kept._limit = limit


def get_local_trace(trace_id: str | int, *, timeout: float = 10.0) -> Trace:
    """The trace of this process with this id, as soon as every span of it has ended.

    `trace_id` is text of 32 hexadecimal digits, or the number that a span context holds. The spans have to be kept: by
    `keep_local_traces`, called before, or inside a `capture_spans` block. Waits at most `timeout` seconds.

    Raises IncompleteTrace, naming the spans that have not ended, and UsageError for a trace that is not kept.
    """
    wanted = _hexadecimal(trace_id) if isinstance(trace_id, int) else trace_id.lower().removeprefix("0x")
    with _lock:
        captures = [capture for dispatcher in _dispatchers.values() for capture in dispatcher.captures]
    if not captures:
        raise UsageError(
            "no traces of this process are kept", hint="call keep_local_traces() before the first span starts"
        )
    holding = next((capture for capture in captures if wanted in capture.trace_ids), captures[0])
    return read_trace(holding.trace(wanted, timeout=timeout))


@contextmanager
def capture_spans(provider: TracerProvider | None = None) -> Iterator[CapturedSpans]:
    """Collect the spans that start inside the block, beside whatever else the provider exports to.

    `provider` is a tracer provider of the SDK; the global one by default. Spans that were not sampled are
    not seen. Raises UsageError when the SDK is not installed or the provider is not of the SDK.
    """
    dispatcher = _dispatcher(provider)
    captured = CapturedSpans()
    with _lock:
        dispatcher.captures += (captured,)
    try:
        yield captured
    finally:
        with _lock:
            dispatcher.captures = tuple(other for other in dispatcher.captures if other is not captured)


def _dispatcher(provider: TracerProvider | None) -> _Dispatcher:
    try:
        from opentelemetry import trace
        from opentelemetry.sdk.trace import TracerProvider as SdkProvider
    except ImportError:
        raise UsageError("capturing spans needs the OpenTelemetry SDK", hint=_INSTALL) from None
    chosen = provider if provider is not None else trace.get_tracer_provider()
    if not isinstance(chosen, SdkProvider):
        raise UsageError(
            f"{type(chosen).__name__} is not a tracer provider of the OpenTelemetry SDK",
            hint="set one with opentelemetry.trace.set_tracer_provider, or pass it",
        )
    with _lock:
        dispatcher = _dispatchers.get(chosen)
        if dispatcher is None:
            dispatcher = _dispatchers[chosen] = _Dispatcher()
            chosen.add_span_processor(dispatcher)  # type: ignore[arg-type]
    return dispatcher
