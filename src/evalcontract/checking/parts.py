"""One range of a JSON Lines file, checked on its own, and how the ranges become one verdict."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evalcontract.checking.counts import Counts
from evalcontract.checking.file_check import FileCheck
from evalcontract.checking.findings import Findings, FindingsOfPart, GroupKey
from evalcontract.checking.identity import Asks, ItemIds, Key, repeated
from evalcontract.checking.places import from_fault, from_notice, in_file, in_reading_order, placed
from evalcontract.checking.plan import Plan
from evalcontract.checking.result import FileResult
from evalcontract.checking.shapes import Judge
from evalcontract.errors import UnreadableInput
from evalcontract.reading import (
    BLANK,
    BOM,
    Closed,
    Event,
    FileNotice,
    JsonText,
    Position,
    Range,
    Tally,
    blank_lines,
    bytes_of,
    read_range,
)
from evalcontract.validation import Violation
from evalcontract.values import pointer_tokens


@dataclass(frozen=True, slots=True)
class CheckedPart:
    """What one range holds. Whether an id is repeated shows only when it is compared over all ranges."""

    counts: Counts
    findings: list[tuple[int, list[Violation]]]
    groups: Counter[GroupKey]
    ids: list[Key]
    indexes: array[int]
    invalid: frozenset[int]
    closed: Closed
    first_blank: Position | None


class _RecordedIds:
    """The keys of a range with the numbers of their documents, to be compared later."""

    def __init__(self) -> None:
        self.ids: list[Key] = []
        self.indexes: array[int] = array("q")

    def add(self, key: Key, index: int) -> int:
        self.ids.append(key)
        self.indexes.append(index)
        return index


class _BlankLinesNotice:
    """Holds back the notice about blank lines, which is given once for the whole file."""

    def __init__(self) -> None:
        self.first: Position | None = None

    def held_back(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            if event.__class__ is FileNotice and event.code == "blank-lines":
                self.first = event.position
            else:
                yield event


def check_part(file: str, part: Range, plan: Plan, judge: Judge, room: int, asks: Asks) -> CheckedPart:
    """Read and judge one range; the first `room` findings are kept in full. Raises UnreadableInput."""
    findings = FindingsOfPart(room)
    ids = _RecordedIds()
    blank = _BlankLinesNotice()
    check = FileCheck(file, plan, findings, ids, judge=judge, asks=asks)
    check.run(blank.held_back(read_range(Path(file), part, passes=check.passes)), file)
    assert check.closed is not None
    return CheckedPart(
        check.counts,
        list(findings.by_document()),
        findings.groups,
        ids.ids,
        ids.indexes,
        frozenset(check.invalid),
        check.closed,
        blank.first,
    )


class Merge:
    """Puts the parts of a file together, in their order, as if it had been read in one go."""

    def __init__(self, file: str, findings: Findings) -> None:
        self.counts = Counts()
        self.complete = True
        self._file = file
        self._findings = findings
        self._ids = ItemIds()
        self._read = 0
        self._tally = Tally(file)
        self._first_blank: Position | None = None

    def note(self, found: Iterable[Violation]) -> None:
        """Take findings about the file as a whole."""
        found = list(found)
        self.counts.found(found)
        self._findings.add(found)

    def add(self, part: CheckedPart, where: Range) -> None:
        """Take the next part, which is this range."""
        self.complete = part.closed.complete
        self._read += part.closed.documents + part.closed.faults
        self._tally.blank_lines += part.closed.blank_lines
        self._first_blank = self._first_blank or part.first_blank
        repeats = self._repeats(part)
        self.counts.add(part.counts)
        for found in repeats.values():
            self.counts.found(found)
        wrong = {
            index
            for index, found in repeats.items()
            if any(violation.severity == "error" for violation in found)
        }
        self.counts.invalid += len(wrong - part.invalid)
        for index, found in self._in_order(part, where, repeats):
            self._findings.add(found, index)
        self._findings.groups.update(part.groups)

    def finish(self, kind: str) -> FileResult:
        """The verdict, when every part was taken."""
        if self._read == 0:
            self.note([from_fault(self._tally.empty())])
        elif self._first_blank:
            self.note([from_notice(blank_lines(self._tally, self._first_blank.line))])
        self.note(in_file(violation, self._file) for violation in self._ids.look_alikes())
        return self.counts.of_file(self._file, kind, self.complete and self._tally.complete)

    def _repeats(self, part: CheckedPart) -> dict[int, list[Violation]]:
        found: dict[int, list[Violation]] = {}
        for key, index in zip(part.ids, part.indexes, strict=True):
            first = self._ids.add(key, index)
            if first != index:
                found.setdefault(index, [repeated(key, first)])  # an id comes before what the item asks
        return found

    def _in_order(
        self, part: CheckedPart, where: Range, repeats: dict[int, list[Violation]]
    ) -> Iterator[tuple[int, list[Violation]]]:
        """The findings by document, each repeated id among those of its own."""
        lines = _Lines(self._file, where)
        waiting = list(reversed(repeats.items()))

        def located(index: int, found: list[Violation]) -> list[Violation]:
            if self._findings.full:
                return [in_file(repeat, self._file) for repeat in found]
            try:
                text = lines.text(index)
                places = [text.find(pointer_tokens(repeat.pointer)) for repeat in found]
            except (LookupError, ValueError, UnreadableInput):  # the file has been changed meanwhile
                return [in_file(repeat, self._file) for repeat in found]
            return [placed(repeat, self._file, place) for repeat, place in zip(found, places, strict=True)]

        for index, found in part.findings:
            while waiting and waiting[-1][0] < index:
                earlier, repeat = waiting.pop()
                yield earlier, in_reading_order(located(earlier, repeat))
            if waiting and waiting[-1][0] == index:
                repeat = located(*waiting.pop())
                # Notices about a document, which name no contract, come before what its contract says.
                notices = [violation for violation in found if violation.contract is None]
                found = notices + in_reading_order([*found[len(notices) :], *repeat])
            yield index, found
        for later, repeat in reversed(waiting):
            yield later, in_reading_order(located(later, repeat))


class _Lines:
    """Finds items in a range again by their numbers, which must be asked for in ascending order."""

    def __init__(self, file: str, where: Range) -> None:
        self._file = file
        self._where = where
        self._offset = where.start
        self._line = where.first_line
        self._index = where.first_index

    def text(self, index: int) -> JsonText:
        """The text of an item."""
        with bytes_of(Path(self._file), self._where) as file:
            file.seek(self._offset if self._where.content is None else self._offset - self._where.start)
            while raw := file.readline():
                text = JsonText(raw.removeprefix(BOM) if self._offset == 0 else raw, self._line)
                self._offset += len(raw)
                self._line += 1
                if text.raw.strip(BLANK):
                    self._index += 1
                    if self._index > index:
                        return text
        raise LookupError(index)
