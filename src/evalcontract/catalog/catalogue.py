"""The catalogue: every contract, its versions, their status and their documents. Nothing is ever fetched."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Any, Literal, get_args

from evalcontract.catalog.names import ContractRef, SchemaVersion, shown, split_spec
from evalcontract.errors import CatalogError, ContractError, UnknownContract, UnknownVersion, UsageError

Status = Literal["draft", "released", "withdrawn"]
Schema = dict[str, Any]
_LONGEST_NAME = 100


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


class Catalogue:
    """A folder of schemas and its catalog.json.

    Raises CatalogError when catalog.json is damaged. A frozen document whose bytes are not those that
    were released is refused when it is read.
    """

    def __init__(self, root: Traversable) -> None:
        self.root = root
        raw = _read_object(root / "catalog.json")
        try:
            self.base_uri = _base_uri(raw["base_uri"])
            contracts, types = _object(raw["contracts"]), _object(raw["schema_types"])
            self._entries = {name: _entries(name, _object(contracts[name])) for name in sorted(contracts)}
            self._types = {name: _types(name, _object(found)) for name, found in types.items()}
        except (ContractError, KeyError, TypeError, ValueError) as error:
            reason = f"the key {error} is missing" if isinstance(error, KeyError) else error
            raise CatalogError(f"catalog.json is damaged: {reason}", hint="restore the file") from error

    # names and versions

    def names(self) -> tuple[str, ...]:
        """Every contract, sorted."""
        return tuple(self._entries)

    def versions(self, name: str) -> tuple[str, ...]:
        """Every version of a contract, oldest first; UnknownContract when there is no such contract."""
        return tuple(self._of(name))

    def entry(self, ref: ContractRef) -> Entry:
        """What the catalogue says of one version; UnknownContract or UnknownVersion when it says nothing."""
        entries = self._of(ref.name)
        if ref.version not in entries:
            known = ", ".join(entries)
            raise UnknownVersion(f"{ref.name} has no version {ref.version}", hint=f"known versions: {known}")
        return entries[ref.version]

    def entries(self) -> Iterator[Entry]:
        """Every version of every contract, by name, oldest first."""
        for versions in self._entries.values():
            yield from versions.values()

    def newest(self, name: str, *, max_major: int | None = None) -> str:
        """The version used when none is asked for: the highest released one, else the highest draft.

        `max_major` leaves out versions of later majors. Raises UnknownVersion when no version is left.
        """
        entries = [
            (version, entry.status)
            for version, entry in self._of(name).items()
            if max_major is None or SchemaVersion.parse(version).major <= max_major
        ]
        for wanted in ("released", "draft"):
            found = [version for version, status in entries if status == wanted]
            if found:
                return found[-1]
        raise UnknownVersion(
            f"every version of {name} has been withdrawn", hint="ask for a version by number"
        )

    def resolve(self, spec: str, version: str | None = None) -> ContractRef:
        """The contract that `name`, or `name@version`, means here."""
        name, pinned = split_spec(spec)
        wanted = version if version is not None else pinned
        if pinned is not None and version is not None and str(SchemaVersion.parse(version)) != pinned:
            raise UsageError(f"{spec} and version {version} disagree", hint="give the version once")
        if wanted is None:
            return ContractRef(name, self.newest(name))
        ref = ContractRef(name, str(SchemaVersion.parse(wanted)))
        self.entry(ref)
        return ref

    def schema_types(self) -> Mapping[str, Mapping[str, SchemaType]]:
        """The schema types by name, then by version."""
        return self._types

    def _of(self, name: str) -> dict[str, Entry]:
        found = self._entries.get(name) if isinstance(name, str) else None
        if found is None:
            if not isinstance(name, str) or len(name) > _LONGEST_NAME:
                raise UnknownContract(f"there is no contract {shown(name)}")
            raise UnknownContract(f"there is no contract {name}", hint=self._meant(name))
        return found

    def _meant(self, name: str) -> str:
        if name in self._types:
            newest = self._types[name][max(self._types[name], key=SchemaVersion.parse)]
            return f"{name} is a schema type: its contracts are {newest.input} and {newest.expected_output}"
        close = get_close_matches(name, self._entries, n=1)
        return f"did you mean {close[0]}?" if close else f"known: {', '.join(self._entries)}"

    # documents

    def path(self, ref: ContractRef) -> Traversable:
        """The schema file."""
        self.entry(ref)
        return self.root / ref.name / f"{ref.version}.json"

    def uri(self, ref: ContractRef) -> str:
        """The `$id` of the schema."""
        return f"{self.base_uri}{ref.name}/{ref.version}.json"

    def ref_of(self, uri: str) -> ContractRef:
        """The contract whose `$id` this is; UnknownContract when it is none of ours."""
        path = uri.removeprefix(self.base_uri)
        name, slash, file = path.partition("/")
        if path == uri or not slash or not file.endswith(".json"):
            raise UnknownContract(f"{uri} is not a schema of this catalogue")
        return self.entry(ContractRef(name, file.removesuffix(".json"))).ref

    def document(self, ref: ContractRef) -> Schema:
        """The schema, as a copy that the caller may change."""
        return deepcopy(self._document(ref))

    def documents(self) -> Iterator[tuple[str, Schema]]:
        """Every schema by `$id`; not to be changed."""
        for entry in self.entries():
            yield self.uri(entry.ref), self._document(entry.ref)

    @cached_property
    def _loaded(self) -> dict[ContractRef, Schema]:
        return {}

    def _document(self, ref: ContractRef) -> Schema:
        if ref not in self._loaded:
            path, entry = self.path(ref), self.entry(ref)
            if entry.frozen and digest(path) != entry.sha256:
                raise CatalogError(
                    f"{ref} is {entry.status}, but its file is not what was released",
                    hint="restore the file; a change needs a new version",
                )
            document = _read_object(path)
            if document.get("$id") != self.uri(ref):
                raise CatalogError(
                    f"the $id of {ref} is not {self.uri(ref)}", hint="the $id is base URI + path"
                )
            self._loaded[ref] = document
        return self._loaded[ref]


def digest(path: Traversable) -> str:
    """The sha256 of a file's bytes, in hexadecimal."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise CatalogError(f"{path.name} can't be read: {error.strerror}") from error


