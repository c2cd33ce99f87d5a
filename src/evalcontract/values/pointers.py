"""JSON pointers (RFC 6901): written, read and followed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evalcontract.errors import NotAPointer
from evalcontract.values.text import shown

_LONE_TILDE = re.compile("~(?![01])")
_INDEX = re.compile("0|[1-9][0-9]{0,17}")


def pointer(path: Iterable[str | int]) -> str:
    """The JSON pointer of a path of keys and indices; the empty string for the whole document."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def pointer_tokens(text: str) -> tuple[str, ...]:
    """The keys and indices of a pointer, as text: `/a/0/b~1c` is ("a", "0", "b/c"). NotAPointer for any other text."""
    if text == "":
        return ()
    if not text.startswith("/"):
        raise NotAPointer(f"{shown(text)} is not a JSON pointer", hint=f"write {shown('/' + text)}")
    if _LONE_TILDE.search(text):
        raise NotAPointer(f"{shown(text)} is not a JSON pointer", hint="write ~0 for a ~ in a key")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in text[1:].split("/"))


def step_into(value: object, token: str) -> str | int:
    """The key or index by which a token leads into an object or array; LookupError where it leads nowhere."""
    if isinstance(value, dict) and token in value:
        return token
    if isinstance(value, list) and _INDEX.fullmatch(token) and int(token) < len(value):
        return int(token)
    raise LookupError(token)


def follow(value: object, tokens: Iterable[str]) -> tuple[tuple[str | int, ...], object]:
    """The path that the tokens of a pointer mean in a value, and what is there.

    LookupError where they lead nowhere; its `args` are the path so far and the token that leads no further.
    """
    path: list[str | int] = []
    for token in tokens:
        try:
            step = step_into(value, token)
        except LookupError:
            raise LookupError(tuple(path), token) from None
        path.append(step)
        value = value[step]  # type: ignore[index]
    return tuple(path), value
