"""Entries added to the text of a catalog.json, everything else left as it was written."""

from __future__ import annotations

import json
from typing import Any

from evalcontract.reading import JsonText, skip_value


def with_entry(raw: bytes, path: tuple[str, ...], value: Any) -> bytes:
    """The text with one more member at a path; the objects on the way are made where they are missing.

    The text must be strict JSON with an object at its top, and must have nothing at that path.
    """
    for depth in range(len(path) - 1, -1, -1):
        try:
            start = _offset(raw, path[:depth])
        except LookupError:
            value = {path[depth]: value}
            continue
        return _inserted(raw, start, depth, path[depth], value)
    raise LookupError(path)


def _offset(raw: bytes, path: tuple[str, ...]) -> int:
    place = JsonText(raw, 1).find(path)
    lines = raw.split(b"\n")
    before = sum(len(line) + 1 for line in lines[: place.line - 1])
    return before + len(lines[place.line - 1].decode()[: place.column - 1].encode())


def _inserted(raw: bytes, start: int, depth: int, key: str, value: Any) -> bytes:
    end = skip_value(raw, start)
    end = len(raw.rstrip()) if end < 0 else end
    body = raw[start + 1 : end - 1].rstrip()
    entry = f"{json.dumps(key)}: {_laid_out(value, depth + 1)}"
    comma = b"," if body else b""
    inside = f"\n{'  ' * (depth + 1)}{entry}\n{'  ' * depth}".encode()
    return raw[: start + 1] + body + comma + inside + raw[end - 1 :]


def _laid_out(value: Any, depth: int) -> str:
    """An object of objects with a line for each, anything else on one line."""
    if not (isinstance(value, dict) and any(isinstance(part, dict) for part in value.values())):
        text = json.dumps(value, ensure_ascii=False)
        return f"{{ {text[1:-1]} }}" if isinstance(value, dict) and value else text
    lines = (
        f"{'  ' * (depth + 1)}{json.dumps(key)}: {_laid_out(part, depth + 1)}" for key, part in value.items()
    )
    return "{\n" + ",\n".join(lines) + f"\n{'  ' * depth}}}"
