"""Schemas as people have them: a file, one definition in it, a folder, any of these at a commit or in an archive."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from evalcontract.catalog import Catalogue
from evalcontract.errors import HistoryError, SchemaError, UnreadableInput, UsageError
from evalcontract.evolution.comparing.compare import accepts_everything
from evalcontract.evolution.comparing.sides import Side, load_side, refused_side
from evalcontract.evolution.versions.history import History
from evalcontract.validation import (
    SchemaSource,
    Surroundings,
    file_and_fragment,
    from_file,
    from_text,
    schema_files,
)
from evalcontract.values import JSON_SUFFIXES, YAML_SUFFIXES

ARCHIVES = (".whl", ".zip")
MAX_FILES = 2_000
MAX_BYTES = 16 * 1024 * 1024
MAX_UNPACKED = 10 * MAX_BYTES
"""So much is taken out of an archive."""
SUFFIXES = (*JSON_SUFFIXES, *YAML_SUFFIXES)
TELLING = frozenset(
    ("$schema", "$ref", "$defs", "allOf", "anyOf", "definitions", "oneOf", "properties", "type")
)
"""A file of a folder is a schema when it has one of these keys."""
_PLACED = re.compile(r"(?P<place>[^:]+):(?P<path>[^:]*[./][^:]*)")


def is_shape(text: str) -> bool:
    """Whether the text names a file, a folder, or one of these at a commit or in an archive."""
    place, _ = file_and_fragment(text)
    return Path(place).suffix in SUFFIXES or Path(place).exists() or _PLACED.fullmatch(place) is not None


def sides_of(catalogue: Catalogue, text: str) -> dict[str, Side]:
    """The schemas that the text means, by their name inside it: one without a name, or those of a folder, by file.

    A schema that accepts everything stands for its definitions, each by name. Raises SchemaError, UsageError,
    UnreadableInput or HistoryError.
    """
    if not is_shape(text):
        return {"": _side(catalogue, from_text(catalogue, text), text)}
    place, fragment = file_and_fragment(text)
    label = _label(place)
    with _laid_out(catalogue, place) as (path, folder, then):
        around = Surroundings((folder, *then.loose))
        if not path.is_dir():
            side = _side(then, from_file(then, path, fragment, around, label), label, fragment)
            return {"": side} if fragment else expanded(side)
        if fragment:
            raise UsageError(f"{place} is a folder, which has no #{fragment}", hint="name the file in it")
        found: dict[str, Side] = {}
        for name, file in _schema_files(path, around):
            file_label = _label(f"{place.rstrip('/')}/{name}")
            try:
                side = _side(then, from_file(then, file, "", around, file_label), file_label)
                found |= {name + inner: definition for inner, definition in expanded(side).items()}
            except SchemaError as error:  # what is wrong with one file says nothing of the others
                found[name] = refused_side(file_label, error.message)
        if not found:
            raise UsageError(f"there is no schema in {place}", hint="name a folder of JSON Schema files")
        return found


def expanded(side: Side) -> dict[str, Side]:
    """The schema itself, or where it accepts everything its definitions by name."""
    known = side.root.definitions()
    if not known or not accepts_everything(side):
        return {"": side}
    return {name: replace(side, label=side.label + name, root=part) for name, part in known.items()}


def paired(news: Mapping[str, Side], olds: Mapping[str, Side]) -> Iterator[tuple[Side, Side]]:
    """Old and new schemas of the same name; for an old one that is gone, one that accepts nothing.

    A definition has the same name under `definitions`, as older dialects have it, and under `$defs`.
    """
    if len(news) == len(olds) == 1:
        yield next(iter(olds.values())), next(iter(news.values()))
        return
    known, side = next(iter(news.items()))
    before, _, after = side.label.rpartition(known) if known else (side.label, "", "")
    elsewhere = {_definition(name): new for name, new in news.items()}
    for name, old in olds.items():
        new = news.get(name) or elsewhere.get(_definition(name))
        yield old, new or load_side(f"{before}{name}{after} (which is gone)", False)


def _definition(name: str) -> str:
    return name.replace("#/definitions/", "#/$defs/")


def _side(catalogue: Catalogue, source: SchemaSource, label: str, fragment: str = "") -> Side:
    documents = {**dict(catalogue.documents()), **source.own}
    where = None if source.in_catalogue else label
    uri = source.uri.partition("?part=")[0] if fragment else source.uri
    side = load_side(
        f"{label}#{fragment}" if fragment else label,
        documents[uri],
        uri=uri,
        documents=documents,
        where=where,
        fragment=fragment,
    )
    return replace(side, notes=(*source.notes, *side.notes))


def _schema_files(folder: Path, around: Surroundings) -> Iterator[tuple[str, Path]]:
    files = list(islice(schema_files(folder), MAX_FILES + 1))
    if len(files) > MAX_FILES:
        raise UsageError(f"{folder} has more than {MAX_FILES:,} files", hint="name a folder further down")
    for file in files:
        try:
            document = around.document(file)
        except SchemaError as error:
            raise SchemaError(
                error.message.replace(f"{folder}/", ""), hint="take it out, or mend it"
            ) from error
        if TELLING & document.keys():
            yield file.relative_to(folder).as_posix(), file


def _label(place: str) -> str:
    """What reports call it: a file at a commit by its path, with the commit behind."""
    found = None if Path(place).exists() else _PLACED.fullmatch(place)
    if found is None or Path(found["place"]).suffix in ARCHIVES:
        return place
    return f"{found['path'].removeprefix('./')} ({found['place']})"


@contextmanager
def _laid_out(catalogue: Catalogue, place: str) -> Iterator[tuple[Path, Path, Catalogue]]:
    """The file or folder as files, where it is or in a temporary place; the folder around it; the catalogue then."""
    found = None if Path(place).exists() else _PLACED.fullmatch(place)
    if found is None:
        path = Path(place)
        yield path, path if path.is_dir() else path.parent, catalogue
    elif Path(found["place"]).suffix in ARCHIVES:
        with TemporaryDirectory(prefix="evalcontract-") as target:
            top = Path(target).resolve()
            yield _unpacked(Path(found["place"]), found["path"], top), top, catalogue
    else:
        path, commit = Path(found["path"]), found["place"]
        anchor = next((above for above in path.parents if above.is_dir()), Path())
        history = History(anchor)
        with history.as_it_was(commit) as then, ExitStack() as stack:
            there = None if then is None else then / path.relative_to(anchor)
            if then is None or there is None or not there.exists() or ".." in path.parts[len(anchor.parts) :]:
                raise HistoryError(f"{path} was not there at {commit}", hint="name another commit")
            loose = [_loose_then(stack, history, folder, commit) for folder in catalogue.loose]
            yield there, then, catalogue.beside(tuple(folder for folder in loose if folder is not None))


def _loose_then(stack: ExitStack, history: History, folder: Path, commit: str) -> Path | None:
    """A folder of schemas as it was at a commit; as it is, where it is of another repository or of none."""
    if not folder.resolve().is_relative_to(history.top.resolve()):
        return folder
    return stack.enter_context(History(folder).as_it_was(commit))


def _unpacked(archive: Path, inside: str, target: Path) -> Path:
    """The schemas of an archive, written below `target`; of these the file or folder that is meant."""
    top = PurePosixPath(inside)
    written = 0
    try:
        with zipfile.ZipFile(archive) as files:
            for info in files.infolist()[: 10 * MAX_FILES]:
                name = PurePosixPath(info.filename)
                safe = ".." not in name.parts and not name.is_absolute() and name.suffix in SUFFIXES
                if safe and info.file_size <= MAX_BYTES and written + info.file_size <= MAX_UNPACKED:
                    written += info.file_size
                    (target / name).parent.mkdir(parents=True, exist_ok=True)
                    (target / name).write_bytes(files.read(info))
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise UnreadableInput(f"{archive}: no readable archive: {error}") from error
    if ".." in top.parts or not (target / top).exists():
        raise UnreadableInput(f"{archive} holds no schema under {inside}")
    return target / top
