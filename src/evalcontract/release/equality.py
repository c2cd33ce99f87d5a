"""JSON equality of items: key order doesn't count, 1 equals 1.0, and null is not absent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from evalcontract.values.pointers import pointer

_Path = tuple[str | int, ...]


def digest(value: Any) -> bytes:
    """16 bytes that are the same for values that are equal as JSON."""
    text = json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


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
    elif isinstance(before, dict | list) or isinstance(after, dict | list) or digest(before) != digest(after):
        yield pointer(path), "changed"


def _child(
    before: Any, after: Any, key: Any, in_before: bool, in_after: bool, path: _Path
) -> Iterator[tuple[str, str]]:
    below = (*path, key)
    if in_before and in_after:
        yield from changes(before[key], after[key], below)
    else:
        yield pointer(below), "added" if in_after else "removed"


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_plain(child) for child in value]
    return value
