"""The reference verdict for a schema anywhere inside a document, not just at its root."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from evalcontract.validation.engine import reference_validator
from evalcontract.validation.equality import Listed, frozen
from evalcontract.validation.patterns import compiled


def matches(pattern: str, text: str) -> bool:
    """Whether the ECMAScript `pattern` is found anywhere in `text`. Raises SchemaError when it isn't one."""
    return compiled(pattern).is_in(text)


def _additional_properties(
    validator: Any, extra: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    """As jsonschema has it, but which keys match `patternProperties` is decided as ECMAScript does."""
    if isinstance(instance, dict):
        patterns = schema.get("patternProperties", ())
        for name, value in instance.items():
            if name not in schema.get("properties", ()) and not any(matches(each, name) for each in patterns):
                yield from validator.descend(value, extra, path=name)


def _enum(_: Any, values: list[Any], instance: Any, __: Any) -> Iterator[ValidationError]:
    """As jsonschema has it, but without a look at each value: there may be thousands, asked for thousands of times."""
    known = values.known if isinstance(values, Listed) else Listed(values).known
    if frozen(instance) not in known:
        yield ValidationError(f"{instance!r:.80} is not one of {len(values)} values")


_Reference: Any = extend(  # type: ignore[no-untyped-call]
    type(reference_validator({}, ())),
    {
        "additionalProperties": _additional_properties,
        "enum": _enum,
    },
)
REFERENCE: Any = _Reference({})
"""A validator to `descend` from. It follows no `$schema`: parts are given to it without."""
