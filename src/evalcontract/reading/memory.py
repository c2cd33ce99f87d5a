"""How much memory this process may still take, where the system sets it a limit.

Libraries that find no memory end the process, or hang: what is large is refused before they are asked.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_STATM = Path("/proc/self/statm")


_RESERVE = 16 << 20


def refuse_without_room(needed: int = _RESERVE) -> None:
    """Raise MemoryError when this process isn't allowed as many more bytes; by default, what a little work takes."""
    room = room_left()
    if room is not None and needed > room:
        raise MemoryError


def room_left() -> int | None:
    """The bytes that the limit of the address space (`ulimit -v`) leaves; None where there is no limit."""
    if sys.platform != "linux":
        return None
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    try:
        pages = int(_STATM.read_text("ascii").split()[0])
    except (OSError, ValueError):
        return None
    return max(limit - pages * os.sysconf("SC_PAGE_SIZE"), 0)
