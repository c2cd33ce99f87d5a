"""What must hold of a folder of schemas beside the authoring profile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

from evalcontract.authoring.finding import Breach, Broken, LintRule
from evalcontract.authoring.schema_tree import Schemas
from evalcontract.catalog import ContractRef, SchemaVersion, file_digest, references, whole_names
from evalcontract.errors import ContractError, UnknownContract, UnknownVersion
from evalcontract.evolution.migrating import Migrations

_BESIDE = frozenset({"catalog.json", "authoring.json", "migration.json"})
_MIGRATION = re.compile(r"([a-z0-9_]+)/to-[0-9]+\.json")
_VECTORS = "conformance"


def _catalogued(schemas: Schemas) -> Broken:
    known = {schemas.where(entry.ref) for entry in schemas.catalogue.own_entries()}
    for path in sorted(schemas.root.rglob("*")):
        inside, shown = path.relative_to(schemas.root), path.relative_to(schemas.root.parent).as_posix()
        migration = _MIGRATION.fullmatch(inside.as_posix())
        expected = inside.parts[0] == _VECTORS or inside.as_posix() in _BESIDE or shown in known
        expected = expected or (migration is not None and migration[1] in schemas.catalogue.own_names())
        if path.is_file() and not expected:
            yield Breach(shown, "is not in catalog.json")
    for entry in schemas.catalogue.own_entries():
        if entry.ref not in schemas.documents:
            yield Breach(schemas.where(entry.ref), "is in catalog.json, but there is no JSON object there")


def _id_is_path(schemas: Schemas) -> Broken:
    for ref, document in schemas.documents.items():
        uri = schemas.catalogue.uri(ref)
        if document.get("$id") != uri:
            yield Breach(schemas.where(ref), f"$id must be {uri}", ("$id",))


def _titles_unique(schemas: Schemas) -> Broken:
    own = set(schemas.catalogue.own_names())
    lower = (entry.ref for entry in schemas.catalogue.entries() if entry.ref.name not in own)
    owners: dict[Any, ContractRef] = {schemas.document(ref).get("title"): ref for ref in lower}
    for ref, document in schemas.documents.items():
        title = document.get("title")
        if not isinstance(title, str):
            continue
        owner = owners.setdefault(title, ref)
        if owner.name != ref.name:
            yield Breach(schemas.where(ref), f"the title {title} belongs to {owner}", ("title",))


def _names_free(schemas: Schemas) -> Broken:
    catalogue = schemas.catalogue
    for name in sorted(whole_names(catalogue.own_types()) & set(catalogue.names())):
        type_ = name.removesuffix("_item").removesuffix("_dataset")
        if type_ in catalogue.own_types():
            message = (
                f"the schema of whole items or datasets of {type_} would be called {name}, as a contract is"
            )
            yield Breach(_catalog(schemas), message, ("schema_types", type_))
    for name in sorted(whole_names(catalogue.schema_types()) & set(catalogue.own_names())):
        if name.removesuffix("_item").removesuffix("_dataset") not in catalogue.own_types():
            message = f"{name} is the name of a schema of whole items or datasets"
            yield Breach(_catalog(schemas), message, ("contracts", name))


def _references_resolve(schemas: Schemas) -> Broken:
    for ref, document in schemas.documents.items():
        for reference in references(document):
            at = written_at(document, reference)
            try:
                target = schemas.catalogue.ref_of(urljoin(schemas.catalogue.uri(ref), reference))
            except (UnknownContract, UnknownVersion) as error:
                message = f"{reference} leads nowhere: {error.message}"
                yield Breach(schemas.where(ref), message, at, error.hint or "")
                continue
            relative = f"../{target.name}/{target.version}.json"
            in_folder = target.name in schemas.catalogue.own_names()
            if in_folder and reference.partition("#")[0] not in ("", relative):
                message = f"{reference} is in this folder: write {relative}"
                yield Breach(schemas.where(ref), message, at, f"write {relative}")


def _no_ring(schemas: Schemas) -> Broken:
    for ref in schemas.documents:
        if ref in schemas.ancestors(ref):
            yield Breach(schemas.where(ref), "extends itself", ("allOf",))


def _required_declared(schemas: Schemas) -> Broken:
    for ref, document in schemas.documents.items():
        declared = schemas.inherited(ref) | document.get("properties", {})
        for number, name in enumerate(document.get("required", [])):
            if name not in declared:
                message = f"requires {name}, which it doesn't have"
                yield Breach(schemas.where(ref), message, ("required", str(number)))


def _required_or_null(schemas: Schemas) -> Broken:
    for ref, document in schemas.documents.items():
        own, required = document.get("properties", {}), document.get("required", [])
        for name, field in (schemas.inherited(ref) | own).items():
            at = ("properties", name) if name in own else ("required", str(_index(required, name)))
            if name in required and "default" in field:
                yield Breach(schemas.where(ref), f"{name} is required and has a default", at)
            if name in own and name not in required and field.get("default", ...) is not None:
                yield Breach(schemas.where(ref), f"{name} is neither required nor null by default", at)


def _not_redeclared(schemas: Schemas) -> Broken:
    for ref, document in schemas.documents.items():
        for name in document.get("properties", {}).keys() & schemas.inherited(ref).keys():
            message = f"declares {name} again, which it inherits"
            yield Breach(schemas.where(ref), message, ("properties", name))


def _released_on_released(schemas: Schemas) -> Broken:
    for ref, document in schemas.documents.items():
        entry = schemas.catalogue.entry(ref)
        allowed = {"draft": ("draft", "released"), "released": ("released",)}.get(
            entry.status, ("released", "withdrawn")
        )
        for reference in references(document):
            for target in schemas.targets(ref, {"$ref": reference}):
                status = schemas.catalogue.entry(target).status
                if status not in allowed and target != ref:
                    message = f"is {entry.status} and refers to {target}, which is {status}"
                    yield Breach(schemas.where(ref), message, written_at(document, reference))


def _frozen(schemas: Schemas) -> Broken:
    for entry in schemas.catalogue.own_entries():
        if entry.frozen and entry.ref in schemas.documents:
            actual = file_digest(schemas.catalogue.path(entry.ref))
            if actual != entry.sha256:
                message = f"is {entry.status} and has changed: its sha256 is now {actual}"
                yield Breach(schemas.where(entry.ref), message)


def _successors(schemas: Schemas) -> Broken:
    for entry in schemas.catalogue.own_entries():
        name, version, successor = entry.ref.name, entry.ref.version, entry.superseded_by
        if successor is None:
            continue
        later = [
            other
            for other in schemas.catalogue.versions(name)
            if SchemaVersion.parse(other) > SchemaVersion.parse(version)
        ]
        if successor not in later:
            message = f"{entry.ref} is superseded by {successor}, no later version"
            yield Breach(_catalog(schemas), message, ("contracts", name, version, "superseded_by"))


def _schema_types_resolve(schemas: Schemas) -> Broken:
    for versions in schemas.catalogue.own_types().values():
        for found in versions.values():
            for key, ref in (("input", found.input), ("expected_output", found.expected_output)):
                try:
                    schemas.catalogue.entry(ref)
                except (UnknownContract, UnknownVersion) as error:
                    message = f"schema type {found.name} {found.version}: {error.message}"
                    at = ("schema_types", found.name, found.version, key)
                    yield Breach(_catalog(schemas), message, at, error.hint or "")


def _migrations(schemas: Schemas) -> Broken:
    for path in sorted(schemas.root.glob("*/to-*.json")):
        where = path.relative_to(schemas.root.parent).as_posix()
        try:
            migration = Migrations(schemas.catalogue).read(path.parent.name, path.stem.removeprefix("to-"))
        except ContractError as error:
            yield Breach(where, error.message, way_out=error.hint or "")
            continue
        if f"to-{migration.to_major}" != path.stem or migration.contract != path.parent.name:
            yield Breach(where, f"is the migration of {migration.contract} to {migration.to_major}")


def _catalog(schemas: Schemas) -> str:
    return f"{schemas.root.name}/catalog.json"


def _index(names: list[str], name: str) -> int:
    return names.index(name) if name in names else 0


def written_at(document: Any, reference: str) -> tuple[str, ...]:
    """The keys that lead to a `$ref` that says this, the first one; none when there isn't any."""
    return next(_leading_to(document, reference), ())


