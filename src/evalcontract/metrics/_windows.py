"""The most of a sentence that stands close together: the greatest weight inside one window of a row of terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from evalcontract.metrics._postings import Places

_FEW = 400
"""So many places are looked at one by one; more are counted in all windows at once."""
_KEPT_BITS = 1 << 29


class Windows:
    """All windows of `width` consecutive places in a row of terms; `places` says where each term stands."""

    __slots__ = ("_masks", "_places", "_row", "_width")

    def __init__(self, row: Sequence[str], places: Places, width: int) -> None:
        self._row = row
        self._places = places
        self._width = width
        self._masks: dict[str, int] = {}

    def greatest(self, weights: Mapping[str, int], total: int) -> int:
        """Greatest weight of distinct terms in one window; each stands somewhere, `total` is their weight."""
        places = [self._places[key] for key in weights]
        if len(places) == 1:
            return total
        if sum(map(len, places)) > _FEW:
            return self._greatest_of_many(weights)
        held = sorted(chain.from_iterable(places))
        if held[-1] - held[0] < self._width:
            return total
        return self._greatest_of_few(held, weights, total)

    def _greatest_of_few(self, held: Sequence[int], weights: Mapping[str, int], total: int) -> int:
        row, width = self._row, self._width
        inside = dict.fromkeys(weights, 0)
        best = current = first = 0
        for place in held:
            while held[first] <= place - width:
                gone = row[held[first]]
                inside[gone] -= 1
                if not inside[gone]:
                    current -= weights[gone]
                first += 1
            key = row[place]
            if not inside[key]:
                current += weights[key]
                if current > best:
                    best = current
                    if best == total:
                        break
            inside[key] += 1
        return best

    def _greatest_of_many(self, weights: Mapping[str, int]) -> int:
        """By a few operations on long integers for each term, whatever the number of its places.

        Bit i of a mask stands for the window that ends at place i; the planes are a binary counter per window.
        """
        planes: list[int] = []
        for key, weight in weights.items():
            mask = self._mask(key)
            for level in range(weight.bit_length()):
                if weight >> level & 1:
                    _add(planes, mask, level)
        best, candidates = 0, -1
        for level in reversed(range(len(planes))):
            if candidates & planes[level]:
                candidates &= planes[level]
                best |= 1 << level
        return best

    def _mask(self, key: str) -> int:
        mask = self._masks.get(key)
        if mask is None:
            if len(self._masks) * len(self._row) > _KEPT_BITS:
                self._masks.clear()
            mask = self._masks[key] = self._windows_with(self._places[key])
        return mask

    def _windows_with(self, where: Sequence[int]) -> int:
        bits = bytearray(len(self._row) // 8 + 1)
        for place in where:
            bits[place >> 3] |= 1 << (place & 7)
        mask, width = int.from_bytes(bits, "little"), 1
        while width < self._width:
            step = min(width, self._width - width)
            mask |= mask << step
            width += step
        return mask


def _add(planes: list[int], carry: int, level: int) -> None:
    while carry:
        while level >= len(planes):
            planes.append(0)
        planes[level], carry = planes[level] ^ carry, planes[level] & carry
        level += 1
