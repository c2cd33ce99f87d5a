"""Splitting text into sentences without losing track of offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evalcontract.metrics._vocabulary import ABBREVIATIONS, NUMBERED_WORDS

_MARKERS = re.compile(
    r"\[\^?\d{1,3}(?:\s?[,;\u2013-]\s?\^?\d{1,3}){0,20}\](?!\()"
    r"|[\u3010\uff3b]\s?\^?\d{1,3}(?:\s?[,;:\u2020\uff0c\u3001\u2013-]\s?[\w.]{1,40}){0,20}[\u3011\uff3d]"
)
_LIST_NUMBER = r"[ \t]*(?:[-*\u2022][ \t]+)?\(?\d{1,2}[.)](?=[ \t]+\S)"
_FIRST_LIST_NUMBER = re.compile(_LIST_NUMBER)
_LIST_NUMBERS = re.compile("\n" + _LIST_NUMBER)

_CLOSERS = "\"'\u2019\u201d\u00bb)\\]\u300d\u300f\uff09\u3011"
_FULL_STOPS = "\u3002\uff01\uff1f\uff61\u203c\u2047-\u2049\u061f\u06d4\u0964\u0965\u104b\u17d4"
_BREAKS = re.compile(
    rf"(?<![.\u2026!?])(?P<stop>[.\u2026!?]++)[{_CLOSERS}]*+(?=\s|$)"
    rf"|[{_FULL_STOPS}]+[{_CLOSERS}]*"
    r"|\n[ \t]*\n\s*"
    r"|\n(?=[ \t]*[-*\u2022#])"
)
_MAY_BREAK = re.compile(f"[.\u2026!?\n{_FULL_STOPS}]")
_OPENERS = "([\"'\u201c\u2018\u00ab"
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_BULLETS = " \t\n\r\x0b\x0c\u00a0\u3000\u2022*-"


def blank_markers(text: str) -> str:
    """The text with citation markers blanked and list numbers turned into bullets (offsets stay true)."""
    if "[" in text or "\u3010" in text or "\uff3b" in text:
        text = _MARKERS.sub(lambda match: " " * len(match.group()), text)
    first = _FIRST_LIST_NUMBER.match(text)
    if first:
        text = "-".ljust(first.end()) + text[first.end() :]
    return _LIST_NUMBERS.sub(lambda match: "\n-".ljust(len(match.group())), text)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of each sentence of blanked text, outer white space and bullets left out."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _breaks(text):
        if match["stop"] is not None and not _is_boundary(text, start, match):
            continue
        _append_trimmed(spans, text, start, match.end())
        start = match.end()
    _append_trimmed(spans, text, start, len(text))
    return spans


def _breaks(text: str) -> Iterator[re.Match[str]]:
    """`_BREAKS.finditer`, which tries only where a break may begin."""
    candidate = _MAY_BREAK.search(text)
    while candidate:
        match = _BREAKS.match(text, candidate.start())
        if match:
            yield match
        candidate = _MAY_BREAK.search(text, match.end() if match else candidate.end())


def _append_trimmed(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end].rstrip()
    stripped = piece.lstrip(_BULLETS)
    if stripped:
        spans.append((start + len(piece) - len(stripped), start + len(piece)))


def _is_boundary(text: str, sentence_start: int, match: re.Match[str]) -> bool:
    if "!" in match["stop"] or "?" in match["stop"]:
        return True
    following = _next_visible(text, match.end())
    if following.islower():
        return False
    if match["stop"] != ".":
        return True
    before = text[max(sentence_start, match.start() - 40) : match.start()]
    if not following or not before or before[-1].isspace():
        return True
    word = before.split()[-1].lstrip(_OPENERS)
    if following.isdecimal() and word.lower() in NUMBERED_WORDS:
        return False
    if word != "I" and _INITIALS.fullmatch(word):
        return False  # J. Smith, z. B., U.S.
    return word.lower() not in ABBREVIATIONS


def _next_visible(text: str, position: int) -> str:
    while position < len(text) and text[position].isspace():
        position += 1
    return text[position : position + 1]
