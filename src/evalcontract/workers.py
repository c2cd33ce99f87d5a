"""Processes that work beside this one, and end with it: no task survives an interrupt or a crash."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from evalcontract.errors import ContractError, WorkerLost

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[Task], Result]

_AHEAD = 3
_MAX_WAITING = 64


class Workers(Generic[Task, Result]):
    """`count` processes. `make_work`, called once in each of them, gives the function for a task.

    This process works too: at first alone, for `alone_seconds`, and then it takes a task whenever each of the others
    has `ahead` of them. Handing out a second task that is larger than a pipe holds would wait until the first is
    done, so such tasks want 1. With `fork` they are copies of this process, or there are none where it can no longer
    be copied; without it they are started anew; by default what can be. After an error the workers can't be used again.
    """

    def __init__(
        self,
        count: int,
        make_work: Callable[[], Work[Task, Result]],
        *,
        alone_seconds: float = 0,
        ahead: int = _AHEAD,
        fork: bool | None = None,
    ) -> None:
        self._count = count
        self._ahead = ahead
        self._fork = fork
        self._make_work = make_work
        self._start_at = time.monotonic() + alone_seconds
        self._work = make_work()
        self._busy: dict[Connection, deque[int]] = {}
        self.processes: list[BaseProcess] = []
        self._put = self._given = 0
        self._done: dict[int, Result] = {}

    def _start(self) -> None:
        from multiprocessing import connection, get_context  # late: most runs need one process

        forked = can_fork() if self._fork is None else self._fork
        if self._fork and not can_fork():
            self._count = 0
            return
        context: Any = get_context("fork" if forked else "spawn")
        self._ready = connection.wait
        with _interrupts_held_back():
            for _ in range(self._count):
                ours, theirs = context.Pipe()
                inherited = [*self._busy, ours] if forked else []
                process = context.Process(
                    target=_serve, args=(theirs, self._make_work, inherited), daemon=True
                )
                try:
                    process.start()
                except OSError:  # no room for another: those that there are do the work
                    ours.close()
                    break
                finally:
                    theirs.close()
                self.processes.append(process)
                self._busy[ours] = deque()
        self._count = 0

    def results(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """The result of each task, in the order of the tasks; raises like `put`."""
        for task in tasks:
            yield from self.put(task)
        yield from self.rest()

    def put(self, task: Task) -> Iterator[Result]:
        """Take a task, and give what is done by now, in the order of the tasks.

        Raises WorkerLost, and any ContractError that the work raised.
        """
        if self._count and time.monotonic() >= self._start_at:
            self._start()
        self._collect(wait=False)
        if not self._handed_out(self._put, task):
            self._done[self._put] = self._work(task)
        self._put += 1
        yield from self._in_order()
        while len(self._done) > _MAX_WAITING and self._given not in self._done:
            self._collect(wait=True)

    def rest(self) -> Iterator[Result]:
        """Give what isn't done yet."""
        while any(self._busy.values()) or self._done:
            yield from self._in_order()
            self._collect(wait=True)

    def _in_order(self) -> Iterator[Result]:
        while self._given in self._done:
            self._given += 1
            yield self._done.pop(self._given - 1)

    def _handed_out(self, number: int, task: Task) -> bool:
        worker = min(self._busy, key=lambda worker: len(self._busy[worker]), default=None)
        if worker is None or len(self._busy[worker]) >= self._ahead:
            return False
        try:
            worker.send(task)
        except OSError:
            raise _lost() from None
        self._busy[worker].append(number)
        return True

    def _collect(self, *, wait: bool) -> None:
        waiting = [worker for worker, numbers in self._busy.items() if numbers]
        if not waiting:
            return
        ready = self._ready(waiting, None if wait else 0)
        for worker in waiting:
            if worker not in ready:
                continue
            try:
                result = worker.recv()
            except (EOFError, OSError):
                raise _lost() from None
            if isinstance(result, ContractError):
                raise result
            self._done[self._busy[worker].popleft()] = result

    def __enter__(self) -> Workers[Task, Result]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._busy:
            worker.close()
        for process in self.processes:
            process.terminate()
            process.join()


def cores() -> int:
    """How many processes can run at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def can_fork() -> bool:
    """Whether a copy of this process can be trusted: no other thread holds a lock in it. It starts at once."""
    try:
        return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def _serve(
    tasks: Connection, make_work: Callable[[], Work[Task, Result]], inherited: Sequence[Connection]
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    for pipe in inherited:
        pipe.close()  # or the end of the parent wouldn't end the pipes
    try:
        work = make_work()
        while True:
            task = tasks.recv()
            try:
                result: object = work(task)
            except ContractError as error:
                result = error
            tasks.send(result)
    except (EOFError, OSError, MemoryError):
        return  # the parent has gone, or there is no room to go on: it is told by the end of this process


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Ctrl-C reaches this process afterwards, and never one that was started meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # starting it would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _lost() -> WorkerLost:
    return WorkerLost(
        "a process that did a part of the work has ended before it was done",
        hint="the system may be short of memory; try --jobs 1",
    )
