"""Names of files that a command can't mean."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evalcontract.errors import UnreadableInput, UsageError

_IMPORT = "evalcontract import turns the rows into items: evalcontract import {} --map golden -o items.jsonl"
_OTHER_KINDS = {
    ".csv": _IMPORT,
    ".tsv": _IMPORT,
    ".parquet": "evalcontract convert {} items.jsonl writes it as JSON Lines",
    ".xlsx": "save the sheet as CSV, then see evalcontract import",
}
"""Data in formats that most commands don't read, and what to do with it."""


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
