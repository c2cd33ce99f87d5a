"""Large files of JSON Lines, checked by several processes at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evalcontract.catalog import note_judge, note_judges
from evalcontract.checking.file_check import Progress
from evalcontract.checking.findings import Findings
from evalcontract.checking.identity import digest_of_input, hash_of_input
from evalcontract.checking.judges import Subject, judge_of, subject_of
from evalcontract.checking.parts import CheckedPart, Merge, check_part
from evalcontract.checking.plan import Plan
from evalcontract.checking.result import FileResult
from evalcontract.reading import NotInRanges, Opened, Range, current_limits, is_compressed, split_ranges
from evalcontract.workers import Workers, can_fork

if TYPE_CHECKING:
    from evalcontract.checking.run import Splitting


@dataclass(frozen=True, slots=True)
class _RangeTask:
    where: Range
    room: int


def check_in_parts(
    file: str, plan: Plan, findings: Findings, splitting: Splitting, progress: Progress | None = None
) -> FileResult | None:
    """The verdict on one file that can be split, as if it was read in one go.

    None, with `findings` as they were, when it has to be read in one go: so much is wrong that it ends where that
    shows, or a compressed file can't be cut. Raises UnreadableInput and WorkerLost.
    """
    subject = subject_of(plan, file, Opened(file, "json", "lines"))
    kept, groups, most = len(findings.kept), findings.groups.copy(), current_limits().invalid_documents
    merge = Merge(file, findings)
    merge.note(subject.faults)
    fork = can_fork()
    # What is sent along with its bytes is larger than a pipe holds.
    ahead = {"ahead": 1} if is_compressed(file) else {}
    handed_out: deque[Range] = deque()

    def tasks() -> Iterator[_RangeTask]:
        for part in split_ranges(Path(file), splitting.range_bytes):
            handed_out.append(part)
            yield _RangeTask(part, findings.room)

    in_one_go = False
    work = partial(_work, file, plan, subject, fork)
    with Workers(splitting.jobs - 1, work, fork=fork, **ahead) as workers:
        try:
            for checked in workers.results(tasks()):
                merge.add(checked, handed_out.popleft())
                if progress:
                    progress(file, merge.counts.items)
                if not merge.complete or merge.counts.invalid > most:
                    break
        except NotInRanges:
            in_one_go = True
    if in_one_go or merge.counts.invalid > most:
        del findings.kept[kept:]
        findings.groups = groups
        return None
    result = merge.finish(subject.kind)
    _note_judges_of_all(plan, result)
    return result


def _note_judges_of_all(plan: Plan, result: FileResult) -> None:
    """Note here what the other processes judged by."""
    envelopes = [str(plan.item_contract)] if plan.by_item else []
    note_judges(plan.catalogue, [*envelopes, *(label for label, _ in result.contracts)])
    for source in filter(None, (plan.told.input, plan.told.expected_output)):
        note_judge(plan.catalogue, source.schema, source.own.values())


def _work(file: str, plan: Plan, subject: Subject, forked: bool) -> Callable[[_RangeTask], CheckedPart]:
    judge, asks = judge_of(plan, subject), hash_of_input if forked else digest_of_input
    return lambda task: check_part(file, task.where, plan, judge, task.room, asks)
