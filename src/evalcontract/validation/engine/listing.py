"""The reference's errors, found by the compiled engine: it says where something is wrong, and the reference what.

`jsonschema` walks through a schema and a document to find an error; the compiled engine knows its place a hundred
times sooner. Each place is then judged by the keyword of the reference, so that an error is the reference's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from jsonschema import ValidationError

from evalcontract.catalog import Schema

_MOST = 100
_MANY = 5_000
_ALIKE = frozenset(
    [
        "type", "enum", "const", "anyOf", "oneOf",
        "required", "additionalProperties", "minProperties", "maxProperties",
        "minItems", "maxItems", "uniqueItems",
        "minLength", "maxLength", "pattern",
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    ]
)  # fmt: skip
"""Keywords whose errors both engines give to the same place."""
_SPEAK_OF_OTHERS = frozenset({"unevaluatedProperties", "unevaluatedItems"})
"""Keywords that speak of what others found: where those find errors, the engines differ."""


@dataclass(frozen=True, slots=True)
class _KeywordPlace:
    """A keyword of a schema that is reached by `properties`, `items` and `allOf` alone.

    `order` is where it stands among all keywords, with None for the number of an element that is yet to be known;
    `steps` are the keys that lead to the value, with None likewise.
    """

    keyword: str
    schema: Schema
    order: tuple[int | None, ...]
    steps: tuple[str | None, ...]


class ErrorLister:
    """Lists the errors of values under one schema without references, on whose keywords both engines agree.

    `places` gives the errors of the compiled engine, `reference` is a validator of `jsonschema`.
    """

    def __init__(self, schema: Schema, places: Callable[[object], Iterable[Any]], reference: Any) -> None:
        self._schema = schema
        self._places = places
        self._reference = reference
        self._known: dict[tuple[str | int, ...], _KeywordPlace | None] = {}

    def errors(self, value: object) -> list[ValidationError] | None:
        """What the reference finds in a value that is refused, in its order; None: let it look itself."""
        if not _is_small(value):  # the compiled engine gives all errors at once, two kilobytes each
            return None
        try:
            refused = list(islice(self._places(value), _MOST + 1))
        except ValueError:  # a number that the compiled engine doesn't know
            return None
        if not refused or len(refused) > _MOST:
            return None
        found: dict[tuple[Any, ...], tuple[_KeywordPlace, tuple[Any, ...], tuple[Any, ...]]] = {}
        for error in refused:
            schema_path, path = tuple(error.schema_path), tuple(error.instance_path)
            place = self._place(schema_path)
            if place is None or len(path) != len(place.steps):
                return None
            found[_order(place, path)] = place, path, schema_path
        errors: list[ValidationError] = []
        for order in sorted(found) if len(found) > 1 else found:
            told = self._told(value, *found[order])
            if not told:  # the reference doesn't mind
                return None
            errors += told
        return errors

    def _place(self, schema_path: tuple[str | int, ...]) -> _KeywordPlace | None:
        try:
            return self._known[schema_path]
        except KeyError:
            place = self._known[schema_path] = _place_at(self._schema, schema_path)
            return place

    def _told(
        self, value: Any, place: _KeywordPlace, path: tuple[Any, ...], schema_path: tuple[Any, ...]
    ) -> list[ValidationError]:
        for step in path:
            value = value[step]
        keyword, schema = place.keyword, place.schema
        wanted = schema[keyword]
        errors = list(self._reference.VALIDATORS[keyword](self._reference, wanted, value, schema) or ())
        for error in errors:
            error.validator, error.validator_value = keyword, wanted
            error.instance, error.schema = value, schema
            error.path.extendleft(reversed(path))
            error.schema_path.extendleft(reversed(schema_path))
        return errors


def _is_small(value: Any) -> bool:
    """Whether a value holds no more than some thousand others."""
    held = 0
    containers = [value]
    for container in containers:
        if not isinstance(container, dict | list):
            continue
        held += len(container)
        if held > _MANY:
            return False
        children = container.values() if isinstance(container, dict) else container
        containers += [child for child in children if isinstance(child, dict | list)]
    return True


def _order(place: _KeywordPlace, path: tuple[Any, ...]) -> tuple[int, ...]:
    """Where the reference comes to this keyword for this value."""
    numbers = (step for step, named in zip(path, place.steps, strict=True) if named is None)
    return tuple(next(numbers) if position is None else position for position in place.order)


def _place_at(schema: Any, schema_path: tuple[str | int, ...]) -> _KeywordPlace | None:
    """The keyword at the end of a path; None where the path leads through others than those that are followed."""
    order: list[int | None] = []
    steps: list[str | None] = []
    tokens = list(schema_path)
    while tokens:
        keyword = tokens.pop(0)
        if not isinstance(schema, dict) or keyword not in schema or not _SPEAK_OF_OTHERS.isdisjoint(schema):
            return None
        part: Any = schema[keyword]
        order.append(list(schema).index(str(keyword)))
        if not tokens:
            judges_others = keyword == "additionalProperties" and part is not False
            found = _KeywordPlace(str(keyword), schema, tuple(order), tuple(steps))
            return found if keyword in _ALIKE and not judges_others else None
        if keyword == "items" and "prefixItems" not in schema:
            order.append(None)
            steps.append(None)
        elif keyword == "properties" and tokens[0] in part:
            name = str(tokens.pop(0))
            order.append(list(part).index(name))
            steps.append(name)
            part = part[name]
        elif keyword == "allOf":
            index = int(tokens.pop(0))
            order.append(index)
            part = part[index]
        else:
            return None
        schema = part
    return None
