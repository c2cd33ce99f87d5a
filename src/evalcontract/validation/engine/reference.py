"""The reference validator: `jsonschema`, Draft 2020-12, with ECMA patterns and a closed registry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.exceptions import SchemaError as InvalidSchema
from jsonschema.validators import extend
from referencing import Registry, Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from evalcontract.catalog import DIALECT, DIALECTS, rewritten
from evalcontract.errors import ContractError, SchemaError
from evalcontract.validation.engine.evaluated import additional_properties, unevaluated_properties
from evalcontract.validation.engine.patterns import compiled_pattern
from evalcontract.values import frozen, pointer, shown, type_of, with_room

_MOST_OBJECTS = 50_000
_DROPPED = frozenset({"$schema"})


def _pattern(_: Any, pattern: str, instance: object, __: object) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not compiled_pattern(pattern).is_in(instance):
        yield ValidationError(f"does not match {pattern}")


def _pattern_properties(
    validator: Any, patterns: dict[str, Any], instance: object, _: object
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for pattern, subschema in patterns.items():
            for key, value in instance.items():
                if compiled_pattern(pattern).is_in(key):
                    yield from validator.descend(value, subschema, path=key, schema_path=pattern)


def _required(_: Any, names: list[str], instance: object, __: object) -> Iterator[ValidationError]:
    # The path is that of the missing property, which is where it has to be written.
    if isinstance(instance, dict):
        for name in names:
            if name not in instance:
                yield ValidationError(f"{name} is missing", path=[name])


def _unique_items(_: Any, wanted: bool, instance: object, __: object) -> Iterator[ValidationError]:
    # jsonschema overlooks a repetition when 1 and true lie in between.
    if wanted and isinstance(instance, list) and len(set(map(frozen, instance))) < len(instance):
        yield ValidationError("has an element twice")


def _multiple_of(_: Any, divisor: float, instance: Any, __: object) -> Iterator[ValidationError]:
    # Of decimals, as they are written: jsonschema divides floats, so 4.35 would be no multiple of 0.01.
    if type_of(instance) in ("integer", "fraction") and Fraction(str(instance)) % Fraction(str(divisor)):
        yield ValidationError(f"is not a multiple of {divisor}")


_Reference: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": additional_properties,
        "unevaluatedProperties": unevaluated_properties,
        "required": _required,
        "uniqueItems": _unique_items,
        "multipleOf": _multiple_of,
    },
)


def reference_validator(
    schema: dict[str, Any], documents: Iterable[tuple[str, dict[str, Any]]], *, sparing: bool = False
) -> Any:
    """A `jsonschema` validator to keep and reuse. `documents` are all that the schema refers to, by URI.

    The schemas were checked before. With `sparing`, parts that a compiled_pattern engine accepts are passed over;
    the schema must then have no references.
    """
    resources = (
        (uri, DRAFT202012.create_resource(_without_dialect(document))) for uri, document in documents
    )
    registry: Registry[Any] = Registry().with_resources(resources).crawl()
    validator_class = _Reference
    if sparing:
        from evalcontract.validation.engine.sparing import sparing_keywords

        validator_class = extend(_Reference, sparing_keywords(_Reference.VALIDATORS))  # type: ignore[no-untyped-call]
    return validator_class(_without_dialect(schema), registry=registry)


def _without_dialect(node: Any) -> Any:
    """A schema without `$schema`: at each one, jsonschema would go back to its own, unextended validator."""
    if isinstance(node, dict):
        return rewritten(node, _without_dialect, _DROPPED)
    return [_without_dialect(element) for element in node] if isinstance(node, list) else node


_PATTERNS = FormatChecker(formats=())


@_PATTERNS.checks("regex", raises=SchemaError)
def _is_pattern(text: object) -> bool:
    return not isinstance(text, str) or compiled_pattern(text) is not None


def check_schema(schema: object, label: str) -> None:
    """Raise SchemaError unless the document is a JSON Schema of Draft 2020-12 whose patterns compile."""
    if not isinstance(schema, dict):
        raise SchemaError(f"{label} is not a JSON Schema: expected an object, got {shown(schema)}")
    if _has_more_than(_MOST_OBJECTS, schema):
        raise SchemaError(
            f"{label} is too large for a schema", hint=f"at most {_MOST_OBJECTS:,} objects and arrays inside"
        )
    dialect = schema.get("$schema", DIALECT)
    if dialect not in DIALECTS:
        raise SchemaError(f"{label} is written in the dialect {shown(dialect)}", hint=f"use {DIALECT}")
    if _is_soundly_written(schema):
        return
    try:
        with_room(lambda: Draft202012Validator.check_schema(schema, format_checker=_PATTERNS))
    except InvalidSchema as error:
        if isinstance(error.cause, SchemaError):
            raise SchemaError(f"{label}: {error.cause.message}", hint=error.cause.hint) from error
        where = pointer(error.absolute_path) or "the root"
        raise SchemaError(
            f"{label} is not a JSON Schema: at {where}, {shown(error.message, 160)}",
            hint="correct what stands there",
        ) from error
    except RecursionError as error:
        raise SchemaError(f"{label} is nested too deep to be used") from error


def _is_soundly_written(schema: dict[str, Any]) -> bool:
    """What the compiled engine takes for a schema is one, if its patterns are: jsonschema would take long to say so."""
    from evalcontract.validation.engine.fast import is_schema

    if not is_schema(schema):
        return False
    try:
        for node in _nodes(schema):
            if isinstance(node, dict):
                for pattern in (node.get("pattern", ""), *(node.get("patternProperties") or ())):
                    compiled_pattern(pattern)
    except (SchemaError, TypeError):  # data that is called so is none, perhaps
        return False
    return True


def _has_more_than(most: int, schema: dict[str, Any]) -> bool:
    """Whether there are more objects and arrays in a schema, so many that to check it would take long."""
    return next(islice(_nodes(schema), most, None), None) is not None


def _nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any] | list[Any]]:
    """The objects and arrays of a schema."""
    waiting: list[Any] = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict | list):
            yield node
            waiting.extend(node.values() if isinstance(node, dict) else node)


def check_references(schema: dict[str, Any], registry: Registry[Any], label: str) -> None:
    """Raise SchemaError when a reference, here or in a document that is referred to, leads nowhere."""
    root = DRAFT202012.create_resource(schema)
    waiting = [(root, registry.resolver_with_root(root))]
    seen: set[int] = set()
    while waiting:
        resource, resolver = waiting.pop()
        contents = resource.contents
        if id(contents) in seen:
            continue
        seen.add(id(contents))
        for keyword in ("$ref", "$dynamicRef"):
            if isinstance(contents, dict) and isinstance(contents.get(keyword), str):
                try:
                    found = resolver.lookup(contents[keyword])
                except (Unresolvable, ValueError, TypeError, KeyError) as error:
                    raise _refused(error) or SchemaError(
                        f"{label} refers to {shown(contents[keyword])}, which is not known here",
                        hint="nothing is fetched; files beside the schema are known, and those of --schemas FOLDER",
                    ) from error
                waiting.append((DRAFT202012.create_resource(found.contents), found.resolver))
        if isinstance(contents, dict):
            for pattern in [contents.get("pattern"), *(contents.get("patternProperties") or {})]:
                if isinstance(pattern, str):
                    compiled_pattern(pattern)
        waiting.extend((part, resolver.in_subresource(part)) for part in _parts(resource))


def _refused(error: BaseException | None) -> ContractError | None:
    """Why a document that was found can't be used, where that is what stands behind an error."""
    while error is not None and not isinstance(error, ContractError):
        error = error.__cause__
    return error


def _parts(resource: Resource[Any]) -> Iterator[Resource[Any]]:
    return iter(resource.subresources())
