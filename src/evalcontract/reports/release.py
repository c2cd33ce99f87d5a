"""Reports of the check of a release: for people, as JSON, and as a run for the other formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from evalcontract.checking import FileResult, RunResult
from evalcontract.release import Outcome, PathRow, ReleaseReport
from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.github import github
from evalcontract.reports.json_text import json_text
from evalcontract.reports.junit import junit
from evalcontract.reports.sarif import sarif
from evalcontract.reports.tables import aligned
from evalcontract.reports.text import finding, paint
from evalcontract.values import counted, visible

_RED, _YELLOW, _GREEN, _BOLD, _DIM = "31", "33", "32", "1", "2"
_COLOURS = {"pass": _GREEN, "fail": _RED, "waived": _YELLOW, "n/a": _DIM}
_SHOWN = 10
_STATUS_WIDTH = len("waived")


def release_text(report: ReleaseReport, look: Look = PLAIN) -> str:
    """Each check with its outcome, what is notable about the paths (or every one), the verdict."""
    return "\n".join(_lines(report, look)) + "\n"


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
        "checks": [asdict(outcome) for outcome in report.outcomes],
        "paths": [asdict(row) for row in report.paths],
        "paths_left_out": report.paths_left_out,
        "gone": list(report.gone),
        "notes": list(report.notes),
    }
    return json_text(document)


def as_run(report: ReleaseReport) -> RunResult:
    """The release as a run over one file, each failed check giving its findings."""
    failed = [outcome for outcome in report.outcomes if outcome.status == "fail"]
    errors = sum(max(outcome.findings, 1) for outcome in failed if outcome.severity == "error")
    advices = sum(max(outcome.findings, 1) for outcome in failed if outcome.severity == "advice")
    invalid = len({item for outcome in report.failures for item in outcome.items})
    file = FileResult(report.file, "release", report.items, invalid, errors, advices, ())
    return RunResult((file,), tuple(report.violations()), strict=report.strict)


def release_github(report: ReleaseReport) -> str:
    """Annotations, then the verdict."""
    return github(as_run(report)) + verdict(report) + "\n"


def release_junit(report: ReleaseReport) -> str:
    """A suite with a failed case for each finding."""
    return junit(as_run(report))


def release_sarif(report: ReleaseReport) -> str:
    """A run with a result for each finding."""
    return sarif(as_run(report))


def verdict(report: ReleaseReport) -> str:
    """The report in one line, waivers with their reasons included."""
    counts = {status: sum(outcome.status == status for outcome in report.outcomes) for status in _COLOURS}
    advices = sum(outcome.status == "fail" for outcome in report.outcomes) - len(report.failures)
    name = visible(str(report.name or report.file))
    failed = ", ".join(outcome.code for outcome in report.failures)
    said = [f"failed: {name} may not go out: {failed}" if failed else f"ok: {name} may go out"]
    said += [
        f"waived: {outcome.code} ({visible(outcome.waiver or '')})"
        for outcome in report.outcomes
        if outcome.status == "waived"
    ]
    numbers = [f"{counts['pass']} passed"]
    numbers += [counted(advices, "advice")] if advices else []
    numbers += [f"{counts['n/a']} not applicable"] if counts["n/a"] else []
    return visible("; ".join([*said, ", ".join(numbers)]))


def _lines(report: ReleaseReport, look: Look) -> Iterator[str]:
    colour = look.colour
    yield paint(_heading(report), _BOLD, colour)
    rows = [
        (
            paint(_status(outcome).ljust(_STATUS_WIDTH), _COLOURS[outcome.status], colour),
            visible(outcome.code),
            # The findings follow, each in full: the reason would say the first of them once more.
            counted(outcome.findings, "finding") if outcome.violations else visible(outcome.reason),
        )
        for outcome in report.outcomes
    ]
    for outcome, row in zip(report.outcomes, aligned(rows, indent="  "), strict=True):
        yield row
        if outcome.status in ("fail", "waived"):
            yield from _details(outcome, colour)
    yield from _path_lines(report, look.every_path)
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
    for violation in outcome.violations[:_SHOWN]:
        yield from (f"          {line}" for line in finding(violation, colour=colour))
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
    rows = [(row, _remarks(row, report.items)) for row in report.paths]
    shown = [(row, remarks) for row, remarks in rows if every or {"only null", "new"} & set(remarks)]
    if not shown and not report.gone:
        return
    yield "paths" if every else "paths to look at (--paths shows all)"
    yield from aligned(
        (
            (visible(row.path), f"{row.items:,} of {report.items:,}", ", ".join(remarks))
            for row, remarks in shown
        ),
        right=(1,),
        indent="  ",
    )
    for path in report.gone:
        yield f"  {visible(path)}  gone"
    if report.paths_left_out:
        yield "  and more paths than are kept"


def _remarks(row: PathRow, items: int) -> list[str]:
    said = ["new"] if row.before is False else []
    said += ["only null"] if row.filled == 0 else []
    said += ["in some items only"] if row.items < items else []
    return said
