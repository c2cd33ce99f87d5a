"""A release and the one before it, as the checks see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from evalcontract.catalog import Catalogue, SchemaType, SchemaVersion
from evalcontract.checking import Plan
from evalcontract.reading import Document
from evalcontract.release.keys import PARTS, KeyUse
from evalcontract.release.report import Kind
from evalcontract.release.survey import Survey
from evalcontract.validation import (
    Declaration,
    ItemChecker,
    Told,
    choose,
    declaration_of,
    fields_of,
    from_catalogue,
)


@dataclass(frozen=True)
class ReleaseComparison:
    """What the checks are run on. `given_name` is the name that the release goes by, if it has one."""

    plan: Plan
    new: Survey
    previous: Survey | None = None
    previous_plan: Plan | None = None
    given_name: str | None = None

    @cached_property
    def kind(self) -> Kind | None:
        """What the versions make of it; None when they don't say, or say that it isn't higher by a major."""
        if self.previous is None:
            return "new"
        version, before = self.new.version, self.previous.version
        if version is None or before is None or version.major < before.major:
            return None
        return "major" if version.major > before.major else "minor"

    @property
    def catalogue(self) -> Catalogue:
        """The contracts that both releases are checked against."""
        return self.plan.catalogue

    @cached_property
    def keys_added(self) -> tuple[str, ...]:
        """Keys of the union that the previous release didn't have, as `input.context`."""
        return self._difference(self.new, self.previous)

    @cached_property
    def keys_removed(self) -> tuple[str, ...]:
        """Keys of the union that only the previous release had."""
        return self._difference(self.previous, self.new)

    @staticmethod
    def _difference(one: Survey | None, other: Survey | None) -> tuple[str, ...]:
        if one is None or other is None:
            return ()
        return tuple(sorted(one.keys.named() - other.keys.named()))

    @cached_property
    def fields_by_type(self) -> dict[str, dict[str, frozenset[str]]]:
        """The fields of each known schema type, in its newest version, by part."""
        return {name: _fields(self.catalogue, max_version(found)) for name, found in self._types.items()}

    @cached_property
    def declared_fields(self) -> dict[str, frozenset[str]] | None:
        """The fields that the declared type defines, by the parts of which that is known; None: of neither."""
        declared = self.new.text("input_schema_type")
        told = self.plan.told
        if declared is not None and declared in self._types:
            versions = self._types[declared]
            version = self.new.text("input_schema_version")
            return _fields(self.catalogue, versions.get(version or "") or max_version(versions))
        sources = zip(PARTS, (told.input, told.expected_output), strict=True)
        return {part: fields_of(self.catalogue, source) for part, source in sources if source} or None

    @property
    def _types(self) -> Mapping[str, Mapping[str, SchemaType]]:
        return self.catalogue.schema_types()

    def carried(self, part: str) -> dict[str, KeyUse]:
        """The keys of a part that some item has with a value other than null."""
        return {key: use for key, use in self.new.keys.parts[part].items() if use.filled}

    @cached_property
    def contracts(self) -> tuple[Told, Told] | None:
        """What the previous release's items were checked against, and what they would be now."""
        if self.previous is None or self.previous_plan is None:
            return None
        return _settled(self.previous_plan, self.previous), _settled(self.plan, self.new)

    def newly_refused(self) -> Iterator[str]:
        """The ids of previous items that were valid and that the contract of the new release refuses."""
        assert self.previous is not None
        assert self.contracts is not None
        before, now = (ItemChecker(self.catalogue, told) for told in self.contracts)
        for event in self.previous.source.events():
            if (
                not isinstance(event, Document)
                or not before.check(event.value, may_hold_null_bytes=False).valid
            ):
                continue
            if not now.check(event.value, may_hold_null_bytes=False).valid:
                value = event.value
                yield str(value.get("item_id") if isinstance(value, Mapping) else None)


def max_version(versions: Mapping[str, SchemaType]) -> SchemaType:
    """The newest version of a schema type."""
    return versions[max(versions, key=SchemaVersion.parse)]


def _fields(catalogue: Catalogue, type_: SchemaType) -> dict[str, frozenset[str]]:
    refs = zip(PARTS, (type_.input, type_.expected_output), strict=True)
    return {part: fields_of(catalogue, from_catalogue(catalogue, str(ref))) for part, ref in refs}


def _settled(plan: Plan, survey: Survey) -> Told:
    """What is told, with the type that the dataset declares filled in, so that items can't choose another."""
    told = plan.told
    type_ = (
        told.type
        or choose(plan.catalogue, Declaration(), declaration_of(survey.metadata), told.own_types).type
    )
    return Told(type_, told.input, told.expected_output, told.own_types)
