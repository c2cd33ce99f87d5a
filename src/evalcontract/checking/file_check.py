"""Judges what a reader yields of one file, or of a part of it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from evalcontract.checking.counts import Counts
from evalcontract.checking.findings import NO_DOCUMENT, Findings
from evalcontract.checking.identity import Asks, Key, hash_of_input, keys_of, repeated
from evalcontract.checking.judges import UNDECIDED, FileJudges, subject_of
from evalcontract.checking.places import from_fault, from_notice, in_reading_order, located
from evalcontract.checking.plan import Plan
from evalcontract.checking.shapes import Judge
from evalcontract.reading import (
    Closed,
    Document,
    Event,
    Fault,
    FileNotice,
    Opened,
    current_limits,
    too_many_invalid,
)
from evalcontract.validation import ItemVerdict, Violation

Progress = Callable[[str, int], None]
PROGRESS_STEP = 1000
_SHORT_BYTES = 300
_REMEMBERED = 1000


class Ids(Protocol):
    """Remembers the keys of a file's documents."""

    @property
    def add(self) -> Callable[[Key, int], int]:
        """The number of the first document with this key, as far as one is known; else its own."""


class FileCheck:
    """Takes the events of a file and collects counts and findings.

    `judge` judges what comes before a file is opened, as in its later parts; `judges` are those of other files. `asks`
    tells inputs apart.
    `invalid` holds the numbers of the items with an error.
    """

    def __init__(
        self,
        file: str,
        plan: Plan,
        findings: Findings,
        ids: Ids,
        *,
        judge: Judge = UNDECIDED,
        judges: FileJudges | None = None,
        progress: Progress | None = None,
        asks: Asks = hash_of_input,
    ) -> None:
        self.file = file
        self.kind = ""
        self.counts = Counts()
        self.closed: Closed | None = None
        self.invalid: array[int] = array("q")
        self._plan = plan
        self._findings = findings
        self._ids = ids
        self._asks = asks
        self._judge = judge
        self._judges = judges or FileJudges(plan)
        self._refused: object = None
        self._remembered: dict[bytes | type, ItemVerdict] = {}
        self._progress = progress
        self._limits = current_limits()

    def run(self, events: Iterable[Event], source: str) -> None:
        """Take every event; UnreadableInput when the file can't be read."""
        for event in events:
            match event:
                case Document():
                    self._document(event)
                case Opened():
                    subject = subject_of(self._plan, source, event)
                    self.kind = subject.kind
                    self.add(subject.faults)
                    self._judge = self._judges.of(subject)
                    self._remembered.clear()
                case Fault():
                    self._fault(event)
                case FileNotice():
                    self.add([from_notice(event)], event.index)
                case Closed():
                    self.closed = event
            if self.counts.invalid > self._limits.invalid_documents:
                self._stop()
                return

    def _stop(self) -> None:
        """End a file in which more is wrong than anybody reads."""
        message, hint = too_many_invalid(self._limits)
        self.add([Violation("too-many-invalid", message, hint=hint, file=self.file)])
        self.closed = Closed(self.file, self.counts.items, 0, 0, False)

    def passes(self, value: Any, index: int) -> bool:
        """Take a document that is clean at first sight, as a reader's `passes`."""
        verdict = self._judge.clean(value)
        if (
            verdict is None
            or self._ids.add(value["item_id"], index) != index
            or ((asked := self._asks(value["input"])) and self._ids.add(asked, index) != index)
        ):
            self._refused = value
            return False
        self._count(verdict)
        return True

    def add(self, found: Iterable[Violation], index: int | None = None) -> None:
        """Count findings about a document, or about the file, and keep them as far as there is room."""
        found = list(found)
        self.counts.found(found)
        self._findings.add(found, NO_DOCUMENT if index is None else index)

    def _document(self, document: Document) -> None:
        value: Any = document.value
        refused = value is self._refused  # at first sight, which only those without null bytes get
        nulls = not refused and document.may_hold_null_bytes
        verdict = (None if refused or nulls else self._judge.clean(value)) or self._judged(document, nulls)
        found = verdict.violations
        if isinstance(value, dict):
            firsts = [(key, self._ids.add(key, document.index)) for key in keys_of(value, self._asks)]
            repeats = [repeated(key, first) for key, first in firsts if first != document.index]
            found += tuple(
                repeats[:1]
            )  # an item that is there twice asks the same, which goes without saying
        if found:
            self._found(document, found)
        self._count(verdict)

    def _judged(self, document: Document, nulls: bool) -> ItemVerdict:
        """What the judge says, asked once for what is refused again and again: short texts, and types of value."""
        value, full = document.value, self._findings.full
        only_counted = full and self._judge.objects_only and not isinstance(value, dict)
        key = type(value) if only_counted else document.raw
        if key is None or (isinstance(key, bytes) and len(key) > _SHORT_BYTES):
            check = self._judge.briefly if full else None
            return (check or self._judge.check)(value, nulls)
        verdict = self._remembered.get(key)
        if verdict is None:
            verdict = self._judge.check(value, nulls)
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = verdict
        return verdict

    def _count(self, verdict: ItemVerdict) -> None:
        counts = self.counts
        counts.items += 1
        counts.contracts[verdict.contract] += 1
        if self._progress and counts.items % PROGRESS_STEP == 0:
            self._progress(self.file, counts.items)

    def _found(self, document: Document, found: tuple[Violation, ...]) -> None:
        for violation in found:
            if violation.severity == "error":
                self.counts.invalid += 1
                self.invalid.append(document.index)
                break
        if self._findings.full:
            self.counts.found(found)
            self._findings.count(found, document.file)
        else:
            self.add(in_reading_order(located(violation, document) for violation in found), document.index)

    def _fault(self, fault: Fault) -> None:
        if fault.index is not None:
            self.counts.items += 1
            self.counts.invalid += 1
            self.invalid.append(fault.index)
        self.add([from_fault(fault)], fault.index)