def _leading_to(node: Any, reference: str) -> Iterator[tuple[str, ...]]:
    parts = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in parts:
        if key == "$ref" and value == reference:
            yield ("$ref",)
        for rest in _leading_to(value, reference):
            yield (str(key), *rest)


RULES = (
    LintRule(
        "catalogued",
        "a file that no catalogue names is never checked or published",
        "enter it in catalog.json, or take it away; the file of an entry must hold a JSON object",
        _catalogued,
    ),
    LintRule("id-is-path", "references are resolved through the $id", "write that $id", _id_is_path),
    LintRule(
        "unique-title",
        "the title is the class name in every language",
        "choose another title",
        _titles_unique,
    ),
    LintRule(
        "name-taken",
        "of each schema type a schema of whole items and one of whole datasets is made",
        "choose another name",
        _names_free,
    ),
    LintRule(
        "reference",
        "nothing is fetched, so what is not here can't be resolved",
        "refer to a contract of this folder or of a layer below",
        _references_resolve,
    ),
    LintRule(
        "no-ring",
        "a class can't be its own ancestor",
        "let one of them stand on its own",
        _no_ring,
    ),
    LintRule(
        "required-declared",
        "a required field that has no schema is a misspelling",
        "declare it under properties, or take it out of required",
        _required_declared,
        of_profile=True,
    ),
    LintRule(
        "required-or-null",
        "anything in between means different things to models",
        'name it in required and give no default, or allow null and write "default": null',
        _required_or_null,
        of_profile=True,
    ),
    LintRule(
        "not-redeclared",
        "a subclass that changes a field is no longer its parent",
        "take it away, or give it another name",
        _not_redeclared,
        of_profile=True,
    ),
    LintRule(
        "released-on-released",
        "a frozen file with a moving part is not frozen",
        "release that version first, or refer to a released one",
        _released_on_released,
    ),
    LintRule(
        "frozen",
        "whoever relies on a release must get what was released",
        "restore the file; a change needs a new version",
        _frozen,
    ),
    LintRule("successor", "a reader must find the version to move to", "name a later version", _successors),
    LintRule(
        "migration",
        "old data that can't be moved is lost to the new version",
        "name the file CONTRACT/to-MAJOR.json after what it says",
        _migrations,
    ),
    LintRule(
        "schema-type",
        "a declared type must lead to its contracts",
        "name contracts that there are",
        _schema_types_resolve,
    ),
)
