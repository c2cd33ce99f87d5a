"""One version of a schema as the checker sees it: its root and its own documents, checked on the way in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from graphlib import CycleError, TopologicalSorter
from itertools import takewhile
from typing import Any

from referencing import Registry
from referencing.jsonschema import DRAFT202012

from evalcontract.catalog import DIALECT, DIALECTS
from evalcontract.errors import SchemaError
from evalcontract.evolution.comparing.keywords import IN_PLACE
from evalcontract.evolution.comparing.parts import META, Node, Part, Schema, reachable
from evalcontract.validation import Modern, modern, refuse_what_is_not_json
from evalcontract.validation.engine import compiled_pattern
from evalcontract.values import Listed, pointer, shown

ANONYMOUS = "urn:evalcontract:"
"""What the URI of a document without one begins with, followed by its label."""
MAX_BYTES = 4_000_000
MAX_PARTS = 10_000
MAX_LOOKS = 2_000
"""So many subschemas may be about one and the same value."""
MAX_PATTERNS = 100
"""So many patterns may be about the keys of one object."""
MAX_DIGITS = 300
"""Of a whole number: larger ones don't compute with those that are not whole."""
_FOLDER = re.compile(r"[^(#:]*")
DYNAMIC = frozenset(("$dynamicRef", "$recursiveRef"))


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """A schema with everything it refers to. `label` is what reports call it, e.g. `rag_input@1.0`."""

    label: str
    root: Part
    notes: tuple[str, ...] = ()
    """What is to be said of the way in which it was read."""
    dynamic: str | None = None
    """Where a dynamic reference stands, if there is one: what it refers to depends on the way one came."""
    refused: str | None = None
    """Why it can't be compared: one of several schemas, the others of which can."""

    def node(self) -> Node:
        return self.root.folded


def load_side(
    label: str,
    root: Any,
    *,
    uri: str | None = None,
    documents: Mapping[str, Any] | None = None,
    where: str | None = None,
    fragment: str = "",
) -> Side:
    """Make a Side of plain documents: `root`, and by URI whatever it refers to.

    `uri` defaults to the root's `$id`. `where` is what places in the root begin with, its URI by default. With a
    `fragment` the side is just the part of the root that it names, such as `/$defs/Tool`.
    Raises SchemaError for what is not a 2020-12 schema, is too large or too deep, or refers to something that
    isn't among the documents or to itself without end.
    """
    own = root.get("$id") if isinstance(root, dict) else None
    base = (uri or (own if isinstance(own, str) else ANONYMOUS + label)).rstrip("#")
    others = {at: document for at, document in (documents or {}).items() if at != base}
    read = {at: _checked(f"{label}: {at}", document) for at, document in others.items()}
    read[base] = _checked(label, root)
    copies: dict[str, Schema] = {at: found.schema for at, found in read.items()}
    registry: Registry[Schema] = Registry().with_resources(
        (at, DRAFT202012.create_resource(copy)) for at, copy in copies.items()
    )
    where = where or (label if base.startswith(ANONYMOUS) else base)
    known: dict[int, Part] = {}
    try:
        resolver = registry.crawl().resolver(base)
    except (ValueError, TypeError, AttributeError) as error:
        raise SchemaError(f"{label} has an $id or an anchor that is none: {shown(str(error))}") from error
    root_part = Part(copies[base], resolver, where + "#", known)
    known[id(copies[base])] = root_part
    if fragment:
        root_part = root_part.at(fragment)
    in_place: dict[Part, list[Part]] = {}
    anchors: list[Any] = []
    for part in reachable(root_part):
        _prepare(part.where, part.keywords)
        if "$dynamicRef" in part.keywords and "$ref" not in part.keywords:
            anchors = anchors or list(_anchors(list(copies.values())))
            _make_plain(part.keywords, anchors)
        in_place[part] = [branch for keyword in IN_PLACE for branch in part.subs(keyword).values()]
        if len(in_place) > MAX_PARTS:
            raise SchemaError(f"{label} has more than {MAX_PARTS:,} subschemas")
    _refuse_endless(label, in_place)
    dynamic = next((part.where for part in in_place if DYNAMIC & part.keywords.keys()), None)
    notes = tuple(note for found in read.values() for note in found.notes)
    return Side(label, root_part, notes, dynamic)


