"""The faults of a document as conformance vectors list them: pointer and keyword."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import jsonschema_rs

from evalcontract.catalog import Catalogue, ContractRef, Schema
from evalcontract.errors import SchemaError
from evalcontract.validation import CompiledContract, from_catalogue
from evalcontract.values import pointer


class KeywordFault(NamedTuple):
    """Where a document breaks its contract, and which keyword it breaks there."""

    pointer: str
    keyword: str


Judge = Callable[[Any], frozenset[KeywordFault]]


class Judges:
    """Judges by contracts of a catalogue and by schemas that refer to them. Nothing is fetched."""

    def __init__(self, catalogue: Catalogue) -> None:
        try:
            self._registry = jsonschema_rs.Registry(list(catalogue.documents()))
        except ValueError as error:
            raise SchemaError(
                f"the schemas can't be used: {error!s:.200}", hint="evalcontract schema lint says more"
            ) from error

    def judge(self, schema: Schema) -> Judge:
        """Gives the faults of a document. Raises SchemaError for what is no JSON Schema."""
        try:
            validator = jsonschema_rs.Draft202012Validator(schema, registry=self._registry, offline=True)
        except ValueError as error:
            raise SchemaError(f"{schema.get('$id')} can't be used: {error!s:.200}") from error
        return lambda document: frozenset(_faults(validator.iter_errors(document)))


def exact_judge(catalogue: Catalogue, ref: ContractRef) -> Judge:
    """The faults that every command reports: by the reference, which knows empty keys too, and slowly."""
    source = from_catalogue(catalogue, str(ref))
    contract = CompiledContract(source.label, source.schema, catalogue, source.own, engine="reference")
    return lambda document: frozenset(
        KeywordFault(violation.pointer, violation.keyword or violation.code)
        for violation in contract.refusals(document)
    )


def _faults(errors: Iterable[Any]) -> Iterator[KeywordFault]:
    kinds = jsonschema_rs.ValidationErrorKind
    for error in errors:
        path = tuple(error.instance_path)
        match error.kind:
            case kinds.Required(property=name):
                yield KeywordFault(pointer((*path, name)), "required")
            case kinds.AnyOf(context=branches):
                yield from _faults(branches[0])
            case kind:
                yield KeywordFault(pointer(path), kind.name)
