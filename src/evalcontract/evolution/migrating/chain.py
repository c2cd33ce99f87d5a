"""Migrations of a catalogue: from the version that a document has to the one that it shall have, major by major."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

from evalcontract.catalog import Catalogue, ContractRef, SchemaType, SchemaVersion, schemas_root
from evalcontract.catalog.bundle import parent_of
from evalcontract.catalog.files import read_json
from evalcontract.errors import MigrationRefused, SchemaError, UsageError
from evalcontract.evolution.migrating.migration import Check, Migrated, Migration, migrate, read_migration
from evalcontract.evolution.migrating.operations import Operation, Record
from evalcontract.validation.compiled import CompiledContract
from evalcontract.validation.items import ItemChecker, Told

Move: TypeAlias = Callable[[Any], Migrated]
"""Moves one document; raises MigrationRefused when that can't be done."""

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

        Raises UsageError when `new` is older, or a step has no file; SchemaError when a file is damaged.
        """
        stages = self._stages(old, new)

        def move(document: Any) -> Migrated:
            records: tuple[Record, ...] = ()
            for before, operations, after in stages:
                moved = migrate(document, operations, before=before, after=after)
                document, records = moved.document, records + moved.records
            return Migrated(document, records)

        return move

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
            moved, records = dict(item), [*()]
            for part, move_part in parts.items():
                result = move_part(item[part])
                moved[part] = result.document
                records += [_below(part, each) for each in result.records]
            raw_metadata = (item.get("metadata") or {}).get("raw_metadata") or {}
            if VERSION in raw_metadata:
                moved["metadata"] = {**item["metadata"], "raw_metadata": tagged(raw_metadata, old, new)}
            _require(after, moved, f"the result would not be valid under {new.name}@{new.version}")
            return Migrated(moved, tuple(records))

        return move

    def _stages(self, old: ContractRef, new: ContractRef) -> list[tuple[Check, tuple[Operation, ...], Check]]:
        start, end = SchemaVersion.parse(old.version), SchemaVersion.parse(new.version)
        if end < start:
            raise UsageError(f"{new} is older than {old}", hint="documents move forward only")
        versions = [SchemaVersion.parse(each) for each in self.catalogue.versions(new.name)]
        majors = sorted({each.major for each in versions if start.major < each.major < end.major})
        between = [max(each for each in versions if each.major == major) for major in majors]
        stops = [old, *(ContractRef(new.name, str(each)) for each in between), new]
        return [
            (self._documents(one), self._operations(one, other), self._documents(other))
            for one, other in pairwise(stops)
        ]

    def _operations(self, old: ContractRef, new: ContractRef) -> tuple[Operation, ...]:
        start, end = SchemaVersion.parse(old.version).major, SchemaVersion.parse(new.version).major
        if start == end:
            return ()
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
        file = self.catalogue.root / name / f"to-{major}.json"
        if not file.is_file():
            hint = f"write schemas/{where}, with no operations if none is needed"
            raise UsageError(f"there is no migration to {name}@{major}.0", hint=hint)
        return read_migration(read_json(file), where, self._schema)

    def _documents(self, ref: ContractRef) -> Check:
        return CompiledContract(str(ref), self.catalogue.document(ref), self.catalogue).violations

    def _items(self, type_: SchemaType) -> Check:
        told = Told(type=type_, input=None, expected_output=None)
        checker = ItemChecker(self.catalogue, told)
        return lambda item: [each for each in checker.check(item).violations if each.severity == "error"]


def tagged(holder: dict[str, Any], old: SchemaType, new: SchemaType) -> dict[str, Any]:
    """Metadata that declares the new version, and keeps which one it was first migrated from."""
    return {**holder, VERSION: new.version, MARK: holder.get(MARK, f"{old.name}@{old.version}")}


def _require(check: Check, item: Any, otherwise: str) -> None:
    wrong = [str(each) for each in check(item)]
    if wrong:
        raise MigrationRefused(
            f"{otherwise}: {wrong[0]}" + (f" and {len(wrong) - 1} more" if len(wrong) > 1 else "")
        )


def _below(part: str, record: Record) -> Record:
    return replace(record, path=f"/{part}{record.path}", to=record.to and f"/{part}{record.to}")
