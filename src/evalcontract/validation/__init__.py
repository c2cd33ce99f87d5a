"""Verdicts: does a document keep its contract, and in what ways does it not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from evalcontract.catalog import Catalogue, SchemaVersion, default_catalogue, note_judge
from evalcontract.errors import ContractViolation, UsageError
from evalcontract.lazy import lazily
from evalcontract.validation.compiled import CompiledContract
from evalcontract.validation.items import ItemChecker, ItemVerdict, Told
from evalcontract.validation.sources import SchemaSource, from_catalogue, from_class, from_document
from evalcontract.validation.violation import Severity, Violation, bounded

if TYPE_CHECKING:
    from evalcontract.validation.advices import advices_of_record
    from evalcontract.validation.choice import (
        Declaration,
        choose,
        declaration_of,
        is_version,
        item_declaration,
        told_type,
    )
    from evalcontract.validation.compiled import ENGINES, Engine
    from evalcontract.validation.dialects import Modern, modern
    from evalcontract.validation.fields import fields_of
    from evalcontract.validation.foreign import foreign_format, foreign_formats
    from evalcontract.validation.hints import close_key, did_you_mean
    from evalcontract.validation.items import dataset_violations
    from evalcontract.validation.json_values import refuse_what_is_not_json, violations_of_json
    from evalcontract.validation.layers import check_contract
    from evalcontract.validation.sources import file_and_fragment, files_behind, from_file, from_text
    from evalcontract.validation.surroundings import Surroundings, schema_files

__all__ = [
    "ENGINES",
    "CompiledContract",
    "Declaration",
    "Engine",
    "ItemChecker",
    "ItemVerdict",
    "Modern",
    "SchemaSource",
    "Severity",
    "Surroundings",
    "Told",
    "Violation",
    "advices_of_record",
    "bounded",
    "check_contract",
    "choose",
    "close_key",
    "dataset_violations",
    "declaration_of",
    "did_you_mean",
    "fields_of",
    "file_and_fragment",
    "files_behind",
    "foreign_format",
    "foreign_formats",
    "from_catalogue",
    "from_class",
    "from_document",
    "from_file",
    "from_text",
    "is_valid",
    "is_version",
    "item_declaration",
    "iter_violations",
    "modern",
    "refuse_what_is_not_json",
    "schema_files",
    "told_type",
    "validate",
    "violations_of_json",
]

__getattr__ = lazily(
    __name__,
    {
        "advices": "advices_of_record",
        "choice": "Declaration choose declaration_of is_version item_declaration told_type",
        "compiled": "ENGINES Engine",
        "dialects": "Modern modern",
        "fields": "fields_of",
        "foreign": "foreign_format foreign_formats",
        "hints": "close_key did_you_mean",
        "items": "dataset_violations",
        "json_values": "refuse_what_is_not_json violations_of_json",
        "layers": "check_contract",
        "sources": "file_and_fragment files_behind from_file from_text",
        "surroundings": "Surroundings schema_files",
    },
)

Contract = str | Mapping[str, Any] | type
_IN_MESSAGE = 5


def iter_violations(
    instance: object, contract: Contract, version: str | None = None, *, catalogue: Catalogue | None = None
) -> Iterator[Violation]:
    """Every way in which a value breaks a contract; nothing when it keeps it.

    `contract` is a name (`rag_input`, `rag_input@1.0`), a JSON Schema, or a pydantic class; `catalogue` has the
    names, by default the built-in one (`Catalogue.load(folder)` adds your own). A value that is
    not JSON (NaN, tuples, objects) is reported as such, as is one that holds the same lists or dicts so often
    that the places that repeat them are more than 1,000,000 and ten times all others. The value is not changed.
    Raises UnknownContract, UnknownVersion or SchemaError when the contract can't be used.
    """
    yield from _compiled(contract, version, catalogue or default_catalogue()).violations_in_python_value(
        instance
    )


def is_valid(
    instance: object, contract: Contract, version: str | None = None, *, catalogue: Catalogue | None = None
) -> bool:
    """Whether a value keeps a contract; see iter_violations."""
    return next(iter_violations(instance, contract, version, catalogue=catalogue), None) is None


def validate(
    instance: object, contract: Contract, version: str | None = None, *, catalogue: Catalogue | None = None
) -> None:
    """Raise ContractViolation, with every violation in `.violations`, when a value breaks a contract."""
    found = tuple(iter_violations(instance, contract, version, catalogue=catalogue))
    if found:
        lines = [str(violation) for violation in islice(found, _IN_MESSAGE)]
        rest = len(found) - len(lines)
        lines += [f"and {rest} more"] if rest else []
        label = found[0].contract or "its contract"
        raise ContractViolation(f"the value breaks {label}:", violations=found, details=tuple(lines))


def _compiled(contract: Contract, version: str | None, catalogue: Catalogue) -> CompiledContract:
    if version is not None:
        SchemaVersion.parse(version)
    if isinstance(contract, str):
        compiled = _by_name(catalogue, contract, version)
        note_judge(catalogue, compiled.schema)  # it may have been made for another command
        return compiled
    if version is not None:
        raise UsageError("a version goes with the name of a contract only")
    if isinstance(contract, type):
        return _by_class(catalogue, contract)
    if isinstance(contract, Mapping):
        return _ready(catalogue, from_document(catalogue, contract))
    raise UsageError(f"a contract is a name, a schema or a class, not {type(contract).__name__}")


@lru_cache(maxsize=256)
def _by_name(catalogue: Catalogue, name: str, version: str | None) -> CompiledContract:
    return _ready(catalogue, from_catalogue(catalogue, name, version))


@lru_cache(maxsize=256)
def _by_class(catalogue: Catalogue, model: type) -> CompiledContract:
    return _ready(catalogue, from_class(catalogue, model, model.__qualname__))


def _ready(catalogue: Catalogue, source: SchemaSource) -> CompiledContract:
    return CompiledContract(source.label, source.schema, catalogue, source.own)
