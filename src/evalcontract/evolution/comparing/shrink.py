"""Makes a document smaller for as long as it still shows what it shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

SIMPLEST: tuple[Any, ...] = (None, 0, "", [], {}, False)


def shrink(document: Any, shows: Callable[[Any], bool], *, tries: int = 250) -> Any:
    """The smallest document found from `document` for which `shows` is still true, in at most `tries` calls."""
    best, size = document, _size(document)
    progress = True
    while progress:
        progress = False
        for smaller in _simpler(best):
            if _size(smaller) >= size:
                continue
            tries -= 1
            if tries < 0:
                return best
            if shows(smaller):
                best, size, progress = smaller, _size(smaller), True
                break
    return best


def _size(document: Any) -> tuple[int, int, str]:
    """Of two that are as long, the one of more small letters is the smaller."""
    text = json.dumps(document)
    return len(text), sum(not sign.isalpha() for sign in text), text.swapcase()


def _simpler(value: Any) -> Iterator[Any]:
    yield from SIMPLEST
    if isinstance(value, dict):
        for name in value:
            yield {key: inner for key, inner in value.items() if key != name}
        for name in value:
            yield from ({**value, name: simpler} for simpler in _simpler(value[name]))
    elif isinstance(value, list):
        if len(value) > 3:
            yield value[: len(value) // 2]
        for at in range(len(value)):
            yield value[:at] + value[at + 1 :]
        for at in range(len(value)):
            yield from ([*value[:at], simpler, *value[at + 1 :]] for simpler in _simpler(value[at]))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from (int(value), int(value / 2), int(value) - 1, int(value) + 1)
    elif isinstance(value, str) and len(value) > 1:
        yield value[: len(value) // 2]
        yield value[:-1]
    if isinstance(value, str) and value:
        yield "a" * len(value)
