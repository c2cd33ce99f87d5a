"""Moves a whole file to another version: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalcontract.catalog import Catalogue, ContractRef, SchemaType, split_spec
from evalcontract.errors import ContractViolation, MigrationRefused, UsageError
from evalcontract.evolution.migrating.chain import VERSION, Migrations, Move, tagged
from evalcontract.evolution.migrating.migration import Migrated
from evalcontract.evolution.migrating.operations import Record
from evalcontract.reading import (
    Closed,
    Document,
    Fault,
    Held,
    Opened,
    current_limits,
    read,
    too_many_invalid,
)
from evalcontract.validation import (
    Declaration,
    dataset_violations,
    declaration_of,
    item_declaration,
    told_type,
)
from evalcontract.values import numbers_as_written, shown

PARTS = ("input", "expected_output")


@dataclass(slots=True)
class MovedFile:
    """What became of a file: `moved` is all documents of the new one, to be written unless some were `refused`.

    `container` is how the documents lie in the file, `envelope` what stands around them there, or beside them in a
    file of its own. `records` and `refused` are by the name of the document: its item_id, or its number. `keys`:
    the keys that all inputs, or expected outputs, have together, where the move changed these: (part, gone, new).
    `idle`: operations of the migrations used that found nothing to do in any document.
    """

    container: str = "document"
    format: str = "json"
    envelope: Any = None
    moved: list[Any] = field(default_factory=list)
    unchanged: int = 0
    records: list[tuple[str, Record]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    keys: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)


@numbers_as_written()
def move_file(
    catalogue: Catalogue, file: Path | str, to: str, start: str | None = None, beside: object = None
) -> MovedFile:
    """Move every document of a file to `to`: a schema type or a contract with its version.

    Items say themselves, or their dataset says, which version they have; `start` says it for all others. `beside`
    is the metadata of a dataset that lies in a file of its own.
    Raises ContractViolation when the text of the file is broken, UsageError, UnreadableInput or SchemaError when the
    file, the versions or the migration can't be used.
    """
    mover = _mover(catalogue, to, start)
    done = MovedFile()
    before: list[Any] = []
    held, limits = Held(str(file)), current_limits()
    if beside is not None and mover.by_item:
        done.envelope = {"metadata": beside}
    for event in read(file, items=mover.by_item):
        match event:
            case Opened():
                done.container, done.format = event.container, event.format
                done.envelope = event.envelope.value if event.envelope else done.envelope
            case Document():
                held.add(event.value)
                before.append(event.value)
                done.moved.append(_one(mover, event, done))
                if len(done.refused) > limits.invalid_documents:
                    message, hint = too_many_invalid(limits)
                    raise ContractViolation(f"{file}: {message}", hint=hint)
            case Fault():
                raise ContractViolation(f"{event.place}: {event.message}", hint=event.hint)
            case Closed():
                done.envelope = event.envelope.value if event.envelope else done.envelope
    done.keys = [key for part in PARTS for key in _changed_keys(part, before, done.moved)]
    done.envelope = mover.envelope(done.envelope, done)
    done.idle = [] if done.refused else mover.idle()  # what a refused document would have needed isn't known
    return done


@dataclass(slots=True)
class _Mover:
    """How the documents of one file are moved: by the version that each of them has.

    `move_from` makes the way from a version, `declared` is what a document says of itself, `used` the ways so far,
    `applied` the operations that did something.
    """

    name: str
    target: str
    by_item: bool
    start: str | None
    move_from: Callable[[str], Move]
    envelope: Callable[[Any, MovedFile], Any]
    used: dict[str, Move] = field(default_factory=dict)
    applied: set[str] = field(default_factory=set)

    def declared(self, item: Any, envelope: Any) -> Declaration:
        """What an item, or else its dataset, says; the version that was told where neither says one."""
        if not self.by_item:
            return Declaration(None, self.start)
        metadata = envelope.get("metadata") if isinstance(envelope, dict) else None
        own, shared = item_declaration(item), declaration_of(metadata)
        type_ = own.type if own.type is not None else shared.type
        return Declaration(type_, own.version or shared.version or self.start)

    def move(self, value: Any, version: str) -> Migrated:
        """The document in the target version; one that has it already is only checked."""
        if version not in self.used:
            self.used[version] = self.move_from(version)
        way = self.used[version]
        if version == self.target:
            wrong = [str(violation) for violation in way.check(value)]
            if wrong:
                more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
                raise MigrationRefused(f"it is not valid under {self.name}@{version}: {wrong[0]}{more}")
            return Migrated(value, ())
        moved = way(value)
        self.applied.update(map(repr, moved.applied))
        return moved

    def idle(self) -> list[str]:
        """The operations that never did anything."""
        known = [operation for way in self.used.values() for operation in way.operations]
        return list(
            dict.fromkeys(str(known_one) for known_one in known if repr(known_one) not in self.applied)
        )


def _mover(catalogue: Catalogue, to: str, start: str | None) -> _Mover:
    name, version = split_spec(to)
    if version is None:
        raise UsageError(f"{to} names no version", hint=f"write {to}@2.0")
    migrations = Migrations(catalogue)
    if name in catalogue.schema_types():
        target = told_type(catalogue, to)

        def of_items(old: str) -> Move:
            return migrations.of_type(told_type(catalogue, f"{name}@{old}"), target)

        def enveloped(envelope: Any, done: MovedFile) -> Any:
            return _envelope(catalogue, envelope, target, start, done)

        return _Mover(name, version, True, start, of_items, enveloped)

    new = catalogue.resolve(to)

    def of_documents(old: str) -> Move:
        return migrations.of_contract(catalogue.resolve(name, old), ContractRef(name, new.version))

    return _Mover(name, version, False, start, of_documents, lambda envelope, done: envelope)


def _one(mover: _Mover, document: Document, done: MovedFile) -> Any:
    value: Any = document.value
    item_id = value.get("item_id") if isinstance(value, dict) else None
    name = item_id if isinstance(item_id, str) else f"document {document.index + 1}"
    declared = mover.declared(value, done.envelope)
    if declared.type not in (None, mover.name):
        done.refused.append((name, f"it declares the type {shown(declared.type)}, not {mover.name}"))
        return value
    if declared.version is None:
        raise UsageError(
            f"{name} doesn't say which version it has", hint="say it for all of them with --from"
        )
    try:
        moved = mover.move(value, declared.version)
    except MigrationRefused as error:
        done.refused.append((name, error.message))
        return value
    done.unchanged += declared.version == mover.target
    done.records += [(name, record) for record in moved.records]
    return moved.document


def _envelope(
    catalogue: Catalogue, envelope: Any, new: SchemaType, start: str | None, done: MovedFile
) -> Any:
    metadata = envelope.get("metadata") if isinstance(envelope, dict) else None
    if not isinstance(metadata, dict):
        return envelope
    declared = declaration_of(metadata)
    if declared.type not in (None, new.name):
        done.refused.append(("metadata", f"it declares the type {shown(declared.type)}, not {new.name}"))
    version, moved = declared.version or start, envelope
    if version not in (None, new.version):
        old = told_type(catalogue, f"{new.name}@{version}")
        moved = {**envelope, "metadata": tagged(metadata, old, new)}
        change = Record("set_default", f"/metadata/{VERSION}", before=(version,), after=(new.version,))
        done.records.append(("metadata", change))
    violations = dataset_violations(catalogue, moved)
    wrong = [str(violation) for violation in violations if violation.severity == "error"]
    done.refused += [("metadata", reason) for reason in wrong]
    return moved


def _changed_keys(
    part: str, before: list[Any], after: list[Any]
) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    old, new = (_keys(part, documents) for documents in (before, after))
    return [(part, tuple(sorted(old - new)), tuple(sorted(new - old)))] if old != new else []


def _keys(part: str, documents: list[Any]) -> set[str]:
    holders = [document.get(part) for document in documents if isinstance(document, dict)]
    return {key for holder in holders if isinstance(holder, dict) for key in holder}
