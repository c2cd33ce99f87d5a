"""The fields that a schema defines at its top level, inherited ones included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from evalcontract.catalog import Catalogue, registry_of
from evalcontract.validation.sources import SchemaSource

_COMBINED = ("allOf", "anyOf", "oneOf")


def fields_of(catalogue: Catalogue, source: SchemaSource) -> frozenset[str]:
    """Every property name, wherever `$ref`, allOf, anyOf or oneOf lead from the top of the schema."""
    registry: Registry[Any] = registry_of(catalogue).with_resources(
        (uri, DRAFT202012.create_resource(document)) for uri, document in source.own.items()
    )
    return frozenset(_properties(source.schema, registry.resolver(source.uri)))


def _properties(schema: Any, resolver: Any) -> Iterator[str]:
    waiting = [(schema, resolver)]
    seen: set[int] = set()
    while waiting:
        node, at = waiting.pop()
        if not isinstance(node, dict) or id(node) in seen:
            continue
        seen.add(id(node))
        yield from node.get("properties", {})
        waiting.extend((part, at) for keyword in _COMBINED for part in node.get(keyword, ()))
        if "$ref" in node:
            try:
                found = at.lookup(node["$ref"])
            except Unresolvable:
                continue  # a source's references were all followed when it was made
            waiting.append((found.contents, found.resolver))
