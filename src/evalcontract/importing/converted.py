"""What a row became: the parts of an item and of a record, and how they are filled."""

from __future__ import annotations

from dataclasses import dataclass, field

from evalcontract.importing.row import Row
from evalcontract.importing.targets import TargetField
from evalcontract.importing.values import Path, Refused, put, source_name
from evalcontract.validation import Violation


@dataclass(slots=True)
class ConvertedRow:
    """What a row gave: the parts of an item and of a record, what is kept, and what is wrong.

    `used` tells for each filled field which source it came from, `empty` which columns have an empty cell here.
    `item` has no id and no metadata yet, unless the mapping fills raw_metadata.
    """

    row: Row
    item: dict[str, object] = field(default_factory=dict)
    record: dict[str, object] = field(default_factory=dict)
    item_id: str | None = None
    id_source: Path | None = None
    used: dict[TargetField, Path] = field(default_factory=dict)
    kept: dict[str, object] = field(default_factory=dict)
    dropped: set[Path] = field(default_factory=set)
    empty: list[str] = field(default_factory=list)
    findings: list[Violation] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether something in the row is wrong."""
        return any(finding.severity == "error" for finding in self.findings)


@dataclass(frozen=True, slots=True)
class ConversionRequest:
    """What the caller asks of a conversion: prediction records too, keys kept without a question."""

    predictions: bool = False
    delimiter: str | None = None
    keep: frozenset[Path] = frozenset()


def fill(found: ConvertedRow, target: TargetField, value: object, source: Path) -> None:
    """Set a field to what a source gave; a finding when another source did before."""
    if target in found.used:
        found.findings.append(twice(found.row, [found.used[target], source], str(target)))
        return
    found.used[target] = source
    put(found.item if target.part == "item" else found.record, target.path, value)


def refusal(row: Row, path: Path, refused: Refused) -> Violation:
    """A value that its transform refused, at its place in the row."""
    return row.violation(
        "wrong-type",
        refused.message,
        (*path, *refused.below),
        expected=refused.expected,
        actual=refused.actual,
        hint=refused.hint,
    )


def twice(row: Row, paths: list[Path], target: str) -> Violation:
    """Several sources of one field."""
    names = " and ".join(source_name(path) for path in paths)
    return row.violation(
        "two-sources",
        f"{names} both fill {target}",
        paths[-1],
        hint="keep one of them, or map them to different fields in a mapping of your own",
    )
