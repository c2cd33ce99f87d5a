"""Moves a whole file to another version: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalcontract.catalog import Catalogue, ContractRef, SchemaType
from evalcontract.catalog.names import split_spec
from evalcontract.errors import MigrationRefused, UnreadableInput, UsageError
from evalcontract.evolution.migrating.chain import VERSION, Migrations, Move, tagged
from evalcontract.evolution.migrating.migration import Migrated
from evalcontract.evolution.migrating.operations import Record
from evalcontract.reading import Closed, Document, Fault, Opened, read
from evalcontract.validation.choice import declaration_of, item_declaration, told_type
from evalcontract.validation.items import dataset_violations

PARTS = ("input", "expected_output")


@dataclass(slots=True)
class MovedFile:
    """What became of a file: `moved` is all documents of the new one, to be written unless some were `refused`.

    `container` is how the documents lie in the file, `envelope` what stands around them there, or beside them in a
    file of its own. `records` and `refused` are by the name of the document: its item_id, or its number. `keys`:
    the keys that all inputs, or expected outputs, have together, where the move changed these: (part, gone, new).
    """

    container: str = "document"
    format: str = "json"
    envelope: Any = None
    moved: list[Any] = field(default_factory=list)
    unchanged: int = 0
    records: list[tuple[str, Record]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    keys: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)


def move_file(
    catalogue: Catalogue, file: Path | str, to: str, start: str | None = None, beside: object = None
) -> MovedFile:
    """Move every document of a file to `to`: a schema type or a contract with its version.

    Items say themselves, or their dataset says, which version they have; `start` says it for all others. `beside`
    is the metadata of a dataset that lies in a file of its own.
    Raises UsageError, UnreadableInput or SchemaError when the file, the versions or the migration can't be used.
    """
    mover = _mover(catalogue, to, start)
    done = MovedFile()
    before: list[Any] = []
    if beside is not None and mover.by_item:
        done.envelope = {"metadata": beside}
    for event in read(file, items=mover.by_item):
        match event:
            case Opened():
                done.container, done.format = event.container, event.format
                done.envelope = event.envelope.value if event.envelope else done.envelope
            case Document():
                before.append(event.value)
                done.moved.append(_one(mover, event, done))
            case Fault():
                raise UnreadableInput(f"{event.place}: {event.message}", hint=event.hint)
            case Closed():
                done.envelope = event.envelope.value if event.envelope else done.envelope
    done.keys = [each for part in PARTS for each in _changed_keys(part, before, done.moved)]
    done.envelope = mover.envelope(done.envelope, done)
    return done


@dataclass(frozen=True, slots=True)
class _Mover:
    """How the documents of one file are moved: by the version that each of them has."""

    version_of: Callable[[Any, Any], str | None]
    move_from: Callable[[str], Move]
    target: str
    by_item: bool
    envelope: Callable[[Any, MovedFile], Any]


def _mover(catalogue: Catalogue, to: str, start: str | None) -> _Mover:
    name, version = split_spec(to)
    if version is None:
        raise UsageError(f"{to} names no version", hint=f"write {to}@2.0")
    by_item = name in catalogue.schema_types()
    known: dict[str, Move] = {}
    migrations = Migrations(catalogue)
    if by_item:
        target = told_type(catalogue, to)

        def moves(old: str) -> Move:
            return migrations.of_type(told_type(catalogue, f"{name}@{old}"), target)

        def declared(item: Any, envelope: Any) -> str | None:
            metadata = envelope.get("metadata") if isinstance(envelope, dict) else None
            return item_declaration(item).version or declaration_of(metadata).version or start

        def enveloped(envelope: Any, done: MovedFile) -> Any:
            return _envelope(catalogue, envelope, target, start, done)

    else:
        new = catalogue.resolve(to)

        def moves(old: str) -> Move:
            return migrations.of_contract(catalogue.resolve(name, old), ContractRef(name, new.version))

        def declared(item: Any, envelope: Any) -> str | None:
            return start

        def enveloped(envelope: Any, done: MovedFile) -> Any:
            return envelope

    def cached(old: str) -> Move:
        if old not in known:
            known[old] = moves(old)
        return known[old]

    return _Mover(declared, cached, version, by_item, enveloped)


def _one(mover: _Mover, document: Document, done: MovedFile) -> Any:
    value: Any = document.value
    item_id = value.get("item_id") if isinstance(value, dict) else None
    name = item_id if isinstance(item_id, str) else f"document {document.index + 1}"
    version = mover.version_of(value, done.envelope)
    if version is None:
        raise UsageError(
            f"{name} doesn't say which version it has", hint="say it for all of them with --from"
        )
    if version == mover.target:
        done.unchanged += 1
        return value
    try:
        moved = mover.move_from(version)(value)
    except MigrationRefused as error:
        done.refused.append((name, error.message))
        moved = Migrated(value, ())
    done.records += [(name, record) for record in moved.records]
    return moved.document


def _envelope(
    catalogue: Catalogue, envelope: Any, new: SchemaType, start: str | None, done: MovedFile
) -> Any:
    metadata = envelope.get("metadata") if isinstance(envelope, dict) else None
    version = declaration_of(metadata).version or start
    if not isinstance(metadata, dict) or version in (None, new.version):
        return envelope
    old = told_type(catalogue, f"{new.name}@{version}")
    moved = {**envelope, "metadata": tagged(metadata, old, new)}
    wrong = [str(each) for each in dataset_violations(catalogue, moved) if each.severity == "error"]
    done.refused += [("metadata", each) for each in wrong]
    done.records.append(
        ("metadata", Record("set_default", f"/metadata/{VERSION}", before=(version,), after=(new.version,)))
    )
    return moved


def _changed_keys(
    part: str, before: list[Any], after: list[Any]
) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    old, new = (_keys(part, documents) for documents in (before, after))
    return [(part, tuple(sorted(old - new)), tuple(sorted(new - old)))] if old != new else []


def _keys(part: str, documents: list[Any]) -> set[str]:
    holders = [each.get(part) for each in documents if isinstance(each, dict)]
    return {key for holder in holders if isinstance(holder, dict) for key in holder}
