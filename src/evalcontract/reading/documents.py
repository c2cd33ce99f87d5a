"""A .json file: one document, an array of items, a dataset, or JSON Lines under another name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from evalcontract.reading.dataset import ReadAhead, read_object
from evalcontract.reading.elements import read_elements
from evalcontract.reading.events import START, Event, Fault, Opened
from evalcontract.reading.limits import raise_it
from evalcontract.reading.lines import read_lines
from evalcontract.reading.locator import skip_space, skip_value
from evalcontract.reading.sources import STDIN_NAME, joined
from evalcontract.reading.tally import Tally
from evalcontract.reading.window import TooBlank, TooLong, Window


def read_json(
    stream: BinaryIO,
    head: bytes,
    tally: Tally,
    *,
    items: bool,
    ahead: ReadAhead | None = None,
) -> Iterator[Event]:
    """The events of a .json file of which `head` was read already.

    With `items`, the elements of a top-level array or of a top-level `items` array; else the whole document.
    """
    if _holds_lines(head):
        yield Opened(tally.file, "json", "lines")
        if tally.file != STDIN_NAME:
            what = "this .json file holds JSON Lines: one document a line"
            yield tally.notice("json-lines", what, START, "name it .jsonl")
        yield from read_lines(joined(head, stream), tally)
        return
    window = Window(stream, head, tally.limits)
    try:
        yield from _read_value(window, tally, items, ahead)
    except TooLong:
        yield tally.fault(
            "too-long",
            f"a value of more than {tally.limits.document_bytes:,} bytes",
            window.here,
            f"write one item a line to a .jsonl file, or {raise_it('document-bytes', tally.limits)}",
            fatal=True,
        )
    except TooBlank:
        yield tally.too_blank(window.here)


def _read_value(window: Window, tally: Tally, items: bool, ahead: ReadAhead | None) -> Iterator[Event]:
    opening, at = window.next_byte(window.at)
    window.advance(at)
    if not opening:
        yield tally.empty()
        return
    if items and opening == b"[":
        yield Opened(tally.file, "json", "array")
        yield from read_elements(window, tally, around=1)
    elif items and opening == b"{":
        yield from read_object(window, tally, ahead)
    else:
        yield Opened(tally.file, "json", "document")
        yield from tally.read(window.everything(), window.here, last=True)
        return
    if tally.complete:
        yield from _nothing_follows(window, tally)


def _nothing_follows(window: Window, tally: Tally) -> Iterator[Fault]:
    following, at = window.next_byte(window.at)
    if following:
        window.advance(at)
        yield tally.misplaced(window.refusal(window.at, b"0 "), window.here, 2)


def _holds_lines(head: bytes) -> bool:
    """Whether the first line is a whole object or array and another value begins on a later line."""
    start = skip_space(head, 0)
    if head[start : start + 1] not in (b"{", b"["):
        return False
    end = skip_value(head, start)
    if end < 0 or b"\n" in head[start:end]:
        return False
    following = skip_space(head, end)
    return b"\n" in head[end:following] and head[following : following + 1] in (b"{", b"[", b"\xef")
