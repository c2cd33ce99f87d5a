"""CPU time, wall time and peak memory, taken in turns so that a busy machine disturbs all alike."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Run = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Spent:
    """What a process took: CPU and wall time in seconds, peak resident memory in bytes."""

    cpu: float
    wall: float
    memory: int


def cpu_seconds(runs: Mapping[str, Run], rounds: int) -> dict[str, float]:
    """The median CPU time of each run over some rounds; a round runs every one of them once."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.process_time()
            run()
            taken[name].append(time.process_time() - start)
    return {name: statistics.median(each) for name, each in taken.items()}


def commands(named: Mapping[str, Sequence[str]], rounds: int) -> dict[str, Spent]:
    """What each command took, likewise: the medians, and the highest memory."""
    taken: dict[str, list[Spent]] = {name: [] for name in named}
    for _ in range(rounds):
        for name, command in named.items():
            taken[name].append(spent_by(command))
    return {
        name: Spent(
            statistics.median(each.cpu for each in spent),
            statistics.median(each.wall for each in spent),
            max(each.memory for each in spent),
        )
        for name, spent in taken.items()
    }


def spent_by(command: Sequence[str]) -> Spent:
    """Run one command to its end. Its children's CPU time counts, their memory doesn't."""
    launcher = [sys.executable, "-S", "-E", str(Path(__file__).with_name("launch.py"))]
    printed = subprocess.run([*launcher, *command], check=True, capture_output=True, text=True).stdout
    cpu, wall, memory, code = map(float, printed.split())
    if code not in (0, 1):
        raise RuntimeError(f"{' '.join(command)} ended with {code:.0f}")
    return Spent(cpu, wall, int(memory))


def cpu_of_processes(arguments: Sequence[str]) -> tuple[float, float]:
    """The CPU time of the process that runs an evalcontract command, and of those that it starts."""
    command = [sys.executable, "-m", "tests.bench.apart", *arguments]
    own, others = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(own), float(others)


def tool(name: str) -> str:
    """A command of the environment that runs this."""
    return str(Path(sys.executable).with_name(name))
