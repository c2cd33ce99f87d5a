"""What each option means for files: it names what is read, it names what is written, or it only says something.

Every option that takes text or a path is declared with one of the roles, so that one guard can keep what is read
from being overwritten.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

from evalcontract.files import refuse_overwriting

STANDARD_STREAM = "-"


@dataclass(frozen=True, slots=True)
class Reads:
    """The value names what is read; `files` gives every file and folder behind it."""

    files: Callable[[str], Iterable[Path]]


@dataclass(frozen=True, slots=True)
class Writes:
    """The value names a file that is written; `files` gives those that may be written with it."""

    files: Callable[[Path], Iterable[Path]]


@dataclass(frozen=True, slots=True)
class Says:
    """The value is no name of a file."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The value sets limits of reading, which hold while the command runs."""


Role = Bounds | Reads | Writes | Says


def roles_of(command: Callable[..., Any]) -> dict[str, Role]:
    """The role of each parameter that has one."""
    hints = get_type_hints(inspect.unwrap(command), include_extras=True)
    found = {
        name: [part for part in getattr(hint, "__metadata__", ()) if isinstance(part, Role)]
        for name, hint in hints.items()
    }
    return {name: roles[0] for name, roles in found.items() if roles}


def guard(roles: Mapping[str, Role], values: Mapping[str, Any]) -> None:
    """Raise UsageError when a file that the options name as an output is read, or is two outputs at once."""
    outputs = [
        tuple(role.files(Path(value)))
        for name, role in roles.items()
        if isinstance(role, Writes)
        for value in _named(values.get(name))
    ]
    if outputs:
        refuse_overwriting(outputs, _read(roles, values))


def bounds(roles: Mapping[str, Role], values: Mapping[str, Any]) -> list[str]:
    """The limits that the options set, in words."""
    return [
        str(word)
        for name, role in roles.items()
        if isinstance(role, Bounds)
        for word in values.get(name) or ()
    ]


def _read(roles: Mapping[str, Role], values: Mapping[str, Any]) -> Iterator[Path]:
    from evalcontract.catalog import schemas_root

    for name, role in roles.items():
        if isinstance(role, Reads):
            for value in _named(values.get(name)):
                yield from role.files(value)
    if "schemas" in roles and not values.get("schemas"):
        from evalcontract.settings import folders_for

        yield from folders_for()
    contracts = schemas_root()
    if isinstance(contracts, Path):
        yield contracts


def _named(value: Any) -> Iterator[str]:
    """The names in an option's value, standard input and output left out."""
    for part in value if isinstance(value, list | tuple) else [value]:
        if part is not None and str(part) not in ("", STANDARD_STREAM):
            yield str(part)


def _file(name: str) -> Iterator[Path]:
    yield Path(name)


def _data(name: str) -> Iterator[Path]:
    from evalcontract.checking import read_sidecar_of

    path = Path(name)
    yield path
    beside = read_sidecar_of(path)
    if beside is not None:
        yield beside


def _data_below(name: str) -> Iterator[Path]:
    from evalcontract.errors import UnreadableInput
    from evalcontract.reading import find_inputs

    try:
        files = find_inputs([name])
    except UnreadableInput:  # the command says so
        return
    for file in files:
        yield from _data(str(file))


def _schema(text: str) -> Iterable[Path]:
    from evalcontract.catalog import default_catalogue
    from evalcontract.validation import files_behind

    return files_behind(default_catalogue(), text)


def _written(path: Path) -> Iterator[Path]:
    yield path


def _written_data(path: Path) -> Iterator[Path]:
    from evalcontract.checking import written_sidecar_of

    yield path
    beside = written_sidecar_of(path)
    if beside is not None:
        yield beside


READS_FILE = Reads(_file)
"""A file, or a folder with all that is in it."""
READS_DATA = Reads(_data)
"""A file of data, and the metadata beside it."""
READS_FILES = Reads(_data_below)
"""Files, folders and patterns of data."""
READS_SCHEMA = Reads(_schema)
"""A contract, a schema file with those that it refers to, or a class."""
WRITES_FILE = Writes(_written)
WRITES_FOLDER = Writes(_written)
WRITES_DATA = Writes(_written_data)
"""A dataset, whose metadata may be written beside it."""
SAYS = Says()
BOUNDS = Bounds()
