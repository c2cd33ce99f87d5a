"""Schemas taken apart: a part is one schema object in its place, a node is what several parts allow together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urldefrag, urljoin

from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from evalcontract.errors import SchemaError
from evalcontract.evolution.reference import REFERENCE, matches

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from referencing._core import Resolver

Schema: TypeAlias = bool | dict[str, Any]


def words(text: str) -> tuple[str, ...]:
    """The words of a text, for lists of keywords that read as one."""
    return tuple(text.split())


ONE_SCHEMA = words(
    "additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems "
    "unevaluatedProperties"
)
SCHEMA_LISTS = words("allOf anyOf oneOf prefixItems")
SCHEMA_MAPS = words("$defs dependentSchemas patternProperties properties")
ANNOTATIONS = frozenset(
    words(
        "$anchor $comment $defs $id $schema $vocabulary contentEncoding contentMediaType contentSchema default "
        "definitions deprecated description discriminator examples readOnly title writeOnly"
    )
)
"""Keywords that refuse nothing; `discriminator` is OpenAPI's, a hint to code generators."""

BRANCHES = ("anyOf", "oneOf", "not", "if", "then", "else", "contains")
MAX_MENTIONED = 200


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One schema in its place: `where` is `uri#/pointer`, `resolver` knows the base URI there."""

    schema: Schema
    resolver: Resolver[Schema]
    where: str

    @property
    def keywords(self) -> dict[str, Any]:
        return self.schema if isinstance(self.schema, dict) else {}

    def sub(self, *steps: str | int) -> Part:
        """The subschema that `steps` lead to, e.g. `part.sub("properties", "name")`."""
        schema: Any = self.schema
        for step in steps:
            schema = schema[step]
        pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)
        if not isinstance(schema, bool | dict):
            raise SchemaError(f"{self.where}{pointer} is not a schema")
        resolver = self.resolver
        if isinstance(schema, dict) and "$id" in schema:
            resolver = resolver.in_subresource(DRAFT202012.create_resource(schema))
        return Part(schema, resolver, self.where + pointer)

    def subs(self, keyword: str) -> list[Part]:
        """The subschemas under a keyword that takes one schema, a list of them or a map of them."""
        value = self.keywords.get(keyword)
        if value is None:
            return []
        if keyword in ONE_SCHEMA:
            return [self.sub(keyword)]
        return [self.sub(keyword, step) for step in (value if isinstance(value, dict) else range(len(value)))]

    def target(self) -> Part:
        """What this part's `$ref` refers to. Raises SchemaError when it refers to nothing."""
        ref = self.keywords["$ref"]
        try:
            found = self.resolver.lookup(ref)
        except Unresolvable:
            raise SchemaError(
                f"{self.where} refers to {ref!r}, which is not there",
                hint="give every document that the schema refers to; nothing is fetched",
            ) from None
        if not isinstance(found.contents, bool | dict):
            raise SchemaError(f"{self.where} refers to {ref!r}, which is not a schema")
        base = urldefrag(self.where).url
        where = base + ref if ref.startswith("#") else urljoin(base, ref)
        return Part(found.contents, found.resolver, where if "#" in where else where + "#")

    def errors(self, value: Any) -> Iterator[ValidationError]:
        """Why the reference validator refuses `value` here."""
        errors: Iterator[ValidationError] = REFERENCE.descend(value, self.schema, resolver=self.resolver)
        return errors

    def accepts(self, value: Any) -> bool:
        return next(self.errors(value), None) is None


Node: TypeAlias = tuple[Part, ...]
"""A conjunction: what every one of the parts accepts. The empty one accepts everything."""


def fold(part: Part, _above: frozenset[int] = frozenset()) -> Node:
    """The part and all that its `$ref` and `allOf` add, each once. Raises SchemaError on a reference loop."""
    if part.schema is True:
        return ()
    if id(part.schema) in _above:
        raise SchemaError(f"{part.where} refers to itself without end")
    above = _above | {id(part.schema)}
    inherited = [part.target()] if "$ref" in part.keywords else []
    found = {id(part.schema): part}
    for each in (*inherited, *part.subs("allOf")):
        for folded in fold(each, above):
            found.setdefault(id(folded.schema), folded)
    return tuple(found.values())


def fold_all(parts: list[Part]) -> Node:
    """The conjunction of all `parts`, folded, each once."""
    return tuple({id(each.schema): each for part in parts for each in fold(part)}.values())


def reachable(root: Part) -> Iterator[Part]:
    """Every schema under `root` and behind its references, once. Raises SchemaError on a dangling reference."""
    seen: set[int] = set()
    pending = [root]
    while pending:
        part = pending.pop()
        if not part.keywords or id(part.schema) in seen:
            continue
        seen.add(id(part.schema))
        yield part
        if "$ref" in part.keywords:
            pending.append(part.target())
        for keyword in (*ONE_SCHEMA, *SCHEMA_LISTS, *SCHEMA_MAPS):
            pending += part.subs(keyword)


def child(node: Node, name: str | None, patterns: frozenset[str]) -> Node:
    """What `node` asks of the value under key `name` (None: some key it doesn't name).

    `patterns`: those of its `patternProperties` that the key matches.
    """
    found: list[Part] = []
    for part in node:
        own = [part.sub("properties", name)] if name is not None and name in named(part) else []
        for pattern in part.keywords.get("patternProperties", ()):
            if pattern in patterns:
                own.append(part.sub("patternProperties", pattern))
        found += own or part.subs("additionalProperties")
    return fold_all(found)


def patterns_of(node: Node) -> list[str]:
    """Every pattern for keys that the node has."""
    return sorted({pattern for part in node for pattern in part.keywords.get("patternProperties", ())})


def matched(node: Node, name: str) -> frozenset[str]:
    """The node's patterns for keys that `name` matches."""
    return frozenset(pattern for pattern in patterns_of(node) if matches(pattern, name))


def element(node: Node, index: int) -> Node:
    """What `node` asks of the array element at `index`."""
    found: list[Part] = []
    for part in node:
        prefix = part.subs("prefixItems")
        found += [prefix[index]] if index < len(prefix) else part.subs("items")
    return fold_all(found)


def flat(node: Node, keywords: tuple[str, ...] = BRANCHES, limit: int = MAX_MENTIONED) -> Node:
    """The node's parts, then those of its branches, up to a limit: for what they mention, not for what they mean."""
    found = {id(part.schema): part for part in node}
    pending = list(found.values())
    while pending and len(found) < limit:
        part = pending.pop(0)
        for each in fold_all([branch for keyword in keywords for branch in part.subs(keyword)]):
            if id(each.schema) not in found:
                found[id(each.schema)] = each
                pending.append(each)
    return tuple(found.values())


def named(part: Part) -> dict[str, Any]:
    """The properties that the part itself names."""
    properties: dict[str, Any] = part.keywords.get("properties", {})
    return properties


def constrains(node: Node) -> bool:
    """Whether the node says anything that could refuse a value."""
    return any(part.schema is False or part.keywords.keys() - ANNOTATIONS for part in node)
