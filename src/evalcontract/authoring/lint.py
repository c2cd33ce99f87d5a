"""What must hold of a folder of schemas: the authoring profile, and what it can't state."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from evalcontract.authoring.schema_tree import Schemas
from evalcontract.catalog import Catalogue, ContractRef, SchemaVersion, file_digest, references, schemas_root
from evalcontract.errors import CatalogError, ContractError, UnknownContract, UnknownVersion
from evalcontract.evolution.migrating import Migrations

_BESIDE = frozenset({"catalog.json", "authoring.json", "migration.json"})
_MIGRATION = re.compile(r"([a-z0-9_]+)/to-[0-9]+\.json")
_VECTORS = "conformance"


@dataclass(frozen=True, slots=True)
class LintFinding:
    """A rule that a file breaks."""

    path: str
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.rule}: {self.message}"


Broken = Iterator[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule over a folder of schemas; `run` yields (path, message) for each breach."""

    code: str
    why: str
    run: Callable[[Schemas], Broken]


def _profile(schemas: Schemas) -> Broken:
    own = schemas.root / "authoring.json"
    try:
        profile = json.loads((own if own.is_file() else schemas_root() / "authoring.json").read_bytes())
    except (OSError, ValueError) as error:
        raise CatalogError(f"authoring.json can't be read: {error}", hint="restore the file") from error
    validator = Draft202012Validator(profile)
    for ref, document in schemas.documents.items():
        if found := best_match(validator.iter_errors(document)):
            yield schemas.where(ref), f"{found.json_path}: {found.message:.200}"


def _catalogued(schemas: Schemas) -> Broken:
    known = {schemas.where(entry.ref) for entry in schemas.catalogue.own_entries()}
    for path in sorted(schemas.root.rglob("*")):
        inside, shown = path.relative_to(schemas.root), path.relative_to(schemas.root.parent).as_posix()
        migration = _MIGRATION.fullmatch(inside.as_posix())
        expected = inside.parts[0] == _VECTORS or inside.as_posix() in _BESIDE or shown in known
        expected = expected or (migration is not None and migration[1] in schemas.catalogue.own_names())
        if path.is_file() and not expected:
            yield shown, "is not in catalog.json"
    for entry in schemas.catalogue.own_entries():
        if entry.ref not in schemas.documents:
            yield schemas.where(entry.ref), "is in catalog.json, but there is no JSON object there"


def _id_is_path(schemas: Schemas) -> Broken:
    for ref, document in schemas.documents.items():
        if document.get("$id") != schemas.catalogue.uri(ref):
            yield schemas.where(ref), f"$id must be {schemas.catalogue.uri(ref)}"


def _titles_unique(schemas: Schemas) -> Broken:
    own = set(schemas.catalogue.own_names())
    lower = (entry.ref for entry in schemas.catalogue.entries() if entry.ref.name not in own)
    owners: dict[Any, ContractRef] = {schemas.document(ref).get("title"): ref for ref in lower}
    for ref, document in schemas.documents.items():
        owner = owners.setdefault(document.get("title"), ref)
        if owner.name != ref.name:
            yield schemas.where(ref), f"the title {document.get('title')} belongs to {owner}"


def _references_resolve(schemas: Schemas) -> Broken:
    for ref, document in schemas.documents.items():
        for reference in references(document):
            try:
                target = schemas.catalogue.ref_of(urljoin(schemas.catalogue.uri(ref), reference))
            except (UnknownContract, UnknownVersion) as error:
                yield schemas.where(ref), f"{reference} leads nowhere: {error.message}"
                continue
            relative = f"../{target.name}/{target.version}.json"
            if target.name in schemas.catalogue.own_names() and reference != relative:
                yield schemas.where(ref), f"{reference} is in this folder: write {relative}"


def _no_ring(schemas: Schemas) -> Broken:
    for ref in schemas.documents:
        if ref in schemas.ancestors(ref):
            yield schemas.where(ref), "extends itself"


def _required_declared(schemas: Schemas) -> Broken:
    for ref, document in schemas.documents.items():
        declared = schemas.inherited(ref) | document.get("properties", {})
        for name in document.get("required", []):
            if name not in declared:
                yield schemas.where(ref), f"requires {name}, which it doesn't have"


def _required_or_null(schemas: Schemas) -> Broken:
    for ref, document in schemas.documents.items():
        own, required = document.get("properties", {}), document.get("required", [])
        for name, field in (schemas.inherited(ref) | own).items():
            if name in required and "default" in field:
                yield schemas.where(ref), f"{name} is required and has a default"
            if name in own and name not in required and field.get("default", ...) is not None:
                yield schemas.where(ref), f"{name} is neither required nor null by default"