def _make_plain(keywords: dict[str, Any], anchors: list[Any]) -> None:
    """Make a dynamic reference a plain one where it is as good as that: only one place, if any, can be meant."""
    target = keywords["$dynamicRef"]
    if isinstance(target, str) and anchors.count(target.rpartition("#")[2]) < 2:
        keywords["$ref"] = keywords.pop("$dynamicRef")


def _anchors(node: Any) -> Iterator[Any]:
    """Every dynamic anchor in documents, and what may look like one."""
    if isinstance(node, dict) and "$dynamicAnchor" in node:
        yield node["$dynamicAnchor"]
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _anchors(inner)


def names_of(one: Side, other: Side) -> tuple[str, str]:
    """What two sides are called in sentences about both: their labels, without the folders that they share."""
    steps = one.label.split("/"), other.label.split("/")
    pairs = zip(steps[0][:-1], steps[1][:-1], strict=False)
    shared = len(list(takewhile(lambda pair: pair[0] == pair[1] and _FOLDER.fullmatch(pair[0]), pairs)))
    return "/".join(steps[0][shared:]), "/".join(steps[1][shared:])


def refused_side(label: str, reason: str) -> Side:
    """What stands for a schema that can't be compared, among others that can."""
    return replace(load_side(label, True), refused=reason)


def _refuse_endless(label: str, in_place: Mapping[Part, list[Part]]) -> None:
    """Raise SchemaError when one value has to be looked at without end, or too many times."""
    looks: dict[Part, int] = {}
    try:
        for part in TopologicalSorter(in_place).static_order():
            looks[part] = 1 + sum(looks[branch] for branch in in_place.get(part, ()))
            if looks[part] > MAX_LOOKS:
                raise SchemaError(
                    f"{label} looks at one value more than {MAX_LOOKS:,} times, from {part.where}",
                    hint="refer to each part once, and write long lists of values as an enum",
                )
    except CycleError as error:
        raise SchemaError(
            f"{error.args[1][0].where} refers to itself without end", hint="take one of the references away"
        ) from None


def _prepare(where: str, keywords: dict[str, Any]) -> None:
    """Make a schema ready for the reference validator. Raises SchemaError for a pattern that isn't one, or many."""
    _refuse_dialect(where, keywords.pop("$schema", DIALECT))
    if len(keywords.get("patternProperties", ())) > MAX_PATTERNS:
        raise SchemaError(
            f"{where} has more than {MAX_PATTERNS} patterns for keys", hint="write one of them for several"
        )
    if "enum" in keywords:
        keywords["enum"] = Listed(keywords["enum"])
    for pattern in (*keywords.get("patternProperties", ()), *filter(None, [keywords.get("pattern")])):
        try:
            compiled_pattern(pattern)
        except SchemaError as error:
            raise SchemaError(f"{where}: {error.message}", hint=error.hint) from error


def _checked(name: str, document: Any) -> Modern:
    """A private copy of `document`, known to be a schema of a sane size, in our dialect whichever it was written in."""
    refuse_what_is_not_json(document, name)
    text = json.dumps(document)
    if len(text) > MAX_BYTES:
        raise SchemaError(f"{name} is larger than {MAX_BYTES:,} bytes")
    copy: Any = json.loads(text, parse_int=partial(_whole, name))
    found = modern(copy, name)
    copy = found.schema
    error = next(iter(META.iter_errors(copy)), None)
    if error is not None:
        where = pointer(error.instance_path) or "the root"
        raise SchemaError(f"{name} is not a JSON Schema: at {where}, {error.message[:200]}")
    return found


def _refuse_dialect(name: str, dialect: Any) -> None:
    if dialect not in DIALECTS:
        raise SchemaError(f"{name} declares the dialect {shown(dialect)}", hint=f"only {DIALECT} is compared")


def _whole(name: str, digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise SchemaError(f"{name} has a number of more than {MAX_DIGITS} digits", hint="leave it out")
    return int(digits)
