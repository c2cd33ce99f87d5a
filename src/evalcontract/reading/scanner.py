"""The strict JSON scanner: slow, exact, in constant stack. It says what is wrong and where.

The fast parser decides nothing that this one doesn't: whatever the fast one refuses is read again here.
"""

from __future__ import annotations

import re

from evalcontract.reading.refusals import Refusal, decoded, refusal_at
from evalcontract.reading.tokens import scalar, string, unexpected, word_at
from evalcontract.values import MAX_DEPTH, quoted

_SPACE = re.compile(r"[ \t\r\n]*")


def scan(raw: bytes, around: int = 0) -> object:
    """The value of one strict JSON text in UTF-8. Raises Refusal for the first thing that is wrong.

    `around` is how many containers of a larger text stand around this one; they count for the depth.
    """
    return _Scanner(decoded(raw), MAX_DEPTH - around).document()


class _OpenContainer:
    """A container whose end wasn't reached: in an object, `key` waits for its value."""

    __slots__ = ("key", "seen", "value")

    def __init__(self, value: list[object] | dict[str, object]) -> None:
        self.value = value
        self.key = ""
        self.seen: dict[str, int] = {}


class _Scanner:
    """One pass over one text; a stack of open containers instead of recursion."""

    __slots__ = ("at", "deepest", "open", "text")

    def __init__(self, text: str, deepest: int) -> None:
        self.text = text
        self.deepest = deepest
        self.at = 0
        self.open: list[_OpenContainer] = []

    def document(self) -> object:
        while True:
            value = self.next_value()
            while self.open:
                if self.add(value):
                    break
                value = self.open.pop().value
            else:
                if self.peek():
                    raise self.trailing()
                return value

    def next_value(self) -> object:
        """The next scalar or empty container; others are opened on the way."""
        while True:
            opening = self.peek()
            if opening not in ("{", "["):
                value, self.at = scalar(self.text, self.at)
                return value
            if len(self.open) >= self.deepest:
                what = f"nested deeper than {MAX_DEPTH} levels"
                raise refusal_at(self.text, self.at, "too-deep", what, "flatten the value")
            self.at += 1
            container: list[object] | dict[str, object] = [] if opening == "[" else {}
            if self.peek() == ("]" if opening == "[" else "}"):
                self.at += 1
                return container
            self.open.append(_OpenContainer(container))
            if opening == "{":
                self.read_key()

    def add(self, value: object) -> bool:
        """Adds to the innermost container; False when that ends here."""
        top = self.open[-1]
        if isinstance(top.value, list):
            closing = "]"
            top.value.append(value)
        else:
            closing = "}"
            top.value[top.key] = value
        following = self.peek()
        if following == ",":
            comma = self.at
            self.at += 1
            if self.peek() == closing:
                what = f"a comma before '{closing}'"
                raise refusal_at(self.text, comma, "syntax", what, "remove the comma")
            if closing == "}":
                self.read_key()
            return True
        if following != closing:
            raise unexpected(self.text, self.at, f"',' or '{closing}'")
        self.at += 1
        return False

    def read_key(self) -> None:
        top = self.open[-1]
        if self.peek() != '"':
            raise unexpected(self.text, self.at, "a property name in double quotes")
        start = self.at
        key, self.at = string(self.text, start)
        if key in top.seen:
            what, hint = f"duplicate key {quoted(key)}", "keep one of the two"
            raise refusal_at(self.text, start, "duplicate-key", what, hint, related=top.seen[key])
        top.key = key
        top.seen[key] = start
        if self.peek() != ":":
            raise unexpected(self.text, self.at, "':'")
        self.at += 1

    def peek(self) -> str:
        """Skips white space and looks at the next character; "" at the end."""
        match = _SPACE.match(self.text, self.at)
        assert match
        self.at = match.end()
        return self.text[self.at : self.at + 1]

    def trailing(self) -> Refusal:
        found = word_at(self.text, self.at)
        if found == "\ufeff":
            return unexpected(self.text, self.at, "the end")
        what = f"more after the end of the value: {quoted(found, 40)}"
        hint = "one JSON value only; several belong in a .jsonl file, one a line"
        return refusal_at(self.text, self.at, "trailing-content", what, hint)
