"""Records by item_id, on disk: only ids and offsets are held in memory."""

from __future__ import annotations

import tempfile
from types import TracebackType

_IN_MEMORY_BYTES = 32 << 20


class Spool:
    """The records of one file, to be taken once by their item_id; what is not taken stays listed."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115
        self._places: dict[str, tuple[int, ...]] = {}  # starts and sizes by turns
        self._end = 0
        self.most = 1
        """The greatest number of records that an item has."""

    def add(self, item_id: str, raw: bytes) -> None:
        """Keep one record's JSON text."""
        self._file.seek(self._end)
        self._file.write(raw)
        places = (*self._places.get(item_id, ()), self._end, len(raw))
        self._places[item_id] = places
        self.most = max(self.most, len(places) // 2)
        self._end += len(raw)

    def take(self, item_id: str) -> tuple[bytes, ...]:
        """The records of an item in the order of the file, none when there is none (any more)."""
        return self._read(self._places.pop(item_id, ()))

    def first(self) -> bytes | None:
        """The first record that nobody has taken."""
        return next((self._read(places)[0] for places in self._places.values()), None)

    def _read(self, places: tuple[int, ...]) -> tuple[bytes, ...]:
        found = []
        for start, size in zip(places[::2], places[1::2], strict=True):
            self._file.seek(start)
            found.append(self._file.read(size))
        return tuple(found)

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
