"""Spares the reference the parts of a document that a compiled engine accepts.

The errors are those of the reference, in its order: where the engine accepts a part, it would find none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jsonschema import ValidationError

from evalcontract.catalog import Schema
from evalcontract.validation.engine.fast import quick_acceptance

Keyword = Callable[[Any, Any, object, Schema], Iterator[ValidationError]]


class AcceptedParts:
    """Asks the compiled engine about parts of one schema without references; compiles each at first use."""

    def __init__(self) -> None:
        self._compiled: dict[int, tuple[object, Callable[[object], bool]]] = {}

    def accepts(self, schema: object, value: object) -> bool:
        """Whether the reference is known to find nothing wrong in this value under this part of the schema."""
        compiled = self._compiled.get(id(schema))
        if compiled is None:
            quick = quick_acceptance(schema, {}) if isinstance(schema, dict) else None
            # The schema is kept, so that its id stays its own.
            compiled = self._compiled[id(schema)] = (schema, quick or _never)
        return compiled[1](value)


def sparing_keywords(originals: dict[str, Keyword]) -> dict[str, Keyword]:
    """The keywords that lead to most parts of a document, `originals` for all that they don't decide."""
    accepts = AcceptedParts().accepts

    def properties(validator: Any, parts: Any, instance: object, schema: Schema) -> Iterator[ValidationError]:
        if isinstance(instance, dict):
            refused = {
                name: part
                for name, part in parts.items()
                if name in instance and not accepts(part, instance[name])
            }
            yield from originals["properties"](validator, refused, instance, schema)

    def items(validator: Any, part: Any, instance: object, schema: Schema) -> Iterator[ValidationError]:
        if not isinstance(instance, list) or part is False or "prefixItems" in schema:
            yield from originals["items"](validator, part, instance, schema)
            return
        for index, value in enumerate(instance):
            if not accepts(part, value):
                yield from validator.descend(value, part, path=index)

    def all_of(validator: Any, parts: Any, instance: object, _: Schema) -> Iterator[ValidationError]:
        for index, part in enumerate(parts):
            if not accepts(part, instance):
                yield from validator.descend(instance, part, schema_path=index)

    return {"properties": properties, "items": items, "allOf": all_of}


def _never(_: object) -> bool:
    return False
