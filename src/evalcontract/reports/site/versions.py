"""Two versions of a contract: what changed in words, what that breaks with its proof, the lines side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from evalcontract.catalog import Catalogue, ContractRef, SchemaVersion
from evalcontract.errors import ContractError
from evalcontract.evolution import compare_schemas
from evalcontract.evolution.comparing import changes
from evalcontract.evolution.migrating import Migrations
from evalcontract.evolution.versions import side_of
from evalcontract.reports.pages.breaking import ComparedVersions, compared
from evalcontract.reports.schema_diff import SchemaDiff, Sentences, by_property
from evalcontract.reports.versions import Places

_MOST_LINES = 4000


@dataclass(frozen=True, slots=True)
class SideLine:
    """A line of two schemas beside each other; None where one of them has none."""

    old: str | None
    new: str | None

    @property
    def same(self) -> bool:
        """Whether both have this line."""
        return self.old == self.new


@dataclass(frozen=True, slots=True)
class MigrationStep:
    """An operation of a migration; `value` is JSON, or what is mapped to what."""

    op: str
    path: str
    value: str


@dataclass(frozen=True, slots=True)
class Changes:
    """From one version of a contract to the next. `failure`: why they could not be compared."""

    old: ContractRef
    new: ContractRef
    sentences: tuple[Sentences, ...]
    comparisons: tuple[ComparedVersions, ...]
    lines: tuple[SideLine, ...]
    migration: tuple[MigrationStep, ...] | None
    failure: str | None = None


def version_pairs(catalogue: Catalogue, name: str) -> Iterator[tuple[ContractRef, ContractRef]]:
    """Each version of a contract with the one that came before it."""
    refs = [ContractRef(name, version) for version in catalogue.versions(name)]
    yield from pairwise(refs)


def changes_between(catalogue: Catalogue, old: ContractRef, new: ContractRef) -> Changes:
    """What changed between two versions, what it breaks, and how documents are moved."""
    lines = tuple(_side_by_side(catalogue.document(old), catalogue.document(new)))
    migration = migration_to(catalogue, old, new)
    try:
        sides = [side_of(catalogue, ref) for ref in (old, new)]
        sentences = by_property(SchemaDiff(sides[0].label, sides[1].label, changes(*sides)))
        layer = catalogue.layer_of(new.name)
        places = Places(layer.base_uri, str(layer.root))
        judged = compare_schemas(str(new), old.version, catalogue=catalogue)
        comparisons = tuple(compared(judgement, places) for judgement in judged)
    except ContractError as error:
        return Changes(old, new, (), (), lines, migration, str(error))
    return Changes(old, new, tuple(sentences), comparisons, lines, migration)


def migration_to(
    catalogue: Catalogue, old: ContractRef, new: ContractRef
) -> tuple[MigrationStep, ...] | None:
    """The operations that move documents to a new major version; None where no file says how."""
    major = SchemaVersion.parse(new.version).major
    if major == SchemaVersion.parse(old.version).major:
        return None
    file = catalogue.layer_of(new.name).root / new.name / f"to-{major}.json"
    if not file.is_file():
        return None
    migration = Migrations(catalogue).read(new.name, str(major))
    return tuple(_step(operation) for operation in migration.operations)


def _step(operation: Any) -> MigrationStep:
    def told(value: object) -> str:
        return json.dumps(value, ensure_ascii=False)

    if operation.to:
        value = operation.to
    elif operation.values:
        value = ", ".join(f"{told(before)} → {told(after)}" for before, after in operation.values)
    else:
        value = told(operation.value) if operation.op == "set_default" else ""
    return MigrationStep(operation.op, operation.path, value)


def _side_by_side(old: Any, new: Any) -> Iterator[SideLine]:
    before, after = _lines(old), _lines(new)
    if len(before) + len(after) > _MOST_LINES:
        return
    for tag, start, end, begin, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from map(SideLine, before[start:end], after[begin:stop])
            continue
        left, right = before[start:end], after[begin:stop]
        for number in range(max(len(left), len(right))):
            yield SideLine(
                left[number] if number < len(left) else None, right[number] if number < len(right) else None
            )


def _lines(schema: Any) -> list[str]:
    return json.dumps(schema, indent=2, ensure_ascii=False).split("\n")
