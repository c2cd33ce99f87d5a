"""One pass over the files: every document gets its verdict, every finding its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evalcontract.checking.file_check import FileCheck, Progress
from evalcontract.checking.findings import Findings
from evalcontract.checking.identity import ItemIds
from evalcontract.checking.judges import FileJudges
from evalcontract.checking.places import in_file, located, nothing_checked
from evalcontract.checking.plan import Plan
from evalcontract.checking.plan import plan as planned
from evalcontract.checking.result import FileResult, RunResult
from evalcontract.errors import UnreadableInput
from evalcontract.files import size_of
from evalcontract.reading import STDIN, STDIN_NAME, Document, Event, read
from evalcontract.validation import dataset_violations

MAX_VIOLATIONS = 1000
_MOST_UNPACKED = 4
"""How much longer a compressed file of items is about when it is unpacked."""


@dataclass(frozen=True, slots=True)
class Splitting:
    """How files are shared out: by `jobs` processes, from `from_bytes` on (a quarter of it where they are
    compressed), in ranges of `range_bytes`.

    Where processes can't be forked, to start one costs about as much as to check 90 MB, and a script that asks
    for more than one needs `if __name__ == "__main__":`.
    """

    jobs: int
    from_bytes: int = 128 << 20
    range_bytes: int = 2 << 20

    def concerns(self, file: str) -> bool:
        """Whether a file is worth it, and can be split. Raises UnreadableInput."""
        size = size_of(file) or 0
        if self.jobs < 2 or size * _MOST_UNPACKED < self.from_bytes:
            return False
        from evalcontract.reading import can_be_split, is_compressed

        return size * (_MOST_UNPACKED if is_compressed(file) else 1) >= self.from_bytes and can_be_split(file)


def check_files(
    files: Iterable[Path | str],
    plan: Plan | None = None,
    *,
    max_violations: int = MAX_VIOLATIONS,
    strict: bool = False,
    progress: Progress | None = None,
    splitting: Splitting | None = None,
) -> RunResult:
    """The verdict on each file: JSON, JSON Lines or YAML, compressed too; `-` is standard input.

    `plan` says what is checked against, made by `plan(...)`; without one each file and item decides. At most
    `max_violations` are kept, the others counted. With `strict` advices fail too. `progress` is told the file and
    the number of items checked so far. With `splitting`, large files of JSON Lines are checked by several
    processes; the result is the same.

    The result has `violations`, each with file, line, column and JSON pointer, the counts of each of `files`, what
    was `unreadable`, and the `exit_code` of `evalcontract validate`. Raises WorkerLost.
    """
    plan = plan or planned()
    findings = Findings(max_violations)
    results: list[FileResult] = []
    unreadable: list[tuple[str, str]] = []
    judges = FileJudges(plan)
    for file in map(str, files):
        try:
            done = None
            if splitting and splitting.concerns(file):
                from evalcontract.checking.parallel import check_in_parts  # late: few files are so large

                done = check_in_parts(file, plan, findings, splitting, progress)
            results.append(done or _check_file(file, plan, judges, findings, progress))
        except UnreadableInput as error:
            unreadable.append((file, str(error)))
    return RunResult(
        tuple(results),
        tuple(findings.kept),
        findings.counted(),
        tuple(unreadable),
        strict,
        plan.catalogue.labels,
    )


def check_events(
    source: str,
    events: Iterable[Event],
    plan: Plan,
    findings: Findings,
    *,
    observe: Callable[[Document], None],
    progress: Progress | None = None,
) -> FileResult:
    """The verdict on what a reader gives of `source`. `observe` sees each document after its check."""
    ids = ItemIds()
    check = FileCheck(_label(source), plan, findings, ids, progress=progress)
    check.run(_observed(events, observe), source)
    return _result(check, ids, plan)


def _check_file(
    file: str, plan: Plan, judges: FileJudges, findings: Findings, progress: Progress | None
) -> FileResult:
    ids = ItemIds()
    check = FileCheck(_label(file), plan, findings, ids, judges=judges, progress=progress)
    check.run(read(file, items=True, passes=check.passes), file)
    return _result(check, ids, plan)


def _label(source: str) -> str:
    return STDIN_NAME if source == STDIN else source


def _result(check: FileCheck, ids: ItemIds, plan: Plan) -> FileResult:
    closed = check.closed
    assert closed is not None
    if closed.envelope is not None and plan.by_item:
        found = dataset_violations(plan.catalogue, closed.envelope.value, str(plan.dataset_contract))
        check.add(located(violation, closed.envelope) for violation in found)
    check.add(in_file(violation, check.file) for violation in ids.look_alikes())
    if closed.documents == 0 and closed.faults == 0:
        check.add([nothing_checked(check.file)])
    return check.counts.of_file(check.file, check.kind, closed.complete)


def _observed(events: Iterable[Event], observe: Callable[[Document], None]) -> Iterator[Event]:
    for event in events:
        yield event
        if isinstance(event, Document):
            observe(event)
