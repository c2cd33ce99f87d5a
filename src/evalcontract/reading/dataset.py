"""A top-level JSON object read property by property, so that a dataset's items can be streamed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

from evalcontract.reading.elements import read_elements
from evalcontract.reading.events import (
    Assembled,
    Document,
    Event,
    Fault,
    FileNotice,
    Opened,
    Origin,
    Position,
)
from evalcontract.reading.limits import raise_it, refuse_too_many_values
from evalcontract.reading.locator import JsonText
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.strict import parse
from evalcontract.reading.tally import Tally
from evalcontract.reading.window import Window
from evalcontract.values import quoted

ITEMS = "items"
METADATA = "metadata"

_MOST_REPEATS = 1000

ReadAhead = Callable[[], Document | None]


def read_object(window: Window, tally: Tally, ahead: ReadAhead | None) -> Iterator[Event]:
    """The object the window is at: its items and envelope when it has an array of items, else itself.

    `ahead` reads the whole file once more for its envelope, when the metadata didn't come before the items.
    """
    yield from _ObjectReader(window, tally).read(ahead)


class _ObjectReader:
    __slots__ = ("_at_items", "_members", "_repeats", "_start", "_tally", "_values", "_window")

    def __init__(self, window: Window, tally: Tally) -> None:
        self._window = window
        self._tally = tally
        self._start = window.here
        self._members: dict[str, tuple[Position, Origin]] = {}
        self._values: dict[str, object] = {}
        self._at_items = False
        self._repeats = 0

    def read(self, ahead: ReadAhead | None) -> Iterator[Event]:
        tally = self._tally
        self._window.advance(self._window.at + 1)
        early = list(self._properties())
        if not self._at_items:
            yield Opened(tally.file, "json", "document")
            yield from early
            if not tally.faults:
                yield self._document(tally.index)
                tally.index += 1
                tally.documents += 1
            return
        envelope = self._document(0)
        if ahead and METADATA not in self._members:
            envelope = ahead() or envelope
        yield Opened(tally.file, "json", "dataset", envelope)
        yield from early
        yield from read_elements(self._window, tally, around=2)
        if tally.complete:
            yield from self._properties()
        tally.envelope = self._document(0)

    def _document(self, index: int) -> Document:
        return Document(
            dict(self._values),
            self._tally.file,
            index,
            Assembled(self._start, {name: origin for name, (_, origin) in self._members.items()}),
        )

    def _properties(self) -> Iterator[Fault | FileNotice]:
        """Reads properties up to the first array of items, or to the end of the object."""
        window, tally = self._window, self._tally
        while True:
            following, at = window.next_byte(window.at)
            window.advance(at)
            if following == b"}":
                window.advance(window.at + 1)
                return
            if self._members:
                if following != b",":
                    before = b'{"":0 '
                    refusal = window.refusal(window.at, before)
                    yield tally.misplaced(refusal, window.here, len(before))
                    return
                comma = window.here
                following, at = window.next_byte(window.at + 1)
                window.advance(at)
                if following == b"}":
                    yield tally.fault("syntax", "a comma before '}'", comma, "remove the comma")
                    window.advance(window.at + 1)
                    return
            if (yield from self._property()) or not tally.complete:
                return
            if self._repeats > _MOST_REPEATS:
                message = f"more than {_MOST_REPEATS:,} keys stand twice: the rest was not read"
                yield tally.fault("too-many-findings", message, window.here, "keep one of each", fatal=True)
                return
            if len(self._members) > tally.limits.document_values:
                message = f"a document of more than {tally.limits.document_values:,} values"
                hint = f"write several smaller ones, or {raise_it('document-values', tally.limits)}"
                yield tally.fault("too-many-values", message, self._start, hint, fatal=True)
                return

    def _property(self) -> Generator[Fault | FileNotice, None, bool]:
        """Reads one property. True when it is the first array of items: the window is then at its '['."""
        window, tally = self._window, self._tally
        key_position = window.here
        key_end = self._key_end()
        if isinstance(key_end, Fault):
            yield key_end
            return False
        try:
            name = str(parse(window.data[window.at : key_end])[0])
        except Refusal as refusal:
            yield tally.refused(refusal, key_position)
            name = window.data[window.at : key_end].decode("utf-8", "replace")
        following, at = window.next_byte(key_end)
        if following != b":":
            yield tally.misplaced(window.refusal(window.at, b"{"), key_position, 1)
            return False
        following, at = window.next_byte(at + 1)
        window.advance(at)
        seen = self._members.get(name)
        if seen:
            self._repeats += 1
            yield tally.fault(
                "duplicate-key",
                f"duplicate key {quoted(name)}, first at {seen[0]}",
                key_position,
                "keep one of the two",
                related=seen[0],
            )
        elif name == ITEMS and following == b"[":
            self._members[name] = (key_position, JsonText(b"[", window.here.line, window.here.column))
            self._at_items = True
            return True
        try:
            end = window.value_end(window.at)
        except Refusal as refusal:
            yield tally.refused(refusal, window.here, fatal=True)
            return False
        if not seen:
            yield from self._value(name, key_position, window.data[window.at : end])
        window.advance(end)
        return False

    def _key_end(self) -> int | Fault:
        window = self._window
        if window.data[window.at : window.at + 1] != b'"':
            return self._tally.misplaced(window.refusal(window.at, b"{"), window.here, 1)
        try:
            return window.value_end(window.at)
        except Refusal as refusal:
            return self._tally.refused(refusal, window.here, fatal=True)

    def _value(self, name: str, key_position: Position, raw: bytes) -> Iterator[Fault | FileNotice]:
        here = self._window.here
        origin = JsonText(raw, here.line, here.column)
        self._members[name] = (key_position, origin)
        try:
            refuse_too_many_values(raw, self._tally.limits)
            value, big = parse(raw, around=1)
        except Refusal as refusal:
            yield self._tally.refused(refusal, here)
            return
        self._values[name] = value
        if big:
            yield self._tally.big_integer(value, origin)
