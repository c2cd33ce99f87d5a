"""Migrations of a catalogue: from the version that a document has to the one that it shall have, major by major."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from evalcontract.catalog import (
    Catalogue,
    ContractRef,
    SchemaType,
    SchemaVersion,
    parent_of,
    read_json,
    schemas_root,
)
from evalcontract.errors import MigrationRefused, SchemaError, UsageError
from evalcontract.evolution.migrating.migration import Check, Migrated, Migration, migrate, read_migration
from evalcontract.evolution.migrating.operations import Operation, Record
from evalcontract.evolution.migrating.undoing import undone
from evalcontract.validation import CompiledContract, ItemChecker, Told


@dataclass(frozen=True, slots=True)
class Move:
    """Moves one document from one version to another.

    `run` raises MigrationRefused when that can't be done. `operations` are all that it may apply, `check` is what is
    wrong with a document that should have the new version already.
    """

    run: Callable[[Any], Migrated]
    operations: tuple[Operation, ...]
    check: Check

    def __call__(self, document: Any) -> Migrated:
        return self.run(document)


MARK = "migrated_from"
VERSION = "input_schema_version"


@dataclass(frozen=True)
class Migrations:
    """The migrations of one catalogue: NAME/to-MAJOR.json beside the schemas."""

    catalogue: Catalogue

    @cached_property
    def _schema(self) -> Any:
        return read_json(schemas_root() / "migration.json")

    def of_contract(self, old: ContractRef, new: ContractRef) -> Move:
        """Moves documents of one contract from `old` to `new`, valid at every major in between.

        The way back to an older version is that of exact inverses. Raises UsageError when a step has no file, or on
        the way back no inverse; SchemaError when a file is damaged.
        """
        stages = self._stages(old, new)

        def move(document: Any) -> Migrated:
            done = Migrated(document, ())
            for before, operations, after in stages:
                moved = migrate(done.document, operations, before=before, after=after)
                done = Migrated(moved.document, done.records + moved.records, done.applied + moved.applied)
            return done

        return Move(move, tuple(operation for _, many, _ in stages for operation in many), stages[-1][2])

    def of_type(self, old: SchemaType, new: SchemaType) -> Move:
        """Moves items of a schema type: its input, its expected output, and what they declare.

        The item is checked as a whole before and after; `migrated_from` is kept beside the declared version.
        """
        parts = {
            "input": self.of_contract(old.input, new.input),
            "expected_output": self.of_contract(old.expected_output, new.expected_output),
        }
        before, after = self._items(old), self._items(new)

        def move(item: Any) -> Migrated:
            _require(before, item, f"it is not valid under {old.name}@{old.version}")
            moved = dict(item)
            records: list[Record] = []
            applied: list[Operation] = []
            for part, move_part in parts.items():
                if part not in item or item[part] is None:
                    continue
                result = move_part(item[part])
                moved[part] = result.document
                records += [_record_below(part, record) for record in result.records]
                applied += [_below(part, operation) for operation in result.applied]
            raw_metadata = (item.get("metadata") or {}).get("raw_metadata") or {}
            if VERSION in raw_metadata:
                moved["metadata"] = {**item["metadata"], "raw_metadata": tagged(raw_metadata, old, new)}
            _require(after, moved, f"the result would not be valid under {new.name}@{new.version}")
            return Migrated(moved, tuple(records), tuple(applied))

        known = [_below(part, operation) for part, way in parts.items() for operation in way.operations]
        return Move(move, tuple(known), after)

    def _stages(self, old: ContractRef, new: ContractRef) -> list[tuple[Check, tuple[Operation, ...], Check]]:
        start, end = SchemaVersion.parse(old.version), SchemaVersion.parse(new.version)
        versions = [SchemaVersion.parse(version) for version in self.catalogue.versions(new.name)]
        least, most = sorted((start.major, end.major))
        majors = sorted({version.major for version in versions if least < version.major < most})
        between = [max(version for version in versions if version.major == major) for major in majors]
        stops = [ContractRef(new.name, str(version)) for version in between]
        stops = [old, *(reversed(stops) if end < start else stops), new]
        return [
            (self._documents(one), self._operations(one, other), self._documents(other))
            for one, other in pairwise(stops)
        ]

    def _operations(self, old: ContractRef, new: ContractRef) -> tuple[Operation, ...]:
        start, end = SchemaVersion.parse(old.version).major, SchemaVersion.parse(new.version).major
        if start == end:
            return ()
        if end < start:
            return undone(self._operations(new, old), f"{new.name}/to-{start}.json")
        parents = parent_of(self.catalogue, old), parent_of(self.catalogue, new)
        inherited: tuple[Operation, ...] = ()
        if parents[0] and parents[1] and parents[0].name == parents[1].name:
            inherited = self._operations(parents[0], parents[1])
        found = self.read(new.name, str(end))
        if (found.contract, found.from_major, found.to_major) != (new.name, start, end):
            told = f"{found.contract} from {found.from_major} to {found.to_major}"
            raise SchemaError(
                f"{new.name}/to-{end}.json is the migration of {told}, not from {start} to {end}"
            )
        return inherited + found.operations

    def read(self, name: str, major: str) -> Migration:
        """The migration of a contract to a major version.

        Raises UsageError without one, SchemaError or CatalogError when it is damaged.
        """
        where = f"{name}/to-{major}.json"
        root = self.catalogue.layer_of(name).root
        file = root / name / f"to-{major}.json"
        if not file.is_file():
            hint = f"write {root / where}, with no operations if none is needed"
            raise UsageError(f"there is no migration to {name}@{major}.0", hint=hint)
        return read_migration(read_json(file), where, self._schema)

    def _documents(self, ref: ContractRef) -> Check:
        return CompiledContract(str(ref), self.catalogue.document(ref), self.catalogue).violations

    def _items(self, type_: SchemaType) -> Check:
        told = Told(type=type_, input=None, expected_output=None)
        checker = ItemChecker(self.catalogue, told)
        return lambda item: [
            violation for violation in checker.check(item).violations if violation.severity == "error"
        ]


def tagged(holder: dict[str, Any], old: SchemaType, new: SchemaType) -> dict[str, Any]:
    """Metadata that declares the new version, and keeps which one it was first migrated from."""
    return {**holder, VERSION: new.version, MARK: holder.get(MARK, f"{old.name}@{old.version}")}


def _require(check: Check, item: Any, otherwise: str) -> None:
    wrong = [str(violation) for violation in check(item)]
    if wrong:
        raise MigrationRefused(
            f"{otherwise}: {wrong[0]}" + (f" and {len(wrong) - 1} more" if len(wrong) > 1 else "")
        )


def _record_below(part: str, record: Record) -> Record:
    return replace(record, path=f"/{part}{record.path}", to=record.to and f"/{part}{record.to}")


def _below(part: str, operation: Operation) -> Operation:
    moved = operation.op == "move"
    return replace(
        operation, path=f"/{part}{operation.path}", to=f"/{part}{operation.to}" if moved else operation.to
    )