def _not_redeclared(schemas: Schemas) -> Broken:
    for ref, document in schemas.documents.items():
        for name in document.get("properties", {}).keys() & schemas.inherited(ref).keys():
            yield schemas.where(ref), f"declares {name} again, which it inherits"


def _released_on_released(schemas: Schemas) -> Broken:
    for ref, document in schemas.documents.items():
        entry = schemas.catalogue.entry(ref)
        allowed = {"draft": ("draft", "released"), "released": ("released",)}.get(
            entry.status, ("released", "withdrawn")
        )
        for target in schemas.targets(ref, document):
            status = schemas.catalogue.entry(target).status
            if status not in allowed:
                yield schemas.where(ref), f"is {entry.status} and refers to {target}, which is {status}"


def _frozen(schemas: Schemas) -> Broken:
    for entry in schemas.catalogue.own_entries():
        if entry.frozen and entry.ref in schemas.documents:
            actual = file_digest(schemas.catalogue.path(entry.ref))
            if actual != entry.sha256:
                yield (
                    schemas.where(entry.ref),
                    f"is {entry.status} and has changed: its sha256 is now {actual}",
                )


def _successors(schemas: Schemas) -> Broken:
    for entry in schemas.catalogue.own_entries():
        successor = entry.superseded_by
        if successor is None:
            continue
        later = [
            version
            for version in schemas.catalogue.versions(entry.ref.name)
            if SchemaVersion.parse(version) > SchemaVersion.parse(entry.ref.version)
        ]
        if successor not in later:
            yield (
                f"{schemas.root.name}/catalog.json",
                f"{entry.ref} is superseded by {successor}, no later version",
            )


def _schema_types_resolve(schemas: Schemas) -> Broken:
    for versions in schemas.catalogue.schema_types().values():
        for found in versions.values():
            for ref in (found.input, found.expected_output):
                try:
                    schemas.catalogue.entry(ref)
                except (UnknownContract, UnknownVersion) as error:
                    where = f"{schemas.root.name}/catalog.json"
                    yield where, f"schema type {found.name} {found.version}: {error.message}"


def _migrations(schemas: Schemas) -> Broken:
    for path in sorted(schemas.root.glob("*/to-*.json")):
        where = path.relative_to(schemas.root.parent).as_posix()
        try:
            migration = Migrations(schemas.catalogue).read(path.parent.name, path.stem.removeprefix("to-"))
        except ContractError as error:
            yield where, error.message
            continue
        if f"to-{migration.to_major}" != path.stem or migration.contract != path.parent.name:
            yield where, f"is the migration of {migration.contract} to {migration.to_major}"


PROFILE = Rule("profile", "what every validator and code generator understands alike", _profile)
RULES = (
    Rule("catalogued", "a file that no catalogue names is never checked or published", _catalogued),
    Rule("id-is-path", "references are resolved through the $id", _id_is_path),
    Rule("unique-title", "the title is the class name in every language", _titles_unique),
    Rule("reference", "nothing is fetched, so what is not here can't be resolved", _references_resolve),
    Rule("no-ring", "a class can't be its own ancestor", _no_ring),
    Rule("required-declared", "a required field that has no schema is a misspelling", _required_declared),
    Rule("required-or-null", "anything in between means different things to models", _required_or_null),
    Rule("not-redeclared", "a subclass that changes a field is no longer its parent", _not_redeclared),
    Rule("released-on-released", "a frozen file with a moving part is not frozen", _released_on_released),
    Rule("frozen", "whoever relies on a release must get what was released", _frozen),
    Rule("successor", "a reader must find the version to move to", _successors),
    Rule("migration", "old data that can't be moved is lost to the new version", _migrations),
    Rule("schema-type", "a declared type must lead to its contracts", _schema_types_resolve),
)


def lint(root: Path, below: Catalogue | None = None) -> list[LintFinding]:
    """Every breach of a rule in a folder of schemas, which holds catalog.json and lies on `below`.

    Without `below` it lies on the built-in catalogue. The profile is authoring.json in that folder, else the
    one that comes with this package. The other rules read schemas of the profile: what breaks the profile is
    reported alone.
    Raises CatalogError when catalog.json or authoring.json is damaged.
    """
    schemas = Schemas(root, below or Catalogue(schemas_root()))
    return _breaches(PROFILE, schemas) or [finding for rule in RULES for finding in _breaches(rule, schemas)]


def _breaches(rule: Rule, schemas: Schemas) -> list[LintFinding]:
    return [LintFinding(path, rule.code, message) for path, message in sorted(rule.run(schemas))]
