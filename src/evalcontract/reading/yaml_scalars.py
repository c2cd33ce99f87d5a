"""The scalars of the YAML 1.2 core schema: what a plain `no`, `0o14` or `1_000` means."""

from __future__ import annotations

import math
import re

from evalcontract.reading.tokens import too_large
from evalcontract.values import (
    WrittenNumber,
    fits_double,
    number_as_written,
    numbers_are_kept,
    quoted,
    visible,
)

TAG_PREFIX = "tag:yaml.org,2002:"

_MOST_DIGITS = 400
_NULL = {"", "~", "null", "Null", "NULL"}
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


class BadScalar(Exception):
    """A scalar that has no JSON value: (code, message, hint)."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


def plain(text: str) -> object:
    """The value of an unquoted scalar. Raises BadScalar for infinity, NaN and numbers out of range."""
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _INT.fullmatch(text):
        whole = _integer(text, 10)
        return number_as_written("-0") if not whole and text[0] == "-" and numbers_are_kept() else whole
    if _OCTAL.fullmatch(text):
        return _integer(text[2:], 8)
    if _HEX.fullmatch(text):
        return _integer(text[2:], 16)
    if _NOT_FINITE.fullmatch(text):
        raise BadScalar("not-finite", f"{text} has no JSON value", "use null")
    if _FLOAT.fullmatch(text):
        value = float(text)
        if value - value != 0:
            raise BadScalar("not-finite", *too_large(text))
        return number_as_written(text) if numbers_are_kept() else value
    return text


def tagged(tag: str | None, text: str, *, is_plain: bool) -> object:
    """The value of a scalar with an explicit tag, or without one. Raises BadScalar."""
    if tag is None:
        return plain(text) if is_plain else text
    if tag in ("!", TAG_PREFIX + "str"):
        return text
    name = tag.removeprefix(TAG_PREFIX)
    if tag.startswith(TAG_PREFIX) and name in ("null", "bool", "int", "float"):
        value = plain(text)
        if name == "float" and type(value) is int:
            return float(value)
        if name in _tags_of(value):
            return value
        raise BadScalar(
            "yaml-tag", f"{quoted(text)} is not a !!{name}", "remove the tag or correct the value"
        )
    raise unknown_tag(tag)


def _tags_of(value: object) -> tuple[str, ...]:
    if isinstance(value, float):
        return ("int",) if isinstance(value, WrittenNumber) and value.text == "-0" else ("float",)
    return ({type(None): "null", bool: "bool", int: "int"}.get(type(value), "str"),)


def unknown_tag(tag: str) -> BadScalar:
    shown = "!!" + tag.removeprefix(TAG_PREFIX) if tag.startswith(TAG_PREFIX) else tag
    return BadScalar("yaml-tag", f"the tag {visible(shown, 80)} has no JSON value", "remove the tag")


def _integer(digits: str, base: int) -> int:
    value = int(digits, base) if len(digits.lstrip("+-0")) <= _MOST_DIGITS else math.inf
    if not isinstance(value, int) or not fits_double(value):
        raise BadScalar("not-finite", *too_large(digits))
    return value
