"""The contracts of a catalogue as frozen values: what every emitter of another language starts from.

An emitter is a function from a Model to the files of one package: `{path inside the package: bytes}`. To add a
language, write `src/evalcontract/codegen/<language>/` with its `__init__.py` (the function) and its run-time
files in a folder `runtime` beside it, and add one line to TARGETS in `targets.py` and one option to
`cli/schema_generate.py`. Run-time files are copied below a line that marks them as generated (`runtime`), so that
they can be read and formatted in their own language; a file that takes no comment is marked in some other way
(`MARK` within its first 1,000 bytes), else it would be taken for somebody else's. A validator reads `Model.table`,
which goes into each package as it is: it holds nothing but what judges. No toolchain is needed to generate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal, get_args
from urllib.parse import urljoin, urlsplit

from evalcontract.catalog import Catalogue, ContractRef, Schema, SchemaType, numbered, parent_of, read_object
from evalcontract.codegen.schema_files import all_bundles, as_json
from evalcontract.codegen.tree import MARK, Files
from evalcontract.errors import CatalogError, SchemaError, UnknownVersion
from evalcontract.values import MAX_DEPTH, shown

Kind = Literal["string", "integer", "number", "boolean", "array", "object", "contract", "any"]

_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "pattern", "minItems", "maxItems")
_PACKAGE_NAME = r"[a-z][a-z0-9]{0,99}"
_PACKAGE_VERSION = r"(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){2}(-[0-9a-z.-]{1,40})?"
_PACKAGE_HINT = 'write "package": {"name": "acme", "version": "1.0.0"}, the name in letters and digits'
_SAYS_NOTHING = frozenset({"$schema", "$id", "title", "description", "default"})


@dataclass(frozen=True, slots=True)
class Value:
    """What a property or an element holds.

    `contract` is set for the kind `contract`; `element` for an array, and for an object whose values are all of
    one type (any other object is open and untyped). `any` takes every JSON value, null included.
    """

    kind: Kind
    contract: ContractRef | None = None
    element: Value | None = None
    enum: tuple[str | int, ...] = ()
    bounds: Mapping[str, str | int | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Property:
    """A property: required and not null, or optional, null by default and nullable."""

    name: str
    description: str
    value: Value
    required: bool

    @property
    def nullable(self) -> bool:
        """Whether null may stand there; a required property that takes any value is nullable too."""
        return not self.required or self.value.kind == "any"


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract in one version; `properties` are those that it adds to its parent's.

    `class_name` is the title; versions that are not the newest have their number added (RAGInputV1x0).
    """

    ref: ContractRef
    class_name: str
    description: str
    parent: ContractRef | None
    properties: tuple[Property, ...]
    newest: bool


@dataclass(frozen=True)
class Model:
    """All contracts of all layers of a catalogue, parents before their children.

    `package` and `version` are those of the packages, `host` is the host of the top layer's base URI.
    """

    package: str
    version: str
    host: str
    contracts: tuple[Contract, ...]
    schema_types: tuple[SchemaType, ...]
    table: bytes
    bundles: Files

    @cached_property
    def by_ref(self) -> Mapping[ContractRef, Contract]:
        """The contracts by name and version."""
        return {contract.ref: contract for contract in self.contracts}

    def lineage(self, contract: Contract) -> tuple[Contract, ...]:
        """The contract's ancestors, the root first, and itself."""
        above = self.lineage(self.by_ref[contract.parent]) if contract.parent else ()
        return (*above, contract)

    def all_properties(self, contract: Contract) -> tuple[Property, ...]:
        """Inherited properties, the root's first, and its own."""
        return tuple(found for ancestor in self.lineage(contract) for found in ancestor.properties)

    def enum_names(self, taken: Set[str]) -> Mapping[tuple[ContractRef, str], str]:
        """A name for each property with listed values, by contract and property; none is one of those `taken`."""
        names: dict[tuple[ContractRef, str], str] = {}
        for contract in self.contracts:
            for found in contract.properties:
                if found.value.enum:
                    name = f"{contract.class_name}{pascal(found.name)}"
                    while name in taken or name in names.values():
                        name += "Value"
                    names[contract.ref, found.name] = name
        return names


def model_of(catalogue: Catalogue) -> Model:
    """Read a catalogue, every version of every layer. Raises SchemaError for what no language could express."""
    refs = [entry.ref for entry in catalogue.entries()]
    names = {ref: _class_name(catalogue, ref) for ref in refs}
    _refuse_shared_names(names)
    contracts = [_contract(catalogue, ref, names[ref]) for ref in _parents_first(catalogue, refs)]
    types = [found for versions in catalogue.schema_types().values() for found in versions.values()]
    return Model(
        *package_of(catalogue),
        host=urlsplit(catalogue.base_uri).hostname or "contracts.example",
        contracts=tuple(contracts),
        schema_types=tuple(types),
        table=as_json(_table(catalogue, refs, types)),
        bundles=all_bundles(catalogue),
    )


def refuse_taken(model: Model, taken: Iterable[str], language: str) -> None:
    """Raise SchemaError for a contract whose class would have a name that the package of a language has itself."""
    names = frozenset(taken)
    for contract in model.contracts:
        if contract.class_name in names:
            raise SchemaError(
                f"{contract.ref} has the title {contract.class_name}, "
                f"which is the name of something else in the {language} package",
                hint="give it another title",
            )


