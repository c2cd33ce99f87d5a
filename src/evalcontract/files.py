"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from evalcontract.errors import UsageError


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write beside `path` that is renamed at the end: an older file stays until then.

    Nothing is left behind when the block fails. Raises UsageError when the file can't be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            Path(name).chmod(_mode(path))
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(f"{path} can't be written: {(error.strerror or 'refused').lower()}") from error


def write_whole(path: Path, content: bytes) -> None:
    """Write one file; see `whole_file`."""
    write_all({path: content})


def write_all(outputs: Mapping[Path, bytes]) -> None:
    """Write every file beside its place first, then rename them all; see `whole_file`."""
    with ExitStack() as stack:
        for path, content in outputs.items():
            stack.enter_context(whole_file(path)).write(content)


def _mode(path: Path) -> int:
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
