"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from evalcontract.errors import UsageError

_SHOWN_OF_NAME = 40


def refuse_input(outputs: Iterable[Path | None], inputs: Iterable[Path | str | None]) -> None:
    """Raise UsageError when a file that would be written is one that is read."""
    read = [Path(each) for each in inputs if each is not None]
    for output in outputs:
        if output is None or not output.is_file():
            continue
        if any(each.exists() and each.samefile(output) for each in read):
            raise UsageError(f"{output} is read and would be written", hint="choose another name")


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write beside `path` that is renamed at the end: an older file stays until then.

    Nothing is left behind when the block fails. A symbolic link stays one, and what it leads to is written;
    a device or a pipe is written as it goes. Raises UsageError when the file can't be written.
    """
    if str(path) == "-":
        raise UsageError("this can't be written to standard output", hint="name a file")
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder, not a file", hint="name a file in it")
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        target = Path(os.path.realpath(path))
        if target.exists() and not os.access(target, os.W_OK):
            raise UsageError(f"{path} can't be written: it is read-only", hint="choose another name")
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:_SHOWN_OF_NAME]}.")
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            Path(name).chmod(_mode(target))
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        reason = (error.strerror or "refused").lower()
        hint = "does its folder exist?" if isinstance(error, FileNotFoundError) else None
        raise UsageError(f"{path} can't be written: {reason}", hint=hint) from error


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
