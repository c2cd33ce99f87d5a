"""JSON pointers (RFC 6901)."""

from __future__ import annotations

from collections.abc import Iterable


def pointer(path: Iterable[str | int]) -> str:
    """The JSON pointer of a path of keys and indices; the empty string for the whole document."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def steps(text: str) -> list[str]:
    """The keys and indices of a JSON pointer, as strings."""
    return [step.replace("~1", "/").replace("~0", "~") for step in text.split("/")[1:]]
