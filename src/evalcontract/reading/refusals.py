"""Why a text can't be read strictly, and where in it; the words that faults are made of."""

from __future__ import annotations

from evalcontract.reading.events import Position

REWRITE = "the end is missing; write the file again"


class Refusal(Exception):
    """Why a text isn't strict JSON (or YAML); positions count from the start of that text."""

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


def refusal_at(
    text: str, offset: int, code: str, message: str, hint: str | None = None, *, related: int | None = None
) -> Refusal:
    """The refusal of what stands at a character offset of the text."""
    other = None if related is None else position_in(text, related)
    return Refusal(code, message, position_in(text, offset), hint, other)


def cut_off(text: str, offset: int, where: str) -> Refusal:
    """The refusal of a text that ends too early."""
    return refusal_at(text, offset, "truncated", f"the text ends {where}", REWRITE)


def position_in(text: str, offset: int) -> Position:
    """The position, counted from the start of the text, of a character offset in it."""
    return Position(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


def decoded(raw: bytes) -> str:
    """The text; raises Refusal at the first byte that isn't UTF-8."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        if error.reason == "unexpected end of data":
            raise cut_off(before, len(before), "inside a character") from None
        lead, following = raw[error.start], raw[error.start + 1 : error.start + 2]
        if lead == 0xED and b"\xa0" <= following <= b"\xbf":
            what = "a lone surrogate encoded as UTF-8"
        else:
            what = f"byte 0x{lead:02x} is not valid UTF-8 here"
        hint = "save the file as UTF-8"
        raise refusal_at(before, len(before), "invalid-utf8", what, hint) from None