def read_json(path: Traversable) -> Any:
    """The JSON in a file, without duplicate keys and NaN. CatalogError when it is anything else."""
    try:
        return json.loads(
            path.read_bytes().decode(),
            object_pairs_hook=_without_duplicates,
            parse_constant=_refuse_constant,
        )
    except OSError as error:
        raise CatalogError(f"{path} can't be read: {error.strerror}", hint="restore the file") from error
    except RecursionError as error:
        raise CatalogError(f"{path} is not JSON: nested too deeply", hint="restore the file") from error
    except ValueError as error:
        raise CatalogError(f"{path} is not JSON: {error}", hint="restore the file") from error


def _read_object(path: Traversable) -> dict[str, Any]:
    found = read_json(path)
    if not isinstance(found, dict):
        raise CatalogError(f"{path} does not hold a JSON object", hint="restore the file")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for key, uses in Counter(key for key, _ in pairs).items() if uses > 1)
        raise ValueError(f"the key {shown(twice)} occurs twice in one object")
    return found


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
    numbers = sorted(SchemaVersion.parse(version) for version in found)
    return {str(number): _type(name, str(number), _object(found[str(number)])) for number in numbers}


def _type(name: str, version: str, raw: dict[str, Any]) -> SchemaType:
    return SchemaType(name, version, _pinned(raw["input"]), _pinned(raw["expected_output"]))


def _pinned(spec: str) -> ContractRef:
    name, version = split_spec(spec)
    if version is None:
        raise ValueError(f"{spec} names no version")
    return ContractRef(name, version)
