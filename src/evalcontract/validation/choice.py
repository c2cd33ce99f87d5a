"""Which contract applies to an item: told, else declared by it, else by its dataset, else the envelope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple

from evalcontract.catalog import Catalogue, SchemaType, SchemaVersion
from evalcontract.errors import UsageError
from evalcontract.validation.describe import short_list
from evalcontract.validation.violation import Violation
from evalcontract.values import shown

Origin = Literal["told", "item", "dataset", "envelope"]
_TYPE = "input_schema_type"
_VERSION = "input_schema_version"
_UNKNOWN = {
    _TYPE: ("unknown-schema-type", "schema type"),
    _VERSION: ("unknown-schema-version", "version of a schema type"),
}
_IN_ITEM = "/metadata/raw_metadata"


class Declaration(NamedTuple):
    """The schema type and version that an item or a dataset says it follows; None where it says nothing."""

    type: str | None = None
    version: str | None = None


_NOTHING = Declaration()


@dataclass(frozen=True, slots=True)
class Choice:
    """The schema type that applies, who said so, and what is wrong or odd about the declarations."""

    type: SchemaType | None
    origin: Origin
    findings: tuple[Violation, ...] = ()


def declaration_of(holder: object) -> Declaration:
    """What a metadata object declares. Values of a wrong type count as not declared."""
    if not isinstance(holder, dict):
        return _NOTHING
    declared, version = holder.get(_TYPE), holder.get(_VERSION)
    return Declaration(
        declared if isinstance(declared, str) else None, version if isinstance(version, str) else None
    )


def item_declaration(item: object) -> Declaration:
    """What an item declares in metadata.raw_metadata."""
    try:
        raw: Any = item["metadata"]["raw_metadata"]  # type: ignore[index]
    except (KeyError, TypeError):
        return _NOTHING
    return declaration_of(raw)


def is_version(declared: object) -> bool:
    """Whether a declared version is one; anything else breaks the contract of whoever declares it."""
    try:
        SchemaVersion.parse(declared)  # type: ignore[arg-type]
    except UsageError:
        return False
    return True


def told_type(catalogue: Catalogue, spec: str) -> SchemaType:
    """The schema type that the caller names, as `rag` or `rag@1.0`; UsageError lists those that there are."""
    name, _, version = spec.partition("@")
    known = catalogue.schema_types()
    if name not in known or (version and version not in known[name]):
        guess = "" if name in known else _guess(name, known)
        raise UsageError(f"there is no schema type {shown(spec)}", hint=f"{guess}{_known(catalogue)}")
    return known[name][version or _newest(known[name])]


def choose(
    catalogue: Catalogue, item: Declaration, dataset: Declaration, own_types: frozenset[str] = frozenset()
) -> Choice:
    """The choice for one item. `own_types` are a product's own types, known to have no contract here."""
    conflict = _disagreement(item, dataset)
    if conflict:
        return Choice(None, "envelope", conflict)
    name = item.type if item.type is not None else dataset.type
    version = item.version if item.version is not None else dataset.version
    if name is None:
        return Choice(None, "envelope")
    origin: Origin = "item" if item.type is not None else "dataset"
    place = _IN_ITEM if origin == "item" else ""
    if name in own_types:
        return Choice(None, "envelope")
    known = catalogue.schema_types()
    if name not in known:
        way_out = (
            "a type of your own comes with its folder of contracts (--schemas), or is told with --own-type"
        )
        if catalogue.loose:
            way_out = f"{catalogue.loose[0]} has no catalog.json, so it declares no schema types"
        hint = _guess(name, known) + way_out
        return Choice(None, "envelope", (_unknown(catalogue, place, _TYPE, name, hint),))
    return _versioned(catalogue, known[name], version, origin, place)


def _versioned(
    catalogue: Catalogue, found: Mapping[str, SchemaType], version: str | None, origin: Origin, place: str
) -> Choice:
    if version is None:
        return Choice(found[_newest(found)], origin)
    if version in found:
        return Choice(found[version], origin)
    name = next(iter(found.values())).name
    if not is_version(version):
        return Choice(found[_newest(found)], origin)  # the envelope reports the malformed version
    major = SchemaVersion.parse(version).major
    same_major = [violation for violation in found if SchemaVersion.parse(violation).major == major]
    if not same_major:
        return Choice(None, "envelope", (_unknown(catalogue, place, _VERSION, f"{name}@{version}", None),))
    used = max(same_major, key=SchemaVersion.parse)
    advice = Violation(
        "unknown-minor-version",
        f"{name}@{version} is not known here; checked against {name}@{used}",
        f"{place}/{_VERSION}",
        hint="update evalcontract to check what the newer version adds",
        severity="advice",
    )
    return Choice(found[used], origin, (advice,))


def _disagreement(item: Declaration, dataset: Declaration) -> tuple[Violation, ...]:
    pairs = [(_TYPE, item.type, dataset.type)]
    if is_version(item.version) and is_version(dataset.version):  # a malformed one is reported as such
        pairs.append((_VERSION, item.version, dataset.version))
    return tuple(
        Violation(
            "declarations-disagree",
            f"the item declares {field} {shown(own)}, its dataset declares {shown(of_dataset)}",
            f"{_IN_ITEM}/{field}",
            expected=shown(of_dataset),
            actual=shown(own),
            hint="correct one of them, or move the item to a dataset of its own type",
        )
        for field, own, of_dataset in pairs
        if own is not None and of_dataset is not None and own != of_dataset
    )


def _unknown(catalogue: Catalogue, place: str, field: str, value: str, hint: str | None) -> Violation:
    known = _known(catalogue)
    code, thing = _UNKNOWN[field]
    return Violation(
        code,
        f"{shown(value)} is not a known {thing}; {known}",
        f"{place}/{field}",
        expected=known,
        actual=shown(value),
        hint=hint,
    )


def _known(catalogue: Catalogue) -> str:
    types: Any = catalogue.schema_types()
    return short_list("known: ", [f"{name}@{version}" for name, found in types.items() for version in found])


def _guess(name: str, known: Mapping[str, object]) -> str:
    close = get_close_matches(name.lower(), known, n=1)
    return f"did you mean {close[0]}? " if close else ""


def _newest(found: Mapping[str, SchemaType]) -> str:
    return max(found, key=SchemaVersion.parse)
