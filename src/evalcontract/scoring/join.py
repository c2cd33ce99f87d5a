"""Records by item_id, on disk: only ids and offsets are held in memory."""

from __future__ import annotations

import tempfile
from types import TracebackType

_IN_MEMORY_BYTES = 32 << 20


class Spool:
    """The records of one file, each to be taken once by its item_id; what is not taken stays listed."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0

    def add(self, item_id: str, raw: bytes) -> None:
        """Keep one record's JSON text. The ids must differ."""
        self._file.seek(self._end)
        self._file.write(raw)
        self._places[item_id] = (self._end, len(raw))
        self._end += len(raw)

    def take(self, item_id: str) -> bytes | None:
        """The record of an item, None when there is none (any more)."""
        place = self._places.pop(item_id, None)
        if place is None:
            return None
        self._file.seek(place[0])
        return self._file.read(place[1])

    def first(self) -> bytes | None:
        """The first record that nobody has taken."""
        for start, size in self._places.values():
            self._file.seek(start)
            return self._file.read(size)
        return None

    @property
    def left(self) -> tuple[str, ...]:
        """The ids that nobody has taken, in the order of the file."""
        return tuple(self._places)

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
