"""Strict JSON at the speed of the fast parser: what it refuses, or doesn't see, goes to the scanner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jiter
import jsonschema_rs

from evalcontract.reading.scanner import scan
from evalcontract.values import MAX_DEPTH, fits_double, numbers_are_kept, reread

MAX_SAFE_INTEGER = 2**53 - 1
_DEPTH_OF_FAST_PARSER = 201
_SHORT_BYTES = 1 << 16
_NOT_ASCII = bytes(range(0x80, 0x100))

TYPES = ["object", "array", "number", "string", "null", "boolean"]


def small_numbers_only(place: str) -> dict[str, Any]:
    """A schema, to stand at `place` in a document, for values without infinite and very large numbers.

    Most values hold none, and a compiled schema tells that quickest. Infinity has no type.
    """
    inside = {"anyOf": [{"type": "string"}, {"$ref": place}]}
    return {
        "type": TYPES,
        "items": inside,
        "additionalProperties": inside,
        "minimum": -MAX_SAFE_INTEGER,
        "maximum": MAX_SAFE_INTEGER,
    }


_holds_small_numbers_only: Callable[[object], bool] = jsonschema_rs.Draft202012Validator(
    small_numbers_only("#")
).is_valid


class NotFinite(ValueError):
    """A number in the text became infinite."""


def parse(raw: bytes, around: int = 0) -> tuple[object, bool]:
    """The value of one strict JSON text, and whether it holds integers beyond 2^53-1.

    `around` is how many containers of a larger text stand around this one; they count for the depth.
    Raises scanner.Refusal when the text isn't strict JSON.
    """
    try:
        value = parse_quickly(raw, around)
    except ValueError:
        return parse_thoroughly(raw, around)
    return with_numbers_seen(value, raw, around)


def parse_quickly(raw: bytes, around: int = 0) -> object:
    """The value of a text, with infinity for numbers like 1e999. ValueError: `parse_thoroughly` says why."""
    if _openings(raw) <= MAX_DEPTH - around:
        return _parsed(raw)
    # The depth of the fast parser can't be set: brackets of our own use up what it has beyond ours.
    more = _DEPTH_OF_FAST_PARSER - MAX_DEPTH + around
    value = _parsed(b"[" * more + raw + b"]" * more)
    for _ in range(more):
        (value,) = value  # a text that closes a bracket of ours opens another beside it
    return value


def _openings(raw: bytes) -> int:
    """How many brackets open in a text, those in its strings included."""
    if len(raw) > _SHORT_BYTES:
        return raw.count(b"{") + raw.count(b"[")
    # To leave out what is rare is six times as quick as to count it.
    return 2 * len(raw) - len(raw.replace(b"{", b"")) - len(raw.replace(b"[", b""))


def _parsed(raw: bytes) -> Any:
    return jiter.from_json(raw, allow_inf_nan=False, catch_duplicate_keys=True, cache_mode="keys")


def parse_thoroughly(raw: bytes, around: int = 0) -> tuple[object, bool]:
    """What `parse` gives, slowly."""
    value = scan(raw, around)
    return value, has_big_integer(value)


def with_numbers_seen(value: object, raw: bytes, around: int = 0) -> tuple[object, bool]:
    """What `parse` gives for a text of which `parse_quickly` gave this value."""
    try:
        big = not _holds_small_numbers_only(value) and has_big_integer(value)
    except ValueError:
        return parse_thoroughly(raw, around)
    return reread(raw, value) if numbers_are_kept() else value, big


def parse_list(elements: bytes, around: int) -> list[tuple[object, bool]] | None:
    """`parse` for a comma-separated list of JSON texts; None when one of them isn't strict JSON.

    An answer also proves that the text ends where an element ends: no cut inside one parses.
    """
    try:
        text = b"[" + elements + b"]"
        values: Any = parse_quickly(text, around - 1)
        small = _holds_small_numbers_only(values)
        bigs = [False if small else has_big_integer(value) for value in values]
    except ValueError:
        return None
    return list(zip(reread(text, values) if numbers_are_kept() else values, bigs, strict=True))


def is_only_cut_off(raw: bytes) -> bool:
    """Whether the beginning of a JSON text is fine so far; after a False the scanner has to decide."""
    try:
        jiter.from_json(raw.rstrip(_NOT_ASCII), allow_inf_nan=False)
    except ValueError as error:
        return str(error).startswith("EOF ")
    return True


def has_big_integer(value: Any) -> bool:
    """Whether an integer is beyond 2^53-1. Raises NotFinite for a number that no double can hold.

    Every value is walked over, in constant stack.
    """
    big = False
    highest = MAX_SAFE_INTEGER
    containers: list[Any] = [value if value.__class__ in (dict, list) else (value,)]
    append = containers.append
    for container in containers:
        if container.__class__ is dict:
            container = container.values()
        for child in container:
            kind = child.__class__
            if kind is str:
                continue
            if kind is dict or kind is list:
                append(child)
            elif kind is float:
                if child - child != 0:
                    raise NotFinite
            elif kind is int and not -highest <= child <= highest:
                if not fits_double(child):
                    raise NotFinite
                big = True
    return big


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
