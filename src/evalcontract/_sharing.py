"""Values built in Python that hold one part many times: ten lines of code can make one of 2^40 places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized

MAX_SHARED = 1_000_000
"""Places of one value that lead into parts which were reached before, on other ways."""


class Sharing:
    """Counts, over one walk through a value, the places in parts that were reached before."""

    __slots__ = ("_left", "_seen")

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._left = MAX_SHARED

    def too_much(self, part: Sized) -> bool:
        """Whether, with this object or array, the value is beyond the limit. To be asked wherever one stands."""
        if id(part) in self._seen:
            self._left -= 1 + len(part)
            return self._left < 0
        self._seen.add(id(part))
        return False


def shares_too_much(value: object) -> bool:
    """Whether a value has more than MAX_SHARED places in parts that it holds more than once."""
    sharing = Sharing()
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Mapping | list | tuple):
            continue
        if sharing.too_much(node):
            return True
        children: Iterable[object] = node.values() if isinstance(node, Mapping) else node
        waiting.extend(children)
    return False
