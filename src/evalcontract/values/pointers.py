"""JSON pointers (RFC 6901) written; `reading.events.pointer_tokens` reads them."""

from __future__ import annotations

from collections.abc import Iterable


def pointer(path: Iterable[str | int]) -> str:
    """The JSON pointer of a path of keys and indices; the empty string for the whole document."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
