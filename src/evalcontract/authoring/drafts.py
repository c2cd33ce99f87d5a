"""Drafts: a new contract, a new schema type or a new version of one, with its entry and its first vectors."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evalcontract.authoring.catalog_text import with_entry
from evalcontract.authoring.fields import DraftField
from evalcontract.authoring.lint import lint
from evalcontract.authoring.samples import as_text
from evalcontract.authoring.vectors import vectors_of
from evalcontract.catalog import DIALECT, Catalogue, ContractRef, SchemaType, SchemaVersion, split_spec
from evalcontract.errors import SchemaError, UsageError
from evalcontract.values import shown

_FIRST = "1.0"
Fields = Mapping[str, Sequence[DraftField]]
"""Properties by part: `input`, `expected_output`, or "" for a contract that is no part of a schema type."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """Files to write, the contracts in them, and what a person has to settle."""

    files: Mapping[Path, bytes]
    refs: tuple[ContractRef, ...]
    unknown: tuple[str, ...]


@dataclass(slots=True)
class _DraftPlan:
    """Schemas and entries before anything is written."""

    schemas: dict[ContractRef, dict[str, Any]] = field(default_factory=dict)
    types: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)


def draft(
    folder: Path,
    below: Catalogue,
    spec: str,
    fields: Fields,
    extends: str | None = None,
    base_uri: str | None = None,
) -> Drafted:
    """Draft `NAME` or `NAME@VERSION` in a folder that lies on `below`; nothing is written.

    A name that the folder has already is drafted in a new version, as its newest one with `fields` added. A new
    name may extend a contract, or a schema type: that makes a schema type with two contracts of its own. A folder
    without catalog.json is begun, and needs `base_uri`.
    Raises UsageError for names, versions and properties that can't be, CatalogError for a damaged catalogue.
    """
    name, version = split_spec(spec)
    file = folder / "catalog.json"
    if file.is_file():
        raw, catalogue = file.read_bytes(), Catalogue(folder, below)
        if base_uri not in (None, catalogue.base_uri):
            raise UsageError(f"{file} has the base URI {catalogue.base_uri}", hint="leave --base-uri out")
        base = catalogue.base_uri
    else:
        base, catalogue = _base_uri(folder, base_uri), below
        head = {"base_uri": base, "schema_types": {}, "contracts": {}}
        raw = (json.dumps(head, indent=2) + "\n").encode()
    plan = _DraftPlan()
    if file.is_file() and (name in catalogue.own_names() or name in catalogue.own_types()):
        if extends is not None:
            raise UsageError(
                f"{name} is there already", hint="a new version goes on from the newest one: no --extends"
            )
        _next_version(plan, catalogue, name, version, fields)
    else:
        _new(plan, catalogue, name, version or _FIRST, extends, fields)
    for ref, schema in plan.schemas.items():
        schema["$id"] = f"{base}{ref.name}/{ref.version}.json"
        raw = with_entry(raw, ("contracts", ref.name, ref.version), {"status": "draft"})
    for (type_, number), parts in plan.types.items():
        raw = with_entry(raw, ("schema_types", type_, number), parts)
    files = {Path(ref.name) / f"{ref.version}.json": as_text(schema) for ref, schema in plan.schemas.items()}
    return _tried(folder, below, files | {Path("catalog.json"): raw}, plan)


def _base_uri(folder: Path, base_uri: str | None) -> str:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is no folder", hint="name a folder")
    if base_uri is None:
        raise UsageError(
            f"{folder} has no catalog.json yet",
            hint="begin it with --base-uri https://YOUR.HOST/schemas/ (a name for your schemas: nothing is fetched)",
        )
    if not (base_uri.startswith("https://") and base_uri.endswith("/")):
        raise UsageError(f"{shown(base_uri)} is no base URI", hint="write https://YOUR.HOST/schemas/")
    return base_uri


def _new(
    plan: _DraftPlan, catalogue: Catalogue, name: str, version: str, extends: str | None, fields: Fields
) -> None:
    if name in catalogue.names() or name in catalogue.schema_types():
        home = next(layer for layer in catalogue.layers if name in layer.entries or name in layer.types)
        raise UsageError(f"{home.root} has a {name} already", hint="choose another name")
    if extends is not None and extends.partition("@")[0] in catalogue.schema_types():
        _new_type(plan, catalogue, name, version, extends, fields)
        return
    ref, above = ContractRef(name, version), catalogue.resolve(extends) if extends is not None else None
    own = [found for part in fields for found in fields[part] if part in ("", _part_of(catalogue, above))]
    if above is not None:
        own = _without_inherited(catalogue, above, own)
    elif not own:
        raise UsageError(f"{name} would have no properties", hint="say --extends, --field or --from")
    about = f"{_camel(name)}: what it is and where it comes from isn't described yet."
    plan.unknown.append(f"what {name} is: write its description")
    plan.schemas[ref] = _schema(plan, catalogue, ref, about, above, own)


def _new_type(
    plan: _DraftPlan, catalogue: Catalogue, name: str, version: str, extends: str, fields: Fields
) -> None:
    parent = extends.partition("@")[0]
    type_ = _type_named(catalogue.schema_types()[parent], extends)
    given = {"input": [*fields.get("", ()), *fields.get("input", ())]}
    given["expected_output"] = list(fields.get("expected_output", ()))
    plan.types[name, version] = {}
    for part, above in (("input", type_.input), ("expected_output", type_.expected_output)):
        ref = ContractRef(f"{name}_{part}", version)
        own = _without_inherited(catalogue, above, given[part])
        about = f"{part.replace('_', ' ').capitalize()} of schema type {name}, which is {parent} and more."
        plan.schemas[ref] = _schema(plan, catalogue, ref, about, above, own)
        plan.types[name, version][part] = str(ref)


def _part_of(catalogue: Catalogue, above: ContractRef | None) -> str:
    """The part of an item that a contract describes, by the schema types that have it; input where none has."""
    types = [type_ for versions in catalogue.schema_types().values() for type_ in versions.values()]
    outputs = {type_.expected_output.name for type_ in types}
    return "expected_output" if above is not None and above.name in outputs else "input"


def _type_named(versions: Mapping[str, SchemaType], spec: str) -> SchemaType:
    name, version = split_spec(spec)
    version = version or max(versions, key=SchemaVersion.parse)
    if version not in versions:
        raise UsageError(
            f"schema type {name} has no version {version}", hint=f"known versions: {', '.join(versions)}"
        )
    return versions[version]


def _next_version(
    plan: _DraftPlan, catalogue: Catalogue, name: str, version: str | None, fields: Fields
) -> None:
    types = catalogue.own_types().get(name)
    known = tuple(types) if types is not None else catalogue.versions(name)
    newest = max(known, key=SchemaVersion.parse)
    if version is None or SchemaVersion.parse(version) <= SchemaVersion.parse(newest):
        number = SchemaVersion.parse(newest)
        following = SchemaVersion(number.major, number.minor + 1)
        raise UsageError(
            f"{name} is there already, up to {newest}",
            hint=f"write {name}@{following}, or choose another name",
        )
    if types is None:
        _copied(plan, catalogue, ContractRef(name, newest), version, fields.get("", ()))
        return
    parts = {"input": types[newest].input, "expected_output": types[newest].expected_output}
    own = {
        "input": [*fields.get("", ()), *fields.get("input", ())],
        "expected_output": fields.get("expected_output", ()),
    }
    entry = {}
    for part, ref in parts.items():
        if own[part] and ref.name in catalogue.own_names():
            ref = _copied(plan, catalogue, ref, version, own[part])
        entry[part] = str(ref)
    plan.types[name, version] = entry


def _copied(
    plan: _DraftPlan, catalogue: Catalogue, old: ContractRef, version: str, fields: Sequence[DraftField]
) -> ContractRef:
    ref = ContractRef(old.name, version)
    if version in catalogue.versions(old.name):
        raise UsageError(f"{ref} is there already", hint="choose another version")
    schema = catalogue.document(old)
    have = schema.get("properties", {}).keys()
    added = [found for found in fields if found.name not in have]
    fresh = _schema(plan, catalogue, ref, "", None, added)
    schema["properties"] = schema.get("properties", {}) | fresh["properties"]
    if required := [*schema.get("required", []), *fresh.get("required", [])]:
        schema["required"] = required
    plan.schemas[ref] = schema
    return ref


def _without_inherited(
    catalogue: Catalogue, above: ContractRef, fields: Sequence[DraftField]
) -> list[DraftField]:
    inherited: set[str] = set()
    for ref in (above, *catalogue.ancestors(above)):
        inherited |= catalogue.document(ref).get("properties", {}).keys()
    return [found for found in fields if found.name not in inherited]


def _schema(
    plan: _DraftPlan,
    catalogue: Catalogue,
    ref: ContractRef,
    about: str,
    above: ContractRef | None,
    fields: Sequence[DraftField],
) -> dict[str, Any]:
    made: dict[str, Any] = {
        "$schema": DIALECT,
        "$id": "",
        "title": _camel(ref.name),
        "description": about,
        "type": "object",
    }
    if above is not None:
        made["allOf"] = [{"$ref": _reference(catalogue, above)}]
    made["properties"] = {found.name: _property(catalogue, found) for found in fields}
    if required := [found.name for found in fields if found.required]:
        made["required"] = required
    plan.unknown += [sentence for found in fields for sentence in found.unknown]
    return made


def _property(catalogue: Catalogue, found: DraftField) -> dict[str, Any]:
    value = dict(found.value)
    if found.contract is not None:
        value = {"$ref": _reference(catalogue, catalogue.resolve(found.contract))}
    if found.many:
        value = {"type": "array", "items": value}
    said = {"description": found.description}
    if found.required:
        return value | said
    if "$ref" in value:
        return {"anyOf": [value, {"type": "null"}], **said, "default": None}
    if "type" in value:
        value["type"] = [value["type"], "null"]
    return value | said | {"default": None}


def _reference(catalogue: Catalogue, ref: ContractRef) -> str:
    # Where the folder is only begun, `catalogue` is what lies below it, and nothing is beside the draft.
    own = catalogue.below is not None and ref.name in catalogue.own_names()
    return f"../{ref.name}/{ref.version}.json" if own else catalogue.uri(ref)


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _tried(folder: Path, below: Catalogue, files: Mapping[Path, bytes], plan: _DraftPlan) -> Drafted:
    """Held to the rules and given vectors in a copy of the folder, so that nothing half made is left in it."""
    with TemporaryDirectory() as temporary:
        copy = Path(temporary) / (folder.resolve().name or "schemas")
        if folder.is_dir():
            shutil.copytree(folder, copy)
        _write(copy, files)
        drafted = {f"{copy.name}/{path.as_posix()}" for path in files}
        for finding in lint(copy, below):
            if finding.path in drafted:
                raise UsageError(str(replace(finding, line=0)), hint=finding.hint)
        catalogue = Catalogue(copy, below)
        vectors = dict(_vectors(catalogue, plan, copy))
    inside = {folder / path: content for path, content in (*vectors.items(), *files.items())}
    return Drafted(inside, tuple(plan.schemas), tuple(dict.fromkeys(plan.unknown)))


def _vectors(catalogue: Catalogue, plan: _DraftPlan, copy: Path) -> Iterator[tuple[Path, bytes]]:
    for ref in plan.schemas:
        try:
            found = vectors_of(catalogue, ref).files()
        except SchemaError as error:
            plan.unknown.append(f"vectors of {ref}: {error.message}")
            continue
        for path, content in found.items():
            yield path.relative_to(copy), content


def _write(folder: Path, files: Mapping[Path, bytes]) -> None:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
