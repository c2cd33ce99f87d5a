"""JSON that was recorded as text."""

from __future__ import annotations

from typing import Any

from evalcontract.reading import Refusal, parse


def json_or_text(value: Any) -> Any:
    """An object or array that was recorded as JSON text; any other value as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        return json_or(value, value)
    return value


def json_or(text: str, otherwise: Any) -> Any:
    """What JSON text says, read strictly, or `otherwise` where it is none."""
    try:
        return parse(text.encode())[0]
    except (Refusal, UnicodeEncodeError):
        return otherwise


def text_inside(value: str) -> str:
    """The text in a JSON string, for texts that were recorded as JSON; any other text as it is."""
    if len(value) < 2 or not value.startswith('"') or not value.endswith('"'):
        return value
    # The strict parser takes documents that are objects or arrays: the string is the one element of an array.
    inside = json_or(f"[{value}]", None)
    return (
        inside[0] if isinstance(inside, list) and len(inside) == 1 and isinstance(inside[0], str) else value
    )
