"""Findings by their code, as pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalcontract.reports.pages.excerpts import Excerpt, excerpts, spot_of
from evalcontract.validation import Severity, Violation


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding and the line it is about, where that could be read."""

    violation: Violation
    excerpt: Excerpt | None


@dataclass(frozen=True, slots=True)
class OfCode:
    """The findings of one code and severity, in the order in which they were found."""

    code: str
    severity: Severity
    findings: tuple[Shown, ...]


def by_code(violations: Sequence[Violation]) -> tuple[OfCode, ...]:
    """Errors before advices, the code with the most findings first."""
    lines = excerpts(violations)
    groups: dict[tuple[str, Severity], list[Shown]] = {}
    for violation in violations:
        spot = spot_of(violation)
        shown = Shown(violation, lines.get(spot) if spot else None)
        groups.setdefault((violation.code, violation.severity), []).append(shown)
    made = (OfCode(code, severity, tuple(found)) for (code, severity), found in groups.items())
    return tuple(
        sorted(made, key=lambda group: (group.severity != "error", -len(group.findings), group.code))
    )


def choices(violations: Sequence[Violation]) -> tuple[list[str], list[str]]:
    """The files and the codes that findings can be filtered by, each sorted."""
    files = sorted({violation.file for violation in violations if violation.file})
    return files, sorted({violation.code for violation in violations})
