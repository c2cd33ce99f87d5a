"""Schemas taken apart: a part is one schema in its place, a node is what several parts allow together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urldefrag, urljoin

import jsonschema_rs
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from evalcontract.catalog import DIALECT
from evalcontract.errors import SchemaError
from evalcontract.evolution.comparing.keywords import (
    ALL_TYPES,
    BRANCHES,
    CONDITIONAL,
    ONE_SCHEMA,
    SCHEMA_LISTS,
    SCHEMA_MAPS,
    TYPES,
    annotates,
)
from evalcontract.evolution.comparing.reference import errors_of, matches
from evalcontract.evolution.comparing.work import spend
from evalcontract.values import frozen, pointer, type_of

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from referencing._core import Resolver

META = jsonschema_rs.Draft202012Validator({"$ref": DIALECT})

Schema: TypeAlias = bool | dict[str, Any]
Step: TypeAlias = str | int


MAX_MENTIONED = 200
PARTS = 8
"""So many parts are asked in the time of a look at a value."""
NO_PARTS: dict[Step, Part] = {}


@dataclass(eq=False)
class Part:
    """One schema in its place. However one comes to a schema object, its part is the same.

    `where` is `uri#/pointer`; `resolver` knows the base URI there; `known` holds every part of the side so far, each
    known to be a schema.
    """

    schema: Schema
    resolver: Resolver[Schema]
    where: str
    known: dict[int, Part] = field(default_factory=dict, repr=False)

    @cached_property
    def keywords(self) -> dict[str, Any]:
        return self.schema if isinstance(self.schema, dict) else {}

    @cached_property
    def listed(self) -> list[Any] | None:
        """The values that `const` or `enum` list, None without either."""
        return [self.keywords["const"]] if "const" in self.keywords else self.keywords.get("enum")

    @cached_property
    def _listed_keys(self) -> frozenset[Any]:
        return frozenset(map(frozen, self.listed or ()))

    def lists(self, value: Any) -> bool:
        """Whether `const` or `enum` list a value."""
        return frozen(value) in self._listed_keys

    def subs(self, keyword: str) -> dict[Step, Part]:
        """The subschemas under a keyword, by key or index; under 0 where there can only be one."""
        return self.below.get(keyword, {})

    @cached_property
    def below(self) -> dict[str, dict[Step, Part]]:
        """The subschemas of every keyword that has some. Raises SchemaError when `$ref` refers to nothing."""
        found: dict[str, dict[Step, Part]] = {}
        for keyword, value in self.keywords.items():
            if keyword == "$ref":
                found[keyword] = {0: self._target(value)}
            elif keyword in ONE_SCHEMA:
                found[keyword] = {0: self._inner(value, keyword)}
            elif keyword in SCHEMA_LISTS:
                found[keyword] = {at: self._inner(schema, keyword, at) for at, schema in enumerate(value)}
            elif keyword in SCHEMA_MAPS:
                found[keyword] = {name: self._inner(schema, keyword, name) for name, schema in value.items()}
        return found

    def definitions(self) -> dict[str, Part]:
        """What the schema defines for others, by `#/pointer`."""
        return {
            f"#{pointer((keyword, name))}": part
            for keyword in ("$defs", "definitions")
            for name, part in self.subs(keyword).items()
        }

    def at(self, fragment: str) -> Part:
        """The part of this document that a fragment names. Raises SchemaError when there is none."""
        return self._target(f"#{fragment}")

    def _inner(self, schema: Schema, *steps: Step) -> Part:
        resolver = self.resolver.in_subresource(DRAFT202012.create_resource(schema))
        return self._known(schema, resolver, self.where + pointer(steps))

    def _target(self, ref: str) -> Part:
        try:
            found = self.resolver.lookup(ref)
        except Unresolvable:
            raise SchemaError(
                f"{self.where} refers to {ref!r}, which is not there",
                hint="give every document that the schema refers to; nothing is fetched",
            ) from None
        if id(found.contents) not in self.known and not META.is_valid(found.contents):
            raise SchemaError(f"{self.where} refers to {ref!r}, which is not a schema")
        base = urldefrag(self.where).url
        where = base + ref if ref.startswith("#") else urljoin(base, ref)
        return self._known(found.contents, found.resolver, where if "#" in where else where + "#")

    def _known(self, schema: Schema, resolver: Resolver[Schema], where: str) -> Part:
        if isinstance(schema, bool):
            return Part(schema, resolver, where)
        return self.known.setdefault(id(schema), Part(schema, resolver, where, self.known))

    @cached_property
    def says(self) -> bool:
        """Whether the part refuses something by itself, and not only by what it refers to."""
        own = (name for name in self.keywords if name not in ("$ref", "allOf"))
        return self.schema is False or not all(map(annotates, own))

    @cached_property
    def folded(self) -> Node:
        """The part and all that its `$ref` and `allOf` add, each once."""
        found: dict[Part, None] = {}
        pending = [self]
        while pending:
            part = pending.pop(0)
            if part.schema is not True and part not in found:
                found[part] = None
                pending[:0] = [*part.subs("$ref").values(), *part.subs("allOf").values()]
        return tuple(found)

    @cached_property
    def types(self) -> frozenset[str]:
        """The types that the part itself can accept, by `type`, `const` and `enum` alone."""
        if self.schema is False:
            return frozenset()
        declared = self.keywords.get("type", TYPES)
        names = {declared} if isinstance(declared, str) else set(declared)
        if "number" in names:
            names |= {"integer", "fraction"}
        return ALL_TYPES & names & (ALL_TYPES if self.listed is None else set(map(type_of, self.listed)))

    @cached_property
    def possible(self) -> frozenset[str]:
        """The types with `anyOf` and `oneOf` branches counted in: perhaps too many, never too few."""
        found = self.types
        for branches in filter(None, (self.subs("anyOf"), self.subs("oneOf"))):
            found &= frozenset().union(*(possible(branch.folded) for branch in branches.values()))
        return found

    @cached_property
    def evaluated_keys(self) -> Evaluated | None:
        """The keys that `unevaluatedProperties` doesn't see here; None where that depends on the value."""
        if self._conditional:
            return None
        said = [part.keywords for part in self.folded]
        rest = any("additionalProperties" in found for found in said)
        rest |= any("unevaluatedProperties" in part.keywords for part in self.folded if part is not self)
        names = frozenset(name for found in said for name in found.get("properties", ()))
        patterns = tuple(dict.fromkeys(name for found in said for name in found.get("patternProperties", ())))
        return Evaluated(names, patterns, rest)

    @cached_property
    def evaluated_items(self) -> float | None:
        """How many of the first elements `unevaluatedItems` doesn't see; None where that depends on the value."""
        if self._conditional or any("contains" in part.keywords for part in self.folded):
            return None
        rest = any("items" in part.keywords for part in self.folded)
        rest |= any("unevaluatedItems" in part.keywords for part in self.folded if part is not self)
        return math.inf if rest else max(len(part.subs("prefixItems")) for part in self.folded)

    @property
    def _conditional(self) -> bool:
        return any(CONDITIONAL & part.keywords.keys() for part in self.folded)

    def errors(self, value: Any) -> Iterator[ValidationError]:
        """Why the reference validator refuses `value` here."""
        return errors_of(value, self.schema, self.resolver)

    def accepts(self, value: Any) -> bool:
        return next(self.errors(value), None) is None


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Keys that something speaks of: by name, by pattern, or the `rest` of them too."""

    names: frozenset[str]
    patterns: tuple[str, ...]
    rest: bool

    def covers(self, name: str | None, patterns: frozenset[str]) -> bool:
        """Whether a key is among them; without a name, any key that matches just these patterns and no name."""
        if self.rest or name in self.names:
            return True
        return any(
            pattern in patterns if name is None else matches(pattern, name) for pattern in self.patterns
        )


Node: TypeAlias = tuple[Part, ...]
"""A conjunction: what every one of the parts accepts. The empty one accepts everything."""


def fold(*parts: Part) -> Node:
    """The conjunction of all `parts`, folded, each once."""
    return tuple(dict.fromkeys(folded for part in parts for folded in part.folded))


def types_of(node: Node) -> frozenset[str]:
    """The types that every part of the node can accept by itself."""
    return ALL_TYPES.intersection(*(part.types for part in node))


def possible(node: Node) -> frozenset[str]:
    """The types that the node may accept, branches counted in."""
    return ALL_TYPES.intersection(*(part.possible for part in node))


def accepts(node: Node, value: Any) -> bool:
    """Whether every part of the node accepts the value."""
    return all(part.accepts(value) for part in node)


def constrains(node: Node) -> bool:
    """Whether the node says anything that could refuse a value."""
    return any(part.schema is False or not all(map(annotates, part.keywords)) for part in node)


def reachable(root: Part) -> Iterator[Part]:
    """Every schema under `root` and behind its references, once. Raises SchemaError on a dangling reference."""
    seen = {root}
    pending = [root]
    while pending:
        part = pending.pop()
        yield part
        news = [inner for subs in part.below.values() for inner in subs.values() if inner not in seen]
        seen.update(news)
        pending += news


def child(node: Node, name: str | None, patterns: frozenset[str] = frozenset()) -> Node:
    """What `node` asks of the value under key `name`, or under a key it doesn't name that has just these patterns."""
    spend(len(node) // PARTS)
    found: list[Part] = []
    for part in node:
        below = part.below
        if not below:
            continue
        named = below.get("properties", NO_PARTS)
        own = [named[name]] if name in named else []
        for pattern, rule in below.get("patternProperties", NO_PARTS).items():
            if pattern in patterns if name is None else matches(str(pattern), name):
                own.append(rule)
        found += own or below.get("additionalProperties", NO_PARTS).values()
        if (rest := below.get("unevaluatedProperties")) and (seen := part.evaluated_keys):
            found += () if seen.covers(name, patterns) else rest.values()
    return fold(*found)


def element(node: Node, index: int) -> Node:
    """What `node` asks of the array element at `index`."""
    spend(len(node) // PARTS)
    found: list[Part] = []
    for part in node:
        prefix = part.subs("prefixItems")
        found += [prefix[index]] if index in prefix else part.subs("items").values()
        if (rest := part.subs("unevaluatedItems")) and (seen := part.evaluated_items) is not None:
            found += () if index < seen else rest.values()
    return fold(*found)


def flat(node: Node, keywords: tuple[str, ...] = BRANCHES, limit: int = MAX_MENTIONED) -> Node:
    """The node's parts, then those of its branches, up to a limit: for what they mention, not for what they mean."""
    found = dict.fromkeys(node)
    pending = list(node)
    while pending and len(found) < limit:
        part = pending.pop(0)
        news = fold(*(branch for keyword in keywords for branch in part.subs(keyword).values()))
        pending += [new for new in news if new not in found]
        found |= dict.fromkeys(news)
    spend(len(found) // PARTS)
    return tuple(found)
