"""Two validators that know nothing of each other or of the library, with errors flattened to faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from regress import Regex

from tests.support.vectors import Fault

Engine = Callable[[Any], frozenset[Fault]]


def python_engine(schema: dict[str, Any], registry: Registry[Any]) -> Engine:
    """`jsonschema` as it comes: patterns are those of Python's `re`."""
    validator = Draft202012Validator(schema, registry=registry)

    def faults(document: Any) -> frozenset[Fault]:
        return frozenset(_of_python(validator.iter_errors(document)))

    return faults


def ecma_python_engine(schema: dict[str, Any], registry: Registry[Any]) -> Engine:
    """`jsonschema` with the patterns of ECMA 262, which JSON Schema asks for."""
    # At each `$schema` that it meets, `jsonschema` goes back to patterns of its own.
    plain = {uri: {**registry.contents(uri)} for uri in registry}
    for document in plain.values():
        document.pop("$schema", None)
    resources = ((uri, DRAFT202012.create_resource(document)) for uri, document in plain.items())
    validator = _EcmaValidator(schema, registry=Registry().with_resources(resources))

    def faults(document: Any) -> frozenset[Fault]:
        return frozenset(_of_python(validator.iter_errors(document)))

    return faults


def rust_engine(schema: dict[str, Any], registry: Registry[Any]) -> Engine:
    """`jsonschema_rs` as it comes, without network."""
    documents = [(uri, registry.contents(uri)) for uri in registry]
    validator = jsonschema_rs.Draft202012Validator(
        schema, registry=jsonschema_rs.Registry(documents), offline=True
    )

    def faults(document: Any) -> frozenset[Fault]:
        return frozenset(_of_rust(validator.iter_errors(document)))

    return faults


def pointer_of(path: Iterable[str | int]) -> str:
    """A path as a JSON pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def _ecma_pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and Regex(pattern, "u").find(instance) is None:
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


_EcmaValidator: Any = extend(Draft202012Validator, {"pattern": _ecma_pattern})  # type: ignore[no-untyped-call]


# A nullable reference is `anyOf: [reference, null]`, in this order: its faults are those of the reference.


def _of_python(errors: Iterable[ValidationError]) -> Iterator[Fault]:
    for error in errors:
        at = pointer_of(error.absolute_path)
        if error.validator == "required":
            required: Any = error.validator_value
            instance: Any = error.instance
            absent = [name for name in required if name not in instance]
            yield from (Fault(at + pointer_of([name]), "required") for name in absent)
        elif error.validator == "anyOf":
            yield from _of_python(each for each in error.context or () if each.schema_path[0] == 0)
        else:
            yield Fault(at, str(error.validator))


def _of_rust(errors: Iterable[jsonschema_rs.ValidationError]) -> Iterator[Fault]:
    for error in errors:
        at = pointer_of(error.instance_path)
        match error.kind:
            case jsonschema_rs.ValidationErrorKind.Required(property=name):
                yield Fault(at + pointer_of([name]), "required")
            case jsonschema_rs.ValidationErrorKind.AnyOf(context=branches):
                yield from _of_rust(branches[0])
            case kind:
                yield Fault(at, kind.name)
