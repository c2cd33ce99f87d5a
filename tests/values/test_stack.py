"""Work on a deep stack: as deep as it may be from anywhere, and the interpreter is left as it was."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar

import pytest

from evalcontract.values import on_deep_stack, with_room
from evalcontract.values.stack import MAX_FRAMES
from tests.support.stack import below

ROOM: ContextVar[str] = ContextVar("room")


@pytest.mark.parametrize("doing", [on_deep_stack, with_room])
@pytest.mark.parametrize("open_calls", [0, 850])
def test_work_deeper_than_python_s_limit_is_done_from_anywhere(doing: object, open_calls: int) -> None:
    assert callable(doing)
    assert below(open_calls, lambda: doing(lambda: below(MAX_FRAMES - 200, lambda: "done"))) == "done"


@pytest.mark.parametrize("doing", [on_deep_stack, with_room])
def test_beyond_the_bound_there_is_an_error_and_no_crash(doing: object) -> None:
    assert callable(doing)
    with pytest.raises(RecursionError):
        doing(lambda: below(MAX_FRAMES, lambda: "done"))


def test_the_limits_are_put_back_also_after_errors_and_when_several_threads_go_deep() -> None:
    before = sys.getrecursionlimit(), threading.stack_size()
    together = threading.Barrier(3)
    with ThreadPoolExecutor(max_workers=3) as threads:
        waits = [threads.submit(on_deep_stack, together.wait) for _ in range(3)]
        assert sorted(wait.result() for wait in waits) == [0, 1, 2]
    with pytest.raises(ZeroDivisionError):
        on_deep_stack(lambda: 1 // 0)
    assert (sys.getrecursionlimit(), threading.stack_size()) == before


def test_the_context_of_the_caller_is_known_there() -> None:
    token = ROOM.set("outside")
    try:
        assert on_deep_stack(ROOM.get) == "outside"
    finally:
        ROOM.reset(token)


def test_what_fits_stays_in_the_thread_of_the_caller() -> None:
    assert with_room(threading.get_ident) == threading.get_ident()
    assert on_deep_stack(threading.get_ident) != threading.get_ident()
