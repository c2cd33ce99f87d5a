"""Makes a document smaller for as long as it still shows what it shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

SIMPLEST: tuple[Any, ...] = (None, 0, "", [], {}, False)
LOOKS = 8
"""For each document that may be tried, so many others may be looked at that turn out to be no smaller."""
Put = Callable[[Any], bool]
"""Whether the document still shows what it shows with another value in one place; then it is kept there."""


def shrink(document: Any, shows: Callable[[Any], bool], *, tries: int = 250) -> Any:
    """The smallest document found from `document` for which `shows` is still true, in at most `tries` calls.

    First keys and elements are taken away, from the outside in, then what is left is made simpler.
    """
    best, size, left, looks = document, _size(document), tries, LOOKS * tries

    def put(smaller: Any) -> bool:
        nonlocal best, size, left, looks
        looks -= 1
        if left <= 0 or looks <= 0:
            raise _Enough
        if _size(smaller) >= size:
            return False
        left -= 1
        if not shows(smaller):
            return False
        best, size = smaller, _size(smaller)
        return True

    before = None
    with suppress(_Enough):
        while before != size:
            before = size
            _thinned(best, put)
            _simplified(best, put)
    return best


class _Enough(Exception):
    """No more may be tried."""


def _size(document: Any) -> tuple[int, int, str]:
    """Of two that are as long, the one of more small letters is the smaller."""
    text = json.dumps(document)
    return len(text), sum(not sign.isalpha() for sign in text), text.swapcase()


def _thinned(value: Any, put: Put) -> Any:
    """The value with as few keys and elements as can be."""
    if isinstance(value, dict):
        for name in list(value):
            fewer = {key: inner for key, inner in value.items() if key != name}
            value = fewer if put(fewer) else value
    if isinstance(value, list):
        while len(value) > 3 and put(value[: len(value) // 2]):
            value = value[: len(value) // 2]
        for at in reversed(range(len(value))):
            fewer_elements = value[:at] + value[at + 1 :]
            value = fewer_elements if put(fewer_elements) else value
    return _inside(value, put, _thinned)


def _simplified(value: Any, put: Put) -> Any:
    """The value with each value in it as simple as can be."""
    for simplest in SIMPLEST:
        if put(simplest):
            return simplest
    smaller = next((other for other in _smaller(value) if put(other)), None)
    while smaller is not None:
        value, smaller = smaller, next((other for other in _smaller(smaller) if put(other)), None)
    return _inside(value, put, _simplified)


def _inside(value: Any, put: Put, better: Callable[[Any, Put], Any]) -> Any:
    """The value with each of its members made better."""
    if isinstance(value, dict):
        for name in value:
            value = {**value, name: better(value[name], _putting(value, name, put))}
    elif isinstance(value, list):
        for at in range(len(value)):
            value = [*value[:at], better(value[at], _putting(value, at, put)), *value[at + 1 :]]
    return value


def _putting(holder: Any, at: Any, put: Put) -> Put:
    def inner(member: Any) -> bool:
        changed = holder.copy()
        changed[at] = member
        return put(changed)

    return inner


def _smaller(value: Any) -> Iterator[Any]:
    """Simpler numbers and texts."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield from (int(value), int(value / 2), int(value) - 1, int(value) + 1)
    elif isinstance(value, str) and len(value) > 1:
        yield value[: len(value) // 2]
        yield value[:-1]
    if isinstance(value, str) and value:
        yield "a" * len(value)
