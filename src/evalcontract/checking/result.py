"""What a run found, as values for the reports."""

from __future__ import annotations

from dataclasses import dataclass

from evalcontract.validation import Violation
from evalcontract.values import Displayed


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
class RunResult(Displayed):
    """The verdict on everything that a run was asked to check.

    `violations` are the first findings in full, in the order of the files; `groups` count the rest.
    `unreadable` are files that could not be read at all, with the reason; `skipped` files that were named, but
    whose names say no format that is read. `layers` are those of the catalogue that judged, where it isn't the
    built-in one alone.
    """

    files: tuple[FileResult, ...]
    violations: tuple[Violation, ...]
    groups: tuple[Group, ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()
    strict: bool = False
    layers: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()

    @property
    def errors(self) -> int:
        """The number of errors, those that are only counted included."""
        return sum(file.errors for file in self.files)

    @property
    def advices(self) -> int:
        """The number of advices, those that are only counted included."""
        return sum(file.advices for file in self.files)

    @property
    def items(self) -> int:
        """The number of items or documents that were checked."""
        return sum(file.items for file in self.files)

    @property
    def exit_code(self) -> int:
        """0 clean, 1 violations, 2 when something could not be read."""
        if self.unreadable:
            return 2
        return 1 if self.errors or (self.strict and self.advices) else 0
