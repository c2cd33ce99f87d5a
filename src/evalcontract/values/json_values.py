"""Is a Python value a JSON value? Finds what a validator would let pass: NaN, infinity, tuples, cycles."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evalcontract.values.coercion import fits_double
from evalcontract.values.equality import MAX_DEPTH
from evalcontract.values.sharing import MAX_SHARED, Sharing
from evalcontract.values.text import shown

SCHEMA_KEY = "$schema"
"""The key by which data tells an editor what it is. Allowed and carried everywhere, and never content."""
_NO_NUMBER = "JSON has no NaN and no infinity; use null"
_NO_TYPE = "convert it to dict, list, str, int, float, bool or None"


@dataclass(frozen=True, slots=True)
class NotJson:
    """A place in a Python value, reached by `path`, at which it is not JSON."""

    code: str
    message: str
    path: tuple[str | int, ...]
    hint: str
    expected: str | None = None
    actual: str | None = None


def not_json(value: object) -> Iterator[NotJson]:
    """Every place at which a value built in Python is not JSON. A cycle shows as too deep."""
    sharing = Sharing()
    waiting: list[tuple[object, tuple[str | int, ...]]] = [(value, ())]
    while waiting:
        node, path = waiting.pop()
        if isinstance(node, str):
            if _has_surrogate(node):
                yield _fault(path, node, "a string without lone surrogates", "encode the text as UTF-8 first")
        elif isinstance(node, int):
            if not fits_double(node):
                yield _fault(path, node, "a number that a double can hold", "write it as a string")
        elif node is None:
            continue
        elif isinstance(node, float):
            if not math.isfinite(node):
                yield _fault(path, node, "a finite number", _NO_NUMBER)
        elif isinstance(node, dict | list) and len(path) >= MAX_DEPTH:
            message = f"nested deeper than {MAX_DEPTH} levels"
            yield NotJson("too-deep", message, path, "a cycle, or data that is not an evaluation item")
            return
        elif isinstance(node, dict | list) and sharing.too_much(node):
            message = f"the same parts stand again at more than {MAX_SHARED:,} places"
            hint = "written out as JSON this would be huge; hold each part once and refer to it by an id"
            yield NotJson("too-many-shared", message, path, hint)
            return
        elif isinstance(node, dict):
            for key, child in node.items():
                if isinstance(key, str) and not _has_surrogate(key):
                    waiting.append((child, (*path, key)))
                else:
                    where = (*path, shown(key))
                    yield _fault(where, key, "a string as key", "JSON object keys are strings of characters")
        elif isinstance(node, list):
            waiting.extend((child, (*path, index)) for index, child in enumerate(node))
        else:
            yield _fault(path, node, "a JSON value", _NO_TYPE)


def plain(value: Any) -> Any:
    """A JSON value without subclasses, such as members of enumerations; the value itself is not changed."""
    if isinstance(value, dict):
        return {str.__str__(key): plain(child) for key, child in value.items()}
    if isinstance(value, list):
        return [plain(child) for child in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    return int.__pos__(value) if isinstance(value, int) else float.__pos__(value)


def stated(value: Any) -> Any:
    """A JSON value without the members that are null, which says that they aren't given."""
    if isinstance(value, dict):
        return {key: stated(member) for key, member in value.items() if member is not None}
    return [stated(element) for element in value] if isinstance(value, list) else value


def _has_surrogate(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)


def _fault(path: tuple[str | int, ...], value: object, expected: str, hint: str) -> NotJson:
    actual = shown(value)
    return NotJson("not-json", f"expected {expected}, got {actual}", path, hint, expected, actual)
