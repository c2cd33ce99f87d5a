"""The items that tables are measured with, and what a process and its children have taken so far."""

from __future__ import annotations

import json
import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def row(number: int) -> str:
    """A clean item of about 5 KB with five passages."""
    item = {
        "item_id": f"q{number:08}",
        "input": {
            "messages": [{"role": "user", "content": f"Which year is number {number}?"}],
            "context": [
                f"Passage {part} of {number}. " + "The museum opens at nine on weekdays. " * 26
                for part in range(5)
            ],
        },
        "expected_output": {"response": f"It is {1000 + number} [1]."},
        "metadata": {"raw_metadata": {"input_schema_type": "rag", "input_schema_version": "1.0"}},
    }
    return json.dumps(item)


def lines(folder: Path, count: int) -> Path:
    """A file with so many items."""
    file = folder / f"{count}.jsonl"
    if not file.exists():
        with file.open("w") as written:
            written.writelines(row(number) + "\n" for number in range(count))
    return file


def resident(pid: int | str = "self", *, peak: bool = False) -> float:
    """The resident memory of a process in MB, or the most that it ever had."""
    name = "VmHWM" if peak else "VmRSS"
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0]) / 1024


def python_workers() -> list[int]:
    """The Python workers of a Spark that this process has started."""
    return [pid for pid in _descendants() if b"pyspark.daemon" in _read(pid, "cmdline")]


def java() -> list[int]:
    """The Java process of a Spark that this process has started."""
    return [pid for pid in _descendants() if _read(pid, "comm").strip() == b"java"]


def cpu_of(pids: list[int]) -> float:
    """CPU seconds of processes and of those of their children that have ended."""
    return sum(sum(map(int, _stat(pid)[11:15])) for pid in pids) / _TICKS


def _descendants() -> list[int]:
    parents = {
        pid: int(stat[1])
        for pid in map(int, filter(str.isdigit, os.listdir("/proc")))
        if (stat := _stat(pid))
    }
    found = [os.getpid()]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found[1:]


def _stat(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat from the state on; none for a process that has ended."""
    return _read(pid, "stat").rpartition(b")")[2].split()


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
