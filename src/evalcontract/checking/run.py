"""One pass over the files: every document gets its verdict, every finding its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from evalcontract.checking.identity import ItemIds, repeated
from evalcontract.checking.places import from_fault, from_notice, in_file, located
from evalcontract.checking.plan import Plan
from evalcontract.checking.result import FileResult, Findings, RunResult
from evalcontract.checking.shapes import Judge, items_and_records, whole_documents
from evalcontract.checking.sidecar import METADATA, is_sidecar, sidecar_metadata
from evalcontract.errors import UnreadableInput
from evalcontract.reading import Closed, Document, Event, Fault, Notice, Opened, read
from evalcontract.validation import ItemChecker, Violation
from evalcontract.validation.items import Verdict, dataset_violations

Progress = Callable[[str, int], None]
MAX_VIOLATIONS = 1000
_PROGRESS_STEP = 1000


def check_files(
    files: Iterable[Path | str],
    plan: Plan,
    *,
    max_violations: int = MAX_VIOLATIONS,
    strict: bool = False,
    progress: Progress | None = None,
) -> RunResult:
    """The verdict on each file. `progress` is told the file and the number of items checked so far."""
    findings = Findings(max_violations)
    results: list[FileResult] = []
    unreadable: list[tuple[str, str]] = []
    for file in files:
        try:
            results.append(_FileCheck(str(file), plan, findings, progress).run())
        except UnreadableInput as error:
            unreadable.append((str(file), str(error)))
    return RunResult(tuple(results), tuple(findings.kept), findings.counted(), tuple(unreadable), strict)


def check_events(
    file: str,
    events: Iterable[Event],
    plan: Plan,
    findings: Findings,
    *,
    observe: Callable[[Document], None],
    progress: Progress | None = None,
) -> FileResult:
    """The verdict on what a reader gives of `file`. `observe` sees each document after its check."""
    return _FileCheck(file, plan, findings, progress).run(events, observe)


class _FileCheck:
    """Checks one file and counts what it finds."""

    def __init__(self, file: str, plan: Plan, findings: Findings, progress: Progress | None) -> None:
        self._file = "<stdin>" if file == "-" else file
        self._source = file
        self._plan = plan
        self._findings = findings
        self._progress = progress or (lambda _, __: None)
        self._ids = ItemIds()
        self._contracts: Counter[str] = Counter()
        self._items = self._invalid = self._errors = self._advices = 0

    def run(
        self, events: Iterable[Event] | None = None, observe: Callable[[Document], None] | None = None
    ) -> FileResult:
        """Read the file to its end; UnreadableInput when it can't be read at all."""
        verdict_on: Judge = _undecided
        kind, complete = "", True
        for event in read(self._source, items=True) if events is None else events:
            match event:
                case Document():
                    self._document(event, verdict_on(event.value, event.raw))
                    if observe is not None:
                        observe(event)
                case Opened():
                    kind, verdict_on = self._opened(event)
                case Fault():
                    self._fault(event)
                case Notice():
                    self._add([from_notice(event)])
                case Closed():
                    complete = event.complete
                    self._closed(event)
        counts = (self._items, self._invalid, self._errors, self._advices)
        return FileResult(self._file, kind, *counts, tuple(self._contracts.most_common()), complete)

    def _opened(self, opened: Opened) -> tuple[str, Judge]:
        plan = self._plan
        if not plan.by_item:
            return str(plan.contract), whole_documents(plan, str(plan.contract))
        if is_sidecar(Path(self._source)):
            return METADATA, whole_documents(plan, METADATA)
        if opened.container == "dataset":
            kind, metadata = "dataset", _metadata_of(opened.envelope)
        else:
            kind = "items"
            metadata, faults = sidecar_metadata(self._source)
            self._add(faults)
        envelope = str(plan.item_contract)
        items = ItemChecker(plan.catalogue, plan.told, metadata, envelope, plan.engine)
        return kind, items_and_records(plan, items.check)

    def _document(self, document: Document, verdict: Verdict) -> None:
        self._items += 1
        self._contracts[verdict.contract] += 1
        found = verdict.violations + self._repeated_id(document)
        if found:
            self._invalid += any(each.severity == "error" for each in found)
            placed = [located(each, document) for each in found]
            self._add(sorted(placed, key=lambda each: (each.line or 0, each.column or 0)))
        if self._items % _PROGRESS_STEP == 0:
            self._progress(self._file, self._items)

    def _repeated_id(self, document: Document) -> tuple[Violation, ...]:
        value = document.value
        item_id = value.get("item_id") if self._plan.by_item and isinstance(value, dict) else None
        if not isinstance(item_id, str):
            return ()
        first = self._ids.add(item_id, document.index)
        return () if first is None else (repeated(item_id, first),)

    def _fault(self, fault: Fault) -> None:
        if fault.index is not None:
            self._items += 1
            self._invalid += 1
        self._add([from_fault(fault)])

    def _closed(self, closed: Closed) -> None:
        if closed.envelope is not None and self._plan.by_item:
            dataset = str(self._plan.dataset_contract)
            found = dataset_violations(self._plan.catalogue, closed.envelope.value, dataset)
            self._add(located(each, closed.envelope) for each in found)
        self._add(in_file(each, self._file) for each in self._ids.look_alikes())
        if closed.documents == 0 and closed.faults == 0:
            self._add([_nothing_checked(self._file)])

    def _add(self, found: Iterable[Violation]) -> None:
        found = list(found)
        advices = sum(each.severity == "advice" for each in found)
        self._advices += advices
        self._errors += len(found) - advices
        self._findings.add(found)


def _undecided(_: object, __: bytes | None) -> Verdict:
    raise AssertionError("a reader yields Opened before the first document")


def _metadata_of(envelope: Document | None) -> object:
    value = envelope.value if envelope else None
    return value.get("metadata") if isinstance(value, Mapping) else None


def _nothing_checked(file: str) -> Violation:
    return Violation(
        "nothing-checked", "0 items checked", hint="a file without items is never a success", file=file
    )
