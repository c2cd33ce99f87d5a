"""Traces that arrive late: asking again until all of one is there."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from evalcontract.errors import IncompleteTrace, UnexpectedShape
from evalcontract.predictions.traces.finding import missing_from, read_trace

BACKOFF = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds between attempts: half a minute in all."""


async def wait_for_trace(
    fetch: Callable[[], Any],
    *,
    expected: Iterable[str] = (),
    backoff: Iterable[float] = BACKOFF,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> Any:
    """What `fetch` returns, once it is a whole trace; it may be a function or a coroutine function.

    `fetch` is called once, and again after each of the `backoff` seconds, while it returns None or a trace
    that lacks something (see missing_from; name in `expected` the observations that the run must have,
    because nothing else tells that one has not arrived). Raises IncompleteTrace, with what was missing the
    last time, when the attempts are used up. Errors of `fetch` are not caught.
    """
    names = tuple(expected)
    pauses = iter(backoff)
    attempts = 0
    while True:
        found = fetch()
        if inspect.isawaitable(found):
            found = await found
        attempts += 1
        missing = _missing(found, names)
        if not missing:
            return found
        pause = next(pauses, None)
        if pause is None:
            raise IncompleteTrace(
                f"the trace is not complete after {attempts} attempts: it lacks {', '.join(missing[:5])}",
                missing=missing,
                hint="wait longer with `backoff`, or flush the exporter of the service",
            )
        await sleep(pause)


def _missing(found: Any, expected: tuple[str, ...]) -> tuple[str, ...]:
    if found is None or found == []:
        return ("the trace",)
    try:
        return missing_from(read_trace(found), expected=expected)
    except UnexpectedShape:
        # An export that has begun may be an object without spans; anything else will not get better.
        if found == {}:
            return ("the trace",)
        raise
