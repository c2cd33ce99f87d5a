"""Names of dataset releases: `pathfinder_rag_retrieval_v1.6`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import total_ordering

from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.errors import UsageError
from evalcontract.release.version import PATTERN, ReleaseVersion
from evalcontract.values import shown

QA = "qa"
FORM = "{product_id}_{schema_type}_{scope}_v{major}.{minor}"

_NAME = re.compile(rf"(?P<series>.+?)_v(?P<version>{PATTERN})", re.ASCII)
_PART = re.compile(r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*", re.ASCII)
_CATALOG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*", re.ASCII)
_MAX_LENGTH = 200


def looks_like_a_release(text: str) -> bool:
    """Whether a text has the form of a release's name: at least two parts, then _v and a version."""
    match = _NAME.fullmatch(text)
    return match is not None and _PART.fullmatch(match["series"]) is not None and "_" in match["series"]


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class DatasetName:
    """One release of a dataset. Names of one dataset sort by version, as numbers.

    Parts consist of ASCII letters and digits with single `.`, `_` or `-` between them. `type_written` is
    false for a name that leaves out the type `qa`; it changes how the name is written, not what it means.
    Raises UsageError for parts that can't stand in a name.
    """

    product_id: str
    schema_type: str
    scope: str
    version: ReleaseVersion
    type_written: bool = field(default=True, repr=False)

    def __post_init__(self) -> None:
        for what in ("product_id", "schema_type", "scope"):
            part = getattr(self, what)
            if not isinstance(part, str) or _PART.fullmatch(part) is None or len(part) > _MAX_LENGTH:
                raise UsageError(
                    f"{shown(part)} can't be the {what} in a dataset name",
                    hint="use letters and digits, with single _, - or . between them",
                )
        if not self.type_written and self.schema_type != QA:
            raise UsageError(f"only the type {QA} may be left out of a name, not {self.schema_type}")

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        product_id: str | None = None,
        schema_type: str | None = None,
        scope: str | None = None,
        own_types: Iterable[str] = (),
        catalogue: Catalogue | None = None,
    ) -> DatasetName:
        """Read a name. What is given, as metadata gives it, decides between several readings.

        Without it, a schema type of `catalogue` (the built-in one by default) or one of `own_types` is taken
        for the type wherever one occurs between two other parts; a name without any is of type qa. Raises
        UsageError for a text that is no name, contradicts what is given, or can be read in several ways, which
        are then listed.
        """
        given = {"product_id": product_id, "schema_type": schema_type, "scope": scope}
        wanted = {what: part for what, part in given.items() if part is not None}
        types = {*(catalogue or default_catalogue()).schema_types(), *own_types}
        if schema_type is not None:
            types.add(schema_type)
        found = list(_readings(text, types))
        fitting = [name for name in found if all(getattr(name, k) == part for k, part in wanted.items())]
        typed = [name for name in fitting if name.type_written]
        best = fitting if "product_id" in wanted and "scope" in wanted else typed or fitting
        if len(best) == 1:
            return best[0]
        if not best:
            told = ", ".join(f"{what} {shown(part)}" for what, part in wanted.items())
            raise UsageError(
                f"{shown(text)} is not a name of a dataset with {told}" if found else _no_name(text),
                hint=f"names look like {FORM}",
            )
        raise UsageError(
            f"{shown(text)} can be read in {len(best)} ways: {'; '.join(map(_spelled, best[:8]))}",
            hint="say which with the product_id and the scope (dataset name: --product, --scope), or give the file",
        )

    @classmethod
    def of(cls, metadata: Mapping[str, object]) -> DatasetName:
        """The name that a dataset's metadata calls for; UsageError when a part is missing."""
        parts = [metadata.get(key) for key in ("product_id", "input_schema_type", "scope", "version")]
        if not all(isinstance(part, str) for part in parts):
            raise UsageError(
                "the metadata does not say what the dataset is called",
                hint="it needs product_id, input_schema_type, scope and version",
            )
        product_id, schema_type, scope, version = map(str, parts)
        return cls(product_id, schema_type, scope, ReleaseVersion.parse(version))

    @property
    def series(self) -> tuple[str, str, str]:
        """Product, type and scope: what all releases of one dataset have in common."""
        return self.product_id, self.schema_type, self.scope

    def __str__(self) -> str:
        type_ = f"{self.schema_type}_" if self.type_written else ""
        return f"{self.product_id}_{type_}{self.scope}_v{self.version}"

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, DatasetName) else NotImplemented

    def __lt__(self, other: DatasetName) -> bool:
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[tuple[str, str, str], ReleaseVersion]:
        return self.series, self.version


def readings(text: str, types: Iterable[str] = ()) -> list[DatasetName]:
    """Every way to read a name, the type left out included; empty for a text that is no name.

    `types` are schema types beside the known ones.
    """
    return list(_readings(text, {*default_catalogue().schema_types(), *types}))


def written_as(name: DatasetName, text: str | None) -> DatasetName:
    """The same name in the form in which `text` writes it, if it does: with its type, or without."""
    found = [reading.type_written for reading in readings(text or "", [name.schema_type]) if reading == name]
    return replace(name, type_written=found[0]) if found else name


def volume_path(catalog: str, name: DatasetName | str, *, catalogue: Catalogue | None = None) -> str:
    """Where a release lies: `/Volumes/{catalog}/semantic_evaluation/datasets/{product_id}/{name}.json`.

    `catalogue` has the schema types by which a name that is a text is read, as for `DatasetName.parse`.

    Raises UsageError for a catalog that isn't one path segment, for a name that can be read in several
    ways, and for a version that no release may carry.
    """
    if not isinstance(catalog, str) or _CATALOG.fullmatch(catalog) is None or len(catalog) > 255:
        raise UsageError(
            f"{shown(catalog)} is not the name of a catalog", hint="use letters, digits, _ and - only"
        )
    release = DatasetName.parse(name, catalogue=catalogue) if isinstance(name, str) else name
    if not release.version.plain:
        raise UsageError(
            f"{shown(str(release.version))} is not the version of a release",
            hint="releases are numbered major.minor, for example 1.6",
        )
    return f"/Volumes/{catalog}/semantic_evaluation/datasets/{release.product_id}/{release}.json"


def _readings(text: str, types: set[str]) -> Iterator[DatasetName]:
    match = _NAME.fullmatch(text) if isinstance(text, str) and len(text) <= _MAX_LENGTH else None
    if match is None or _PART.fullmatch(match["series"]) is None:
        return
    version = ReleaseVersion.parse(match["version"])
    words = match["series"].split("_")
    for start in range(1, len(words)):
        for stop in range(start + 1, len(words)):
            type_ = "_".join(words[start:stop])
            if type_ in types:
                yield DatasetName("_".join(words[:start]), type_, "_".join(words[stop:]), version)
    for start in range(1, len(words)):
        yield DatasetName("_".join(words[:start]), QA, "_".join(words[start:]), version, type_written=False)


def _spelled(name: DatasetName) -> str:
    return f"product {name.product_id}, type {name.schema_type}, scope {name.scope}"


def _no_name(text: str) -> str:
    return f"{shown(text)} is not the name of a dataset release"
