"""What breaks the freeze of released schemas, as text, json or workflow commands."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from evalcontract.evolution.versions import Verified
from evalcontract.reports.formats import PLAIN, Look
from evalcontract.reports.github import command
from evalcontract.reports.json_text import json_text
from evalcontract.values import counted, visible


@dataclass(frozen=True, slots=True)
class FreezeReport:
    """What breaks the freeze of released schemas; `folder` is the schemas'."""

    verified: Verified
    folder: str

    @property
    def exit_code(self) -> int:
        """0, or 1 when the freeze doesn't hold."""
        return 1 if self.verified.problems else 0


def freeze_text(report: FreezeReport, look: Look = PLAIN) -> str:
    """One line a problem, with the way out; then what was looked at."""
    lines = [
        f"{report.folder}/{problem.file}: {problem.check}: {problem.message} ({problem.hint})"
        for problem in report.verified.problems
    ]
    return "".join(f"{visible(line)}\n" for line in (*lines, *_looked_at(report.verified)))


def _looked_at(found: Verified) -> list[str]:
    """The outcome, and the commits that it holds of."""
    state = counted(len(found.problems), "problem") if found.problems else "the freeze holds"
    return [
        f"{state}; checked: {', '.join(found.checked)}",
        *(f"history: {looked}" for looked in found.looked_at),
    ]


def freeze_json(report: FreezeReport) -> str:
    """Keys: ok, checked, looked_at, folder, problems. Files are those inside the folder of schemas."""
    document = {
        "ok": not report.verified.problems,
        "checked": list(report.verified.checked),
        "looked_at": list(report.verified.looked_at),
        "folder": report.folder,
        "problems": [asdict(problem) for problem in report.verified.problems],
    }
    return json_text(document)


def freeze_github(report: FreezeReport) -> str:
    """One annotation a problem, then what was looked at."""
    lines = [
        command(
            "error",
            {"file": f"{report.folder}/{problem.file}", "title": f"evalcontract {problem.check}"},
            f"{problem.message} ({problem.hint})",
        )
        for problem in report.verified.problems
    ]
    return "".join(f"{line}\n" for line in (*lines, *map(visible, _looked_at(report.verified))))
