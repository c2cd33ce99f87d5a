"""Words that several reports share."""

from __future__ import annotations

from evalcontract.checking import Group, RunResult
from evalcontract.validation import Violation
from evalcontract.values import counted, listed, visible


def place(violation: Violation) -> str:
    """`file:line:column`, as far as it is known."""
    parts = [violation.file or "-"]
    if violation.line is not None:
        parts += [str(violation.line), str(violation.column or 1)]
    return visible(":".join(parts))


def sentence(violation: Violation) -> str:
    """Pointer, message and hint in one line."""
    pointer = f"{violation.pointer}: " if violation.pointer else ""
    hint = f" ({violation.hint})" if violation.hint else ""
    return visible(f"{pointer}{violation.message}{hint}")


def rest(group: Group) -> str:
    """Findings that are only counted, in one line."""
    where = f" at {group.place}" if group.place else ""
    return visible(f"{group.file}: {counted(group.count, 'more ' + group.severity)}: {group.code}{where}")


def left_out(result: RunResult) -> str:
    """Files that were named and not looked at, in one line; empty when there are none."""
    if not result.skipped:
        return ""
    by_reason: dict[str, list[str]] = {}
    for file, reason in result.skipped:
        by_reason.setdefault(reason, []).append(file)
    said = (f"{reason}: {listed(files)}" for reason, files in by_reason.items())
    return visible(f"{counted(len(result.skipped), 'file')} not looked at, {'; '.join(said)}")


def outcome(result: RunResult) -> str:
    """The run in one line."""
    files = counted(len(result.files), "file")
    found = [counted(result.errors, "error")] if result.errors else []
    found += [counted(result.advices, "advice")] if result.advices else []
    found += [f"{counted(len(result.unreadable), 'file')} not readable"] if result.unreadable else []
    verdict = "ok" if result.exit_code == 0 else "failed"
    return f"{verdict}: {counted(result.items, 'item')} in {files}" + (
        f", {', '.join(found)}" if found else ""
    )
