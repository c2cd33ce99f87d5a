"""Processes that work in order, and end with their parent."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from evalcontract import workers
from evalcontract.errors import UnreadableInput, WorkerLost


@pytest.fixture(params=["fork", "spawn"], autouse=True)
def start_method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Processes are forked where that is safe, spawned elsewhere: both must do."""
    if request.param == "fork" and sys.platform != "linux":
        pytest.skip("no process is forked here")
    monkeypatch.setattr(workers, "can_fork", lambda: request.param == "fork")
    return str(request.param)


def doubling() -> Callable[[int], int]:
    return lambda number: number * 2


def slow_start(parent: int) -> Callable[[int], int]:
    """The process that is not the parent is late, so that the parent works as well."""
    if os.getpid() != parent:
        time.sleep(0.2)
    return lambda number: os.getpid()


def refusing() -> Callable[[int], int]:
    def work(number: int) -> int:
        if number == 5:
            raise UnreadableInput("it is gone", hint="bring it back")
        return number

    return work


def dying(parent: int) -> Callable[[int], int]:
    def work(number: int) -> int:
        if os.getpid() != parent:
            os._exit(1)
        return number

    return work


@pytest.mark.parametrize("count", [0, 1, 2])
def test_results_come_in_the_order_of_the_tasks(count: int) -> None:
    with workers.Workers(count, doubling) as crew:
        assert list(crew.results(range(200))) == list(range(0, 400, 2))


def test_the_parent_works_too_while_the_others_start() -> None:
    with workers.Workers(1, partial(slow_start, os.getpid())) as crew:
        assert len(set(crew.results(range(10)))) == 2


@pytest.mark.parametrize("count", [0, 2])
def test_unreadable_input_arrives_with_its_hint(count: int) -> None:
    with workers.Workers(count, refusing) as crew, pytest.raises(UnreadableInput) as caught:
        list(crew.results(range(10)))
    assert (caught.value.message, caught.value.hint) == ("it is gone", "bring it back")


@pytest.mark.parametrize("alone_seconds", [0, 1000])
def test_what_is_put_comes_back_in_order_whoever_does_it(alone_seconds: float) -> None:
    with workers.Workers(2, doubling, alone_seconds=alone_seconds) as crew:
        done = [result for number in range(100) for result in crew.put(number)]
        assert [*done, *crew.rest()] == list(range(0, 200, 2))
        assert len(crew.processes) == (0 if alone_seconds else 2)


def test_a_process_that_dies_is_an_error_with_a_way_out() -> None:
    with workers.Workers(1, partial(dying, os.getpid())) as crew, pytest.raises(WorkerLost) as caught:
        list(crew.results(range(50)))
    assert "--jobs 1" in (caught.value.hint or "")


def test_tasks_that_stop_early_leave_no_process_behind() -> None:
    with workers.Workers(2, doubling) as crew:
        assert next(crew.results(iter(range(1000)))) == 0
        processes = list(crew.processes)
    assert not any(each.is_alive() for each in processes)


def test_the_parent_does_all_the_work_when_no_process_can_be_started(
    monkeypatch: pytest.MonkeyPatch, start_method: str
) -> None:
    def refused(self: object) -> None:
        raise OSError("Resource temporarily unavailable")

    monkeypatch.setattr(f"multiprocessing.context.{start_method.capitalize()}Process.start", refused)
    with workers.Workers(2, doubling) as crew:
        assert list(crew.results(range(10))) == list(range(0, 20, 2))
        assert crew.processes == []


def test_nothing_but_copies_will_do_where_copies_were_asked_for(
    monkeypatch: pytest.MonkeyPatch, start_method: str
) -> None:
    forked = start_method == "fork"
    with workers.Workers(1, doubling, fork=True) as crew:
        assert list(crew.results(range(10))) == list(range(0, 20, 2))
        assert len(crew.processes) == forked


def test_a_process_with_threads_is_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert not workers.can_fork()
    finally:
        done.set()
        thread.join()


ORPHAN = """
import os, signal, sys
from evalcontract import workers

def working():
    return lambda number: number

workers.can_fork = lambda: sys.argv[1] == "fork"
if __name__ == "__main__":
    started = workers.Workers(2, working)
    assert list(started.results(range(20))) == list(range(20))
    print(*[each.pid for each in started.processes], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_processes_end_when_their_parent_is_killed(start_method: str, tmp_path: Path) -> None:
    script = tmp_path / "orphan.py"
    script.write_text(ORPHAN)
    done = subprocess.run([sys.executable, str(script), start_method], capture_output=True, text=True)
    pids = list(map(int, done.stdout.split()))
    assert len(pids) == 2, done.stderr
    deadline = time.monotonic() + 30
    while any(map(_runs, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(_runs, pids))


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False


def slowly_telling_who() -> Callable[[bytes], int]:
    def work(task: bytes) -> int:
        time.sleep(0.02)
        return os.getpid()

    return work


def test_tasks_larger_than_a_pipe_are_worked_on_by_both_sides() -> None:
    with workers.Workers(1, slowly_telling_who, ahead=1) as both:
        done = list(both.results([b"x" * 1_000_000] * 60))
    here = done.count(os.getpid())
    assert len(done) == 60
    assert 0 < here < 60
