"""Schemas from wherever the caller has them: a contract name, a file, a class, a document."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from evalcontract.catalog import Catalogue, Schema
from evalcontract.errors import ContractError, SchemaError, UnknownContract, UnreadableInput, UsageError
from evalcontract.values import JSON_SUFFIXES, YAML_SUFFIXES, shown, visible

if TYPE_CHECKING:
    from pydantic import BaseModel

_CLASS = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_SCHEMA_SUFFIXES = (*JSON_SUFFIXES, *YAML_SUFFIXES)
_MAX_SCHEMA_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SchemaSource:
    """A schema that is ready to use: its address, and every document that it can reach.

    `own` holds the documents that are not in the catalogue, by URI. `notes`: what is to be said of how it was read.
    `model`: the class that it was made from, which judges values after the schema.
    """

    label: str
    uri: str
    schema: Schema
    own: Mapping[str, Schema]
    notes: tuple[str, ...] = ()
    model: type[BaseModel] | None = None

    @property
    def in_catalogue(self) -> bool:
        """Whether it is one of the catalogue's contracts."""
        return not self.own


def from_catalogue(catalogue: Catalogue, spec: str, version: str | None = None) -> SchemaSource:
    """A contract by name; UnknownContract or UnknownVersion when there is none."""
    ref = catalogue.resolve(spec, version)
    return SchemaSource(str(ref), catalogue.uri(ref), catalogue.document(ref), {})


def from_text(catalogue: Catalogue, text: str) -> SchemaSource:
    """What an option such as `--input-schema` means: a schema file, `package.module:Class` or a contract."""
    path = Path(text)
    if path.suffix in _SCHEMA_SUFFIXES or os.sep in text:
        return from_file(catalogue, path)
    if _CLASS.fullmatch(text):
        return from_class(catalogue, _imported(text), text)
    try:
        return from_catalogue(catalogue, text)
    except UnknownContract as error:
        raise UnknownContract(
            f"{error.message}; it is no file and no package.module:Class either", hint=error.hint
        ) from error


def files_behind(catalogue: Catalogue, text: str) -> tuple[Path, ...]:
    """The files that `from_text` reads for it, those that a schema file refers to and a class's modules included.

    What can't be read is left out; nothing is imported. A `#/pointer` behind the file is no part of its name.
    """
    path = Path(text if Path(text).exists() else text.partition("#")[0])
    if path.suffix in _SCHEMA_SUFFIXES or os.sep in text:
        from evalcontract.validation.closure import ready

        files = [path]

        def noted(file: Path) -> Schema:
            files.append(file)
            return parsed(file)

        with suppress(ContractError):  # from_text says why
            ready(catalogue, parsed(path), str(path), path.resolve(), noted)
        return tuple(files)
    return tuple(_modules(text.partition(":")[0])) if _CLASS.fullmatch(text) else ()


def _modules(name: str) -> Iterator[Path]:
    """The files of a module and of the packages it is in, as far as they are found without importing them."""
    parts = name.split(".")
    for root in dict.fromkeys(Path(folder or os.curdir) for folder in (os.curdir, *sys.path)):
        for number in range(1, len(parts) + 1):
            place = root.joinpath(*parts[:number])
            yield from (file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file())


def from_file(catalogue: Catalogue, path: Path) -> SchemaSource:
    """A schema file. It may refer to contracts of the catalogue and to files in its own folder."""
    schema = parsed(path)
    return _ready(catalogue, schema, str(path), path.resolve())


def from_class(catalogue: Catalogue, model: object, label: str) -> SchemaSource:
    """A pydantic model class."""
    try:  # a class of the user may raise anything at every step
        make_schema = getattr(model, "model_json_schema", None)
        with redirect_stdout(sys.stderr):
            schema = make_schema() if isinstance(model, type) and make_schema is not None else None
    except (Exception, SystemExit) as error:
        raise SchemaError(f"{label} has no JSON Schema: {_said(error)}") from error
    if schema is None:
        raise SchemaError(f"{label} is not a pydantic model class", hint="derive it from evalcontract.models")
    made = _ready(catalogue, schema, label, None)
    return replace(made, model=cast("type[BaseModel]", model))


def from_document(catalogue: Catalogue, schema: Mapping[str, Any], label: str = "the schema") -> SchemaSource:
    """A schema that is already parsed."""
    return _ready(catalogue, dict(schema), label, None)


def _ready(catalogue: Catalogue, schema: Schema, label: str, path: Path | None) -> SchemaSource:
    from evalcontract.validation.closure import ready  # late: contracts of the catalogue don't need it

    uri, own, notes = ready(catalogue, schema, label, path, parsed)
    return SchemaSource(label, uri, own[uri], own, notes)


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


def _imported(text: str) -> object:
    module_name, _, class_name = text.partition(":")
    # As `python -m` does: what the user's working directory holds can be named.
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        with redirect_stdout(sys.stderr):  # a module that prints is no part of the report
            found: object = importlib.import_module(module_name)
        for name in class_name.split("."):
            found = getattr(found, name)
    except (Exception, SystemExit) as error:  # importing runs the user's code, which may raise anything
        raise UsageError(
            f"{text} can't be imported: {_said(error)}", hint="write package.module:Class"
        ) from error
    return found


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {shown(str(error), 160)}"
