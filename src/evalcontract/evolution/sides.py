"""One version of a schema as the checker sees it: its root and its own documents, checked on the way in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema_rs
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from evalcontract.errors import SchemaError
from evalcontract.evolution.equality import Listed
from evalcontract.evolution.parts import Node, Part, Schema, fold, reachable
from evalcontract.evolution.sameness import DYNAMIC
from evalcontract.validation.patterns import compiled

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ANONYMOUS = "urn:evalcontract:"
"""What the URI of a document without one begins with, followed by its label."""
MAX_BYTES = 4_000_000
MAX_DEPTH = 100
MAX_PARTS = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """A schema with everything it refers to. `label` is what reports call it, e.g. `rag_input@1.0`."""

    label: str
    root: Part
    dynamic: str | None = None
    """Where a dynamic reference stands, if there is one: what it refers to depends on the way one came."""

    def node(self) -> Node:
        return fold(self.root)


def load_side(
    label: str, root: Any, *, uri: str | None = None, documents: Mapping[str, Any] | None = None
) -> Side:
    """Make a Side of plain documents: `root`, and by URI whatever it refers to.

    `uri` defaults to the root's `$id`. Raises SchemaError for what is not a 2020-12 schema, is too large or
    too deep, or refers to something that isn't among the documents.
    """
    own = root.get("$id") if isinstance(root, dict) else None
    base = (uri or (own if isinstance(own, str) else ANONYMOUS + label)).rstrip("#")
    copies = {at: _checked(label, at, each) for at, each in {**(documents or {}), base: root}.items()}
    registry: Registry[Schema] = Registry().with_resources(
        (at, DRAFT202012.create_resource(copy)) for at, copy in copies.items()
    )
    root_part = Part(copies[base], registry.crawl().resolver(base), base + "#")
    dynamic = None
    for count, part in enumerate(reachable(root_part)):
        part.keywords.pop("$schema", None)
        dynamic = part.where if DYNAMIC & part.keywords.keys() else dynamic
        if count > MAX_PARTS:
            raise SchemaError(f"{label} has more than {MAX_PARTS:,} subschemas")
        if "enum" in part.keywords:
            part.keywords["enum"] = Listed(part.keywords["enum"])
        pattern = part.keywords.get("pattern")
        for each in (
            *part.keywords.get("patternProperties", ()),
            *([pattern] if pattern is not None else ()),
        ):
            compiled(each)
    return Side(label, root_part, dynamic)


def _checked(label: str, uri: str, document: Any) -> Schema:
    """A private copy of `document`, known to be a schema of our dialect and of a sane size."""
    name = label if uri.startswith(ANONYMOUS) else f"{label}: {uri}"
    if _deeper_than(MAX_DEPTH, document):
        raise SchemaError(f"{name} is nested more than {MAX_DEPTH} levels deep")
    try:
        text = json.dumps(document, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise SchemaError(f"{name} is not JSON: {error}") from None
    if len(text) > MAX_BYTES:
        raise SchemaError(f"{name} is larger than {MAX_BYTES:,} bytes")
    copy: Any = json.loads(text)
    if not isinstance(copy, bool | dict):
        raise SchemaError(f"{name} is not a JSON Schema: it is neither an object nor a boolean")
    dialect = copy.get("$schema", DIALECT) if isinstance(copy, dict) else DIALECT
    if dialect != DIALECT:
        raise SchemaError(f"{name} declares the dialect {dialect!r}", hint=f"only {DIALECT} is compared")
    try:
        jsonschema_rs.meta.validate(copy)
    except jsonschema_rs.ValidationError as error:
        pointer = "".join(f"/{step}" for step in error.instance_path) or "the root"
        raise SchemaError(f"{name} is not a JSON Schema: at {pointer}, {error.message[:200]}") from None
    return copy


def _deeper_than(limit: int, value: Any) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        containers = [each.values() if isinstance(each, dict) else each for each in level]
        level = [child for each in containers for child in each if isinstance(child, dict | list)]
        if not level:
            return False
    return True
