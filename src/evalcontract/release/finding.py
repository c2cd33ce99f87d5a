"""What the run of one check gives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from evalcontract.validation import Violation

SHOWN = 20


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """Passed, failed or not applicable, why, and what it is about. `count` counts all findings."""

    status: Literal["pass", "fail", "n/a"]
    reason: str
    hint: str | None = None
    items: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    violations: tuple[Violation, ...] = ()
    count: int = 0


def passed(reason: str) -> CheckFinding:
    """The check passed."""
    return CheckFinding("pass", reason)


def not_applicable(reason: str) -> CheckFinding:
    """The check says nothing about this release."""
    return CheckFinding("n/a", reason)


def failed(
    reason: str,
    hint: str | None = None,
    *,
    items: Iterable[str] = (),
    keys: Iterable[str] = (),
    violations: Iterable[Violation] = (),
    count: int = 1,
) -> CheckFinding:
    """The check failed, for these items or keys."""
    return CheckFinding("fail", reason, hint, tuple(items)[:SHOWN], tuple(keys), tuple(violations), count)
