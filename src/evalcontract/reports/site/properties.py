"""The properties of a contract as rows of a table: its own and those that it inherits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from evalcontract.catalog import Catalogue, ContractRef, Schema
from evalcontract.errors import UnknownContract, UnknownVersion
from evalcontract.values import counted

_SAFE_INTEGER = 2**53 - 1
_DEEPEST = 6
_COMPARISONS = {"minimum": "≥", "maximum": "≤", "exclusiveMinimum": ">", "exclusiveMaximum": "<"}
_COUNTS = {
    "minLength": ("at least", "character"),
    "maxLength": ("at most", "character"),
    "minItems": ("at least", "item"),
    "maxItems": ("at most", "item"),
    "minProperties": ("at least", "key"),
    "maxProperties": ("at most", "key"),
}
_TOLD_ELSEWHERE = frozenset(
    ("type", "enum", "$ref", "anyOf", "items", "properties", "required", "default", "title", "description")
) | {"$id", "$schema", "$defs", "$comment", "examples"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A piece of the description of a type: words, a value of JSON, or the name of a contract."""

    text: str
    code: bool = False
    ref: ContractRef | None = None


@dataclass(frozen=True, slots=True)
class PropertyRow:
    """One property. `origin`: the contract that it is inherited from; `default` is JSON."""

    name: str
    parts: tuple[Phrase, ...]
    required: bool
    nullable: bool
    default: str | None
    description: str
    origin: ContractRef | None


def rows(catalogue: Catalogue, ref: ContractRef) -> tuple[PropertyRow, ...]:
    """The properties of a contract, those of its root ancestor first; properties of an object within it follow it."""
    line = (*reversed(catalogue.ancestors(ref)), ref)
    documents = [(part, catalogue.document(part)) for part in line]
    required = frozenset(name for _, schema in documents for name in schema.get("required", ()))
    return tuple(
        row
        for part, schema in documents
        for row in _rows(catalogue, part, schema, required, None if part == ref else part)
    )


def _rows(
    catalogue: Catalogue,
    ref: ContractRef,
    schema: Schema,
    required: frozenset[str],
    origin: ContractRef | None,
    prefix: str = "",
    depth: int = 0,
) -> Iterator[PropertyRow]:
    for name, field in _objects(schema.get("properties")):
        default = json.dumps(field["default"], ensure_ascii=False) if "default" in field else None
        described = field.get("description")
        yield PropertyRow(
            prefix + name,
            described_type(catalogue, ref, field),
            name in required,
            _nullable(field),
            default,
            described if isinstance(described, str) else "",
            origin,
        )
        if depth < _DEEPEST:
            inside = field.get("items", field) if isinstance(field.get("items"), dict) else field
            needed = frozenset(inside.get("required", ()))
            step = f"{prefix}{name}[]." if inside is not field else f"{prefix}{name}."
            yield from _rows(catalogue, ref, inside, needed, origin, step, depth + 1)


def described_type(catalogue: Catalogue, ref: ContractRef, schema: Schema) -> tuple[Phrase, ...]:
    """What a property of the contract `ref` holds, in words; null is not told."""
    return tuple(_described(catalogue, ref, schema))


def _described(catalogue: Catalogue, ref: ContractRef, schema: Schema) -> Iterator[Phrase]:
    branches = [part for part in schema.get("anyOf", ()) if part != {"type": "null"}]
    if "$ref" in schema:
        yield _linked(catalogue, ref, schema["$ref"])
    elif branches:
        for number, branch in enumerate(branches):
            yield from [Phrase(" or ")] if number else []
            yield from _described(catalogue, ref, branch)
    elif "enum" in schema:
        for number, value in enumerate(schema["enum"]):
            yield from [Phrase(" or ")] if number else []
            yield Phrase(
                value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), code=True
            )
    else:
        yield from _by_type(catalogue, ref, schema)
    for constraint in _constraints(schema):
        yield Phrase(", ")
        yield from constraint


def _by_type(catalogue: Catalogue, ref: ContractRef, schema: Schema) -> Iterator[Phrase]:
    stated = schema.get("type", "any JSON value")
    names = [stated] if isinstance(stated, str) else [name for name in stated if name != "null"] or ["null"]
    for holder, inside in (("array", "items"), ("object", "additionalProperties")):
        if isinstance(schema.get(inside), dict):
            yield Phrase(f"{holder} of ")
            yield from _described(catalogue, ref, schema[inside])
            return
    yield Phrase(" or ".join(names))


def _constraints(schema: Schema) -> Iterator[tuple[Phrase, ...]]:
    """Every keyword that judges, once: none is left out because it is not known here."""
    for keyword, said in schema.items():
        if keyword in _COMPARISONS:
            if not isinstance(said, int | float) or abs(said) != _SAFE_INTEGER:
                yield (Phrase(f"{_COMPARISONS[keyword]} {said}"),)
        elif keyword in _COUNTS and isinstance(said, int):
            bound, unit = _COUNTS[keyword]
            yield (Phrase(f"{bound} {counted(said, unit)}"),)
        elif keyword == "pattern":
            yield (Phrase("matches "), Phrase(str(said), code=True))
        elif keyword not in _TOLD_ELSEWHERE and not (
            keyword == "additionalProperties" and isinstance(said, dict)
        ):
            yield (Phrase(f"{keyword} "), Phrase(json.dumps(said, ensure_ascii=False), code=True))


def _linked(catalogue: Catalogue, ref: ContractRef, written: str) -> Phrase:
    try:
        target = catalogue.ref_of(urljoin(catalogue.uri(ref), written))
    except (UnknownContract, UnknownVersion):
        return Phrase(written, code=True)
    if "#" in written:
        return Phrase(written, code=True)
    return Phrase(str(catalogue.document(target).get("title", target)), ref=target)


def _nullable(schema: Schema) -> bool:
    if "anyOf" in schema:
        return any(_nullable(part) for part in schema["anyOf"])
    if "enum" in schema:
        return None in schema["enum"]
    stated = schema.get("type")
    return "$ref" not in schema and (stated is None or stated == "null" or "null" in stated)


def _objects(found: Any) -> Iterator[tuple[str, Schema]]:
    if isinstance(found, Mapping):
        yield from ((name, part) for name, part in found.items() if isinstance(part, dict))
