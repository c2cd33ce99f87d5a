"""Values built in Python that hold one part many times: a few lines of code can make one of 2^40 places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized

MAX_SHARED = 1_000_000
"""So many places of one value may repeat parts that stand elsewhere in it, and more where it is large itself."""
_PER_PLACE = 10


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
        self._left += _PER_PLACE * (1 + len(part))
        return False


def shares_too_much(value: object) -> bool:
    """Whether the places that repeat parts of a value are more than MAX_SHARED and ten times those that don't."""
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
