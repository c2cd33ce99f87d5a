"""What is wrong with a document, as a value. Printing it is someone else's job."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from evalcontract.values import pointer

Severity = Literal["error", "advice"]
MOST_FINDINGS = 10_000
"""How much is told of one document. Who corrects that much by hand is helped by less."""
Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which a document breaks its contract, or one advice about it.

    `pointer` is the JSON pointer of the value; for a missing property, of the place where it should be.
    `expected` and `actual` are short descriptions, at most 80 characters. `file`, `line` and `column`
    (from 1, in characters) are given when the document was read from a file, `item_id` when it is an item.
    """

    code: str
    message: str
    pointer: str = ""
    keyword: str | None = None
    schema_pointer: str | None = None
    expected: str | None = None
    actual: str | None = None
    hint: str | None = None
    severity: Severity = "error"
    contract: str | None = None
    item_id: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        where = f"{self.pointer or '(document)'}: "
        return f"{where}{self.message}" + (f" ({self.hint})" if self.hint else "")


def advice(code: str, message: str, path: Steps, hint: str | None = None) -> Violation:
    """An advice about the value at `path`."""
    return Violation(code, message, pointer(path), hint=hint, severity="advice")


def bounded(found: Iterable[Violation]) -> Iterator[Violation]:
    """What was found in one document, up to a number: one more violation says that there is more."""
    for number, violation in enumerate(found):
        if number == MOST_FINDINGS:
            message = f"more than {MOST_FINDINGS:,} findings about one document: the rest was not looked for"
            yield Violation("too-many-findings", message, hint="correct what all of them share")
            return
        yield violation
