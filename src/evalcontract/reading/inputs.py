"""Which files a command's arguments mean."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from evalcontract.errors import UnreadableInput
from evalcontract.reading.sources import STDIN, SUFFIXES, what_is_read
from evalcontract.values import COMPRESSED_SUFFIXES


def find_inputs(arguments: Sequence[str | Path]) -> list[Path]:
    """The files meant, in the order of the arguments, each once; a folder's or a pattern's files sorted.

    A folder stands for the files below it with a suffix that is read; hidden files and folders are left
    out. "-" stands for standard input and comes back as `Path("-")`. A file named outright is taken
    whatever its suffix. Raises UnreadableInput for a path that doesn't exist and for a folder or a pattern
    without a matching file.
    """
    found: dict[Path, None] = {}
    for argument in arguments:
        found.update(dict.fromkeys(_expanded(str(argument))))
    return list(found)


def _expanded(argument: str) -> list[Path]:
    if not argument:
        raise UnreadableInput("an empty name is no file", hint="name a file, a folder or -")
    path = Path(argument)
    if argument == STDIN:
        return [path]
    if path.is_dir():
        files = sorted(_files_below(path))
        if not files:
            raise UnreadableInput(f"{path}: no file in this folder is read", hint=what_is_read())
        return files
    if path.exists():
        return [path]
    import glob  # late: patterns are rare

    if not glob.has_magic(argument):
        raise UnreadableInput(f"{path}: no such file or folder", hint="check the spelling and the folder")
    matches = (Path(match) for match in glob.glob(argument, recursive=True))
    files = sorted(match for match in matches if is_readable_name(match.name) and match.is_file())
    if not files:
        raise UnreadableInput(f"{argument}: no file that is read matches", hint=what_is_read())
    return files


def _files_below(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(parent, name)  # a pipe or a device in a folder is not data
            if not name.startswith(".") and is_readable_name(name) and path.is_file():
                yield path


def _refuse(error: OSError) -> None:
    raise UnreadableInput(f"{error.filename} can't be searched: {(error.strerror or 'refused').lower()}")


def is_readable_name(name: str) -> bool:
    """Whether the suffixes of a file name are a format that is read."""
    lowered = name.lower()
    for suffix in COMPRESSED_SUFFIXES:
        lowered = lowered.removesuffix(suffix)
    return lowered.endswith(SUFFIXES)
