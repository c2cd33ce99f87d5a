"""Own schemas made ready: checked, given a URI, and closed under what they refer to."""

from __future__ import annotations

import re
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import quote, urldefrag, urljoin

from referencing import Registry, Resource
from referencing.exceptions import NoSuchResource, Unresolvable, Unretrievable
from referencing.jsonschema import DRAFT202012

from evalcontract.catalog import Catalogue, Schema, registry_of
from evalcontract.errors import SchemaError
from evalcontract.validation.dialects import modern
from evalcontract.validation.engine.expansion import check_expansion
from evalcontract.validation.engine.reference import check_references, check_schema
from evalcontract.validation.json_values import refuse_what_is_not_json
from evalcontract.validation.surroundings import Surroundings
from evalcontract.values import pointer, shown, visible


def ready(
    catalogue: Catalogue,
    schema: Schema,
    label: str,
    path: Path | None,
    around: Surroundings,
    fragment: str = "",
) -> tuple[str, dict[str, Schema], tuple[str, ...]]:
    """The URI of a schema and, by URI, every document beside the catalogue's that it can reach; what to say of them.

    With a `fragment` (`/$defs/Tool`, or the name of an anchor) it is a schema that refers to just that part. Files
    that are referred to are looked up `around` the schema. Raises SchemaError.
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
    strayed: list[str] = []

    def beside(wanted: str) -> Any:
        found = None if path is None else around.find(path, uri, wanted)
        if found is None:
            raise NoSuchResource(wanted)
        name = around.name_of(found.file)
        read = modern(found.document, name)
        document = read.schema
        notes.extend(read.notes)
        strayed.extend(filter(None, [found.note]))
        check_schema(document, name)
        own[wanted] = {**document, "$id": wanted}
        return DRAFT202012.create_resource(own[wanted])

    known = registry_of(catalogue)
    registry: Registry[Any] = Registry(retrieve=beside)  # type: ignore[call-arg]
    registry = registry.with_resources((uri, known[uri]) for uri in known)
    registry = _crawled(registry.with_resource(uri, DRAFT202012.create_resource(schema)), label)
    if not fragment:
        registry = _with_referred(registry, DRAFT202012.create_resource(schema), uri)
    root = schema if not fragment else _part(schema, uri, fragment, registry, label)
    own[root["$id"]] = root
    check_references(root, registry, label)
    found = ((uri, DRAFT202012.create_resource(document)) for uri, document in own.items())
    check_expansion(root, _crawled(registry.with_resources(found), label), label)
    return root["$id"], own, (*dict.fromkeys(notes), *_told_once(strayed))


def _with_referred(registry: Registry[Any], root: Resource[Any], base: str) -> Registry[Any]:
    """The registry with each document that the root refers to: else each reference would get it anew.

    What can't be got is left out, and told where the reference is followed.
    """
    waiting = [(root, base)]
    while waiting:
        resource, base = waiting.pop()
        contents = resource.contents if isinstance(resource.contents, dict) else {}
        for reference in (contents.get("$ref"), contents.get("$dynamicRef")):
            with suppress(NoSuchResource, Unretrievable, ValueError, TypeError, AttributeError):
                target = urldefrag(urljoin(base, reference)).url if isinstance(reference, str) else ""
                if target and target not in registry:
                    registry = registry.get_or_retrieve(target).registry.crawl()
        for part in resource.subresources():
            identifier = part.id()
            waiting.append((part, urljoin(base, identifier) if isinstance(identifier, str) else base))
    return registry


def _crawled(registry: Registry[Any], label: str) -> Registry[Any]:
    """The registry with all identifiers and anchors known: else each look for an anchor would begin with that."""
    try:
        return registry.crawl()
    except (ValueError, TypeError, AttributeError) as error:
        raise SchemaError(
            f"{label}, or what it refers to, has an $id or an anchor that is none: {shown(str(error))}",
            hint="write an $id as a URI, an anchor as a name",
        ) from error


def _told_once(notes: list[str]) -> list[str]:
    """The first of the notes that say the same of several files."""
    return [f"{notes[0]}, and so were {len(notes) - 1} more files"] if len(notes) > 2 else notes


def _part(schema: Schema, uri: str, fragment: str, registry: Registry[Any], label: str) -> Schema:
    """A schema that refers to a part of another one. Raises SchemaError when there is no such part."""
    try:
        part = registry.resolver(uri).lookup(f"{uri}#{fragment}").contents
    except (Unresolvable, ValueError, TypeError, KeyError) as error:
        raise SchemaError(
            f"{label} has no definition #{fragment}", hint=known_definitions(schema, fragment)
        ) from error
    if not isinstance(part, dict | bool):
        raise SchemaError(f"{label}#{fragment} is not a JSON Schema: expected an object, got {shown(part)}")
    if isinstance(part, dict):
        check_schema(part, f"{label}#{fragment}")
    return {"$id": f"{uri}?part={quote(fragment, safe='')}", "$ref": f"{uri}#{fragment}"}


def known_definitions(schema: Schema, fragment: str) -> str:
    """What a schema defines for others, what is spelled like `fragment` first, as the hint of an error."""
    known = [
        f"#{pointer((keyword, name))}"
        for keyword in ("$defs", "definitions")
        for name in (schema.get(keyword) or ())
    ]
    close = get_close_matches(f"#{fragment}", known, n=1)
    first = f"did you mean {visible(close[0], 100)}? " if close else ""
    return f"{first}there are {', '.join(visible(name, 100) for name in known[:10]) or 'none'}"
