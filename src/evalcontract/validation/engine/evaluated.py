"""Which keys of an object a schema speaks about; `jsonschema` decides that with Python's patterns, not ECMA's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema import ValidationError

from evalcontract.validation.engine.patterns import compiled_pattern

_APPLIED_IN_PLACE = ("allOf", "anyOf", "oneOf")


def additional_properties(
    validator: Any, rest: Any, instance: object, schema: dict[str, Any]
) -> Iterator[ValidationError]:
    """The keyword `additionalProperties`."""
    if not isinstance(instance, dict):
        return
    others = additional_keys(schema, instance)
    if isinstance(rest, dict):
        for key in others:
            yield from validator.descend(instance[key], rest, path=key)
    elif rest is False and others:
        yield ValidationError("holds keys that no keyword names")


def unevaluated_properties(
    validator: Any, rest: Any, instance: object, schema: dict[str, Any]
) -> Iterator[ValidationError]:
    """The keyword `unevaluatedProperties`."""
    if isinstance(instance, dict):
        evaluated = _evaluated(validator, instance, {**schema, "unevaluatedProperties": None})
        others = (value for key, value in instance.items() if key not in evaluated)
        if not all(_holds(validator, value, rest) for value in others):
            yield ValidationError("holds keys that were not evaluated")


def additional_keys(schema: dict[str, Any], instance: dict[str, Any]) -> list[str]:
    """The keys of `instance` that neither `properties` nor `patternProperties` of the schema speak of."""
    named = _named(schema, instance)
    return [key for key in instance if key not in named]


def _named(schema: dict[str, Any], instance: dict[str, Any]) -> set[str]:
    patterns = [compiled_pattern(pattern) for pattern in schema.get("patternProperties", ())]
    properties = schema.get("properties", {})
    return {key for key in instance if key in properties or any(pattern.is_in(key) for pattern in patterns)}


def _evaluated(validator: Any, instance: dict[str, Any], schema: Any) -> set[str]:
    """The keys that a schema, which the instance fulfils, has evaluated."""
    if not isinstance(schema, dict):
        return set()
    if schema.get("additionalProperties") is not None or schema.get("unevaluatedProperties") is not None:
        return set(instance)
    found = _named(schema, instance)
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in schema:
            resolved = validator._resolver.lookup(schema[keyword])
            there = validator.evolve(schema=resolved.contents, _resolver=resolved.resolver)
            found |= _evaluated(there, instance, resolved.contents)
    for part in _parts_that_hold(validator, instance, schema):
        found |= _evaluated(validator, instance, part)
    return found


def _parts_that_hold(validator: Any, instance: dict[str, Any], schema: dict[str, Any]) -> Iterator[Any]:
    for keyword in _APPLIED_IN_PLACE:
        yield from (part for part in schema.get(keyword, ()) if _holds(validator, instance, part))
    yield from (part for key, part in schema.get("dependentSchemas", {}).items() if key in instance)
    if "if" in schema:
        holds = _holds(validator, instance, schema["if"])
        if holds:
            yield schema["if"]
        yield schema.get("then" if holds else "else", True)


def _holds(validator: Any, instance: object, schema: Any) -> bool:
    return next(validator.descend(instance, schema), None) is None
