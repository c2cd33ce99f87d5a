"""Own schemas made ready: checked, given a URI, and closed under what they refer to."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from referencing import Registry
from referencing.exceptions import NoSuchResource
from referencing.jsonschema import DRAFT202012

from evalcontract.catalog import Catalogue, Schema, registry_of
from evalcontract.errors import ContractError, SchemaError
from evalcontract.validation.dialects import modern
from evalcontract.validation.engine.expansion import check_expansion
from evalcontract.validation.engine.reference import check_references, check_schema
from evalcontract.validation.json_values import refuse_what_is_not_json
from evalcontract.values import shown

MAX_FILES = 500
"""So many files are looked at for one that has a URI."""


def ready(
    catalogue: Catalogue, schema: Schema, label: str, path: Path | None, parsed: Callable[[Path], Schema]
) -> tuple[str, dict[str, Schema], tuple[str, ...]]:
    """The URI of a schema and, by URI, every document beside the catalogue's that it can reach; what to say of them.

    `parsed` reads the files in the folder of `path`. Raises SchemaError.
    """
    refuse_what_is_not_json(schema, label)
    read = modern(schema, label)
    schema, notes = read.schema, [*read.notes]
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
        file = _sibling(path, uri, wanted) or _identified(path, wanted, parsed)
        if file is None:
            raise NoSuchResource(wanted)
        read = modern(parsed(file), str(file))
        document = read.schema
        notes.extend(read.notes)
        check_schema(document, str(file))
        own[wanted] = {**document, "$id": wanted}
        return DRAFT202012.create_resource(own[wanted])

    known = registry_of(catalogue)
    registry: Registry[Any] = Registry(retrieve=beside)  # type: ignore[call-arg]
    registry = registry.with_resources((uri, known[uri]) for uri in known)
    registry = registry.with_resource(uri, DRAFT202012.create_resource(schema))
    check_references(schema, registry, label)
    found = ((uri, DRAFT202012.create_resource(document)) for uri, document in own.items())
    check_expansion(schema, registry.with_resources(found), label)
    return uri, own, tuple(notes)


def _sibling(path: Path, uri: str, wanted: str) -> Path | None:
    """The file in the schema's folder that a URI means, seen from the schema's own URI."""
    folder = uri.rpartition("/")[0] + "/"
    if not wanted.startswith(folder):
        return None
    file = (path.parent / unquote(wanted.removeprefix(folder))).resolve()
    return file if file.is_relative_to(path.parent) and file.is_file() else None


def _identified(path: Path, wanted: str, parsed: Callable[[Path], Schema]) -> Path | None:
    """The file beside the schema, or below it, that says itself that it has this URI."""
    for count, file in enumerate(sorted(path.parent.rglob("*.json"))):
        if count == MAX_FILES:
            break
        try:
            said = parsed(file)
        except ContractError:
            continue  # other data lies there too
        uri = said.get("$id", said.get("id"))
        if isinstance(uri, str) and uri.rstrip("#") == wanted and file.resolve().is_relative_to(path.parent):
            return file
    return None
