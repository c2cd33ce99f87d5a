"""What a conversion has to say beside its result. Printing it is someone else's job."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that was derived, left out or can't be known. `pointer` is the place in the source."""

    code: str
    message: str
    pointer: str = ""
    hint: str | None = None

    def __str__(self) -> str:
        where = f"{self.pointer}: " if self.pointer else ""
        return f"{where}{self.message}" + (f" ({self.hint})" if self.hint else "")
