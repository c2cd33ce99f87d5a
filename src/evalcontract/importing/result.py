"""What an import or an export did, as values for the reports."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from evalcontract.catalog import Catalogue
from evalcontract.checking import Findings, Group
from evalcontract.errors import ContractViolation
from evalcontract.reading import current_limits, too_many_invalid
from evalcontract.validation import Violation

MAX_FINDINGS = 1000


@dataclass(frozen=True, slots=True)
class KeyFate:
    """What became of one key: where it went, and in how many rows or items it stood."""

    key: str
    fate: str
    to: str | None
    count: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """The outcome of an import or an export. Nothing was written when there are errors.

    `came` rows or items were read, `went` were written, in the files `outputs`.
    """

    direction: str
    file: str
    mapping: str
    came: int
    went: int
    keys: tuple[KeyFate, ...]
    findings: tuple[Violation, ...]
    groups: tuple[Group, ...]
    notes: tuple[str, ...]
    outputs: tuple[str, ...]
    failed: bool

    @property
    def exit_code(self) -> int:
        """0 when everything was written, 1 otherwise."""
        return 1 if self.failed else 0


@dataclass(slots=True)
class Ledger:
    """Collects what is found and counts what becomes of the keys."""

    findings: Findings = field(default_factory=lambda: Findings(MAX_FINDINGS))
    keys: Counter[tuple[str, str, str | None]] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    errors: int = 0

    def add(self, *found: Violation) -> None:
        """Keep or count findings."""
        self.findings.add(found)
        self.errors += sum(violation.severity == "error" for violation in found)
        if self.errors > current_limits().invalid_documents:
            message, hint = too_many_invalid(current_limits())
            raise ContractViolation(message, violations=tuple(self.findings.kept), hint=hint)

    def note_layers(self, catalogue: Catalogue) -> None:
        """Say which layers judged, where it isn't the built-in one alone."""
        if catalogue.labels:
            self.notes.append(f"layers: {', '.join(catalogue.labels)}")

    def count(self, key: str, fate: str, to: str | None = None) -> None:
        """One row or item more in which this became of the key."""
        self.keys[key, fate, to] += 1

    def transfer(
        self, direction: str, file: str, mapping: str, came: int, went: int, outputs: tuple[str, ...]
    ) -> Transfer:
        """The outcome. `outputs` and `went` are left out when something is wrong."""
        order = {fate: index for index, fate in enumerate(("mapped", "kept", "dropped", "empty"))}
        keys = tuple(
            KeyFate(key, fate, to, count)
            for (key, fate, to), count in sorted(self.keys.items(), key=lambda item: order[item[0][1]])
        )
        failed = self.errors > 0
        return Transfer(
            direction,
            file,
            mapping,
            came,
            0 if failed else went,
            keys,
            tuple(self.findings.kept),
            self.findings.counted(),
            tuple(self.notes),
            () if failed else outputs,
            failed,
        )
