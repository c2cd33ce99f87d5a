"""Properties of a draft: read from words such as `tenant: string - Who asks.`, or proposed from data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from evalcontract.catalog import read_object, schemas_root
from evalcontract.errors import UnreadableInput, UsageError
from evalcontract.reading import Document, Fault, read
from evalcontract.values import shown

LARGEST = 2**53 - 1
_WORDS = re.compile(
    r"(?P<name>\w{1,64})\s*:\s*(?P<kind>[a-z0-9_]{1,100}(@[0-9.]{1,20})?)(?P<many>\[\])?(?P<maybe>\?)?"
    r"(\s+-\s+(?P<said>.{1,600}))?"
)
_SCALARS = ("string", "integer", "number", "boolean")
_HOW = (
    'write "NAME: KIND - what it means", KIND one of string, integer, number, boolean, object, any or a contract, '
    "with [] for a list and ? for what may be absent or null"
)
_PARTS = ("input", "expected_output")


@dataclass(frozen=True, slots=True)
class DraftField:
    """A property as it is drafted; `contract` is what it refers to, `unknown` what a person has to settle.

    `value` is the schema of the value, without null and without a description. Empty: any value.
    """

    name: str
    value: Mapping[str, Any]
    required: bool
    description: str
    contract: str | None = None
    many: bool = False
    unknown: tuple[str, ...] = ()


def field_from_words(words: str) -> DraftField:
    """Read one property; UsageError when the words aren't of that form."""
    match = _WORDS.fullmatch(words.strip())
    if match is None:
        raise UsageError(f"{shown(words)} is no property", hint=_HOW)
    name, kind, many = match["name"], match["kind"], match["many"] is not None
    said: str | None = match["said"]
    unknown: tuple[str, ...] = ()
    if said is None:
        said, unknown = _placeholder(name), (f"what {name} means: write its description",)
    contract = None if kind in (*_SCALARS, "object", "any") else kind
    if many and kind in ("object", "any"):
        raise UsageError(
            f"{shown(words)}: a list of {kind} says nothing", hint="write a contract for its elements"
        )
    value = {} if contract or kind == "any" else _scalar(kind)
    required = match["maybe"] is None and kind != "any"
    return DraftField(name, value, required, said, contract, many, unknown)


def _scalar(kind: str, *, negative: bool = False) -> dict[str, Any]:
    bounds = {"minimum": -LARGEST if negative else 0, "maximum": LARGEST} if kind == "integer" else {}
    return {"type": kind, **bounds}


def _placeholder(name: str) -> str:
    return f"What {name} means, in which unit and range: not described yet."


def fields_from_data(file: Path) -> tuple[dict[str, list[DraftField]], list[str]]:
    """What the documents of a file have, by part: `input` and `expected_output` of items, else the document, "".

    The second list says what is left out, and why. Needs the extra `evalcontract[authoring]`. Raises UsageError
    without it, UnreadableInput for data that can't be read or that holds no objects.
    """
    try:
        from genson import SchemaBuilder
    except ImportError as error:
        raise UsageError(
            "drafts from data need the package genson", hint="pip install 'evalcontract[authoring]'"
        ) from error
    builders: dict[str, Any] = {}
    negative: set[tuple[str, str]] = set()
    for part, document in _objects(file):
        builder = builders.setdefault(part, SchemaBuilder(schema_uri=None))
        builder.add_object(document)
        for name, value in document.items():
            values = value if isinstance(value, list) else [value]
            if any(isinstance(number, int) and number < 0 for number in values):
                negative.add((part, name))
    if not builders:
        raise UnreadableInput(f"{file} holds no objects", hint="give items, or documents of the contract")
    fields: dict[str, list[DraftField]] = {}
    left_out: list[str] = []
    for part, builder in builders.items():
        schema = builder.to_schema()
        fields[part] = []
        for name, found in schema.get("properties", {}).items():
            if _may_be_a_name(name):
                required = name in schema.get("required", ())
                fields[part].append(_proposed(name, found, required, (part, name) in negative))
            else:
                left_out.append(f"{shown(name)} is left out: it can't be the name of a property")
    return fields, left_out


@cache
def _names() -> Draft202012Validator:
    profile = read_object(schemas_root() / "authoring.json")
    return Draft202012Validator(profile["$defs"]["property_name"])


def _may_be_a_name(name: str) -> bool:
    return _names().is_valid(name)


def _objects(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for event in read(file, items=True):
        if isinstance(event, Fault):
            raise UnreadableInput(f"{event.place}: {event.message}", hint=event.hint)
        if not isinstance(event, Document) or not isinstance(event.value, dict):
            continue
        if isinstance(event.value.get("input"), dict) and "item_id" in event.value:
            parts = ((part, event.value.get(part)) for part in _PARTS)
            yield from ((part, value) for part, value in parts if isinstance(value, dict))
        else:
            yield "", event.value


def _proposed(name: str, found: Mapping[str, Any], in_all: bool, negative: bool) -> DraftField:
    kinds = set(_kinds(found))
    unknown = [f"what {name} means: write its description"]
    nullable = "null" in kinds
    kinds.discard("null")
    value: dict[str, Any] = {}
    kind = next(iter(kinds)) if len(kinds) == 1 else ""
    if kind in _SCALARS:
        value = _scalar(kind, negative=negative)
    elif kind == "object":
        value = {"type": "object"}
        unknown.append(f"what is in {name}: write a contract for it and refer to it")
    elif kind == "array":
        elements = set(_kinds(found.get("items", {})))
        element = next(iter(elements)) if len(elements) == 1 else ""
        if element in _SCALARS:
            value = {"type": "array", "items": _scalar(element, negative=negative)}
        else:
            unknown.append(
                f"what {name} holds ({_named(elements)}): write a contract for its elements; until then any value"
            )
    else:
        unknown.append(f"the type of {name} ({_named(kinds)}): until then any value")
    if kind in ("integer", "number") or "integer" in str(value):
        unknown.append(f"the bounds of {name}")
    if kind == "string":
        unknown.append(f"whether {name} may be empty, and whether only some values are allowed")
    required = in_all and not nullable and bool(value)
    return DraftField(name, value, required, _placeholder(name), unknown=tuple(unknown))


def _kinds(found: Mapping[str, Any]) -> Iterator[str]:
    for part in found.get("anyOf", [found]):
        kind = part.get("type")
        yield from [kind] if isinstance(kind, str) else kind or []


def _named(kinds: Iterable[str]) -> str:
    return " and ".join(sorted(kinds)) or "nothing but null or empty lists was seen"
