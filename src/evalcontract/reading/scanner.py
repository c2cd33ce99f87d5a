"""The strict JSON scanner: slow, exact, in constant stack. It says what is wrong and where.

The fast parser decides nothing that this one doesn't: whatever the fast one refuses is read again here.
"""

from __future__ import annotations

import re

from evalcontract.reading.events import Position

MAX_DEPTH = 200
MAX_DIGITS = 4300

_SPACE = re.compile(r"[ \t\r\n]*")
_PLAIN_STRING = re.compile(r'"([^"\\\x00-\x1f]*)"')
_CHUNK = re.compile(r'[^"\\\x00-\x1f]*')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_NUMBER_LIKE = re.compile(r"[-+.0-9a-zA-Z_]{1,80}")
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LITERALS: dict[str, object] = {"true": True, "false": False, "null": None}
_NOT_FINITE = {"NaN", "-NaN", "Infinity", "-Infinity", "+Infinity", "nan", "inf", "-inf"}


class Refusal(Exception):
    """Why a text isn't strict JSON; positions count from the start of that text."""

    def __init__(
        self,
        code: str,
        message: str,
        position: Position,
        hint: str | None = None,
        related: Position | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.position = position
        self.hint = hint
        self.related = related


def scan(raw: bytes) -> object:
    """The value of one strict JSON text in UTF-8. Raises Refusal for the first thing that is wrong."""
    return _Scanner(decoded(raw)).document()


def shortened(text: str, limit: int = 80) -> str:
    """Text for a message: quoted, escaped, at most about `limit` characters."""
    clipped = text if len(text) <= limit else text[: limit - 1] + "…"
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in clipped) + '"'


