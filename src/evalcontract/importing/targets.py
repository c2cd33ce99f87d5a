"""Where a mapping may lead: fields of an evaluation item and of a prediction record."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from evalcontract.catalog import Catalogue, ContractRef, SchemaType, SchemaVersion, property_names
from evalcontract.errors import MappingError
from evalcontract.importing.values import Path
from evalcontract.validation import close_key
from evalcontract.values import pointer_tokens

Part = Literal["item", "record"]
PARTS = ("input", "expected_output")
PREDICTION = "prediction"
RAW_METADATA: Path = ("metadata", "raw_metadata")
IMPORTED: Path = (*RAW_METADATA, "imported")
TYPE_KEYS = ("input_schema_type", "input_schema_version")
_OPEN_RECORD_KEYS = ("measurements",)
_WHOLE_RECORD_KEYS = ("trace_id", "source_transcript")


@dataclass(frozen=True, slots=True)
class TargetField:
    """A field of a contract: of the item, or of the record of what a system answered."""

    part: Part
    path: Path

    def sibling(self, name: str) -> TargetField:
        """The field of another name beside this one."""
        return TargetField(self.part, (*self.path[:-1], name))

    def __str__(self) -> str:
        return "/" + "/".join(self.path)


def target_of(catalogue: Catalogue, text: str, schema_type: SchemaType | None = None) -> TargetField:
    """The field that a pointer means; MappingError, with the nearest name, when there is none."""
    path = pointer_tokens(text)
    if path[:1] in (("input",), ("expected_output",)) and len(path) == 2:
        return TargetField("item", _checked(path, known_fields(catalogue, path[0], schema_type)))
    if path[:2] == RAW_METADATA and len(path) == 3 and path[2] not in (*TYPE_KEYS, IMPORTED[-1]):
        return TargetField("item", path)
    if path[:1] == ("prediction",) and len(path) == 2:
        return TargetField("record", _checked(path, _properties(catalogue, catalogue.resolve("prediction"))))
    if path[:1] and path[0] in _OPEN_RECORD_KEYS and len(path) == 2:
        return TargetField("record", path)
    if len(path) == 1 and path[0] in _WHOLE_RECORD_KEYS:
        return TargetField("record", path)
    raise MappingError(
        f"{text} is no field that a mapping can fill",
        hint="lead to /input/, /expected_output/, /metadata/raw_metadata/, /prediction/ or /measurements/ and a name",
    )


def known_fields(catalogue: Catalogue, part: str, schema_type: SchemaType | None = None) -> tuple[str, ...]:
    """The fields of inputs or of expected outputs: of one schema type, or of all."""
    types = [schema_type] if schema_type else newest_types(catalogue)
    refs = [type_.input if part == "input" else type_.expected_output for type_ in types]
    return tuple(dict.fromkeys(name for ref in refs for name in _properties(catalogue, ref)))


def newest_types(catalogue: Catalogue) -> tuple[SchemaType, ...]:
    """Each schema type in its newest version: those of the lowest layer first, and in a layer the smallest."""
    return tuple(
        type_
        for layer in catalogue.layers
        for type_ in sorted(
            (versions[max(versions, key=SchemaVersion.parse)] for versions in layer.types.values()),
            key=lambda type_: len(fields_of(catalogue, type_)),
        )
    )


def smallest_type(catalogue: Catalogue, used: set[tuple[str, str]]) -> SchemaType | None:
    """The schema type that has all fields (part, name) in use, of the lowest layer and with the fewest fields."""
    return next((type_ for type_ in newest_types(catalogue) if used <= fields_of(catalogue, type_)), None)


def widest_type(catalogue: Catalogue) -> SchemaType:
    """The built-in schema type with the most fields: what items that declare nothing can be held to."""
    built_in = [type_ for type_ in newest_types(catalogue) if type_.name in catalogue.layers[0].types]
    return built_in[-1]


def fields_of(catalogue: Catalogue, type_: SchemaType) -> set[tuple[str, str]]:
    """The fields of a schema type, as (part of the item, name)."""
    return {
        (part, name)
        for part, ref in (("input", type_.input), ("expected_output", type_.expected_output))
        for name in _properties(catalogue, ref)
    }


@lru_cache(maxsize=512)
def _properties(catalogue: Catalogue, ref: ContractRef) -> tuple[str, ...]:
    return property_names(catalogue, ref)


def _checked(path: Path, known: tuple[str, ...]) -> Path:
    if path[1] in known:
        return path
    close = close_key(path[1], list(known))
    guess = f"did you mean /{path[0]}/{close}? " if close else ""
    raise MappingError(f"there is no field {path[1]} in {path[0]}", hint=f"{guess}known: {', '.join(known)}")
