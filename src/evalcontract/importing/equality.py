"""Assertions that are written as one text: `equals: Lima`, `contains: Lima`, or the value alone."""

from __future__ import annotations

import re
from collections.abc import Mapping

from evalcontract.importing.values import Form, Refused

Options = Mapping[str, object]
_HEAD = re.compile(r"(?:not-)?([a-z0-9-]+)(?:\([0-9.]{1,20}\))?(:|$)")
_EQUALS = "equals:"


def read_equals_text(value: object, options: Options, _: Form) -> object:
    """The value of an assertion of equality; None for one of the other `assertion_types`, which fills no field."""
    if not isinstance(value, str):
        raise Refused("string", value)
    if value.startswith(_EQUALS):
        return value.removeprefix(_EQUALS).strip() or None
    return None if _is_assertion(value, options) else value


def _is_assertion(text: str, options: Options) -> bool:
    known = options.get("assertion_types", [])
    head = _HEAD.match(text)
    return isinstance(known, list) and head is not None and head[1] in known


def write_equals_text(value: object, options: Options, _: Form) -> object:
    """The value alone, or with its type where alone it would be read as an assertion."""
    if isinstance(value, str) and (value.startswith(_EQUALS) or _is_assertion(value, options)):
        return f"{_EQUALS} {value}"
    return value
