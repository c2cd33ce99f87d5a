"""The files around a schema: what it refers to is found among them, by where it lies or by its own `$id`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urljoin

from evalcontract.catalog import Schema
from evalcontract.errors import ContractError, SchemaError, UnreadableInput
from evalcontract.values import JSON_SUFFIXES, YAML_SUFFIXES, shown, visible

SCHEMA_SUFFIXES = (*JSON_SUFFIXES, *YAML_SUFFIXES)
MAX_FILES = 2_000
"""So many files of a folder are looked at."""
_MAX_SCHEMA_BYTES = 16 * 1024 * 1024


class Found(NamedTuple):
    """A file that a reference means, and what is to be said of that."""

    file: Path
    document: Schema
    note: str | None = None


class Surroundings:
    """`Surroundings(folders)`: the schema files in folders and below, each read once and only when it is asked for."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(dict.fromkeys(folder.resolve() for folder in folders))
        self._read: dict[Path, Schema] = {}

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file that was read so far."""
        return tuple(self._read)

    def document(self, file: Path) -> Schema:
        """The schema in a file, not to be changed. Raises SchemaError and UnreadableInput."""
        if file not in self._read:
            self._read[file] = parsed(file)
        return self._read[file]

    def name_of(self, file: Path) -> str:
        """What a file is called, as seen from the folder that it lies in or below."""
        homes = (folder for folder in self._folders if file.is_relative_to(folder))
        return next((file.relative_to(home).as_posix() for home in homes), str(file))

    def find(self, path: Path, uri: str, wanted: str) -> Found | None:
        """The document that a URI means, seen from the schema at `path`, which has the URI `uri`.

        That is the one which calls itself so, else the one that lies there. Raises SchemaError when two
        different ones call themselves so.
        """
        lying = self._lying(path.resolve(), uri, wanted)
        calls_itself = None if lying is None else _name(self.document(lying), wanted)
        if lying is not None and calls_itself in (None, wanted):
            return Found(lying, self.document(lying))
        named = self._by_name.get(wanted, [])
        if len({str(self.document(file)) for file in named}) > 1:
            first, second = named[:2]
            raise SchemaError(
                f"two files have the $id {shown(wanted)}: {self.name_of(first)} and {self.name_of(second)}",
                hint="name a folder that has one of them",
            )
        if named:
            return Found(named[0], self.document(named[0]))
        if lying is None:
            return None
        note = f"{self.name_of(lying)} calls itself {shown(calls_itself)}, and was taken for {shown(wanted)}"
        return Found(lying, self.document(lying), note)

    def _lying(self, path: Path, uri: str, wanted: str) -> Path | None:
        """The file that a URI means by its place beside, above or below the schema, inside the folders."""
        homes = [folder for folder in self._folders if path.is_relative_to(folder)]
        base = uri.rpartition("/")[0] + "/"
        for home in homes:
            inside = path.parent.relative_to(home).as_posix()
            tail = "" if inside == "." else f"{inside}/"
            start = base.removesuffix(tail) if unquote(base).endswith(f"/{tail}") else base
            below = home if start != base or not tail else path.parent
            if not wanted.startswith(start):
                continue
            file = (below / unquote(wanted.removeprefix(start))).resolve()
            if file.is_relative_to(home) and file.is_file():
                return file
        return None

    @cached_property
    def _by_name(self) -> dict[str, list[Path]]:
        found: dict[str, list[Path]] = {}
        for file in self._all():
            try:
                document = self.document(file)
            except ContractError:
                continue  # other data lies there too
            name = _name(document, "")
            if name and any(file.resolve().is_relative_to(folder) for folder in self._folders):
                found.setdefault(name, []).append(file)
        return found

    def _all(self) -> Iterator[Path]:
        for folder in self._folders:
            yield from islice(schema_files(folder), MAX_FILES)


def schema_files(folder: Path) -> Iterator[Path]:
    """The files in a folder and below that may be schemas, sorted by folder; what is hidden isn't looked at."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if Path(name).suffix in SCHEMA_SUFFIXES and not name.startswith("."):
                yield Path(place, name)


def _name(document: Schema, base: str) -> str | None:
    """What a document says that its URI is; None when it says nothing."""
    older = "draft-04" in str(document.get("$schema"))
    said = document.get("id" if older else "$id")
    try:
        return urljoin(base, said).rstrip("#") if isinstance(said, str) else None
    except ValueError:
        return None


def parsed(path: Path) -> Schema:
    """A schema file, JSON or YAML, read as strictly as data. Raises SchemaError and UnreadableInput."""
    from evalcontract.reading import Document, Fault, read

    try:
        if path.stat().st_size > _MAX_SCHEMA_BYTES:
            raise SchemaError(f"{path} is too large for a schema", hint="at most 16 MB")
    except OSError as error:
        raise UnreadableInput(
            f"{visible(str(path), 80)}: {(error.strerror or 'unreadable').lower()}"
        ) from error
    documents = []
    for event in read(path, items=False, format="yaml" if path.suffix in (".yaml", ".yml") else "json"):
        if isinstance(event, Fault):
            raise SchemaError(f"{event.place}: {event.message}", hint=event.hint)
        if isinstance(event, Document):
            documents.append(event.value)
    if len(documents) != 1:
        raise SchemaError(f"{path} holds {len(documents)} documents, a schema is one")
    if not isinstance(documents[0], dict):
        raise SchemaError(f"{path} is not a JSON Schema: expected an object, got {shown(documents[0])}")
    return documents[0]
