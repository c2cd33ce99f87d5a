"""What a run found, as values for the reports."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from evalcontract.validation import Violation

_INDEX = re.compile(r"/[0-9]+(?=/|$)")


@dataclass(frozen=True, slots=True)
class FileResult:
    """The verdict on one file. `contracts` counts its items by the contract they were checked against.

    `errors` and `advices` count findings; `invalid` counts the items with at least one error.
    """

    file: str
    kind: str
    items: int
    invalid: int
    errors: int
    advices: int
    contracts: tuple[tuple[str, int], ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """Findings beyond those given in full: how many of one code at one kind of place in one file."""

    file: str
    code: str
    place: str
    severity: str
    count: int


@dataclass(frozen=True, slots=True)
class RunResult:
    """The verdict on everything that a run was asked to check.

    `violations` are the first findings in full, in the order of the files; `groups` count the rest.
    `unreadable` are files that could not be read at all, with the reason.
    """

    files: tuple[FileResult, ...]
    violations: tuple[Violation, ...]
    groups: tuple[Group, ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()
    strict: bool = False

    @property
    def errors(self) -> int:
        """The number of errors, those that are only counted included."""
        return sum(each.errors for each in self.files)

    @property
    def advices(self) -> int:
        """The number of advices, those that are only counted included."""
        return sum(each.advices for each in self.files)

    @property
    def items(self) -> int:
        """The number of items or documents that were checked."""
        return sum(each.items for each in self.files)

    @property
    def exit_code(self) -> int:
        """0 clean, 1 violations, 2 when something could not be read."""
        if self.unreadable:
            return 2
        return 1 if self.errors or (self.strict and self.advices) else 0


@dataclass(slots=True)
class Findings:
    """Collects findings: the first `limit` in full, the rest counted by code and place."""

    limit: int
    kept: list[Violation] = field(default_factory=list)
    groups: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)

    def add(self, violations: Iterable[Violation]) -> None:
        """Keep or count each finding."""
        for each in violations:
            if len(self.kept) < self.limit:
                self.kept.append(each)
            else:
                place = _INDEX.sub("/*", each.pointer)
                self.groups[each.file or "", each.code, place, each.severity] += 1

    @property
    def full(self) -> bool:
        """Whether further findings are only counted."""
        return len(self.kept) >= self.limit

    def counted(self) -> tuple[Group, ...]:
        """The findings that are not given in full, most frequent first within a file."""
        return tuple(
            Group(file, code, place, severity, count)
            for (file, code, place, severity), count in sorted(
                self.groups.items(), key=lambda each: (each[0][0], -each[1], each[0])
            )
        )
