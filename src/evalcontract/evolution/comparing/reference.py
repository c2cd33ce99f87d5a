"""The reference verdict for a schema anywhere inside a document, not just at its root."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from evalcontract.evolution.comparing.work import spend
from evalcontract.validation.engine import additional_keys, compiled_pattern, reference_validator
from evalcontract.values import Listed, frozen


def matches(pattern: str, text: str) -> bool:
    """Whether the ECMAScript `pattern` is found anywhere in `text`. Raises SchemaError when it isn't one."""
    return compiled_pattern(pattern).is_in(text)


def _additional_properties(
    validator: Any, extra: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    """As in validation, but what `false` refuses is told key by key."""
    if isinstance(instance, dict):
        for name in additional_keys(schema, instance):
            yield from validator.descend(instance[name], extra, path=name)


def _enum(_: Any, values: list[Any], instance: Any, __: Any) -> Iterator[ValidationError]:
    """As jsonschema has it, but without a look at each value: there may be thousands, asked for thousands of times."""
    known = values.known if isinstance(values, Listed) else Listed(values).known
    if frozen(instance) not in known:
        yield ValidationError(f"{instance!r:.80} is not one of {len(values)} values")


def _ref(validator: Any, ref: str, instance: Any, _: Any) -> Iterator[ValidationError]:
    """As jsonschema has it, but for one document each value is looked at once for each schema that is referred to.

    The first error stands for all where it is asked again. Without that a few lines of recursive schema would take
    time, and room for errors, that doubles with each level of the document.
    """
    found = validator._resolver.lookup(ref)
    key = id(found.contents), id(instance)
    known = _looked.get(key)
    if known is not None:
        yield from (ValidationError.create_from(error) for error in known.errors)
        return
    look = _FoundErrors((found.contents, instance), [])
    for error in validator.descend(instance, found.contents, resolver=found.resolver):
        if not look.errors:
            look.errors.append(ValidationError.create_from(error))
            _looked[key] = look
        yield error
    _looked[key] = look


class _FoundErrors(NamedTuple):
    """What came of a look. `at` is kept, since the looks are known by its identity."""

    at: tuple[Any, Any]
    errors: list[ValidationError]


_looked: dict[tuple[int, int], _FoundErrors] = {}


def _counted(check: Any) -> Any:
    def keyword(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        many = isinstance(value, list | dict) and not isinstance(value, Listed)
        spend(1 + len(value) // 8 if many else 1)
        return check(validator, value, instance, schema)

    return keyword


_OWN = {"additionalProperties": _additional_properties, "enum": _enum, "$ref": _ref}
_Base: Any = type(reference_validator({}, ()))
_Reference: Any = extend(  # type: ignore[no-untyped-call]
    _Base, {name: _counted(check) for name, check in {**_Base.VALIDATORS, **_OWN}.items()}
)
_REFERENCE: Any = _Reference({})


def errors_of(value: Any, schema: Any, resolver: Any) -> Iterator[ValidationError]:
    """Why `schema`, whose references are resolved by `resolver`, refuses `value`. It follows no `$schema`.

    Raises GaveUp where work is limited.
    """
    _looked.clear()
    errors: Iterator[ValidationError] = _REFERENCE.descend(value, schema, resolver=resolver)
    return errors
