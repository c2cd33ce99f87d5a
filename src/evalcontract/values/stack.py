"""Room on the stack for what is nested: how deep a value may be must not depend on how deep the caller is."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import TypeVar

Made = TypeVar("Made")

MAX_FRAMES = 20_000
"""So many calls may be open at once on a deep stack; beyond them `RecursionError` is raised there too."""
_STACK_BYTES = 64 * 1024 * 1024
_LOCK = threading.Lock()
_limits: list[int] = []
"""The limits that were found when work on a deep stack began, one for each that goes on."""


def on_deep_stack(work: Callable[[], Made]) -> Made:
    """What `work` returns or raises, done on an empty stack that is deeper than Python's: the same for any caller.

    The context variables of the caller can be read there. Raises RecursionError beyond MAX_FRAMES.
    """
    made: list[Made] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            made.append(work())
        except BaseException as error:
            raised.append(error)

    with _more_frames():
        _started(threading.Thread(target=copy_context().run, args=(run,))).join()
    if raised:
        raise raised[0]
    return made[0]


def with_room(work: Callable[[], Made]) -> Made:
    """The same, done where the caller is if there is room enough."""
    try:
        return work()
    except RecursionError:
        return on_deep_stack(work)


def _started(thread: threading.Thread) -> threading.Thread:
    with _LOCK:
        before = threading.stack_size(_STACK_BYTES)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
    return thread


@contextmanager
def _more_frames() -> Iterator[None]:
    """Python's limit holds for all threads alike: it is raised for as long as one of them works deep."""
    with _LOCK:
        _limits.append(sys.getrecursionlimit())
        sys.setrecursionlimit(max(_limits[0], MAX_FRAMES))
    try:
        yield
    finally:
        with _LOCK:
            before = _limits[0]
            _limits.pop()
            if not _limits:
                sys.setrecursionlimit(before)
