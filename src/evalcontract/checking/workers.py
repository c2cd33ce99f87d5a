"""Processes that work beside this one, and end with it: no task survives an interrupt or a crash."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import connection, get_context, resource_tracker
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Generic, TypeVar

from evalcontract.errors import UnreadableInput, WorkerLost

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[Task], Result]

_AHEAD = 3
_MAX_WAITING = 64


class Workers(Generic[Task, Result]):
    """`count` processes. `make_work`, called once in each of them, gives the function for a task.

    This process works too: it takes a task whenever all the others have enough to do.
    """

    def __init__(self, count: int, make_work: Callable[[], Work[Task, Result]]) -> None:
        forked = _may_fork()
        context: Any = get_context("fork" if forked else "spawn")
        self._work = make_work()
        self._busy: dict[Connection, deque[int]] = {}
        self.processes = []
        self._done: dict[int, Result] = {}
        with _interrupts_held_back():
            for _ in range(count):
                ours, theirs = context.Pipe()
                inherited = [*self._busy, ours] if forked else []
                process = context.Process(target=_serve, args=(theirs, make_work, inherited), daemon=True)
                try:
                    process.start()
                except OSError:  # no room for another: those that there are do the work
                    ours.close()
                    break
                finally:
                    theirs.close()
                self.processes.append(process)
                self._busy[ours] = deque()

    def results(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """The result of each task, in the order of the tasks. Raises UnreadableInput and WorkerLost.

        After an error, or when it isn't taken to its end, the workers can't be used again.
        """
        following = 0
        for number, task in enumerate(tasks):
            self._collect(wait=False)
            if not self._handed_out(number, task):
                self._done[number] = self._work(task)
            while following in self._done:
                yield self._done.pop(following)
                following += 1
            while len(self._done) > _MAX_WAITING and following not in self._done:
                self._collect(wait=True)
        while any(self._busy.values()) or self._done:
            while following in self._done:
                yield self._done.pop(following)
                following += 1
            self._collect(wait=True)

    def _handed_out(self, number: int, task: Task) -> bool:
        worker = min(self._busy, key=lambda each: len(self._busy[each]), default=None)
        if worker is None or len(self._busy[worker]) >= _AHEAD:
            return False
        try:
            worker.send(task)
        except OSError:
            raise _lost() from None
        self._busy[worker].append(number)
        return True

    def _collect(self, *, wait: bool) -> None:
        waiting = [worker for worker, numbers in self._busy.items() if numbers]
        ready = connection.wait(waiting, None if wait else 0) if waiting else []
        for worker in waiting:
            if worker not in ready:
                continue
            try:
                result = worker.recv()
            except (EOFError, OSError):
                raise _lost() from None
            if isinstance(result, _Unreadable):
                raise UnreadableInput(result.message, hint=result.hint)
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


class _Unreadable:
    """UnreadableInput on its way to the parent: an exception with keywords doesn't pickle."""

    def __init__(self, error: UnreadableInput) -> None:
        self.message = error.message
        self.hint = error.hint


def _may_fork() -> bool:
    """Whether a copy of this process can be trusted: no other thread holds a lock in it. It starts at once."""
    try:
        return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def _serve(
    tasks: Connection, make_work: Callable[[], Work[Task, Result]], inherited: Sequence[Connection]
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    for each in inherited:
        each.close()  # or the end of the parent wouldn't end the pipes
    try:
        work = make_work()
        while True:
            task = tasks.recv()
            try:
                result: object = work(task)
            except UnreadableInput as error:
                result = _Unreadable(error)
            tasks.send(result)
    except (EOFError, OSError):
        return  # the parent has gone


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Ctrl-C reaches this process afterwards, and never one that was started meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _lost() -> WorkerLost:
    return WorkerLost(
        "a process that checked a part of the file has ended before it was done",
        hint="the system may be short of memory; try --jobs 1",
    )
