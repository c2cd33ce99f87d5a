"""Is a Python value a JSON value? Refuses what a validator would let pass: NaN, infinity, tuples, cycles."""

from __future__ import annotations

import math
from collections.abc import Iterator

from evalcontract.catalog.names import shown
from evalcontract.validation.pointers import pointer
from evalcontract.validation.violation import Violation

MAX_DEPTH = 256


def not_json(value: object) -> Iterator[Violation]:
    """Every place at which a value built in Python is not JSON. A cycle shows as too deep."""
    waiting: list[tuple[object, tuple[str | int, ...]]] = [(value, ())]
    while waiting:
        node, path = waiting.pop()
        if isinstance(node, str):
            if not node.isascii() and _has_surrogate(node):
                yield _fault(path, node, "a string without lone surrogates", "encode the text as UTF-8 first")
        elif node is None or isinstance(node, bool | int):
            continue
        elif isinstance(node, float):
            if not math.isfinite(node):
                yield _fault(path, node, "a finite number", "JSON has no NaN and no infinity; use null")
        elif isinstance(node, dict | list) and len(path) >= MAX_DEPTH:
            yield Violation(
                "too-deep",
                f"nested deeper than {MAX_DEPTH} levels",
                pointer(path),
                hint="a cycle, or data that is not an evaluation item",
            )
            return
        elif isinstance(node, dict):
            for key, child in node.items():
                if isinstance(key, str):
                    waiting.append((child, (*path, key)))
                else:
                    yield _fault((*path, str(key)), key, "a string as key", "JSON object keys are strings")
        elif isinstance(node, list):
            waiting.extend((child, (*path, index)) for index, child in enumerate(node))
        else:
            yield _fault(
                path, node, "a JSON value", "convert it to dict, list, str, int, float, bool or None"
            )


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


def _fault(path: tuple[str | int, ...], value: object, expected: str, hint: str) -> Violation:
    return Violation(
        "not-json",
        f"expected {expected}, got {shown(value)}",
        pointer(path),
        expected=expected,
        actual=shown(value),
        hint=hint,
    )
