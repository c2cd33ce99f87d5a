"""A progress line on standard error, for people who wait longer than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from evalcontract.files import size_of

if TYPE_CHECKING:
    from rich.status import Status

_PATIENCE_SECONDS = 1.0
_STEP_SECONDS = 0.1
_LEAST_SHARE = 0.01
"""Of less that was read, nothing can be said of the time that is left."""


class Progress:
    """Shows nothing unless standard error is a terminal and the work takes longer than a second.

    `files` are all that will be read, so that the time that is left can be told; without them, and for what has no
    size, only the rate is. Leaving the block on Ctrl-C says how far the work got.
    """

    def __init__(self, files: Iterable[object] = ()) -> None:
        self._started = self._shown = time.monotonic()
        self._status: Status | None = None
        self._reached: tuple[str, int] | None = None
        self._sizes = {str(file): size_of(str(file)) for file in files}
        self._before: dict[str, int] = {}
        """The items of the files that are done."""

    def update(self, file: str, items: int) -> None:
        """Called now and then with the file at hand and the number of its items done."""
        if self._reached is not None and self._reached[0] != file:
            self._before[self._reached[0]] = self._reached[1]
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

        self._status.update(Text(self.line(file, items, now - self._started)))

    def line(self, file: str, items: int, seconds: float) -> str:
        """What is shown after so many seconds: how far the work is, its rate, and the time that is left."""
        from evalcontract.values import visible

        rate = (sum(self._before.values()) + items) / seconds
        said = f"{visible(file)}: {items:,} items, {rate:,.0f} a second"
        share = self._share(file)
        if share is None or share < _LEAST_SHARE:
            return said
        return f"{said}, {share:.0%} read, {_duration(seconds / share - seconds)} left"

    def _share(self, file: str) -> float | None:
        """How much of all files was read; None where a size isn't known."""
        from evalcontract.reading import share_read

        here = share_read(file)
        if here is None or file not in self._sizes or None in self._sizes.values():
            return None
        sizes = {name: size for name, size in self._sizes.items() if size is not None}
        done = sum(size for name, size in sizes.items() if name in self._before and name != file)
        return (done + here * sizes[file]) / sum(sizes.values())

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


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"
