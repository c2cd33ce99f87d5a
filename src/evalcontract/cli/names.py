"""Names of files that a command can't mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evalcontract.errors import UnreadableInput, UsageError
from evalcontract.reading import STDIN, what_is_read
from evalcontract.values import listed

_IMPORT = "evalcontract import turns the rows into items: evalcontract import {} --map golden -o items.jsonl"
_OTHER_KINDS = {
    ".csv": _IMPORT,
    ".tsv": _IMPORT,
    ".parquet": "evalcontract convert {} items.jsonl writes it as JSON Lines",
    ".xlsx": "save the sheet as CSV, then see evalcontract import",
}
"""Data in formats that most commands don't read, and what to do with it."""


@dataclass(frozen=True, slots=True)
class Named:
    """What the arguments of a command that takes many files come to.

    `unreadable` are names with the reason why nothing is read there, `skipped` files named outright whose names
    say no format that is read.
    """

    files: tuple[str, ...]
    unreadable: tuple[tuple[str, UnreadableInput], ...] = ()
    skipped: tuple[str, ...] = ()


def named_inputs(arguments: Sequence[str]) -> Named:
    """Every file that is meant, once. Raises UsageError for an empty name, UnreadableInput when nothing is left."""
    from evalcontract.reading import find_inputs, is_readable_name

    files: dict[str, None] = {}
    skipped: dict[str, None] = {}
    unreadable: dict[str, UnreadableInput] = {}
    for argument in arguments:
        try:
            refuse_names(argument, folders=True)
            found = find_inputs([argument])
        except UnreadableInput as error:
            unreadable[argument] = error
            continue
        for file in found:
            read = str(file) == STDIN or is_readable_name(file.name)
            (files if read else skipped)[str(file)] = None
    if not files and len(unreadable) + len(skipped) == 1:
        for reason in unreadable.values():
            raise reason
    if not files and not unreadable:
        raise UnreadableInput(f"{listed(skipped)}: no format that is read", hint=what_is_read())
    return Named(tuple(files), tuple(unreadable.items()), tuple(skipped))


def refuse_names(*names: str | Path | None, reads: Sequence[str] = (), folders: bool = False) -> None:
    """Raise when a name is empty, is a folder's, or is a file's of a kind that is known and not in `reads`."""
    for name in names:
        if name is None:
            continue
        if not str(name):
            raise UsageError("an empty name is no file", hint="name a file, or - for standard input")
        path = Path(name)
        if path.is_dir() and not folders:
            raise UnreadableInput(f"{path} is a folder, not a file", hint="name a file in it")
        suffix = path.suffix.lower()
        if suffix in _OTHER_KINDS and suffix not in reads and path.is_file():
            raise UnreadableInput(
                f"{path}: {suffix} is not read here", hint=_OTHER_KINDS[suffix].format(path)
            )
