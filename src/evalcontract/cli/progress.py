"""A progress line on standard error, for people who wait longer than a moment."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.status import Status

_PATIENCE_SECONDS = 1.0
_STEP_SECONDS = 0.1


class Progress:
    """Shows nothing unless standard error is a terminal and the work takes longer than a second.

    Leaving the block on Ctrl-C says how far the work got.
    """

    def __init__(self) -> None:
        self._started = self._shown = time.monotonic()
        self._status: Status | None = None
        self._reached: tuple[str, int] | None = None

    def update(self, file: str, items: int) -> None:
        """Called now and then with the file at hand and the number of its items done."""
        self._reached = file, items
        now = time.monotonic()
        if (
            now - self._started < _PATIENCE_SECONDS
            or now - self._shown < _STEP_SECONDS
            or sys.stderr is None
            or not sys.stderr.isatty()
        ):
            return
        self._shown = now
        if self._status is None:
            from rich.console import Console

            self._status = Console(stderr=True).status("")
            self._status.start()
        from rich.text import Text

        self._status.update(Text(f"{file}: {items:,} items"))

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()
        if isinstance(error, KeyboardInterrupt) and self._reached:
            file, items = self._reached
            print(f"stopped after {items:,} items of {file}", file=sys.stderr)
