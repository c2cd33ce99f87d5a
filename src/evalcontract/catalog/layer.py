"""One layer of a catalogue: a folder of schemas and what its catalog.json says of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from evalcontract.catalog.files import file_digest, read_object
from evalcontract.catalog.names import ContractRef, SchemaVersion, split_spec
from evalcontract.errors import CatalogError, ContractError, UsageError
from evalcontract.values import shown

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Status = Literal["draft", "released", "withdrawn"]
Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """What the catalogue says of one version of one contract."""

    ref: ContractRef
    status: Status
    sha256: str | None = None
    released_on: str | None = None
    superseded_by: str | None = None
    errata: tuple[str, ...] = ()

    @property
    def frozen(self) -> bool:
        """Whether the file may never change again: it was released once, even if withdrawn later."""
        return self.status != "draft"


@dataclass(frozen=True, slots=True)
class SchemaType:
    """A pair of contracts that `input_schema_type` names."""

    name: str
    version: str
    input: ContractRef
    expected_output: ContractRef


@dataclass(frozen=True, slots=True)
class Layer:
    """A folder with catalog.json: its contracts by name and version, and the schema types that it declares."""

    root: Traversable
    base_uri: str
    entries: Mapping[str, Mapping[str, Entry]]
    types: Mapping[str, Mapping[str, SchemaType]]

    def uri(self, ref: ContractRef) -> str:
        """The `$id` that a contract of this folder has."""
        return f"{self.base_uri}{ref.name}/{ref.version}.json"

    def path(self, ref: ContractRef) -> Traversable:
        """The file of a contract of this folder."""
        return self.root / ref.name / f"{ref.version}.json"

    def document(self, ref: ContractRef) -> Schema:
        """The schema, read anew. CatalogError when it is not what was released, or has another `$id`."""
        path, entry = self.path(ref), self.entries[ref.name][ref.version]
        if entry.frozen and file_digest(path) != entry.sha256:
            raise CatalogError(
                f"{path}: {ref} is {entry.status}, but its file is not what was released",
                hint="restore the file; a change needs a new version",
            )
        document = read_object(path)
        if document.get("$id") != self.uri(ref):
            raise CatalogError(
                f"{path}: the $id of {ref} is not {self.uri(ref)}", hint="the $id is base URI + path"
            )
        return document


def read_layer(root: Traversable) -> Layer:
    """Read the catalog.json of a folder. CatalogError when it is missing or damaged."""
    file = root / "catalog.json"
    if not file.is_file():
        raise CatalogError(
            f"{root} has no catalog.json",
            hint="name the folder that holds it; evalcontract schema new NAME starts one",
        )
    raw = read_object(file)
    try:
        base_uri = _base_uri(raw["base_uri"])
        contracts, types = _object(raw["contracts"]), _object(raw["schema_types"])
        return Layer(
            root,
            base_uri,
            {name: _entries(name, _object(contracts[name])) for name in sorted(contracts)},
            {name: _types(name, _object(found)) for name, found in types.items()},
        )
    except (ContractError, KeyError, TypeError, ValueError) as error:
        reason = f"the key {error} is missing" if isinstance(error, KeyError) else error
        raise CatalogError(f"{file} is damaged: {reason}", hint="restore the file") from error


_MOST_LOOKED_AT = 200
_NAMED = re.compile(rb'"(?:\$id|id)"\s*:\s*"[A-Za-z][A-Za-z0-9+.-]*:')


def is_loose(root: Path) -> bool:
    """Whether a folder has no catalog.json, but JSON files that name themselves by an absolute `$id`."""
    if not root.is_dir() or (root / "catalog.json").is_file():
        return False
    return any(_NAMED.search(_beginning(file)) for file in islice(root.rglob("*.json"), _MOST_LOOKED_AT))


def _beginning(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(100_000)
    except OSError:
        return b""


def _base_uri(value: object) -> str:
    if not _text(value).endswith("/"):
        raise ValueError("base_uri must end with /")
    return _text(value)


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, got {shown(value)}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a string, got {shown(value)}")
    return value


def _text_or_none(value: object) -> str | None:
    return None if value is None else _text(value)


def _entries(name: str, found: dict[str, Any]) -> dict[str, Entry]:
    split_spec(name)
    numbers = sorted(SchemaVersion.parse(version) for version in found)
    if not numbers:
        raise ValueError(f"{name} has no versions")
    return {
        str(number): _entry(ContractRef(name, str(number)), _object(found[str(number)])) for number in numbers
    }


def _entry(ref: ContractRef, raw: dict[str, Any]) -> Entry:
    status = raw["status"]
    if status not in get_args(Status):
        raise ValueError(f"{ref} has the unknown status {shown(status)}")
    if status != "draft" and not isinstance(raw.get("sha256"), str):
        raise ValueError(f"{ref} is {status} but has no sha256")
    errata = raw.get("errata", [])
    if not isinstance(errata, list):
        raise TypeError(f"the errata of {ref} must be a list")
    return Entry(
        ref,
        status,
        raw.get("sha256"),
        _text_or_none(raw.get("released_on")),
        _text_or_none(raw.get("superseded_by")),
        tuple(map(_text, errata)),
    )


def _types(name: str, found: dict[str, Any]) -> dict[str, SchemaType]:
    _refuse_type_name(name)
    numbers = sorted(SchemaVersion.parse(version) for version in found)
    if not numbers:
        raise ValueError(f"the schema type {name} has no versions")
    return {str(number): _type(name, str(number), _object(found[str(number)])) for number in numbers}


def _refuse_type_name(name: str) -> None:
    """Raise ValueError for what is no name: files are called like a schema type, and parts of names of datasets."""
    try:
        pinned = split_spec(name)[1]
    except UsageError:
        pinned = ""
    if pinned is not None:
        raise ValueError(f"{shown(name)} is not the name of a schema type (names look like rag_agent)")


def _type(name: str, version: str, raw: dict[str, Any]) -> SchemaType:
    return SchemaType(name, version, _pinned(raw["input"]), _pinned(raw["expected_output"]))


def _pinned(spec: str) -> ContractRef:
    name, version = split_spec(spec)
    if version is None:
        raise ValueError(f"{spec} names no version")
    return ContractRef(name, version)
