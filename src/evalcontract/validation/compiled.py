"""A contract made ready: the reference validator, built once, and the verdicts that it gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from evalcontract.catalog import Catalogue, Schema
from evalcontract.validation.engine import reference_validator
from evalcontract.validation.json_values import not_json
from evalcontract.validation.messages import violations_of
from evalcontract.validation.violation import Violation


class CompiledContract:
    """Verdicts under one schema. Never changes what it is given.

    `schema` must have been checked; `own` are documents that it refers to beside the catalogue's, by URI.
    """

    def __init__(
        self, label: str, schema: Schema, catalogue: Catalogue, own: Mapping[str, Schema] | None = None
    ) -> None:
        self.label = label
        self.schema = schema
        self._reference = reference_validator(schema, [*catalogue.documents(), *(own or {}).items()])

    def violations(self, instance: object) -> Iterator[Violation]:
        """Every violation of a JSON value, such as the readers give."""
        for violation in violations_of(self._reference.iter_errors(instance)):
            yield replace(violation, contract=self.label)

    def violations_in_python_value(self, value: object) -> Iterator[Violation]:
        """The same for a value built in Python, which may hold what JSON can't."""
        refused = [replace(each, contract=self.label) for each in not_json(value)]
        yield from refused or self.violations(value)
