"""A window that slides over a byte stream and knows where in the file it is."""

from __future__ import annotations

from typing import BinaryIO

from evalcontract.reading.events import START, Position, after
from evalcontract.reading.limits import Limits, refuse_too_many_values
from evalcontract.reading.locator import skip_space, skip_value
from evalcontract.reading.memory import refuse_without_room
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.scanner import scan
from evalcontract.reading.strict import is_only_cut_off

WINDOW_BYTES = 1 << 16
_LONG_BYTES = 1 << 20


class TooLong(Exception):
    """A value is longer than may be held in memory."""


class TooBlank(Exception):
    """More white space stands between two values than a file may have."""


class Window:
    """The part of a stream that is held: `data` from the offset `at` on, which is `here` in the file.

    Offsets into `data` stay right until `advance` is called.
    """

    __slots__ = ("_limits", "_stream", "_whole", "at", "data", "here")

    def __init__(self, stream: BinaryIO, head: bytes, limits: Limits, here: Position = START) -> None:
        self.data = head
        self.at = 0
        self.here = here
        self._stream = stream
        self._limits = limits
        self._whole = False

    def refill(self) -> None:
        """Holds a good part of a window behind `at`, or all that is left; rarely copies."""
        if len(self.data) - self.at < WINDOW_BYTES // 2:
            self.fill(WINDOW_BYTES)

    def fill(self, size: int) -> None:
        """Holds at least `size` bytes behind `at`, or all that is left."""
        missing = size - (len(self.data) - self.at)
        while missing > 0 and not self._whole:
            refuse_without_room()
            chunk = self._stream.read(missing)
            self._whole = not chunk
            self.data += chunk
            missing -= len(chunk)

    def grow(self) -> bool:
        """Holds twice as much. False when there is nothing more. Raises TooLong beyond the limit."""
        held = len(self.data) - self.at
        if held > self._limits.document_bytes:
            raise TooLong
        self.fill(max(WINDOW_BYTES, 2 * held))
        return len(self.data) - self.at > held

    def everything(self) -> bytes:
        """All that is left from `at` on. Raises TooLong beyond the limit."""
        while self.grow():
            pass
        return self.data[self.at :]

    def position(self, offset: int) -> Position:
        return after(self.here, self.data[self.at : offset])

    def advance(self, offset: int) -> None:
        """Moves `at` to an offset behind it; what lies before may be forgotten."""
        self.here = self.position(offset)
        self.at = offset
        if offset >= WINDOW_BYTES or offset == len(self.data):
            self.data = self.data[offset:]
            self.at = 0

    def next_byte(self, offset: int) -> tuple[bytes, int]:
        """The first byte from `offset` on that isn't white space, b"" at the end, and its offset. Raises TooBlank."""
        begin = offset
        while True:
            offset = skip_space(self.data, offset)
            if offset - begin > self._limits.blank_bytes:
                raise TooBlank
            if offset < len(self.data) or not self.grow():
                return self.data[offset : offset + 1], offset

    def value_end(self, offset: int) -> int:
        """The offset behind the value that starts at `offset`; more is read as needed.

        Raises Refusal, positions relative to `offset`, when what follows holds no whole value.
        """
        while True:
            end = skip_value(self.data, offset)
            if end > offset:
                return end
            if len(self.data) - offset > _LONG_BYTES:
                refuse_too_many_values(self.data[offset:], self._limits)
                _refuse_if_already_wrong(self.data[offset:])
            if end == offset or not self.grow():
                break
        scan(self.data[offset:])
        return len(self.data)

    def refusal(self, offset: int, before: bytes) -> Refusal:
        """What is wrong behind `offset`, where something is; `before` makes the rest a JSON text.

        Positions are relative to the start of `before`. Raises TooLong.
        """
        while True:
            try:
                scan(before + self.data[offset:])
            except Refusal as refusal:
                if refusal.code != "truncated" or not self.grow():
                    return refusal
            else:
                raise AssertionError("the scanner accepts what the window refused")


def _refuse_if_already_wrong(text: bytes) -> None:
    """A quote too many makes the rest of a file one value: that is found before all of it is held."""
    if is_only_cut_off(text):
        return
    try:
        scan(text)
    except Refusal as refusal:
        if refusal.code != "truncated":
            raise
