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
from evalcontract.errors import ContractError, SchemaError, UnknownContract, UsageError
from evalcontract.validation.surroundings import SCHEMA_SUFFIXES, Surroundings
from evalcontract.values import shown

if TYPE_CHECKING:
    from pydantic import BaseModel

_CLASS = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


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
    """What an option such as `--input-schema` means: a schema file, `package.module:Class` or a contract.

    `schema.json#/$defs/Tool` is a part of a file.
    """
    place, fragment = file_and_fragment(text)
    path = Path(place)
    if path.suffix in SCHEMA_SUFFIXES or os.sep in text:
        return from_file(catalogue, path, fragment)
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
    place, fragment = file_and_fragment(text)
    path = Path(place)
    if path.suffix in SCHEMA_SUFFIXES or os.sep in text:
        around = _around(catalogue, path)
        with suppress(ContractError):  # from_text says why
            from_file(catalogue, path, fragment, around)
        return (path, *around.files)
    return tuple(_modules(text.partition(":")[0])) if _CLASS.fullmatch(text) else ()


def _modules(name: str) -> Iterator[Path]:
    """The files of a module and of the packages it is in, as far as they are found without importing them."""
    parts = name.split(".")
    for root in dict.fromkeys(Path(folder or os.curdir) for folder in (os.curdir, *sys.path)):
        for number in range(1, len(parts) + 1):
            place = root.joinpath(*parts[:number])
            yield from (file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file())


def file_and_fragment(text: str) -> tuple[str, str]:
    """The file that a text names, and what stands behind a `#`: nothing where there is a file of the whole name."""
    place, _, fragment = (text, "", "") if Path(text).exists() else text.partition("#")
    return place, fragment


def from_file(
    catalogue: Catalogue,
    path: Path,
    fragment: str = "",
    around: Surroundings | None = None,
    label: str | None = None,
) -> SchemaSource:
    """A schema file, or the part of it under a fragment such as `/$defs/Tool`.

    It may refer to contracts of the catalogue and to files `around` it, those in its own folder and below where
    nothing else is said. `label` is what it is called, its path by default.
    """
    around = around or _around(catalogue, path)
    return _ready(catalogue, around.document(path), label or str(path), path.resolve(), around, fragment)


def _around(catalogue: Catalogue, path: Path) -> Surroundings:
    return Surroundings((path.resolve().parent, *catalogue.loose))


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
    made = _ready(catalogue, schema, label)
    return replace(made, model=cast("type[BaseModel]", model))


def from_document(catalogue: Catalogue, schema: Mapping[str, Any], label: str = "the schema") -> SchemaSource:
    """A schema that is already parsed."""
    return _ready(catalogue, dict(schema), label)


def _ready(
    catalogue: Catalogue,
    schema: Schema,
    label: str,
    path: Path | None = None,
    around: Surroundings | None = None,
    fragment: str = "",
) -> SchemaSource:
    from evalcontract.validation.closure import ready  # late: contracts of the catalogue don't need it

    around = around or Surroundings(catalogue.loose)
    uri, own, notes = ready(catalogue, schema, label, path, around, fragment)
    return SchemaSource(f"{label}#{fragment}" if fragment else label, uri, own[uri], own, notes)


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
