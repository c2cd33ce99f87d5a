"""Older dialects of JSON Schema, rewritten into 2020-12 where that is exact, and refused by name where it isn't."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from evalcontract.catalog import DATA_KEYWORDS, DIALECT, DIALECTS, references
from evalcontract.errors import SchemaError
from evalcontract.values import pointer, shown

OLDER = {
    "http://json-schema.org/draft-04/schema": 4,
    "http://json-schema.org/draft-06/schema": 6,
    "http://json-schema.org/draft-07/schema": 7,
    "https://json-schema.org/draft/2019-09/schema": 2019,
}
NAMES = {4: "draft-04", 6: "draft-06", 7: "draft-07", 2019: "2019-09"}
SINCE = {
    6: ("const", "contains", "propertyNames"),
    7: ("if", "then", "else"),
    2019: (
        *("dependentRequired", "dependentSchemas", "maxContains", "minContains"),
        *("unevaluatedItems", "unevaluatedProperties"),
    ),
    2020: ("prefixItems", "$dynamicRef", "$dynamicAnchor"),
}
"""Keywords that refuse something, by the dialect that brought them: in an older one they mean nothing."""
SCHEMA_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
SCHEMA_LISTS = ("allOf", "anyOf", "oneOf")
SCHEMAS = (
    *("not", "if", "then", "else", "contains", "propertyNames", "additionalProperties", "unevaluatedItems"),
    *("unevaluatedProperties", "items", "contentSchema"),
)
BESIDE_REF = ("definitions", "$defs", "title", "description", "default", "examples", "$comment", "$schema")
"""What is kept beside a `$ref` where a dialect ignores all that stands there: what refuses nothing."""
FLAGS = ("additionalProperties", "items")
"""What may be true or false in draft-04, `additionalItems` under its new name."""
_ANCHOR = re.compile(r"[A-Za-z_][-A-Za-z0-9._]*")
"""What 2020-12 takes for the name of a place. Others mean nothing, such as the pointers that some tools write."""
MOVED = ("dependencies", "additionalItems")


@dataclass(frozen=True, slots=True)
class Modern:
    """A schema in 2020-12, and what is to be said of the way there."""

    schema: Any
    notes: tuple[str, ...] = ()


def modern(document: Any, label: str) -> Modern:
    """The document as a schema of 2020-12: itself, where it declares that dialect or none.

    Raises SchemaError for a dialect that isn't read here, and where an older one can't be rewritten exactly.
    """
    declared = document.get("$schema", DIALECT) if isinstance(document, dict) else DIALECT
    if declared in DIALECTS:
        return Modern(document)
    draft = _draft(declared, label)
    said = set(_keywords(document))
    if draft == 2019 and {"unevaluatedItems", "contains"} <= said:
        raise SchemaError(
            f"{label} has 'unevaluatedItems' and 'contains', which 2019-09 and 2020-12 read in different ways",
            hint="write the schema in 2020-12",
        )
    fragments = frozenset(target.partition("#")[2] for target in references(document))
    rewriter = _Rewriter(label, draft, anchored="$recursiveAnchor" in said, fragments=fragments)
    schema = rewriter.schema(document, ())
    _refuse_moved_places(schema, label)
    ignored = [f"{label}: {name!r} means nothing in {NAMES[draft]}" for name in sorted(rewriter.ignored)]
    whole = [f"{label}: 1.0 counts as an integer here, other than in draft-04"] if rewriter.integers else []
    return Modern(schema, (f"{label} was read as {NAMES[draft]}, rewritten into 2020-12", *ignored, *whole))


def _keywords(node: Any) -> Iterator[str]:
    """Every key in a document, and so every keyword."""
    if isinstance(node, dict):
        yield from node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _keywords(inner)


def _draft(declared: Any, label: str) -> int:
    draft = OLDER.get(declared.rstrip("#")) if isinstance(declared, str) else None
    if draft is None:
        known = ", ".join([*NAMES.values(), "2020-12"])
        raise SchemaError(f"{label} declares the dialect {shown(declared)}", hint=f"read are {known}")
    return draft


@dataclass(slots=True)
class _Rewriter:
    label: str
    draft: int
    anchored: bool
    fragments: frozenset[str]
    """What stands behind the # of every reference."""
    ignored: set[str] = field(default_factory=set)
    integers: bool = False

    def schema(self, node: Any, path: tuple[str | int, ...]) -> Any:
        """A schema anywhere in the document."""
        if not isinstance(node, dict):
            if self.draft == 4 and isinstance(node, bool):
                self._refuse(path, "a schema that is true or false")
            return node
        if node.get("$schema", DIALECT) not in DIALECTS and path:
            inner = _draft(node["$schema"], self.label)
            if inner != self.draft:
                self._refuse(path, f"a part in another dialect, {NAMES[inner]}")
        made = dict(self._kept(node))
        if "$schema" in made:
            made["$schema"] = DIALECT
        self._identify(made, path)
        self._bounds(made)
        self._references(made, path)
        for name in SCHEMA_MAPS:
            if isinstance(made.get(name), dict):
                made[name] = {
                    key: self.schema(inner, (*path, name, key)) for key, inner in made[name].items()
                }
        for name in SCHEMA_LISTS:
            if isinstance(made.get(name), list):
                made[name] = self._list(made[name], (*path, name))
        self._elements(made, path)
        for name in (name for name in SCHEMAS if name in made):
            made[name] = self.schema_or_flag(made[name], (*path, name))
        self._dependencies(made, path)
        return made

    def schema_or_flag(self, node: Any, path: tuple[str | int, ...]) -> Any:
        """In draft-04 a few keywords take true or false though schemas don't."""
        return node if isinstance(node, bool) and path[-1] in FLAGS else self.schema(node, path)

    def _list(self, nodes: list[Any], path: tuple[str | int, ...]) -> list[Any]:
        return [self.schema(inner, (*path, at)) for at, inner in enumerate(nodes)]

    def _kept(self, node: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """What means something in this dialect: no keywords of later ones, and little beside a `$ref`."""
        later = {name for since, names in SINCE.items() if since > self.draft for name in names}
        alone = self.draft <= 7 and isinstance(node.get("$ref"), str)
        for name, value in node.items():
            if name in later:
                self.ignored.add(name)
            elif not alone or name == "$ref" or name in BESIDE_REF:
                yield name, value

    def _identify(self, made: dict[str, Any], path: tuple[str | int, ...]) -> None:
        if self.draft == 4 and isinstance(made.get("id"), str):
            made["$id"] = made.pop("id")
        uri = made.get("$id")
        if self.draft > 7 or not isinstance(uri, str) or "#" not in uri.rstrip("#"):
            return
        base, _, anchor = uri.partition("#")
        if base:
            self._refuse(path, f"the identifier {shown(uri)}, with an anchor in it")
        del made["$id"]
        if _ANCHOR.fullmatch(anchor):
            made["$anchor"] = anchor
        elif anchor != pointer(path) and anchor in self.fragments:
            self._refuse(path, f"the identifier {shown(uri)}, which is no name, and is referred to")

    def _bounds(self, made: dict[str, Any]) -> None:
        self.integers |= self.draft == 4 and "integer" in str(made.get("type"))
        for name, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            flag = made.get(exclusive)
            if self.draft == 4 and isinstance(flag, bool):
                del made[exclusive]
                if flag and name in made:
                    made[exclusive] = made.pop(name)

    def _references(self, made: dict[str, Any], path: tuple[str | int, ...]) -> None:
        """Without an anchor a recursive reference is a plain one."""
        anchor, target = made.pop("$recursiveAnchor", False), made.pop("$recursiveRef", None)
        if self.draft < 2019 or (anchor is False and target is None):
            return
        if anchor or self.anchored or "$ref" in made:
            self._refuse(path, "a recursive reference to an anchor")
        made["$ref"] = target

    def _elements(self, made: dict[str, Any], path: tuple[str | int, ...]) -> None:
        """`items` with a list became `prefixItems`, and `additionalItems`, which means nothing without, `items`."""
        rest = made.pop("additionalItems", None)
        if isinstance(made.get("items"), list):
            prefix = made.pop("items")
            if prefix:
                made["prefixItems"] = self._list(prefix, (*path, "items"))
            if rest is not None:
                made["items"] = rest  # read below, as what stood there before
        elif isinstance(made.get("items"), bool) and self.draft == 4:
            self._refuse(path, "a schema that is true or false")

    def _dependencies(self, made: dict[str, Any], path: tuple[str | int, ...]) -> None:
        if self.draft > 7 or not isinstance(made.get("dependencies"), dict):
            return
        for key, wanted in made.pop("dependencies").items():
            if isinstance(wanted, list):
                made.setdefault("dependentRequired", {})[key] = wanted
            else:
                inner = self.schema(wanted, (*path, "dependencies", key))
                made.setdefault("dependentSchemas", {})[key] = inner

    def _refuse(self, path: tuple[str | int, ...], what: str) -> None:
        raise SchemaError(
            f"{self.label} has {what} at {pointer(path) or 'the root'}: {NAMES[self.draft]} can't be rewritten there",
            hint="write the schema in 2020-12",
        )


def _refuse_moved_places(node: Any, label: str) -> None:
    """Raise SchemaError for a reference to a place that has another name after the rewriting."""
    if isinstance(node, list):
        for inner in node:
            _refuse_moved_places(inner, label)
    if not isinstance(node, dict):
        return
    target = node.get("$ref")
    steps = target.partition("#")[2].split("/") if isinstance(target, str) else []
    for before, step in pairwise(steps):
        if before in MOVED or (before == "items" and step.isdecimal()):
            raise SchemaError(
                f"{label} refers to {shown(target)}, a place that 2020-12 has under another name",
                hint="put what is referred to among the definitions",
            )
    for name, inner in node.items():
        if name not in DATA_KEYWORDS:
            _refuse_moved_places(inner, label)
