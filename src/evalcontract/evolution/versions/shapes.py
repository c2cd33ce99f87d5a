"""Schemas as people have them: a file, one definition in it, a folder, any of these at a commit or in an archive."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from evalcontract.catalog import Catalogue, read_json
from evalcontract.errors import CatalogError, HistoryError, SchemaError, UnreadableInput, UsageError
from evalcontract.evolution.comparing.compare import accepts_everything
from evalcontract.evolution.comparing.sides import Side, load_side
from evalcontract.evolution.versions.history import History
from evalcontract.validation import SchemaSource, from_file, from_text
from evalcontract.values import JSON_SUFFIXES, YAML_SUFFIXES, pointer_tokens

ARCHIVES = (".whl", ".zip")
MAX_FILES = 2_000
MAX_BYTES = 16 * 1024 * 1024
SUFFIXES = (*JSON_SUFFIXES, *YAML_SUFFIXES)
TELLING = frozenset(
    ("$schema", "$ref", "$defs", "allOf", "anyOf", "definitions", "oneOf", "properties", "type")
)
"""A file of a folder is a schema when it has one of these keys."""
_PLACED = re.compile(r"(?P<place>[^:]+):(?P<path>[^:]*[./][^:]*)")


def is_shape(text: str) -> bool:
    """Whether the text names a file, a folder, or one of these at a commit or in an archive."""
    path = text.partition("#")[0]
    return Path(path).suffix in SUFFIXES or Path(path).exists() or _PLACED.fullmatch(path) is not None


def sides_of(catalogue: Catalogue, text: str) -> dict[str, Side]:
    """The schemas that the text means, by their name inside it: one without a name, or those of a folder, by file.

    A schema that accepts everything stands for its definitions, each by name. Raises SchemaError, UsageError,
    UnreadableInput or HistoryError.
    """
    place, _, fragment = text.partition("#")
    if not is_shape(text):
        return {"": _side(catalogue, from_text(catalogue, text), text)}
    label = _label(place)
    with _laid_out(place) as path:
        if not path.is_dir():
            side = _side(catalogue, from_file(catalogue, path), label)
            return {"": definition(side, fragment)} if fragment else expanded(side)
        if fragment:
            raise UsageError(f"{place} is a folder, which has no #{fragment}", hint="name the file in it")
        found: dict[str, Side] = {}
        for name, file in _schema_files(path):
            side = _side(catalogue, from_file(catalogue, file), f"{label.rstrip('/')}/{name}")
            found |= {name + inner: definition for inner, definition in expanded(side).items()}
        if not found:
            raise UsageError(f"there is no schema in {place}", hint="name a folder of JSON Schema files")
        return found


def expanded(side: Side) -> dict[str, Side]:
    """The schema itself, or where it accepts everything its definitions by name."""
    known = side.root.definitions()
    if not known or not accepts_everything(side):
        return {"": side}
    return {name: replace(side, label=side.label + name, root=part) for name, part in known.items()}


def definition(side: Side, fragment: str) -> Side:
    """The part of a schema under a JSON pointer, such as `/$defs/Tool`."""
    part = side.root.definitions().get(f"#{fragment}") if pointer_tokens(fragment) else None
    if part is None:
        known = ", ".join(list(side.root.definitions())[:10]) or "none"
        raise SchemaError(f"{side.label} has no definition #{fragment}", hint=f"there are {known}")
    return replace(side, label=f"{side.label}#{fragment}", root=part)


def paired(news: Mapping[str, Side], olds: Mapping[str, Side]) -> Iterator[tuple[Side, Side]]:
    """Old and new schemas of the same name; for an old one that is gone, one that accepts nothing."""
    if len(news) == len(olds) == 1:
        yield next(iter(olds.values())), next(iter(news.values()))
        return
    name, side = next(iter(news.items()))
    place = side.label.removesuffix(name)
    for name, old in olds.items():
        yield old, news.get(name) or load_side(f"{place}{name} (which is gone)", False)


def _side(catalogue: Catalogue, source: SchemaSource, label: str) -> Side:
    documents = {**dict(catalogue.documents()), **source.own}
    where = None if source.in_catalogue else label
    side = load_side(label, source.schema, uri=source.uri, documents=documents, where=where)
    return replace(side, notes=(*source.notes, *side.notes))


def _schema_files(folder: Path) -> Iterator[tuple[str, Path]]:
    files = [file for file in sorted(folder.rglob("*.json")) if file.is_file()]
    if len(files) > MAX_FILES:
        raise UsageError(f"{folder} has more than {MAX_FILES:,} files", hint="name a folder further down")
    for file in files:
        try:
            document = read_json(file)
        except CatalogError as error:
            raise SchemaError(
                error.message.replace(f"{folder}/", ""), hint="take it out, or mend it"
            ) from error
        if isinstance(document, dict) and TELLING & document.keys():
            yield file.relative_to(folder).as_posix(), file


def _label(place: str) -> str:
    """What reports call it: a file at a commit by its path, with the commit behind."""
    found = None if Path(place).exists() else _PLACED.fullmatch(place)
    if found is None or Path(found["place"]).suffix in ARCHIVES:
        return place
    return f"{found['path'].removeprefix('./')} ({found['place']})"


@contextmanager
def _laid_out(place: str) -> Iterator[Path]:
    """The file or folder as files: where it is, or in a temporary place."""
    found = None if Path(place).exists() else _PLACED.fullmatch(place)
    if found is None:
        yield Path(place)
    elif Path(found["place"]).suffix in ARCHIVES:
        with TemporaryDirectory(prefix="evalcontract-") as target:
            yield _unpacked(Path(found["place"]), found["path"], Path(target))
    else:
        path = Path(found["path"])
        anchor = next((above for above in path.parents if above.is_dir()), Path())
        with History(anchor).as_it_was(found["place"]) as then:
            there = None if then is None else then / path.relative_to(anchor)
            if there is None or ".." in path.parts[len(anchor.parts) :] or not there.exists():
                raise HistoryError(f"{path} was not there at {found['place']}", hint="name another commit")
            yield there


def _unpacked(archive: Path, inside: str, target: Path) -> Path:
    """The schemas of an archive under a path, written below `target`."""
    top = PurePosixPath(inside)
    try:
        with zipfile.ZipFile(archive) as files:
            for info in files.infolist()[: 10 * MAX_FILES]:
                name = PurePosixPath(info.filename)
                safe = ".." not in name.parts and not name.is_absolute() and name.suffix in SUFFIXES
                if safe and info.file_size <= MAX_BYTES and (name == top or name.is_relative_to(top)):
                    (target / name).parent.mkdir(parents=True, exist_ok=True)
                    (target / name).write_bytes(files.read(info))
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise UnreadableInput(f"{archive}: no readable archive: {error}") from error
    if not (target / top).exists():
        raise UnreadableInput(f"{archive} holds no schema under {inside}")
    return target / top
