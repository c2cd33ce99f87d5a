"""Strict JSON at the speed of the fast parser: what it refuses, or can't see, goes to the scanner."""

from __future__ import annotations

from typing import Any

import jiter

from evalcontract.reading.scanner import scan

MAX_SAFE_INTEGER = 2**53 - 1

# '+' counts as a digit, so that 1e+999 looks like 1e0999.
_DIGITS_AND_EXPONENTS = bytes(
    ord("0") if code in b"0123456789+" else ord("e") if code in b"eE" else ord(" ") for code in range(256)
)
_LONG_RUN = b"0" * 16
_LONG_EXPONENT = b"0e000"


def parse(raw: bytes) -> tuple[object, bool]:
    """The value of one strict JSON text, and whether it holds integers beyond 2^53-1.

    Raises scanner.Refusal when the text isn't strict JSON.
    """
    try:
        value = jiter.from_json(raw, allow_inf_nan=False, catch_duplicate_keys=True, cache_mode="keys")
    except ValueError:
        value = scan(raw)
    if may_hold_extreme_numbers(raw):
        finite, big = extremes(value)
        if not finite:
            scan(raw)
            raise AssertionError("the scanner accepts a number that isn't finite")
        return value, big
    return value, False


def parse_list(elements: bytes) -> list[object] | None:
    """The values of a comma-separated list of JSON texts; None when one of them isn't strict JSON.

    An answer also proves that the text ends where an element ends: no cut inside one parses.
    """
    try:
        values: list[object] = jiter.from_json(
            b"[" + elements + b"]", allow_inf_nan=False, catch_duplicate_keys=True, cache_mode="keys"
        )
    except ValueError:
        return None
    if may_hold_extreme_numbers(elements) and not extremes(values)[0]:
        return None
    return values


def holds_big_integer(value: object) -> bool:
    return extremes(value)[1]


def may_hold_extreme_numbers(raw: bytes) -> bool:
    """False only when no number in the text can be infinite or an integer beyond 2^53-1.

    The fast parser turns 1e999 into infinity. To get there a number needs an exponent of three digits or a
    run of sixteen, and so does a big integer; one pass of a translation table finds both candidates.
    """
    digits = raw.translate(_DIGITS_AND_EXPONENTS)
    return _LONG_RUN in digits or _LONG_EXPONENT in digits


def extremes(value: object) -> tuple[bool, bool]:
    """(every float is finite, some integer is beyond 2^53-1), walked in constant stack."""
    big = False
    pending: list[Any] = [value]
    while pending:
        node = pending.pop()
        kind = node.__class__
        if kind is dict:
            pending.extend(node.values())
        elif kind is list:
            pending.extend(node)
        elif kind is float:
            if node - node != 0:
                return False, big
        elif kind is int and not -MAX_SAFE_INTEGER <= node <= MAX_SAFE_INTEGER:
            big = True
    return True, big


def first_big_integer(value: object) -> tuple[str, ...] | None:
    """The path of the first integer beyond 2^53-1 in document order."""
    pending: list[tuple[tuple[str, ...], object]] = [((), value)]
    while pending:
        path, node = pending.pop()
        if isinstance(node, dict):
            pending.extend(((*path, key), child) for key, child in reversed(node.items()))
        elif isinstance(node, list):
            pending.extend(((*path, str(at)), node[at]) for at in range(len(node) - 1, -1, -1))
        elif type(node) is int and not -MAX_SAFE_INTEGER <= node <= MAX_SAFE_INTEGER:
            return path
    return None


def parses_so_far(raw: bytes) -> bool:
    """False when the beginning of a JSON text already holds something that can't be right."""
    try:
        jiter.from_json(raw, partial_mode=True, allow_inf_nan=False)
    except ValueError:
        return False
    return True
