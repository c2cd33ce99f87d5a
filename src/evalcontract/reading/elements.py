"""The elements of a JSON array of any size, one by one, in flat memory.

The stream is cut where an element seems to end; the parser verifies the cut: a piece that starts at an
element and parses as a comma-separated list of values ends at one. Where that fails, and where the text
of one element is asked for, the elements are told apart by counting brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evalcontract.reading.events import Document, Fault, FileNotice, Position
from evalcontract.reading.locator import JsonText, escaped_null_in, skip_space, skip_value
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.strict import parse_list
from evalcontract.reading.tally import Tally
from evalcontract.reading.window import WINDOW_BYTES, Window

_LONGEST_ENDING = 40
_FIRST_KEY = re.compile(rb'\{[ \t\r\n]*"[^"\\]{0,64}"')


class Batch:
    """A piece of an array: whole elements with commas between them."""

    __slots__ = ("_starts", "may_hold_null_bytes", "start", "text")

    def __init__(self, text: bytes, start: Position) -> None:
        self.text = text
        self.start = start
        self.may_hold_null_bytes = escaped_null_in(text)
        self._starts: list[tuple[int, int]] | None = None

    def element(self, number: int) -> JsonText:
        begin, end = self._span(number)
        where = JsonText(self.text, self.start.line, self.start.column).position(begin)
        return JsonText(self.text[begin:end], where.line, where.column)

    def raw(self, number: int) -> bytes:
        begin, end = self._span(number)
        return self.text[begin:end]

    def _span(self, number: int) -> tuple[int, int]:
        if self._starts is None:
            self._starts = list(_spans(self.text))
        return self._starts[number]


class BatchElement:
    """Origin of one element: its text is looked for in its batch only when asked."""

    __slots__ = ("_batch", "_number", "_text")

    def __init__(self, batch: Batch, number: int) -> None:
        self._batch = batch
        self._number = number
        self._text: JsonText | None = None

    def _found(self) -> JsonText:
        if self._text is None:
            self._text = self._batch.element(self._number)
        return self._text

    @property
    def start(self) -> Position:
        return self._found().start

    @property
    def raw(self) -> bytes:
        return self._batch.raw(self._number)

    @property
    def may_hold_null_bytes(self) -> bool:
        return self._batch.may_hold_null_bytes

    def find(self, tokens: tuple[str, ...]) -> Position:
        return self._found().find(tokens)


def _spans(text: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(text):
        end = skip_value(text, at)
        if end < 0:
            end = len(text)
        yield at, end
        at = skip_space(text, skip_space(text, end) + 1)


def read_elements(window: Window, tally: Tally, around: int) -> Iterator[Document | Fault | FileNotice]:
    """Every element of the array whose '[' the window is at; the window is left behind its ']'.

    `around` is how many containers stand around an element, the array itself included.

    After a fatal fault the window stays where it was. Raises TooLong.
    """
    following, at = window.next_byte(window.at + 1)
    if following == b"]":
        window.advance(at + 1)
        return
    window.advance(at)
    separator: Separator | None = None
    one_by_one = 0
    while True:
        window.refill()
        if separator:
            single = one_by_one > 0
            cut = separator.cut(window.data, window.at, first=single)
            text = window.data[window.at : cut]
            values = parse_list(text, around) if text else None
            if values is not None:
                room = tally.limits.documents - tally.index
                yield from _batch(values[:room], Batch(text, window.here), tally)
                if len(values) > room:
                    yield tally.too_many(window.here)
                    return
                _, at = window.next_byte(cut + separator.gap)
                one_by_one -= at - window.at
                window.advance(at)
                continue
            if text and not single:
                one_by_one = len(text)
                continue
        if tally.index >= tally.limits.documents:
            yield tally.too_many(window.here)
            return
        try:
            end = window.value_end(window.at)
        except Refusal as refusal:
            yield tally.refused(refusal, window.here, fatal=True)
            return
        yield from tally.read(window.data[window.at : end], window.here, around=around)
        following, comma = window.next_byte(end)
        if following == b"]":
            window.advance(comma + 1)
            return
        if following != b",":
            before = b"[0 "
            missing = window.refusal(comma, before)
            yield tally.misplaced(missing, window.position(comma), len(before))
            return
        following, at = window.next_byte(comma + 1)
        if following == b"]":
            position = window.position(comma)
            yield tally.fault("syntax", "a comma before ']'", position, "remove the comma")
            window.advance(at + 1)
            return
        separator = Separator.between(window.data, end, at)
        one_by_one -= at - window.at
        window.advance(at)


def _batch(values: list[tuple[object, bool]], batch: Batch, tally: Tally) -> Iterator[Document | FileNotice]:
    passes = None if batch.may_hold_null_bytes else tally.passes
    for number, (value, big) in enumerate(values):
        if passes and not big and passes(value, tally.index):
            tally.index += 1
            tally.documents += 1
            continue
        origin = BatchElement(batch, number)
        if big:
            yield tally.big_integer(value, origin)
        yield tally.document(value, origin)


@dataclass(frozen=True, slots=True)
class Separator:
    """What stands between two elements: the end of one, the comma, and how the next one begins."""

    text: bytes
    closing: int
    gap: int

    @classmethod
    def between(cls, data: bytes, end: int, start: int) -> Separator:
        """Learned from an element that ends before `end` and one that begins at `start`."""
        ending = data[max(end - _LONGEST_ENDING, 0) : end]
        closing = len(ending) - len(ending.rstrip(b"]} \t\r\n")) or int(ending.endswith(b'"'))
        first_key = _FIRST_KEY.match(data, start)
        opening = data[start : start + 1]
        begin = first_key[0] if first_key else opening if opening in (b"{", b"[", b'"') else b""
        return cls(data[end - closing : start] + begin, closing, start - end)

    def cut(self, data: bytes, start: int, *, first: bool) -> int:
        """The offset behind the first or the last element that seems to have a successor, else `start`."""
        found = data.find(self.text, start) if first else data.rfind(self.text, start, start + WINDOW_BYTES)
        return start if found < 0 else found + self.closing
