"""Where a command's text goes: to standard output, or to a file that appears whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from evalcontract.errors import UsageError


def emit(text: str, output: Path | None) -> None:
    """Print `text`, or write it to `output`."""
    if output is None:
        sys.stdout.write(_encodable(text))
    else:
        write_whole(output, text.encode())


def write_whole(path: Path, content: bytes) -> None:
    """Write beside the file and rename: an older file stays until the new one is complete."""
    with Draft(path) as draft:
        draft.write(content)
        draft.keep()


class Draft:
    """A file that is written beside its place and takes it only when it is kept.

    Raises UsageError when it can't be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._refusals():
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        self._beside = Path(name)
        self._file = os.fdopen(handle, "wb")

    def write(self, content: bytes) -> None:
        """Add to the file."""
        with self._refusals():
            self._file.write(content)

    def keep(self) -> None:
        """Put the file in its place."""
        with self._refusals():
            self._file.close()
            self._beside.chmod(_mode(self._path))
            os.replace(self._beside, self._path)

    def __enter__(self) -> Draft:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._file.close()
        self._beside.unlink(missing_ok=True)

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = (error.strerror or "refused").lower()
            raise UsageError(f"{self._path} can't be written: {reason}") from error


def is_terminal() -> bool:
    """Whether standard output shows colours to a person."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _mode(path: Path) -> int:
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _encodable(text: str) -> str:
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
