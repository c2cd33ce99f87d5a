"""The catalogue: every contract, its versions, their status and their documents. Nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy, deepcopy
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from evalcontract.catalog.data import schemas_root
from evalcontract.catalog.layer import Entry, Layer, Schema, SchemaType, Status, is_loose, read_layer
from evalcontract.catalog.layers import labels_of, refuse_missing_contracts, stacked
from evalcontract.catalog.names import ContractRef, SchemaVersion, split_spec
from evalcontract.errors import CatalogError, UnknownContract, UnknownVersion, UsageError
from evalcontract.values import shown

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["Catalogue", "Entry", "Schema", "SchemaType", "Status"]
_LONGEST_NAME = 100


class Catalogue:
    """Folders of schemas, each with its catalog.json, lying on one another as layers.

    `root` is the folder of the top layer, `below` the catalogue that it lies on; without one it stands alone.
    A folder with the base URI of a layer below is another edition of that layer and takes its place.
    Raises CatalogError when a catalog.json is missing or damaged and when two layers have one name. A frozen
    document whose bytes are not those that were released is refused when it is read. `loose` are folders of schemas
    without a catalog.json: they have no names here, but others may refer to them by their `$id`.
    """

    def __init__(
        self, root: Traversable, below: Catalogue | None = None, loose: tuple[Path, ...] = ()
    ) -> None:
        top = read_layer(root)
        self.below = below
        self.loose: tuple[Path, ...] = loose or (below.loose if below is not None else ())
        self.layers: tuple[Layer, ...] = stacked(top, below.layers if below is not None else ())
        self._top = top
        self._home = {name: layer for layer in self.layers for name in layer.entries}
        self._types = {name: found for layer in self.layers for name, found in layer.types.items()}

    @classmethod
    def load(cls, *folders: str | Path, loose: bool = False) -> Catalogue:
        """The built-in catalogue with these folders on top of it, in this order.

        With `loose`, a folder without catalog.json may be one whose files say by `$id` how they are referred to.
        Raises CatalogError; see the class. A schema type that names a contract which no layer has is refused too.
        """
        places = [Path(folder) for folder in folders]
        without_names = tuple(place for place in places if loose and is_loose(place))
        found = cls(schemas_root(), None, without_names)
        for place in places:
            if place not in without_names:
                found = cls(place, found)
                refuse_missing_contracts(found.layers)
        return found

    def edition(self, root: Traversable) -> Catalogue:
        """This catalogue with another folder in place of its top layer, as it was at another time."""
        return Catalogue(root, self.below, self.loose)

    def beside(self, loose: tuple[Path, ...]) -> Catalogue:
        """This catalogue with other loose folders."""
        found = copy(self)
        found.loose = loose
        return found

    @property
    def root(self) -> Traversable:
        """The folder of the top layer."""
        return self._top.root

    @property
    def base_uri(self) -> str:
        """What the `$id` of each contract of the top layer begins with."""
        return self._top.base_uri

    @property
    def labels(self) -> tuple[str, ...]:
        """The layers as reports name them, the lowest first; empty where there is the built-in one alone."""
        return labels_of(self.layers)

    def own_names(self) -> tuple[str, ...]:
        """The contracts of the top layer, sorted."""
        return tuple(sorted(self._top.entries))

    def layer_of(self, name: str) -> Layer:
        """The layer that has a contract; UnknownContract when none has it."""
        self._of(name)
        return self._home[name]

    # names and versions

    def names(self) -> tuple[str, ...]:
        """Every contract of every layer, sorted."""
        return tuple(sorted(self._home))

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
        for name in self.names():
            yield from self._home[name].entries[name].values()

    def own_types(self) -> Mapping[str, Mapping[str, SchemaType]]:
        """The schema types that the top layer declares, by name, then by version."""
        return self._top.types

    def own_entries(self) -> Iterator[Entry]:
        """The same of the top layer alone."""
        for name in self.own_names():
            yield from self._top.entries[name].values()

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

    def base_type(self, type_: SchemaType) -> str | None:
        """The schema type of the lowest layer that a type is a kind of, through what its contracts extend.

        It has the metrics and the release rules of that one. None when it extends none. Where several fit it is
        the one with the nearest contracts. Raises CatalogError; see `ancestors`.
        """
        lowest = self.layers[0].types
        if type_.name in lowest:
            return type_.name
        inputs = (type_.input, *self.ancestors(type_.input))
        outputs = (type_.expected_output, *self.ancestors(type_.expected_output))
        fitting = [
            (inputs.index(base.input) + outputs.index(base.expected_output), name)
            for name, versions in lowest.items()
            for base in versions.values()
            if base.input in inputs and base.expected_output in outputs
        ]
        return min(fitting)[1] if fitting else None

    def _of(self, name: str) -> Mapping[str, Entry]:
        layer = self._home.get(name) if isinstance(name, str) else None
        if layer is None:
            if not isinstance(name, str) or len(name) > _LONGEST_NAME:
                raise UnknownContract(f"there is no contract {shown(name)}")
            raise UnknownContract(f"there is no contract {name}", hint=self._meant(name))
        return layer.entries[name]

    def _meant(self, name: str) -> str:
        if name in self._types:
            newest = self._types[name][max(self._types[name], key=SchemaVersion.parse)]
            return f"{name} is a schema type: its contracts are {newest.input} and {newest.expected_output}"
        close = get_close_matches(name, self._home, n=1)
        meant = f"did you mean {close[0]}?" if close else f"known: {', '.join(self.names())}"
        return f"{meant}; {self.loose[0]} has no catalog.json, so no names" if self.loose else meant

    # documents

    def path(self, ref: ContractRef) -> Traversable:
        """The schema file."""
        self.entry(ref)
        return self._home[ref.name].path(ref)

    def uri(self, ref: ContractRef) -> str:
        """The `$id` of the schema."""
        return self.layer_of(ref.name).uri(ref)

    def ref_of(self, uri: str) -> ContractRef:
        """The contract whose `$id` this is, a fragment left out; UnknownContract when it is none of ours."""
        address = uri.partition("#")[0]
        for layer in self.layers:
            name, slash, file = address.removeprefix(layer.base_uri).partition("/")
            inside = address.startswith(layer.base_uri) and slash and file.endswith(".json")
            if inside and name in layer.entries:
                return self.entry(ContractRef(name, file.removesuffix(".json"))).ref
        known = ", ".join(layer.base_uri for layer in self.layers)
        raise UnknownContract(f"{shown(uri)} is not a schema of this catalogue", hint=f"its schemas: {known}")

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
            self.entry(ref)
            self._loaded[ref] = self._home[ref.name].document(ref)
        return self._loaded[ref]

    def ancestors(self, ref: ContractRef) -> tuple[ContractRef, ...]:
        """The contracts that this one extends, the nearest first.

        Raises CatalogError when that is no contract of the catalogue, or when contracts extend one another in
        a circle.
        """
        line = [ref]
        while (above := self._stated_parent(line[-1])) is not None:
            if above in line:
                raise CatalogError(
                    f"{self.path(ref)}: {ref} extends itself: {' -> '.join(map(str, [*line, above]))}",
                    hint="a contract extends one that stands on its own",
                )
            line.append(above)
        return tuple(line[1:])

    def _stated_parent(self, ref: ContractRef) -> ContractRef | None:
        parents = self._document(ref).get("allOf", [])
        target = parents[0].get("$ref") if parents and isinstance(parents[0], dict) else None
        if not isinstance(target, str) or target.startswith("#"):
            return None
        try:
            return self.ref_of(urljoin(self.uri(ref), target))
        except (UnknownContract, UnknownVersion) as error:
            raise CatalogError(
                f"{self.path(ref)}: {ref} extends what there is not: {error.message}", hint=error.hint
            ) from error
