"""Work shared out to all cores, its results in the order of the tasks; small work stays in this process."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from types import TracebackType

from evalcontract.errors import WorkerLost
from evalcontract.scoring.work import Done, Job, Task, Worker

TASKS_AT_ONCE = 32
"""Tasks that are sent to a process together."""
ALONE_SECONDS = 1.0
"""How long this process works before it starts others, which need about as long to start."""
_AHEAD = 3

_worker: Worker | None = None


class Crew:
    """Does tasks as they come; `jobs` processes at most. Tasks and results in flight are few."""

    def __init__(self, job: Job, jobs: int) -> None:
        self._job = job
        self._jobs = jobs
        self._here = Worker(job)
        self._started = time.monotonic()
        self._chunk: list[Task] = []
        self._pool: ProcessPoolExecutor | None = None
        self._running: deque[Future[list[Done]]] = deque()

    def put(self, task: Task) -> Iterator[Done]:
        """Take a task, and give what is done by now, in the order of the tasks."""
        if self._alone():
            yield from self._here([task])
            return
        self._chunk.append(task)
        if len(self._chunk) == TASKS_AT_ONCE:
            self._send()
        while len(self._running) > self._jobs * _AHEAD:
            yield from self._next()

    def rest(self) -> Iterator[Done]:
        """Give what isn't done yet."""
        if self._chunk:
            self._send()
        while self._running:
            yield from self._next()

    def _alone(self) -> bool:
        """Whether the work is small, as far as it is known."""
        if self._jobs == 1:
            return True
        return not self._chunk and self._pool is None and time.monotonic() - self._started < ALONE_SECONDS

    def _send(self) -> None:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._jobs, get_context("spawn"), _begin, (self._job,))
        self._running.append(self._pool.submit(_do, self._chunk))
        self._chunk = []

    def _next(self) -> list[Done]:
        try:
            return self._running.popleft().result()
        except BrokenProcessPool:
            raise WorkerLost(
                "a process that scored a part of the items has ended before it was done",
                hint="the system may be short of memory; try --jobs 1",
            ) from None

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _begin(job: Job) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    _worker = Worker(job)


def _end_with_the_parent() -> None:
    """A parent that is killed can't end its pool, whose processes would wait for tasks forever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(tasks: list[Task]) -> list[Done]:
    assert _worker is not None
    return _worker(tasks)
