"""What uses a contract: the contracts that refer to it or extend it, and the schema types that it is a part of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

from evalcontract.catalog import Catalogue, ContractRef, SchemaType, references
from evalcontract.errors import UnknownContract, UnknownVersion
from evalcontract.metrics import Metric, metrics_for

_PARTS = ("input", "expected_output")


@dataclass(frozen=True, slots=True)
class Uses:
    """Who uses a contract: those that extend it, and those that have it in a property."""

    extended_by: tuple[ContractRef, ...] = ()
    referred_by: tuple[ContractRef, ...] = ()


def uses(catalogue: Catalogue) -> Mapping[ContractRef, Uses]:
    """Who uses each contract in each version, by name and oldest first."""
    extended: dict[ContractRef, list[ContractRef]] = {}
    referred: dict[ContractRef, list[ContractRef]] = {}
    for entry in catalogue.entries():
        parent = next(iter(catalogue.ancestors(entry.ref)), None)
        if parent is not None:
            extended.setdefault(parent, []).append(entry.ref)
        for target in _targets(catalogue, entry.ref):
            if target not in (parent, entry.ref):
                referred.setdefault(target, []).append(entry.ref)
    return {
        entry.ref: Uses(tuple(extended.get(entry.ref, ())), tuple(referred.get(entry.ref, ())))
        for entry in catalogue.entries()
    }


def _targets(catalogue: Catalogue, ref: ContractRef) -> dict[ContractRef, None]:
    found: dict[ContractRef, None] = {}
    for written in references(catalogue.document(ref)):
        try:
            found[catalogue.ref_of(urljoin(catalogue.uri(ref), written))] = None
        except (UnknownContract, UnknownVersion):  # what is no contract has no page
            continue
    return found


def all_types(catalogue: Catalogue) -> tuple[SchemaType, ...]:
    """Every schema type in every version."""
    return tuple(found for versions in catalogue.schema_types().values() for found in versions.values())


def expected_metrics(catalogue: Catalogue, type_: SchemaType) -> tuple[Metric, ...]:
    """The metrics that `score` computes for items of a schema type when none are named."""
    return metrics_for(catalogue.base_type(type_))


@dataclass(frozen=True, slots=True)
class PartOf:
    """A contract as a part of a schema type, and the metrics that read one of its properties."""

    type_: SchemaType
    part: str
    metrics: tuple[str, ...]


def parts(catalogue: Catalogue, ref: ContractRef) -> tuple[PartOf, ...]:
    """The schema types that a contract is the input or the expected output of."""
    found: list[PartOf] = []
    for type_ in all_types(catalogue):
        for part in _PARTS:
            if getattr(type_, part) == ref:
                names = [
                    metric.name
                    for metric in expected_metrics(catalogue, type_)
                    if any(path.partition(".")[0] == part for path in metric.item_fields)
                ]
                found.append(PartOf(type_, part, tuple(names)))
    return tuple(found)
