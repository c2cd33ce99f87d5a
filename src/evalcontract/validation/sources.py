"""Schemas from wherever the caller has them: a contract name, a file, a class, a document."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from referencing import Registry
from referencing.exceptions import NoSuchResource
from referencing.jsonschema import DRAFT202012

from evalcontract.catalog import Catalogue, Schema
from evalcontract.catalog.names import shown
from evalcontract.catalog.registry import registry_of
from evalcontract.errors import SchemaError, UnknownContract, UnreadableInput, UsageError
from evalcontract.reading import Document, Fault, read
from evalcontract.reading.refusals import shortened
from evalcontract.reading.sources import FileFormat
from evalcontract.validation.engine import check_references, check_schema
from evalcontract.validation.json_values import not_json

_CLASS = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_MAX_SCHEMA_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SchemaSource:
    """A schema that is ready to use: its address, and every document that it can reach.

    `own` holds the documents that are not in the catalogue, by URI.
    """

    label: str
    uri: str
    schema: Schema
    own: Mapping[str, Schema]

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
    if path.suffix in (".json", ".yaml", ".yml") or os.sep in text:
        return from_file(catalogue, path)
    if _CLASS.fullmatch(text):
        return from_class(catalogue, _imported(text), text)
    try:
        return from_catalogue(catalogue, text)
    except UnknownContract as error:
        raise UnknownContract(
            f"{error.message}; it is no file and no package.module:Class either", hint=error.hint
        ) from error


def from_file(catalogue: Catalogue, path: Path) -> SchemaSource:
    """A schema file. It may refer to contracts of the catalogue and to files in its own folder."""
    schema = _parsed(path)
    return _ready(catalogue, schema, str(path), path.resolve())


def from_class(catalogue: Catalogue, model: object, label: str) -> SchemaSource:
    """A pydantic model class."""
    try:  # a class of the user may raise anything at every step
        make_schema = getattr(model, "model_json_schema", None)
        schema = make_schema() if isinstance(model, type) and make_schema is not None else None
    except (Exception, SystemExit) as error:
        raise SchemaError(f"{label} has no JSON Schema: {_said(error)}") from error
    if schema is None:
        raise SchemaError(f"{label} is not a pydantic model class", hint="derive it from evalcontract.models")
    return _ready(catalogue, schema, label, None)


def from_document(catalogue: Catalogue, schema: Mapping[str, Any], label: str = "the schema") -> SchemaSource:
    """A schema that is already parsed."""
    return _ready(catalogue, dict(schema), label, None)


def _ready(catalogue: Catalogue, schema: Schema, label: str, path: Path | None) -> SchemaSource:
    if isinstance(schema, dict):
        for fault in not_json(schema):
            raise SchemaError(f"{label} is not JSON: at {fault.pointer or 'the root'}, {fault.message}")
    check_schema(schema, label)
    declared = schema.get("$id", "")
    try:
        uri = urljoin(path.as_uri() if path else "urn:evalcontract:own", declared)
    except ValueError:
        raise SchemaError(f"{label} has the $id {shown(declared)}, which is not a URI") from None
    if not re.match(r"[a-z][a-z0-9+.-]*:", uri):
        uri = "urn:evalcontract:own"
    uri = uri.rstrip("#")
    schema = {**schema, "$id": uri}
    own: dict[str, Schema] = {uri: schema}

    def beside(wanted: str) -> Any:
        if path is None:
            raise NoSuchResource(wanted)
        file = _sibling(path, uri, wanted)
        if file is None:
            raise NoSuchResource(wanted)
        document = _parsed(file)
        check_schema(document, str(file))
        own[wanted] = {**document, "$id": wanted}
        return DRAFT202012.create_resource(own[wanted])

    known = registry_of(catalogue)
    registry: Registry[Any] = Registry(retrieve=beside)  # type: ignore[call-arg]
    registry = registry.with_resources((each, known[each]) for each in known)
    check_references(schema, registry.with_resource(uri, DRAFT202012.create_resource(schema)), label)
    return SchemaSource(label, uri, schema, own)


def _sibling(path: Path, uri: str, wanted: str) -> Path | None:
    """The file in the schema's folder that a URI means, seen from the schema's own URI."""
    folder = uri.rpartition("/")[0] + "/"
    if not wanted.startswith(folder):
        return None
    file = (path.parent / unquote(wanted.removeprefix(folder))).resolve()
    return file if file.is_relative_to(path.parent) and file.is_file() else None


def _parsed(path: Path) -> Schema:
    try:
        if path.stat().st_size > _MAX_SCHEMA_BYTES:
            raise SchemaError(f"{path} is too large for a schema", hint="at most 16 MB")
    except OSError as error:
        raise UnreadableInput(
            f"{shortened(str(path))}: {(error.strerror or 'unreadable').lower()}"
        ) from error
    format: FileFormat = "yaml" if path.suffix in (".yaml", ".yml") else "json"
    documents = []
    for event in read(path, items=False, format=format):
        if isinstance(event, Fault):
            place = f":{event.position.line}:{event.position.column}" if event.position else ""
            raise SchemaError(f"{path}{place}: {event.message}", hint=event.hint)
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
