"""CPU time, wall time and peak memory, taken in turns so that a busy machine disturbs all alike."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

Run = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Spent:
    """What a process took: CPU and wall time in seconds, peak resident memory in bytes."""

    cpu: float
    wall: float
    memory: int


def cpu_seconds(runs: Mapping[str, Run], rounds: int) -> dict[str, float]:
    """The least CPU time of each run over some rounds, which other programs disturbed least.

    A round runs every one of them once.
    """
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.process_time()
            run()
            taken[name].append(time.process_time() - start)
    return {name: min(each) for name, each in taken.items()}


def commands(named: Mapping[str, Sequence[str]], rounds: int) -> dict[str, Spent]:
    """What each command took, likewise: the least time, and the highest memory."""
    taken: dict[str, list[Spent]] = {name: [] for name in named}
    for _ in range(rounds):
        for name, command in named.items():
            taken[name].append(spent_by(command))
    return {
        name: Spent(
            min(each.cpu for each in spent),
            min(each.wall for each in spent),
            max(each.memory for each in spent),
        )
        for name, spent in taken.items()
    }


def spent_by(command: Sequence[str]) -> Spent:
    """Run one command to its end. Its children's CPU time counts, their memory doesn't.

    Modules are compiled once, as where a package is installed, whatever the environment says.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = kept | {"PYTHONPYCACHEPREFIX": _compiled_modules().name}
    launcher = [sys.executable, "-S", "-E", str(Path(__file__).with_name("launch.py"))]
    printed = subprocess.run(
        [*launcher, *command], check=True, capture_output=True, text=True, env=environment
    ).stdout
    cpu, wall, memory, code = map(float, printed.split())
    if code not in (0, 1):
        raise RuntimeError(f"{' '.join(command)} ended with {code:.0f}")
    return Spent(cpu, wall, int(memory))


@cache
def _compiled_modules() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="evalcontract-bench-modules-")


def cpu_of_processes(arguments: Sequence[str]) -> tuple[float, float]:
    """The CPU time of the process that runs an evalcontract command, and of those that it starts."""
    command = [sys.executable, "-m", "tests.bench.apart", *arguments]
    own, others = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(own), float(others)


def tool(name: str) -> str:
    """A command of the environment that runs this."""
    return str(Path(sys.executable).with_name(name))
