"""Text for people: values and names as they stand in a message, of bounded length and safe to print."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from reprlib import Repr

LIMIT = 80
_LONGEST = 2000
_LARGEST_BITS = 1000


class _Brief(Repr):
    """Shows a part of a value that may be deep, huge, or unable to show itself."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxlist = self.maxdict = self.maxtuple = 8
        self.maxstring = self.maxother = LIMIT

    def repr_int(self, x: int, level: int) -> str:
        bits = x.bit_length()
        return f"<integer of {bits:,} bits>" if bits > _LARGEST_BITS else repr(x)


def cut(text: str, limit: int = LIMIT) -> str:
    """The text, or as much of it as `limit` characters hold, with a mark that there is more."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def shown(value: object, limit: int = LIMIT) -> str:
    """Any Python value: quoted as Python does, on one line, at most `limit` characters."""
    quoted = repr(str.__str__(value)[: limit + 1]) if isinstance(value, str) else _Brief().repr(value)
    return cut(quoted, limit)


def short(value: object, limit: int = LIMIT) -> str:
    """A value as JSON, at most `limit` characters; an array or object by what it holds."""
    if isinstance(value, str):
        text = json.dumps(value[: limit + 1], ensure_ascii=False)
    elif isinstance(value, dict | list):
        return actual(value)
    else:
        try:
            text = json.dumps(value)
        except (TypeError, ValueError):
            text = shown(value, limit)
    return cut(text, limit)


def actual(value: object) -> str:
    """A value's type and, where that is short, the value."""
    match value:
        case None:
            return "null"
        case bool():
            return f"boolean {json.dumps(value)}"
        case int():
            return f"integer {short(value)}"
        case float():
            return f"number {short(value)}"
        case str():
            return f"string {short(value, LIMIT - 7)}"
        case list():
            return f"array of {len(value)}"
        case dict() if not value:
            return "empty object"
        case dict():
            return cut(visible("object with " + ", ".join(map(str, islice(value, LIMIT)))))
        case _:
            return shown(value)


def no_command(line: str) -> str:
    """The line such that no workflow (GitHub, Azure) takes it for a command, whatever a name in it begins with."""
    line = line.replace("##[", "#\\u0023[").replace("##vso[", "#\\u0023vso[")
    return line.replace("::", "\\u003a:", 1) if line.lstrip().startswith("::") else line


def visible(text: str, limit: int = _LONGEST) -> str:
    """Text from outside, at most `limit` characters of it: what can't be printed, or turns text, as an escape."""
    text = cut(text, limit)
    return text if text.isprintable() else "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def quoted(text: str, limit: int = LIMIT) -> str:
    """`visible` text in double quotes."""
    return f'"{visible(text, limit)}"'


def listed(names: Iterable[str], limit: int = 8) -> str:
    """Names in a sentence: `a, b and 3 more`."""
    every = list(names)
    rest = len(every) - limit
    return ", ".join(every[:limit]) + (f" and {rest:,} more" if rest > 0 else "")


def counted(number: int, thing: str) -> str:
    """`1 item`, `2 items`."""
    return f"{number:,} {thing}" + ("" if number == 1 else "s")
