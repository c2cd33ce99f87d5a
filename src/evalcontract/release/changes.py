"""Where two JSON values differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evalcontract.values import pointer, same_value

_Path = tuple[str | int, ...]


def changes(before: Any, after: Any, path: _Path = ()) -> Iterator[tuple[str, str]]:
    """(JSON pointer, `added`, `removed` or `changed`) for each place at which two values differ.

    Elements of arrays are compared by position.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            yield from _child(before, after, key, key in before, key in after, path)
    elif isinstance(before, list) and isinstance(after, list):
        for at in range(max(len(before), len(after))):
            yield from _child(before, after, at, at < len(before), at < len(after), path)
    elif isinstance(before, dict | list) or isinstance(after, dict | list) or not same_value(before, after):
        yield pointer(path), "changed"


def _child(
    before: Any, after: Any, key: Any, in_before: bool, in_after: bool, path: _Path
) -> Iterator[tuple[str, str]]:
    below = (*path, key)
    if in_before and in_after:
        yield from changes(before[key], after[key], below)
    else:
        yield pointer(below), "added" if in_after else "removed"
