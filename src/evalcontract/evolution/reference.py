"""The reference verdict: jsonschema for 2020-12, with patterns read as ECMAScript reads them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import regress
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from ..errors import SchemaError


@lru_cache(maxsize=512)
def compiled(pattern: str) -> regress.Regex:
    """The ECMAScript `pattern`, compiled once. Raises SchemaError when it isn't one."""
    try:
        return regress.Regex(pattern, "u")
    except regress.RegressError as error:
        raise SchemaError(f"{pattern!r} is not an ECMAScript pattern: {error}") from None


def matches(pattern: str, text: str) -> bool:
    """Whether the ECMAScript `pattern` is found anywhere in `text`."""
    return compiled(pattern).find(text) is not None


def _pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not matches(pattern, instance):
        yield ValidationError(f"{instance[:80]!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for pattern, schema in patterns.items():
            for name in (name for name in instance if matches(pattern, name)):
                yield from validator.descend(instance[name], schema, path=name, schema_path=pattern)


def _additional_properties(validator: Any, extra: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        patterns = schema.get("patternProperties", ())
        for name, value in instance.items():
            if name not in schema.get("properties", ()) and not any(matches(p, name) for p in patterns):
                yield from validator.descend(value, extra, path=name)


REFERENCE: Any = extend(
    Draft202012Validator,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    },
)(True)
"""A validator to `descend` from: it accepts everything itself and knows the keywords."""