def decoded(raw: bytes) -> str:
    """The text; raises Refusal at the first byte that isn't UTF-8."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        byte = raw[error.start]
        what = (
            "a lone surrogate encoded as UTF-8"
            if raw[error.start : error.start + 2] in _ENCODED_SURROGATES
            else f"byte 0x{byte:02x} is not valid UTF-8"
        )
        raise Refusal(
            "invalid-utf8", what, position_in(before, len(before)), "save the file as UTF-8"
        ) from None


_ENCODED_SURROGATES = {bytes((0xED, second)) for second in range(0xA0, 0xC0)}


def position_in(text: str, offset: int) -> Position:
    """The position, counted from the start of the text, of a character offset in it."""
    return Position(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


class _Scanner:
    """One pass over one text; a stack of open containers instead of recursion."""

    __slots__ = ("at", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def document(self) -> object:
        containers: list[dict[str, object] | list[object]] = []
        keys: list[dict[str, int]] = []
        names: list[str] = []
        while True:
            self.space()
            value: object
            opening = self.text[self.at : self.at + 1]
            if opening in ("{", "["):
                if len(containers) >= MAX_DEPTH:
                    raise self.refusal(
                        "too-deep", f"nested deeper than {MAX_DEPTH} levels", hint="flatten the value"
                    )
                self.at += 1
                self.space()
                container: dict[str, object] | list[object]
                if opening == "[":
                    container = []
                    if self.text[self.at : self.at + 1] != "]":
                        containers.append(container)
                        continue
                else:
                    container = {}
                    if self.text[self.at : self.at + 1] != "}":
                        containers.append(container)
                        keys.append({})
                        names.append(self.key(keys[-1]))
                        continue
                self.at += 1
                value = container
            else:
                value = self.scalar(opening)
            while True:
                self.space()
                if not containers:
                    if self.at < len(self.text):
                        raise self.trailing()
                    return value
                top = containers[-1]
                following = self.text[self.at : self.at + 1]
                if isinstance(top, list):
                    top.append(value)
                    if following == ",":
                        self.at += 1
                        self.no_closing_after_comma("]")
                        break
                    if following != "]":
                        raise self.unexpected("',' or ']'")
                else:
                    top[names.pop()] = value
                    if following == ",":
                        self.at += 1
                        self.no_closing_after_comma("}")
                        names.append(self.key(keys[-1]))
                        break
                    if following != "}":
                        raise self.unexpected("',' or '}'")
                    keys.pop()
                self.at += 1
                value = containers.pop()

    def space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        assert match
        self.at = match.end()

    def no_closing_after_comma(self, closing: str) -> None:
        comma = self.at - 1
        self.space()
        if self.text[self.at : self.at + 1] == closing:
            raise self.refusal("syntax", f"a comma before '{closing}'", comma, "remove the comma")

    def key(self, seen: dict[str, int]) -> str:
        start = self.at
        if self.text[start : start + 1] != '"':
            raise self.unexpected("a property name in double quotes")
        name = self.string()
        if name in seen:
            first = position_in(self.text, seen[name])
            raise self.refusal(
                "duplicate-key",
                f"duplicate key {shortened(name)}",
                start,
                "keep one of the two",
                related=first,
            )
        seen[name] = start
        self.space()
        if self.text[self.at : self.at + 1] != ":":
            raise self.unexpected("':'")
        self.at += 1
        return name

    def scalar(self, opening: str) -> object:
        if opening == '"':
            return self.string()
        if opening == "-" or "0" <= opening <= "9":
            return self.number()
        for word, value in _LITERALS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        raise self.unexpected("a value")

    def string(self) -> str:
        text = self.text
        match = _PLAIN_STRING.match(text, self.at)
        if match:
            self.at = match.end()
            return match[1]
        start = self.at
        at = start + 1
        parts: list[str] = []
        while True:
            chunk = _CHUNK.match(text, at)
            assert chunk
            parts.append(chunk[0])
            at = chunk.end()
            character = text[at : at + 1]
            if character == '"':
                self.at = at + 1
                return "".join(parts)
            if character == "\\":
                decoded, at = self.escape(at)
                parts.append(decoded)
            elif character == "":
                raise self.truncated("inside a string", start)
            else:
                raise self.refusal(
                    "syntax",
                    f"a raw control character U+{ord(character):04X} inside a string",
                    at,
                    f"write it as {_escaped(character)}",
                )

    def escape(self, at: int) -> tuple[str, int]:
        text = self.text
        letter = text[at + 1 : at + 2]
        if letter in _ESCAPES:
            return _ESCAPES[letter], at + 2
        if letter == "":
            raise self.truncated("inside a string", at)
        if letter != "u":
            raise self.refusal("syntax", f"an unknown escape \\{letter} in a string", at)
        unit = self.code_unit(at)
        if 0xD800 <= unit < 0xDC00 and text.startswith("\\u", at + 6):
            low = self.code_unit(at + 6)
            if 0xDC00 <= low < 0xE000:
                return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)), at + 12
        if 0xD800 <= unit < 0xE000:
            raise self.refusal(
                "lone-surrogate",
                f"a lone surrogate {text[at : at + 6]} is half a character",
                at,
                "write both halves of the pair, or the character itself",
            )
        return chr(unit), at + 6

    def code_unit(self, at: int) -> int:
        match = _HEX.match(self.text, at + 2)
        if match:
            return int(match[0], 16)
        rest = self.text[at + 2 : at + 6]
        if len(rest) < 4 and all(c in "0123456789abcdefABCDEF" for c in rest):
            raise self.truncated("inside a string", at)
        raise self.refusal("syntax", "\\u must be followed by four hexadecimal digits", at)

    def number(self) -> int | float:
        start = self.at
        match = _NUMBER.match(self.text, start)
        if not match:
            if start + 1 == len(self.text):
                raise self.truncated("inside a number", start)
            raise self.not_a_number(start)
        end = match.end()
        following = self.text[end : end + 1]
        if following and (following.isalnum() or following in "+-._"):
            if following in ".eE" and self.text[end + 1 :].strip("+- \t\r\n") == "":
                raise self.truncated("inside a number", start)
            raise self.not_a_number(start)
        self.at = end
        if match[1] is None and match[2] is None:
            if end - start - (match[0][0] == "-") > MAX_DIGITS:
                raise self.refusal(
                    "number-too-long",
                    f"an integer of {end - start} digits",
                    start,
                    "write it as a string",
                )
            return int(match[0])
        value = float(match[0])
        if value - value != 0:
            raise self.refusal(
                "not-finite",
                f"{shortened(match[0], 40)[1:-1]} is too large for a number: it would become Infinity",
                start,
                "use null, or a number below 1.8e308",
            )
        return value

    def not_a_number(self, start: int) -> Refusal:
        match = _NUMBER_LIKE.match(self.text, start)
        word = match[0] if match else self.text[start : start + 1]
        if word in _NOT_FINITE:
            return self.refusal("not-finite", f"{word} is not JSON", start, "use null")
        return self.refusal("syntax", f"{shortened(word)[1:-1]} is not a JSON number", start)

    def unexpected(self, expected: str) -> Refusal:
        character = self.text[self.at : self.at + 1]
        if character == "":
            return self.truncated(f"where {expected} should be", self.at)
        if character == "\ufeff":
            return self.refusal(
                "bom-in-the-middle",
                "a byte order mark in the middle of the file",
                hint="files were joined; remove the mark",
            )
        if expected == "a value":
            return self.not_a_value(character)
        return self.refusal("syntax", f"{expected} expected, found {self.found()}")

    def not_a_value(self, character: str) -> Refusal:
        match = _NUMBER_LIKE.match(self.text, self.at)
        if match and match[0] in _NOT_FINITE:
            return self.refusal("not-finite", f"{match[0]} is not JSON", hint="use null")
        if match and match.end() == len(self.text) and any(w.startswith(match[0]) for w in _LITERALS):
            return self.truncated("inside a value", self.at)
        hints = {
            "'": "JSON strings take double quotes",
            "/": "JSON has no comments",
            "#": "JSON has no comments",
        }
        hint = hints.get(character)
        if match and match[0] in ("True", "False", "None"):
            hint = "JSON writes true, false and null"
        return self.refusal("syntax", f"a value expected, found {self.found()}", hint=hint)

    def trailing(self) -> Refusal:
        if self.text[self.at] == "\ufeff":
            return self.unexpected("the end")
        return self.refusal(
            "trailing-content",
            f"more after the end of the value: {self.found()}",
            hint="one JSON value only; several belong in a .jsonl file, one a line",
        )

    def found(self) -> str:
        match = _NUMBER_LIKE.match(self.text, self.at)
        return shortened(match[0] if match else self.text[self.at], 40)

    def truncated(self, where: str, offset: int) -> Refusal:
        return self.refusal(
            "truncated", f"the text ends {where}", offset, "the end is missing; write the file again"
        )

    def refusal(
        self,
        code: str,
        message: str,
        offset: int | None = None,
        hint: str | None = None,
        *,
        related: Position | None = None,
    ) -> Refusal:
        where = self.at if offset is None else offset
        return Refusal(code, message, position_in(self.text, where), hint, related)


def _escaped(character: str) -> str:
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
    return short.get(character, f"\\u{ord(character):04x}")