def pascal(name: str) -> str:
    """`response_marker` as `ResponseMarker`."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name))


def with_mark(comment: str, text: str) -> bytes:
    """The text below the line that says that it is generated; `comment` starts a comment of its language."""
    return f"{comment} {MARK} Do not edit.\n{text}".encode()


def runtime(package: str, comment: str) -> dict[str, bytes]:
    """The run-time files of a language, by path: those in the folder `runtime` of an emitter, each marked.

    `package` is the emitter's (`__package__`).
    """
    return {path: with_mark(comment, text) for path, text in _texts(files(package) / "runtime")}


def _texts(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, str]]:
    for child in sorted(folder.iterdir(), key=lambda child: child.name):
        if child.is_dir():
            yield from _texts(child, f"{prefix}{child.name}/")
        else:
            yield f"{prefix}{child.name}", child.read_text(encoding="utf-8")


def package_of(catalogue: Catalogue) -> tuple[str, str]:
    """The name and version of the packages: `package` in catalog.json, else the host's first label and 0.1.0."""
    host = urlsplit(catalogue.base_uri).hostname or "contracts"
    stated = read_object(catalogue.root / "catalog.json").get("package", {})
    if not isinstance(stated, dict):
        raise CatalogError("package in catalog.json is not an object", hint=_PACKAGE_HINT)
    name, version = stated.get("name", host.partition(".")[0]), stated.get("version", "0.1.0")
    for what, found, pattern in (("name", name, _PACKAGE_NAME), ("version", version, _PACKAGE_VERSION)):
        if not isinstance(found, str) or not re.fullmatch(pattern, found):
            raise CatalogError(
                f"the {what} of the package in catalog.json is {shown(found)}", hint=_PACKAGE_HINT
            )
    return name, version


def _parents_first(catalogue: Catalogue, refs: list[ContractRef]) -> list[ContractRef]:
    ordered: dict[ContractRef, None] = {}
    for ref in refs:
        ordered |= dict.fromkeys([*reversed(catalogue.ancestors(ref)), ref])
    return list(ordered)


def _contract(catalogue: Catalogue, ref: ContractRef, class_name: str) -> Contract:
    schema = catalogue.document(ref)
    required = frozenset(schema.get("required", []))
    properties = schema.get("properties", {}).items()
    return Contract(
        ref,
        class_name,
        schema["description"],
        parent_of(catalogue, ref),
        tuple(
            Property(name, field["description"], _value(catalogue, ref, field), name in required)
            for name, field in properties
        ),
        newest=_newest(catalogue, ref.name) == ref.version,
    )


def _class_name(catalogue: Catalogue, ref: ContractRef) -> str:
    if ref.version != _newest(catalogue, ref.name):
        return numbered(catalogue, ref)
    title: str = catalogue.document(ref)["title"]
    return title


def _value(catalogue: Catalogue, ref: ContractRef, schema: Schema) -> Value:
    target = schema.get("$ref") or next((part.get("$ref") for part in schema.get("anyOf", [])), None)
    if target is not None:
        return Value("contract", catalogue.ref_of(urljoin(catalogue.uri(ref), target)))
    stated = schema.get("type", "any")
    names = [stated] if isinstance(stated, str) else stated
    kind: Kind = next(kind for kind in get_args(Kind) if kind in names)
    element = schema.get("items") or schema.get("additionalProperties")
    return Value(
        kind,
        element=_value(catalogue, ref, element) if element else None,
        enum=tuple(schema.get("enum", ())),
        bounds={keyword: schema[keyword] for keyword in _BOUNDS if keyword in schema},
    )


def _newest(catalogue: Catalogue, name: str) -> str | None:
    try:
        return catalogue.newest(name)
    except UnknownVersion:  # every version was withdrawn
        return None


def _table(catalogue: Catalogue, refs: list[ContractRef], types: list[SchemaType]) -> Schema:
    newest = {name: _newest(catalogue, name) for name in catalogue.names()}
    table: dict[str, Any] = {
        "max_depth": MAX_DEPTH,
        "newest": {name: version for name, version in newest.items() if version},
        "schema_types": {},
        "contracts": {str(ref): _judging(catalogue, ref, catalogue.document(ref)) for ref in refs},
    }
    for found in types:
        pair = {"input": str(found.input), "expected_output": str(found.expected_output)}
        table["schema_types"].setdefault(found.name, {})[found.version] = pair
    return table


def _judging(catalogue: Catalogue, ref: ContractRef, schema: Schema) -> Schema:
    """A schema with nothing but the keywords that judge; references are `name@version`."""
    made: Schema = {}
    for keyword, said in schema.items():
        if keyword == "$ref":
            made[keyword] = str(catalogue.ref_of(urljoin(catalogue.uri(ref), said)))
        elif keyword == "properties":
            made[keyword] = {name: _judging(catalogue, ref, part) for name, part in said.items()}
        elif keyword in ("items", "additionalProperties"):
            made[keyword] = _judging(catalogue, ref, said)
        elif keyword in ("allOf", "anyOf"):
            made[keyword] = [_judging(catalogue, ref, part) for part in said]
        elif keyword not in _SAYS_NOTHING:
            made[keyword] = said
    return made


def _refuse_shared_names(names: Mapping[ContractRef, str]) -> None:
    owners: dict[str, ContractRef] = {}
    for ref, name in names.items():
        owner = owners.setdefault(name, ref)
        if owner != ref:
            raise SchemaError(f"{owner} and {ref} would both be called {name}", hint="give one another title")
