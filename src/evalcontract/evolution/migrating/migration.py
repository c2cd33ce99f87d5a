"""Moves documents from one major version to the next, by a file of operations beside the schemas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

from evalcontract.errors import MigrationRefused, SchemaError
from evalcontract.evolution.migrating.operations import OPERATIONS, Operation, Record, apply
from evalcontract.values import shown

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
    """A document in the new version, what was done to it, and the operations that did something."""

    document: Any
    records: tuple[Record, ...]
    applied: tuple[Operation, ...] = ()


def migrate(document: Any, operations: Sequence[Operation], *, before: Check, after: Check) -> Migrated:
    """The document after the operations; the one given is not changed.

    Fails closed: raises MigrationRefused when the document is not valid `before`, when an operation would lose
    something that it doesn't name, and when the result is not valid `after`.
    """
    _require(before, document, "it is not valid before the migration")
    moved, done = apply(document, tuple(operations))
    _require(after, moved, "the result would not be valid")
    return Migrated(moved, tuple(record for _, record in done), tuple(operation for operation, _ in done))


def _require(check: Check, document: Any, otherwise: str) -> None:
    wrong = [str(violation) for violation in check(document)]
    if wrong:
        rest = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        raise MigrationRefused(f"{otherwise}: {'; '.join(wrong[:_SHOWN])}{rest}")


def read_migration(raw: Any, where: str, schema: Any) -> Migration:
    """A migration out of its file's JSON. Raises SchemaError when it is not what `schema`, migration.json, asks."""
    from evalcontract.validation import iter_violations

    _refuse_unknown_operations(raw, where)
    for violation in iter_violations(raw, schema):
        raise SchemaError(f"{where} is no migration: {violation}", hint="see schemas/migration.json")
    operations = tuple(_operation(operation) for operation in raw["operations"])
    for operation in operations:
        if operation.op == "move" and operation.to.split("/").count("*") > operation.path.split("/").count(
            "*"
        ):
            raise SchemaError(f"{where}: {operation.to} has more * than {operation.path}")
    return Migration(raw["contract"], raw["from_major"], raw["to_major"], operations)


def _refuse_unknown_operations(raw: Any, where: str) -> None:
    operations = raw.get("operations") if isinstance(raw, dict) else None
    for at, operation in enumerate(operations if isinstance(operations, list) else ()):
        name = operation.get("op") if isinstance(operation, dict) else None
        if isinstance(name, str) and name not in OPERATIONS:
            close = get_close_matches(name, OPERATIONS, n=1)
            meant = f"did you mean {close[0]}? " if close else ""
            raise SchemaError(
                f"{where}: /operations/{at}/op: there is no operation {shown(name)}",
                hint=f"{meant}known: {', '.join(OPERATIONS)}",
            )


def _operation(raw: dict[str, Any]) -> Operation:
    values = tuple((value["from"], value["to"]) for value in raw.get("values", ()))
    return Operation(raw["op"], raw["path"], raw.get("to", ""), raw.get("value"), values)
