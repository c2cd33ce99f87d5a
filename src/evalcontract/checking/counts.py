"""What is counted of a file, or of a part of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from evalcontract.checking.result import FileResult
from evalcontract.validation import Violation


@dataclass(slots=True)
class Counts:
    """Items read, items with an error, findings by severity, and items by contract."""

    items: int = 0
    invalid: int = 0
    errors: int = 0
    advices: int = 0
    contracts: Counter[str] = field(default_factory=Counter)

    def found(self, violations: Iterable[Violation]) -> None:
        """Count findings by severity."""
        for violation in violations:
            if violation.severity == "advice":
                self.advices += 1
            else:
                self.errors += 1

    def add(self, other: Counts) -> None:
        """Add what was counted in a later part of the file."""
        self.items += other.items
        self.invalid += other.invalid
        self.errors += other.errors
        self.advices += other.advices
        self.contracts.update(other.contracts)

    def of_file(self, file: str, kind: str, complete: bool) -> FileResult:
        """The counts as the result of a file."""
        contracts = tuple(self.contracts.most_common())
        return FileResult(
            file, kind, self.items, self.invalid, self.errors, self.advices, contracts, complete
        )
