"""A schema written with fewer `allOf`: an engine walks over a value once for each part of one."""

from __future__ import annotations

from functools import reduce
from typing import Any

from evalcontract.catalog import Schema
from evalcontract.catalog.keywords import INDEPENDENT

_ANNOTATIONS = frozenset({"title", "description", "default", "examples", "$comment", "deprecated", "format"})
_NUMBERS_AND_TEXTS = frozenset(
    {"minItems", "maxItems", "minLength", "maxLength", "pattern", "minimum", "maximum"}
)
_UNDERSTOOD = INDEPENDENT | _ANNOTATIONS | {"allOf"}


def merged(schema: Any) -> Any:
    """An equivalent schema without annotations, and without `allOf` where its parts can be made one.

    Whatever lies in or below a schema with keywords that look at their siblings is left as it is.
    """
    if not isinstance(schema, dict) or not schema.keys() <= _UNDERSTOOD:
        return schema
    node = {key: _rewritten(key, value) for key, value in schema.items() if key not in _ANNOTATIONS}
    parts = node.pop("allOf", [])
    return reduce(_both, parts, node)


def _rewritten(key: str, value: Any) -> Any:
    if key == "properties":
        return {name: merged(each) for name, each in value.items()}
    if key in ("allOf", "anyOf"):
        return [merged(each) for each in value]
    return merged(value) if key in ("items", "additionalProperties") else value


def _both(one: Any, other: Any) -> Any:
    """A schema that accepts what both accept."""
    if one is True or one == {}:
        return other
    if other is True or other == {}:
        return one
    return _made_one(one, other) or {"allOf": [one, other]}


def _made_one(one: Any, other: Any) -> Schema | None:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return None
    if (
        not one.keys() | other.keys() <= INDEPENDENT
        or _speaks_of_more(one, other)
        or _speaks_of_more(other, one)
    ):
        return None
    made = {**one, **other}
    for key in one.keys() & other.keys():
        together = _what_both_say(key, one[key], other[key])
        if together is None:
            return None
        made[key] = together
    return made


def _speaks_of_more(one: Schema, other: Schema) -> bool:
    """Whether a property that the first one names is an additional one to the other."""
    return "additionalProperties" in other and not (
        one.get("properties", {}).keys() <= other.get("properties", {}).keys()
    )


def _what_both_say(key: str, one: Any, other: Any) -> Any:
    """The keyword's value for which both hold; None when there is no such value."""
    if key == "type":
        types, others = (set([each] if isinstance(each, str) else each) for each in (one, other))
        return sorted(types & others) if "integer" not in types ^ others and types & others else None
    if key == "properties":
        shared = {name: _both(one[name], other[name]) for name in one.keys() & other.keys()}
        return {**one, **other, **shared}
    if key == "required":
        return [*one, *(each for each in other if each not in one)]
    if key in ("items", "additionalProperties"):
        return _both(one, other)
    return one if key in _NUMBERS_AND_TEXTS and one == other else None
