"""The scalars of strict JSON: each function reads one at an offset and returns it and the offset behind."""

from __future__ import annotations

import json
import re

from evalcontract.reading.refusals import Refusal, cut_off, refusal_at
from evalcontract.values import number_as_written, numbers_are_kept, visible

_HIGH, _LOW = r"u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = rf'\\(?:["\\/bfnrt]|{_HIGH}{_LOW}|u(?![dD][89a-fA-F])[0-9a-fA-F]{{4}})'
_STRING_BODY = re.compile(rf'(?:[^"\\\x00-\x1f]++|(?>{_ESCAPE}))*+')
"""The escape is atomic because Python before 3.11.5 ends a possessive repeat in the middle of what fails."""
_UNFINISHED_ESCAPE = re.compile(rf"\\(?:u[0-9a-fA-F]{{0,3}}|{_HIGH}(?:\\(?:u[0-9a-fA-F]{{0,3}})?)?)?\Z")
_UNICODE_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{4}")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_UNFINISHED_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?)?)?\Z")
_WORD = re.compile(r"[-+.0-9a-zA-Z_]{1,80}")
_CONTROL_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_LITERALS: dict[str, object] = {"true": True, "false": False, "null": None}
_NOT_FINITE = {"NaN", "-NaN", "Infinity", "-Infinity", "+Infinity", "nan", "inf", "-inf"}
_HINTS = {
    "'": "JSON strings take double quotes",
    "/": "JSON has no comments",
    "#": "JSON has no comments",
    "T": "JSON writes true, false and null",
    "F": "JSON writes true, false and null",
    "N": "JSON writes true, false and null",
}


def scalar(text: str, at: int) -> tuple[object, int]:
    """A string, number, true, false or null. Raises Refusal."""
    opening = text[at : at + 1]
    if opening == '"':
        return string(text, at)
    if opening == "-" or (opening.isascii() and opening.isdigit()):
        return number(text, at)
    for word, value in _LITERALS.items():
        if text.startswith(word, at):
            return value, at + len(word)
    raise _not_a_value(text, at)


def string(text: str, at: int) -> tuple[str, int]:
    """The string whose opening quote is at `at`. Raises Refusal."""
    body = _STRING_BODY.match(text, at + 1)
    assert body
    end = body.end()
    if text[end : end + 1] != '"':
        raise _bad_string(text, at, end)
    value = body[0]
    return json.loads(f'"{value}"') if "\\" in value else value, end + 1


def _bad_string(text: str, start: int, at: int) -> Refusal:
    character = text[at : at + 1]
    if character == "" or _UNFINISHED_ESCAPE.match(text, at):
        return cut_off(text, start, "inside a string")
    if character != "\\":
        escape = _CONTROL_ESCAPES.get(character, f"\\u{ord(character):04x}")
        what = f"a raw control character U+{ord(character):04X} inside a string"
        return refusal_at(text, at, "syntax", what, f"write it as {escape}")
    escape = text[at : at + 6]
    if _UNICODE_ESCAPE.match(escape):
        what = f"a lone surrogate {escape} is half a character"
        hint = "write both halves of the pair, or the character itself"
        return refusal_at(text, at, "lone-surrogate", what, hint)
    if escape.startswith("\\u"):
        return refusal_at(text, at, "syntax", "\\u must be followed by four hexadecimal digits")
    return refusal_at(text, at, "syntax", f"an unknown escape {visible(escape[:2], 80)} in a string")


def number(text: str, at: int) -> tuple[int | float, int]:
    """The number that begins at `at`: an int when it has no fraction and no exponent. Raises Refusal."""
    match = _NUMBER.match(text, at)
    following = text[match.end() : match.end() + 1] if match else ""
    if not match or (following.isascii() and following.isalnum()) or following in ("+", "-", ".", "_"):
        raise _not_a_number(text, at)
    digits = match[0]
    value = float(digits)
    if value - value != 0:
        raise refusal_at(text, at, "not-finite", *too_large(digits))
    if numbers_are_kept() and (match[1] or match[2] or digits == "-0"):
        return number_as_written(digits), match.end()
    return value if match[1] or match[2] else int(digits), match.end()


def too_large(digits: str) -> tuple[str, str]:
    """What is wrong with a number that no double can hold, and the way out."""
    what = f"{visible(digits, 40)} is too large for a number: it would become Infinity"
    return what, "use null, a string, or a number below 1.8e308"


def _not_a_number(text: str, at: int) -> Refusal:
    if _UNFINISHED_NUMBER.match(text, at):
        return cut_off(text, at, "inside a number")
    word = word_at(text, at)
    if word in _NOT_FINITE:
        return refusal_at(text, at, "not-finite", f"{word} is not JSON", "use null")
    return refusal_at(text, at, "syntax", f"{visible(word, 80)} is not a JSON number")


def _not_a_value(text: str, at: int) -> Refusal:
    word = word_at(text, at)
    if word in _NOT_FINITE:
        return refusal_at(text, at, "not-finite", f"{word} is not JSON", "use null")
    if word and at + len(word) == len(text) and any(name.startswith(word) for name in _LITERALS):
        return cut_off(text, at, "inside a value")
    return unexpected(text, at, "a value", _HINTS.get(word[:1]))


def unexpected(text: str, at: int, expected: str, hint: str | None = None) -> Refusal:
    """The refusal of what stands at `at` where something else should be."""
    found = word_at(text, at)
    if found == "":
        return cut_off(text, at, f"where {expected} should be")
    if found == "\ufeff":
        what = "a byte order mark in the middle of the file"
        return refusal_at(text, at, "bom-in-the-middle", what, "files were joined; remove the mark")
    return refusal_at(text, at, "syntax", f'{expected} expected, found "{visible(found, 40)}"', hint)


def word_at(text: str, at: int) -> str:
    """The word or number that begins at `at`, else the one character there, for messages."""
    match = _WORD.match(text, at)
    return match[0] if match else text[at : at + 1]
