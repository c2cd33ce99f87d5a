"""Versions in a catalogue: their sides, what a version must be compared with, and the smallest legal number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalcontract.catalog import Catalogue, ContractRef, SchemaVersion
from evalcontract.evolution.comparing.compare import SchemaComparison, compare
from evalcontract.evolution.comparing.sides import Side, load_side
from evalcontract.evolution.versions.number import Step, Waiver, judge_backward, step


def side_of(catalogue: Catalogue, ref: ContractRef, label: str | None = None) -> Side:
    """A contract of a catalogue in one version, with its own siblings. CatalogError, SchemaError when damaged."""
    return load_side(
        label or str(ref),
        catalogue.document(ref),
        uri=catalogue.uri(ref),
        documents=dict(catalogue.documents()),
    )


def released(catalogue: Catalogue, name: str) -> list[ContractRef]:
    """The released versions of a contract, oldest first; withdrawn ones too, since their data lives on."""
    refs = [ContractRef(name, version) for version in catalogue.versions(name)]
    return [ref for ref in refs if catalogue.entry(ref).frozen]


def predecessors(catalogue: Catalogue, ref: ContractRef) -> list[ContractRef]:
    """The released versions of the same major that `ref` comes after: it must not break any of them."""
    own = SchemaVersion.parse(ref.version)
    found = [other for other in released(catalogue, ref.name) if SchemaVersion.parse(other.version) < own]
    return [other for other in found if SchemaVersion.parse(other.version).major == own.major]


@dataclass(frozen=True, slots=True)
class NextSchemaVersion:
    """The smallest legal number of a schema and the comparisons that ask for it.

    `allowed`: every legal number, none for a contract that was never released: it may begin with any.
    """

    ref: ContractRef
    step: Step
    smallest: str
    allowed: tuple[str, ...] = ()
    comparisons: tuple[SchemaComparison, ...] = ()
    waivers: tuple[Waiver, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether the number that the schema has is one of those that it may have."""
        return not self.allowed or self.ref.version in self.allowed

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why a minor version isn't enough; empty when it is."""
        found: list[str] = []
        for comparison in self.comparisons:
            judged = judge_backward(comparison, self.waivers)
            found += [
                f"{finding.code} at {finding.path or '/'}: {finding.sentence}" for finding in judged.breaking
            ]
            if judged.undecided and not judged.breaking:
                found.append(f"{comparison.new} against {comparison.old}: {judged.undecided}")
        return tuple(found)


def next_version(catalogue: Catalogue, ref: ContractRef, waivers: Sequence[Waiver] = ()) -> NextSchemaVersion:
    """What number the schema of `ref` may have, given the released versions of its contract.

    It is compared with every other released version of its major, or of the newest one when its own has none: the
    waiver of a minor version isn't transitive.
    """
    older = [SchemaVersion.parse(other.version) for other in released(catalogue, ref.name) if other != ref]
    if not older:
        return NextSchemaVersion(ref, Step.NONE, ref.version)
    own, highest = SchemaVersion.parse(ref.version), max(older).major
    major = own.major if own.major in {version.major for version in older} else highest
    siblings = [version for version in older if version.major == major]
    draft = side_of(catalogue, ref)
    comparisons = tuple(
        compare(side_of(catalogue, ContractRef(ref.name, str(version))), draft) for version in siblings
    )
    steps = [step(comparison, waivers) for comparison in comparisons]
    minor, next_major = SchemaVersion(major, max(siblings).minor + 1), SchemaVersion(highest + 1, 0)
    if Step.MAJOR in steps:
        return NextSchemaVersion(
            ref, Step.MAJOR, str(next_major), (str(next_major),), comparisons, tuple(waivers)
        )
    smallest = max(siblings) if steps[-1] is Step.NONE else minor
    allowed = (str(minor), str(next_major))
    return NextSchemaVersion(ref, steps[-1], str(smallest), allowed, comparisons, tuple(waivers))
