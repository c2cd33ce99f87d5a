"""Reports of the check of a release: for people, as JSON, and as a run for the other formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from evalcontract.checking.result import FileResult, RunResult
from evalcontract.release.report import Outcome, PathRow, ReleaseReport
from evalcontract.reports.github import github
from evalcontract.reports.junit import junit
from evalcontract.reports.sarif import sarif
from evalcontract.reports.text import finding, paint
from evalcontract.reports.wording import visible
from evalcontract.validation.describe import counted

_RED, _YELLOW, _GREEN, _BOLD, _DIM = "31", "33", "32", "1", "2"
_COLOURS = {"pass": _GREEN, "fail": _RED, "waived": _YELLOW, "n/a": _DIM}
_SHOWN = 10


def release_text(report: ReleaseReport, *, colour: bool = False, paths: bool = False) -> str:
    """Each check with its outcome, what is notable about the paths (with `paths`, all of them), the verdict."""
    return "\n".join(_lines(report, colour, paths)) + "\n"


def release_json(report: ReleaseReport) -> str:
    """Keys: ok, exit_code, file, name, kind, previous, items, checks, paths, gone, notes."""
    document: dict[str, Any] = {
        "ok": report.ok,
        "exit_code": report.exit_code,
        "file": report.file,
        "name": str(report.name) if report.name else None,
        "kind": report.kind,
        "previous": report.previous,
        "previous_version": report.previous_version,
        "items": report.items,
        "strict": report.strict,
        "checks": [asdict(each) for each in report.outcomes],
        "paths": [asdict(each) for each in report.paths],
        "paths_left_out": report.paths_left_out,
        "gone": list(report.gone),
        "notes": list(report.notes),
    }
    return json.dumps(document, indent=2) + "\n"


def as_run(report: ReleaseReport) -> RunResult:
    """The release as a run over one file, each failed check giving its findings."""
    failed = [each for each in report.outcomes if each.status == "fail"]
    errors = sum(max(each.findings, 1) for each in failed if each.severity == "error")
    advices = sum(max(each.findings, 1) for each in failed if each.severity == "advice")
    invalid = len({item for each in report.failures for item in each.items})
    file = FileResult(report.file, "release", report.items, invalid, errors, advices, ())
    return RunResult((file,), tuple(report.violations()), strict=report.strict)


RELEASE_FORMATS: dict[str, Callable[[ReleaseReport], str]] = {
    "text": release_text,
    "json": release_json,
    "github": lambda report: github(as_run(report)) + verdict(report) + "\n",
    "junit": lambda report: junit(as_run(report)),
    "sarif": lambda report: sarif(as_run(report)),
}


def verdict(report: ReleaseReport) -> str:
    """The report in one line, waivers with their reasons included."""
    counts = {status: sum(each.status == status for each in report.outcomes) for status in _COLOURS}
    advices = sum(each.status == "fail" for each in report.outcomes) - len(report.failures)
    name = visible(str(report.name or report.file))
    failed = ", ".join(each.code for each in report.failures)
    said = [f"failed: {name} may not go out: {failed}" if failed else f"ok: {name} may go out"]
    said += [
        f"waived: {each.code} ({visible(each.waiver or '')})"
        for each in report.outcomes
        if each.status == "waived"
    ]
    numbers = [f"{counts['pass']} passed"]
    numbers += [counted(advices, "advice")] if advices else []
    numbers += [f"{counts['n/a']} not applicable"] if counts["n/a"] else []
    return "; ".join([*said, ", ".join(numbers)])


def _lines(report: ReleaseReport, colour: bool, paths: bool) -> Iterator[str]:
    yield paint(_heading(report), _BOLD, colour)
    width = max(len(each.code) for each in report.outcomes)
    for each in report.outcomes:
        status = paint(_status(each).ljust(6), _COLOURS[each.status], colour)
        # The findings follow, each in full: the reason would say the first of them once more.
        said = counted(each.findings, "finding") if each.violations else each.reason
        yield f"  {status}  {each.code.ljust(width)}  {visible(said)}"
        if each.status in ("fail", "waived"):
            yield from _details(each, colour)
    yield from _path_lines(report, paths)
    for note in report.notes:
        yield f"{paint('note:', _YELLOW, colour)} {visible(note)}"
    yield paint(verdict(report), _GREEN if report.ok else _RED, colour)


def _heading(report: ReleaseReport) -> str:
    kind = {"new": "a new dataset", "minor": "a minor release", "major": "a major release", None: "a release"}
    after = (
        f", after {report.previous_version or 'an unnamed version'} ({report.previous})"
        if report.previous
        else ""
    )
    name = report.name or "a dataset without a name"
    return visible(f"{name}: {kind[report.kind]} with {counted(report.items, 'item')}{after}")


def _status(outcome: Outcome) -> str:
    return "advice" if outcome.status == "fail" and outcome.severity == "advice" else outcome.status


def _details(outcome: Outcome, colour: bool) -> Iterator[str]:
    if outcome.waiver:
        yield f"          waived because: {visible(outcome.waiver)}"
    for each in outcome.violations[:_SHOWN]:
        yield from (f"          {line}" for line in finding(each, colour=colour))
    if outcome.violations and outcome.findings <= _SHOWN:
        return  # they say all that there is to say
    if outcome.violations:
        yield f"          and {outcome.findings - _SHOWN} more"
    for what, names in (("keys", outcome.keys), ("items", outcome.items)):
        if names:
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            yield f"          {what}: {visible(', '.join(names[:_SHOWN]))}{more}"
    if outcome.hint:
        yield f"          {paint('hint:', _DIM, colour)} {visible(outcome.hint)}"


def _path_lines(report: ReleaseReport, every: bool) -> Iterator[str]:
    rows = [(row, _remark(row, report.items)) for row in report.paths]
    shown = [(row, remark) for row, remark in rows if every or "only null" in remark or "new" in remark]
    if not shown and not report.gone:
        return
    width = max((len(visible(row.path)) for row, _ in shown), default=0)
    yield "paths" if every else "paths to look at (--paths shows all)"
    for row, remark in shown:
        yield f"  {visible(row.path).ljust(width)}  {row.items:,} of {report.items:,}  {remark}".rstrip()
    for path in report.gone:
        yield f"  {visible(path)}  gone"
    if report.paths_left_out:
        yield "  and more paths than are kept"


def _remark(row: PathRow, items: int) -> str:
    said = ["new"] if row.before is False else []
    said += ["only null"] if row.filled == 0 else []
    said += ["in some items only"] if row.items < items else []
    return ", ".join(said)
