"""What is wrong with a value built in Python that is not JSON, as violations."""

from __future__ import annotations

from collections.abc import Iterator

from evalcontract.errors import SchemaError
from evalcontract.validation.violation import Violation
from evalcontract.values import not_json, pointer


def violations_of_json(value: object) -> Iterator[Violation]:
    """Every place at which a value is not JSON."""
    for fault in not_json(value):
        yield Violation(
            fault.code,
            fault.message,
            pointer(fault.path),
            expected=fault.expected,
            actual=fault.actual,
            hint=fault.hint,
        )


def refuse_what_is_not_json(schema: object, label: str) -> None:
    """Raise SchemaError where a schema built in Python is not JSON."""
    for fault in not_json(schema):
        raise SchemaError(f"{label} is not JSON: at {pointer(fault.path) or 'the root'}, {fault.message}")
