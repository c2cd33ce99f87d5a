"""Names of files that a command can't mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalcontract.errors import UnreadableInput, UsageError
from evalcontract.reading import STDIN, what_is_read
from evalcontract.values import listed

UNKNOWN = "no format that is read"
EXCLUDED = "excluded by the settings"
OF_CONTRACTS = "in a folder of contracts"
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

    `unreadable` are names with the reason why nothing is read there, `skipped` files that are not looked at, each
    with the reason.
    """

    files: tuple[str, ...]
    unreadable: tuple[tuple[str, UnreadableInput], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()


def named_inputs(
    arguments: Sequence[str], excluded: Callable[[Path], bool] | None = None, contracts: Iterable[Path] = ()
) -> Named:
    """Every file that is meant, once. Raises UsageError for an empty name, UnreadableInput when nothing is left.

    Files of folders and patterns that hold no data by their kind are skipped, all that `excluded` names, and what
    lies in folders of `contracts` that the arguments don't lead into.
    """
    from evalcontract.reading import find_inputs, is_readable_name, kind_without_data

    layers = [folder.resolve() for folder in contracts]
    files: dict[str, None] = {}
    skipped: dict[str, str] = {}
    unreadable: dict[str, UnreadableInput] = {}
    for argument in arguments:
        try:
            refuse_names(argument, folders=True)
            found = find_inputs([argument])
        except UnreadableInput as error:
            unreadable[argument] = error
            continue
        beside = [layer for layer in layers if not Path(argument).resolve().is_relative_to(layer)]
        for file in found:
            name = str(file)
            if name == STDIN:
                files[name] = None
            elif excluded is not None and excluded(file):
                skipped[name] = EXCLUDED
            elif any(file.resolve().is_relative_to(layer) for layer in beside):
                skipped[name] = OF_CONTRACTS
            elif not is_readable_name(file.name):
                skipped[name] = UNKNOWN
            elif name != argument and (kind := kind_without_data(file)):
                skipped[name] = kind
            else:
                files[name] = None
    if not files and len(unreadable) + len(skipped) == 1:
        for reason in unreadable.values():
            raise reason
    if not files and not unreadable:
        only = set(skipped.values())
        why = only.pop() if len(only) == 1 else "nothing of this is read"
        ways_out = {UNKNOWN: what_is_read(), EXCLUDED: "take the pattern out of exclude in the settings"}
        hint = ways_out.get(why, "name a file outright to read it all the same")
        raise UnreadableInput(f"{listed(skipped)}: {why}", hint=hint)
    return Named(tuple(files), tuple(unreadable.items()), tuple(skipped.items()))


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
