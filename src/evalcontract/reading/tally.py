"""Makes the events of one file and counts them."""

from __future__ import annotations

from collections.abc import Iterator

from evalcontract.reading.events import (
    Closed,
    Document,
    Fault,
    FileNotice,
    Origin,
    Passes,
    Position,
    moved,
)
from evalcontract.reading.limits import Limits, current_limits, raise_it, refuse_too_many_values
from evalcontract.reading.locator import JsonText
from evalcontract.reading.refusals import Refusal
from evalcontract.reading.strict import first_big_integer, parse


class Tally:
    """The events of one file so far. `index` is the number of the next document."""

    __slots__ = (
        "blank_bytes",
        "blank_lines",
        "complete",
        "documents",
        "envelope",
        "faults",
        "file",
        "index",
        "limits",
        "passes",
    )

    def __init__(
        self, file: str, index: int = 0, passes: Passes | None = None, limits: Limits | None = None
    ) -> None:
        self.file = file
        self.limits = limits or current_limits()
        self.index = index
        self.passes = passes
        self.documents = 0
        self.faults = 0
        self.blank_lines = 0
        self.blank_bytes = 0
        self.complete = True
        self.envelope: Document | None = None

    def closed(self) -> Closed:
        return Closed(self.file, self.documents, self.faults, self.blank_lines, self.complete, self.envelope)

    def document(self, value: object, origin: Origin) -> Document:
        document = Document(value, self.file, self.index, origin)
        self.index += 1
        self.documents += 1
        return document

    def read(
        self, raw: bytes, start: Position, *, last: bool = False, around: int = 0
    ) -> Iterator[Document | Fault | FileNotice]:
        """One strict JSON text that starts here; a fault in the `last` one is fatal."""
        try:
            refuse_too_many_values(raw, self.limits)
            value, big = parse(raw, around)
        except Refusal as refusal:
            yield self.refused(refusal, start, fatal=last)
            self.index += 1
            return
        origin = JsonText(raw, start.line, start.column)
        if big:
            yield self.big_integer(value, origin)
        yield self.document(value, origin)

    def refused(self, refusal: Refusal, start: Position, *, fatal: bool = False) -> Fault:
        """The fault that a refusal of the text at `start` is."""
        related = refusal.related and moved(start, refusal.related)
        message = f"{refusal.message}, first at {related}" if related else refusal.message
        return self.fault(
            refusal.code,
            message,
            moved(start, refusal.position),
            refusal.hint,
            fatal=fatal,
            related=related,
            index=self.index,
        )

    def misplaced(self, refusal: Refusal, here: Position, before: int) -> Fault:
        """The fatal fault of a text at `here` that was scanned with `before` characters in front of it."""
        return self.refused(refusal, Position(here.line, here.column - before), fatal=True)

    def fault(
        self,
        code: str,
        message: str,
        position: Position | None,
        hint: str | None,
        *,
        fatal: bool = False,
        related: Position | None = None,
        index: int | None = None,
    ) -> Fault:
        self.faults += 1
        if fatal:
            self.complete = False
        return Fault(code, message, position, hint, self.file, fatal, related, index)

    def notice(
        self, code: str, message: str, position: Position | None, hint: str | None, index: int | None = None
    ) -> FileNotice:
        return FileNotice(code, message, position, hint, self.file, index)

    def big_integer(self, value: object, origin: Origin) -> FileNotice:
        path = first_big_integer(value) or ()
        return self.notice(
            "big-integer",
            "an integer beyond 2^53-1 changes its value in JavaScript and in many other readers",
            origin.find(path),
            "write it as a string",
            self.index,
        )

    def too_many(self, position: Position) -> Fault:
        return self.fault(
            "too-many-documents",
            f"more than {self.limits.documents:,} documents",
            position,
            f"write several files, or {raise_it('documents', self.limits)}",
            fatal=True,
        )

    def too_blank(self, position: Position) -> Fault:
        return self.fault(
            "too-blank",
            f"more than {self.limits.blank_bytes:,} bytes of white space between documents",
            position,
            f"write the file again, or {raise_it('blank-bytes', self.limits)}",
            fatal=True,
        )

    def bom(self) -> FileNotice:
        return self.notice(
            "bom",
            "the file starts with a byte order mark",
            Position(1, 1),
            "save it as UTF-8 without a mark",
        )

    def empty(self) -> Fault:
        return self.fault(
            "empty-file",
            "the file holds no data",
            None,
            "an empty file is never a success; write it again or leave it out",
            fatal=True,
        )

    def lfs_pointer(self) -> Fault:
        return self.fault(
            "lfs-pointer",
            "the file is a Git LFS pointer, its data was not fetched",
            Position(1, 1),
            "run git lfs pull",
            fatal=True,
        )

    def damaged(self, how: str) -> Fault:
        return self.fault(
            "damaged-archive",
            f"the compressed file can't be read to its end: {how}",
            None,
            "write the file again; what came before was read",
            fatal=True,
        )
