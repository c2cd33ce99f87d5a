"""How large a schema is with every reference followed: a few lines can ask for millions of steps on one value."""

from __future__ import annotations

from typing import Any

from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from evalcontract.errors import SchemaError
from evalcontract.values import with_room

MOST = 1_000_000


def check_expansion(schema: dict[str, Any], registry: Registry[Any], label: str) -> None:
    """Raise SchemaError when a schema, its references followed, has more than MOST subschemas.

    A recursive reference is followed once: how often it is followed again depends on the data.
    """
    root = DRAFT202012.create_resource(schema)
    try:
        size = with_room(lambda: _size(root, registry.resolver_with_root(root), {}))
    except RecursionError as error:
        raise SchemaError(f"{label} is nested too deep to be used") from error
    if size > MOST:
        raise SchemaError(
            f"{label} has more than {MOST:,} subschemas when its references are followed",
            hint="refer to each part once, instead of several times at every level",
        )


def _size(resource: Resource[Any], resolver: Any, sizes: dict[int, int]) -> int:
    contents = resource.contents
    if id(contents) in sizes:
        return sizes[id(contents)]
    sizes[id(contents)] = 0
    size = 1
    if isinstance(contents, dict):
        for keyword in ("$ref", "$dynamicRef"):
            if isinstance(contents.get(keyword), str):
                found = resolver.lookup(contents[keyword])
                size += _size(DRAFT202012.create_resource(found.contents), found.resolver, sizes)
        definitions = {id(definition) for definition in contents.get("$defs", {}).values()}
        for subresource in resource.subresources():
            if id(subresource.contents) not in definitions:
                size += _size(subresource, resolver.in_subresource(subresource), sizes)
    sizes[id(contents)] = min(size, MOST + 1)
    return sizes[id(contents)]
