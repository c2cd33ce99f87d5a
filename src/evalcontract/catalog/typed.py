"""Whole items and datasets as one schema each, so that any validator gives our verdict on a whole file.

`item_schema` and `dataset_schema` are of one schema type, whatever the data declares. `typed_item` and
`typed_dataset` follow what is declared, the item before its dataset, as the command line does. A schema can't
compare two texts: an item and its dataset that name two different minor versions, neither of them known,
pass here and not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from evalcontract.catalog.bundle import class_names, definitions
from evalcontract.catalog.catalogue import Catalogue, Schema, SchemaType
from evalcontract.catalog.keywords import DIALECT
from evalcontract.catalog.names import ContractRef, SchemaVersion, split_spec
from evalcontract.errors import UnknownContract, UnknownVersion

_VERSION = r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$"
_TYPE_KEY, _VERSION_KEY = "input_schema_type", "input_schema_version"


def item_schema(catalogue: Catalogue, type_: SchemaType) -> Schema:
    """An evaluation item of one schema type."""
    made = _Maker(catalogue, [type_])
    about = f"An evaluation item of the schema type {type_.name} in version {type_.version}."
    body = {"allOf": [made.ref(made.item)]} | made.parts(type_)
    return made.document(f"{type_.name}_item-{type_.version}", f"{type_.name} item", about, body)


def dataset_schema(catalogue: Catalogue, type_: SchemaType) -> Schema:
    """A dataset whose items are of one schema type."""
    made = _Maker(catalogue, [type_])
    about = f"A dataset whose items are of the schema type {type_.name} in version {type_.version}."
    body = {"allOf": [made.ref(made.dataset)], **_items(made.parts(type_))}
    return made.document(f"{type_.name}_dataset-{type_.version}", f"{type_.name} dataset", about, body)


def typed_item(catalogue: Catalogue) -> Schema:
    """An evaluation item that keeps the contracts of the schema type that it declares, if it declares one."""
    made = _Maker(catalogue, _all_types(catalogue))
    about = "An evaluation item, checked by the schema type that it declares in metadata.raw_metadata."
    body = {"allOf": [made.ref(made.item), *made.by_own_declaration()]}
    return made.document("typed_item", "Typed item", about, body)


def typed_dataset(catalogue: Catalogue) -> Schema:
    """A dataset whose items keep the contracts of the schema type that they, or the dataset, declare."""
    made = _Maker(catalogue, _all_types(catalogue))
    about = "A dataset whose items are checked by the schema type that they, or else their dataset, declare."
    return made.document("typed_dataset", "Typed dataset", about, {"allOf": made.dataset_rules()})


_BY_DECLARATION = {"typed_item": typed_item, "typed_dataset": typed_dataset}
_OF_ONE_TYPE = {"_item": item_schema, "_dataset": dataset_schema}


def whole_schema(catalogue: Catalogue, spec: str, *, base_uri: str | None = None) -> Schema:
    """The schema of whole items or datasets that a name means: `typed_item`, `rag_dataset`, `rag_item@1.0`.

    `base_uri` replaces that of the catalogue in `$id`. Raises UnknownContract or UnknownVersion.
    """
    name, version = split_spec(spec)
    schema = _BY_DECLARATION[name](catalogue) if name in _BY_DECLARATION and version is None else None
    for ending, make in _OF_ONE_TYPE.items():
        versions = catalogue.schema_types().get(name.removesuffix(ending), {})
        if schema is None and name.endswith(ending) and versions:
            wanted = version or _newest(versions)
            if wanted not in versions:
                known = ", ".join(versions)
                raise UnknownVersion(f"{name} has no version {wanted}", hint=f"known versions: {known}")
            schema = make(catalogue, versions[wanted])
    if schema is None:
        catalogue.resolve(spec)  # says what there is instead
        raise UnknownContract(f"{spec} is a contract, and no schema of whole items or datasets")
    if base_uri is not None:
        schema["$id"] = base_uri + schema["$id"].removeprefix(catalogue.base_uri)
    return schema


def whole_names(schema_types: Iterable[str]) -> frozenset[str]:
    """The names of all schemas of whole items and datasets, which no contract may have."""
    return frozenset(_BY_DECLARATION) | {name + ending for name in schema_types for ending in _OF_ONE_TYPE}


def _all_types(catalogue: Catalogue) -> list[SchemaType]:
    return [type_ for versions in catalogue.schema_types().values() for type_ in versions.values()]


class _Maker:
    """Writes rules over the schema types of a catalogue, referring to the contracts by their names in `$defs`."""

    def __init__(self, catalogue: Catalogue, types: list[SchemaType]) -> None:
        self._catalogue = catalogue
        self._types = types
        self.item = catalogue.resolve("evaluation_item")
        self.dataset = catalogue.resolve("dataset")
        self._refs = [
            self.item,
            self.dataset,
            *(ref for type_ in types for ref in (type_.input, type_.expected_output)),
        ]
        self._names = class_names(catalogue, self._refs)

    def document(self, name: str, title: str, about: str, body: Schema) -> Schema:
        whole = self.ref(self.dataset) in body["allOf"]
        needed = [ref for ref in self._refs if whole or ref != self.dataset]
        return {
            "$schema": DIALECT,
            "$id": f"{self._catalogue.base_uri}bundles/{name}.schema.json",
            "title": title,
            "description": about,
            "type": "object",
            **body,
            "$defs": dict(sorted(definitions(self._catalogue, needed).items())),
        }

    def ref(self, ref: ContractRef) -> Schema:
        return {"$ref": f"#/$defs/{self._names[ref]}"}

    def parts(self, type_: SchemaType) -> Schema:
        """What a schema type asks of an item beside what any item keeps."""
        return {
            "type": "object",
            "properties": {
                "input": self.ref(type_.input),
                "expected_output": self.ref(type_.expected_output),
            },
            "required": ["expected_output"],
        }

    def by_own_declaration(self) -> list[Schema]:
        """Rules for an item that declares its type itself."""
        declares = _in_raw_metadata({_TYPE_KEY: {"type": "string"}}, _TYPE_KEY)
        rules = [_when(declares, _in_raw_metadata({_TYPE_KEY: {"enum": list(self._by_name)}}))]
        for name, versions in self._by_name.items():
            of_type = {_TYPE_KEY: {"const": name}}
            rules.append(
                _when(_in_raw_metadata(of_type, _TYPE_KEY), _in_raw_metadata(_known_major(versions)))
            )
            for version, type_ in versions.items():
                needed = (_TYPE_KEY,) if version == _newest(versions) else (_TYPE_KEY, _VERSION_KEY)
                meant = _in_raw_metadata(of_type | {_VERSION_KEY: _meaning(version, versions)}, *needed)
                rules.append(_when(meant, self.parts(type_)))
        return rules

    def dataset_rules(self) -> list[Schema]:
        """Rules for a dataset: its items follow their own declaration only where it declares nothing."""
        declares = _in_metadata({_TYPE_KEY: {"type": "string"}}, _TYPE_KEY)
        own = _items({"allOf": self.by_own_declaration()})
        rules = [
            self.ref(self.dataset),
            {"if": declares, "then": _in_metadata({_TYPE_KEY: {"enum": list(self._by_name)}}), "else": own},
        ]
        for name, versions in self._by_name.items():
            of_type = {_TYPE_KEY: {"const": name}}
            rules.append(_when(_in_metadata(of_type, _TYPE_KEY), _in_metadata(_known_major(versions))))
            for version, type_ in versions.items():
                rules.append(self._of_dataset(of_type, {"type": "string", "const": version}, type_))
            for version in _newest_of_each_major(versions):
                later = _later_minors(version, versions)
                rules.append(self._of_dataset(of_type, later, versions[version]))
        return rules

    def _of_dataset(self, of_type: Schema, version: Schema, type_: SchemaType) -> Schema:
        """What a dataset that declares a type and a version asks of its items: they agree, and keep it."""
        declared = _in_metadata(of_type | {_VERSION_KEY: version}, _TYPE_KEY, _VERSION_KEY)
        same_version = {"enum": [version["const"], None]} if "const" in version else _or_null(version)
        other_type = {_TYPE_KEY: {"type": "string", "not": {"const": type_.name}}}
        other_version = {_VERSION_KEY: {"type": "string", "pattern": _VERSION, "not": version}}
        differs = [
            _in_raw_metadata(other_type, _TYPE_KEY),
            _in_raw_metadata(other_version, _VERSION_KEY),
        ]
        agrees = _in_raw_metadata({_TYPE_KEY: {"enum": [type_.name, None]}, _VERSION_KEY: same_version})
        rule = {"if": {"type": "object", "anyOf": differs}, "then": agrees, "else": self.parts(type_)}
        return _when(declared, _items(rule))

    @cached_property
    def _by_name(self) -> dict[str, dict[str, SchemaType]]:
        found: dict[str, dict[str, SchemaType]] = {}
        for type_ in self._types:
            found.setdefault(type_.name, {})[type_.version] = type_
        return found


def _when(condition: Schema, rule: Schema) -> Schema:
    return {"if": condition, "then": rule}


def _object(properties: Schema, *needed: str) -> Schema:
    required = {"required": list(needed)} if needed else {}
    return {"type": "object", "properties": properties} | required


def _in_raw_metadata(properties: Schema, *needed: str) -> Schema:
    """An item whose raw metadata is so; without needs, metadata that says nothing is so too."""
    if needed:
        raw = _object({"raw_metadata": _object(properties, *needed)}, "raw_metadata")
        return _object({"metadata": raw}, "metadata")
    raw = _nullable(_object({"raw_metadata": _nullable(_object(properties))}))
    return _object({"metadata": raw})


def _nullable(schema: Schema) -> Schema:
    return schema | {"type": ["object", "null"]}


def _in_metadata(properties: Schema, *needed: str) -> Schema:
    """A dataset whose metadata is so."""
    return _object({"metadata": _object(properties, *needed)}, *(("metadata",) if needed else ()))


def _items(schema: Schema) -> Schema:
    return _object({"items": {"type": "array", "items": {"type": "object"} | schema}})


def _major(version: str) -> int:
    return SchemaVersion.parse(version).major


def _newest(versions: Iterable[str]) -> str:
    return max(versions, key=SchemaVersion.parse)


def _newest_of_each_major(versions: Mapping[str, SchemaType]) -> list[str]:
    majors = sorted({_major(version) for version in versions})
    return [_newest(known for known in versions if _major(known) == major) for major in majors]


def _later_minors(version: str, versions: Iterable[str], but: str | None = None) -> Schema:
    """Versions of one major that aren't known, and `but`."""
    major = _major(version)
    known = [other for other in versions if _major(other) == major and other != but]
    unlike = {"not": {"enum": known}} if known else {}
    return {"type": "string", "pattern": rf"^{major}\.(0|[1-9][0-9]*)$"} | unlike


def _meaning(version: str, versions: Mapping[str, SchemaType]) -> Schema:
    """What an item may declare when this version is meant; the newest of all also stands for none."""
    if version not in _newest_of_each_major(versions):
        return {"type": "string", "const": version}
    later = _later_minors(version, versions, but=version)
    return _or_null(later) if version == _newest(versions) else later


def _or_null(version: Schema) -> Schema:
    return version | {"type": ["string", "null"]}


def _known_major(versions: Iterable[str]) -> Schema:
    majors = "|".join(str(major) for major in sorted({_major(version) for version in versions}))
    return {_VERSION_KEY: {"type": ["string", "null"], "pattern": rf"^({majors})\."}}
