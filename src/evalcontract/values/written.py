"""Numbers that keep how they were written, for what is read, changed in part, and written again.

A double has 17 digits and no 1e-400, and its usual text says 1.1 for 1.10. Where numbers are kept, one whose usual
text is another is a `WrittenNumber`: a float to everyone, and its own text when it is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal, InvalidOperation
from typing import Any

from evalcontract.values.stack import with_room

_kept: ContextVar[bool] = ContextVar("numbers_kept", default=False)
_MAY_BE_ODD = re.compile(rb"[0-9][.eE][-+0-9]|-0")
_OTHER_FORM = re.compile(r"([-+]?)0*([0-9]*)(?:\.([0-9]*))?((?:[eE].*)?)")


class WrittenNumber(float):
    """A number with the text that stands for it in JSON. Compares and counts as the nearest double."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> WrittenNumber:
        """A number for a JSON number's text, which a double can hold, rounded."""
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __reduce__(self) -> tuple[type[WrittenNumber], tuple[str]]:
        return WrittenNumber, (self.text,)

    @property
    def exact(self) -> bool:
        """Whether the double's usual text is the same number, as for 1.10; not so for 1e-400."""
        try:
            return Decimal(self.text) == Decimal(float.__repr__(self))
        except InvalidOperation:  # an exponent of twenty digits
            return False


@contextmanager
def numbers_as_written() -> Iterator[None]:
    """Keep numbers as they were written in what is read in the block: verbs that write what they read want this."""
    token = _kept.set(True)
    try:
        yield
    finally:
        _kept.reset(token)


def numbers_are_kept() -> bool:
    """Whether numbers that are read now keep how they were written."""
    return _kept.get()


def number_as_written(text: str) -> float:
    """The number that a JSON text, or a YAML text of the same number, stands for; odd spellings are kept."""
    number, json_number = float(text), _as_json(text)
    return number if float.__repr__(number) == json_number else WrittenNumber(json_number)


def reread(text: bytes, value: Any) -> Any:
    """The value of strict JSON text that was read already, with numbers as they were written."""
    if _MAY_BE_ODD.search(text) is None:
        return value
    return with_room(lambda: json.loads(text, parse_float=number_as_written, parse_int=_integer))


def json_text(value: Any, indent: int | None = None) -> str:
    """Strict JSON, on one line unless indented, with numbers as they were written."""
    if not _holds_written(value):
        return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return with_room(lambda: "".join(_pieces(value, indent, "\n")))


def _integer(text: str) -> float:
    return WrittenNumber(text) if text == "-0" else int(text)


def _as_json(text: str) -> str:
    """YAML knows +1.5, .5, 1. and 007.5 as well."""
    match = _OTHER_FORM.fullmatch(text)
    assert match
    sign, whole, fraction, exponent = match.groups()
    return f"{sign.strip('+')}{whole or '0'}{'.' + fraction if fraction else ''}{exponent}"


def first_rounded(value: Any) -> str | None:
    """The text of a number in a value that was read with its numbers kept, and that a double doesn't hold exactly."""
    containers: list[Any] = [(value,)]
    for container in containers:
        for child in container:
            if isinstance(child, dict):
                containers.append(child.values())
            elif isinstance(child, list):
                containers.append(child)
            elif isinstance(child, WrittenNumber) and not child.exact:
                return child.text
    return None


def _holds_written(value: Any) -> bool:
    containers: list[Any] = [(value,)]
    append = containers.append
    for container in containers:
        for child in container:
            kind = child.__class__
            if kind is dict:
                append(child.values())
            elif kind is list:
                append(child)
            elif kind is WrittenNumber:
                return True
    return False


def _pieces(value: Any, indent: int | None, line: str) -> Iterator[str]:
    """What json.dumps writes. `line` begins a line at the depth of the value."""
    if isinstance(value, WrittenNumber):
        yield value.text
        return
    if not isinstance(value, dict | list) or not value:
        yield json.dumps(value, ensure_ascii=False, allow_nan=False)
        return
    below = "" if indent is None else line + " " * indent
    between = ", " if indent is None else "," + below
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    yield opening + below
    members = value.items() if isinstance(value, dict) else (("", child) for child in value)
    for number, (key, child) in enumerate(members):
        if number:
            yield between
        if isinstance(value, dict):
            yield json.dumps(key, ensure_ascii=False) + ": "
        yield from _pieces(child, indent, below)
    yield ("" if indent is None else line) + closing
