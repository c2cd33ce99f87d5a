"""Moves documents from one major version to the next, by a file of operations beside the schemas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from evalcontract.errors import MigrationRefused, SchemaError
from evalcontract.evolution.migrating.operations import Operation, Record, apply

Check: TypeAlias = Callable[[Any], Iterable[object]]
"""What is wrong with a document; nothing when it is valid."""

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Migration:
    """The step of one contract from one major version to another, parents' operations included."""

    contract: str
    from_major: int
    to_major: int
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Migrated:
    """A document in the new version, and what was done to it."""

    document: Any
    records: tuple[Record, ...]


def migrate(document: Any, operations: Sequence[Operation], *, before: Check, after: Check) -> Migrated:
    """The document after the operations; the one given is not changed.

    Fails closed: raises MigrationRefused when the document is not valid `before`, when an operation would lose
    something that it doesn't name, and when the result is not valid `after`.
    """
    _require(before, document, "it is not valid before the migration")
    moved, records = apply(document, tuple(operations))
    _require(after, moved, "the result would not be valid")
    return Migrated(moved, records)


def _require(check: Check, document: Any, otherwise: str) -> None:
    wrong = [str(each) for each in check(document)]
    if wrong:
        rest = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        raise MigrationRefused(f"{otherwise}: {'; '.join(wrong[:_SHOWN])}{rest}")


def read_migration(raw: Any, where: str, schema: Any) -> Migration:
    """A migration out of its file's JSON. Raises SchemaError when it is not what `schema`, migration.json, asks."""
    from evalcontract.validation import iter_violations

    for violation in iter_violations(raw, schema):
        raise SchemaError(f"{where} is no migration: {violation}", hint="see schemas/migration.json")
    operations = tuple(_operation(each) for each in raw["operations"])
    for operation in operations:
        if operation.op == "move" and operation.to.split("/").count("*") > operation.path.split("/").count(
            "*"
        ):
            raise SchemaError(f"{where}: {operation.to} has more * than {operation.path}")
    return Migration(raw["contract"], raw["from_major"], raw["to_major"], operations)


def _operation(raw: dict[str, Any]) -> Operation:
    values = tuple((each["from"], each["to"]) for each in raw.get("values", ()))
    return Operation(raw["op"], raw["path"], raw.get("to", ""), raw.get("value"), values)
