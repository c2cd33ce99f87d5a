"""Mappings: small declared files, checked against a schema of their own and against the contracts."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping as Object
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from importlib.resources import as_file, files
from pathlib import Path as FilePath
from typing import Any

from evalcontract.catalog import Catalogue, SchemaType, default_catalogue
from evalcontract.errors import MappingError, UsageError
from evalcontract.importing.grouping import RowGroup
from evalcontract.importing.targets import TargetField, target_of
from evalcontract.importing.transforms import BY_NAME, ValueTransform
from evalcontract.importing.values import Path, source_path
from evalcontract.reading import Document, Fault, read
from evalcontract.validation import iter_violations, told_type
from evalcontract.values import JSON_SUFFIXES, YAML_SUFFIXES

_SUFFIXES = (*YAML_SUFFIXES, *JSON_SUFFIXES)
_NOT_OPTIONS = frozenset({"from", "to", "as", "required", "default"})


@dataclass(frozen=True, slots=True)
class MappedField:
    """One line of a mapping: the sources, of which a row fills one, the contract field and the transform."""

    sources: tuple[Path, ...]
    target: TargetField
    transform: ValueTransform
    options: Object[str, object]
    required: bool = False
    default: object = None


@dataclass(frozen=True)
class Mapping:
    """How rows become contract data and back, by the schema types of a catalogue."""

    name: str
    description: str
    fields: tuple[MappedField, ...]
    id_sources: tuple[Path, ...]
    otherwise: str
    target: str = "items"
    layout: str = "rows"
    rows_under: tuple[str, ...] = ()
    group: RowGroup | None = None
    single_elements: tuple[Path, ...] = ()
    schema_type: SchemaType | None = None
    list_delimiter: str | None = None
    constants: tuple[tuple[TargetField, object], ...] = ()
    keep: frozenset[Path] = frozenset()
    drop: frozenset[Path] = frozenset()
    catalogue: Catalogue = field(default_factory=default_catalogue)

    @cached_property
    def known_sources(self) -> tuple[Path, ...]:
        """Every source that the mapping knows, those that it keeps or drops included."""
        mapped = [source for field in self.fields for source in field.sources]
        return tuple(dict.fromkeys([*self.id_sources, *mapped, *sorted(self.keep), *sorted(self.drop)]))

    @property
    def writable(self) -> bool:
        """Whether rows can be written by it: none is made of several, or of what stands around it."""
        return self.group is None and not any("/*" in path for path in self.rows_under)

    @cached_property
    def split(self) -> frozenset[str]:
        """The keys below which sources lie."""
        return frozenset(path[0] for path in self.known_sources if len(path) > 1)

    @cached_property
    def forked(self) -> frozenset[Path]:
        """The sources of fields that may hold a value or an object with further sources."""
        mapped = {source for field in self.fields for source in field.sources}
        return frozenset(
            source[:depth] for source in mapped for depth in range(1, len(source)) if source[:depth] in mapped
        )


def preset_names() -> tuple[str, ...]:
    """The mappings that come with this installation."""
    folder = files("evalcontract.importing") / "presets"
    return tuple(
        sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml"))
    )


def preset_text(name: str) -> str:
    """A preset as it was written; MappingError, with the nearest name, when there is none."""
    if name not in preset_names():
        raise _unknown(name)
    return (files("evalcontract.importing") / "presets" / f"{name}.yaml").read_text("utf-8")


def load_mapping(text: str, catalogue: Catalogue | None = None) -> Mapping:
    """The mapping that `--map` means: a preset by name or a file. Raises MappingError or UnreadableInput.

    `catalogue` has the schema types whose fields it may fill, by default those that are built in; what is
    imported or exported with the mapping is checked against the same ones.
    """
    catalogue = catalogue or default_catalogue()
    if text.endswith(_SUFFIXES) or os.sep in text:
        return _load(FilePath(text), text, catalogue)
    if text not in preset_names():
        raise _unknown(text)
    return _preset(text, catalogue)


@lru_cache(maxsize=64)
def _preset(name: str, catalogue: Catalogue) -> Mapping:
    with as_file(files("evalcontract.importing") / "presets" / f"{name}.yaml") as path:
        return _load(path, name, catalogue)


def _unknown(name: str) -> MappingError:
    close = get_close_matches(name, preset_names(), n=1)
    guess = f"did you mean {close[0]}? " if close else ""
    return MappingError(
        f"there is no preset {name!r}",
        hint=f"{guess}presets: {', '.join(preset_names())}; a file of your own ends in .yaml or .json",
    )


def _load(path: FilePath, label: str, catalogue: Catalogue) -> Mapping:
    documents = []
    for event in read(path, items=False):
        if isinstance(event, Fault):
            where = f":{event.position.line}:{event.position.column}" if event.position else ""
            raise MappingError(f"{label}{where}: {event.message}", hint=event.hint)
        if isinstance(event, Document):
            documents.append(event)
    if len(documents) != 1:
        raise MappingError(f"{label} holds {len(documents)} documents, a mapping is one")
    return _checked(documents[0], label, catalogue)


def _checked(document: Document, label: str, catalogue: Catalogue) -> Mapping:
    for violation in iter_violations(document.value, mapping_schema()):
        at = violation.pointer.rpartition("/")[0] if violation.keyword == "required" else violation.pointer
        raise MappingError(
            f"{_place(document, at, label)}: {violation.pointer or '(document)'}: {violation.message}",
            hint=violation.hint,
        )
    assert isinstance(document.value, dict)
    raw: dict[str, Any] = document.value
    type_ = _type(document, label, catalogue)
    fields = []
    for index, entry in enumerate(raw["fields"]):
        with_place = _place(document, f"/fields/{index}", label)
        fields.append(_field(entry, catalogue, type_, with_place))
    if len({source for field in fields for source in field.sources}) < sum(
        len(entry.sources) for entry in fields
    ):
        raise MappingError(f"{label}: a source stands in two fields", hint="a source fills one field")
    return Mapping(
        name=raw["name"],
        description=raw.get("description", ""),
        fields=tuple(fields),
        id_sources=tuple(map(source_path, raw["item_id"]["from"])),
        otherwise=raw["item_id"]["otherwise"],
        target=raw.get("target", "items"),
        layout=raw.get("layout", "rows"),
        rows_under=tuple(raw.get("rows_under", ())),
        group=_group(raw.get("group"), label),
        single_elements=tuple(map(source_path, raw.get("single_elements", ()))),
        schema_type=type_,
        list_delimiter=raw.get("list_delimiter"),
        constants=tuple(
            (target_of(catalogue, constant["to"], type_), constant["value"])
            for constant in raw.get("constants", ())
        ),
        keep=frozenset(map(source_path, raw.get("keep", ()))),
        drop=frozenset(map(source_path, raw.get("drop", ()))),
        catalogue=catalogue,
    )


def _group(raw: dict[str, Any] | None, label: str) -> RowGroup | None:
    if raw is None:
        return None
    if raw["to"] in raw["collect"] or raw["by"] in raw["collect"]:
        raise MappingError(f"{label}: a key is collected and names the group", hint="name the list otherwise")
    return RowGroup(source_path(raw["by"]), tuple(raw["collect"]), raw["to"])


def _type(document: Document, label: str, catalogue: Catalogue) -> SchemaType | None:
    spec = document.value.get("schema_type") if isinstance(document.value, dict) else None
    if spec is None:
        return None
    try:
        return told_type(catalogue, spec)
    except UsageError as error:
        raise MappingError(
            f"{_place(document, '/schema_type', label)}: {error.message}", hint=error.hint
        ) from None


def _field(raw: dict[str, Any], catalogue: Catalogue, type_: SchemaType | None, place: str) -> MappedField:
    transform = BY_NAME[raw["as"]]
    options = {key: value for key, value in raw.items() if key not in _NOT_OPTIONS}
    unused = sorted(options.keys() - transform.options)
    if unused:
        taken = ", ".join(sorted(transform.options)) or "none"
        raise MappingError(
            f"{place}: {transform.name} has no option {unused[0]}", hint=f"its options: {taken}"
        )
    try:
        target = target_of(catalogue, raw["to"], type_)
    except MappingError as error:
        raise MappingError(f"{place}: {error.message}", hint=error.hint) from None
    sources = tuple(map(source_path, raw["from"]))
    return MappedField(sources, target, transform, options, raw.get("required", False), raw.get("default"))


def _place(document: Document, at: str, label: str) -> str:
    try:
        position = document.locate(at)
    except LookupError:
        return label
    return f"{label}:{position.line}:{position.column}"


@cache
def mapping_schema() -> dict[str, Any]:
    """The JSON Schema of mapping files."""
    schema: dict[str, Any] = json.loads(
        (files("evalcontract.importing") / "mapping.schema.json").read_text("utf-8")
    )
    return schema
