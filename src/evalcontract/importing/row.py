"""One row of a file, and what else a reader of rows gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evalcontract.errors import UnreadableInput
from evalcontract.importing.values import Path as SourcePath
from evalcontract.reading import Position
from evalcontract.validation import Violation
from evalcontract.values import pointer


@dataclass(frozen=True, slots=True)
class Row:
    """One row: an object of values, or of the text of cells. `number` counts from 1.

    `count` is how many rows of the file it is made of. `place` gives the position of what a JSON pointer into the row
    means, None where there is none.
    """

    value: dict[str, object]
    number: int
    file: str
    place: Callable[[str], Position | None]
    cells: bool = False
    count: int = 1

    def violation(
        self,
        code: str,
        message: str,
        path: SourcePath = (),
        *,
        expected: str | None = None,
        actual: str | None = None,
        hint: str | None = None,
        severity: str = "error",
    ) -> Violation:
        """A finding about this row, at its place in the file."""
        at = pointer(path)
        position = self.place(at)
        return Violation(
            code,
            message,
            at,
            expected=expected,
            actual=actual,
            hint=hint,
            severity="advice" if severity == "advice" else "error",
            item_id=f"row {self.number}",
            file=self.file,
            line=position.line if position else None,
            column=position.column if position else None,
        )


@dataclass(frozen=True, slots=True)
class Outside:
    """What of the document stands beside its rows, by key."""

    members: dict[str, object]


RowEvent = Row | Violation | Outside


def always(position: Position | None) -> Callable[[str], Position | None]:
    """The place of a row whose values have no places of their own."""
    return lambda _: position


def unreadable(path: Path, error: OSError) -> UnreadableInput:
    """The error of a file that the system doesn't open."""
    return UnreadableInput(f"{path}: {(error.strerror or 'unreadable').lower()}", hint="check the path")
