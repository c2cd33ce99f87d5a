"""What the check of a release found, as values for the reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from evalcontract.release.name import DatasetName
from evalcontract.validation import Severity, Violation
from evalcontract.values import Displayed

Status = Literal["pass", "fail", "waived", "n/a"]
Kind = Literal["new", "minor", "major"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one check said.

    `items` are the ids of the first items concerned, `keys` the keys or fields concerned, `violations` the
    first findings in full; `findings` counts all of them. `waiver` is the reason given for a waived failure.
    """

    code: str
    name: str
    why: str
    severity: Severity
    status: Status
    reason: str
    hint: str | None = None
    items: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    violations: tuple[Violation, ...] = ()
    findings: int = 0
    waiver: str | None = None

    @property
    def failed(self) -> bool:
        """Whether it fails the release: an advice doesn't, and neither does what was waived."""
        return self.status == "fail" and self.severity == "error"


@dataclass(frozen=True, slots=True)
class PathRow:
    """One path of the items: in how many it occurs, in how many with a value, and whether it did before.

    `before` is None where there is no previous release.
    """

    path: str
    items: int
    filled: int
    before: bool | None = None


@dataclass(frozen=True, slots=True)
class ReleaseReport(Displayed):
    """The verdict on a release: every check with its outcome, and a table of what the items hold.

    `kind` is None when the versions don't say whether it is a minor or a major release. `gone` are paths that
    only the previous release has. `paths_left_out` tells that there were too many paths for the table. `contracts` are
    what the items were checked against.
    """

    file: str
    name: DatasetName | None
    kind: Kind | None
    previous: str | None
    previous_version: str | None
    items: int
    outcomes: tuple[Outcome, ...]
    paths: tuple[PathRow, ...]
    gone: tuple[str, ...] = ()
    paths_left_out: bool = False
    notes: tuple[str, ...] = ()
    strict: bool = False
    contracts: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the release may go out."""
        return not any(self._fails(outcome) for outcome in self.outcomes)

    @property
    def exit_code(self) -> int:
        """0 when it may go out, 1 when it may not."""
        return 0 if self.ok else 1

    def outcome(self, code: str) -> Outcome:
        """The outcome of one check; KeyError when there is no such check."""
        for outcome in self.outcomes:
            if outcome.code == code:
                return outcome
        raise KeyError(code)

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """The outcomes for which the release may not go out."""
        return tuple(outcome for outcome in self.outcomes if self._fails(outcome))

    def violations(self) -> Iterator[Violation]:
        """Every finding that is kept in full, those of the checks as a whole included."""
        for outcome in self.outcomes:
            if outcome.status == "fail" and not outcome.violations:
                yield Violation(
                    outcome.code, outcome.reason, hint=outcome.hint, severity=outcome.severity, file=self.file
                )
            elif outcome.status == "fail":
                yield from outcome.violations

    def _fails(self, outcome: Outcome) -> bool:
        return outcome.failed or (self.strict and outcome.status == "fail")
