"""Runs one command and prints what it took. A process of its own: the kernel counts the memory of whoever
starts a command as that command's, so the starter must be small.

Run: python -S tests/bench/launch.py COMMAND...
"""

from __future__ import annotations

import os
import sys
import time


def main() -> int:
    """Print CPU seconds, wall seconds, peak memory in bytes and the exit code."""
    start = time.perf_counter()
    process = os.posix_spawnp(
        sys.argv[1],
        sys.argv[1:],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_WRONLY, 0) for descriptor in (1, 2)],
    )
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - start
    memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(usage.ru_utime + usage.ru_stime, wall, memory, os.waitstatus_to_exitcode(status))
    return 0


if __name__ == "__main__":
    sys.exit(main())
