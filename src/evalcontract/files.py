"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from evalcontract.errors import UsageError

_SHOWN_OF_NAME = 40


def refuse_overwriting(
    outputs: Iterable[Iterable[Path] | Path | None], inputs: Iterable[Path | str | None]
) -> None:
    """Raise UsageError when a file that would be written is read, or is another output as well.

    An output is a path, or several: what is written together, the named one first. A path is the same under every
    spelling, through links of both kinds, and before anything is there. Of an input that is a folder, every file
    in it counts as read.
    """
    read = [Path(name) for name in inputs if name is not None]
    files = [path for path in read if not _is_folder(path)]
    folders = [Path(os.path.realpath(path)) for path in read if _is_folder(path)]
    before: list[Path] = []
    for output in outputs:
        together = [output] if isinstance(output, Path) else list(output or ())
        for path in together:
            if any(_are_same(path, file) for file in files) or _is_in(path, folders):
                raise UsageError(f"{path} is read and would be written", hint="choose another name")
            if any(_are_same(path, other) for other in before):
                raise UsageError(f"{path} would be written twice", hint="name two files")
        before += together


def size_of(name: str) -> int | None:
    """The bytes of a file. None for what has no size, such as a pipe or a folder, and for what can't be looked at."""
    try:
        return os.stat(name).st_size if os.path.isfile(name) else None
    except OSError:  # said when it is read
        return None


def _is_in(path: Path, folders: Iterable[Path]) -> bool:
    """Whether an output is a file in one of the folders, or one of them itself."""
    real = Path(os.path.realpath(path))
    if _is_folder(path):
        return real in folders
    return path.is_file() and any(real.is_relative_to(folder) for folder in folders)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _are_same(one: Path, other: Path) -> bool:
    try:
        if one.exists() and other.exists():
            return (one.is_file() or one.is_dir()) and one.samefile(other)
    except OSError:  # what can't be looked at is said to be so when it is opened
        return False
    return os.path.realpath(one) == os.path.realpath(other)


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
        import tempfile  # late: most commands write no file

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
