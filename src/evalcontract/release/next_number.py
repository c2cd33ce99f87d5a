"""Which number the next release of a dataset calls for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evalcontract.datasets import Dataset
from evalcontract.errors import UsageError
from evalcontract.release.diff import DatasetDiff, diff_datasets
from evalcontract.release.version import ReleaseVersion
from evalcontract.values import counted, listed, shown


@dataclass(frozen=True, slots=True)
class NextReleaseVersion:
    """The number, the kind of release that it makes, and why. `declared` is what the dataset says itself."""

    version: str
    kind: Literal["none", "minor", "major"]
    reasons: tuple[str, ...]
    previous: str
    declared: str | None


def next_version(dataset: Dataset, previous: Dataset) -> NextReleaseVersion:
    """The version that the items and keys of a dataset call for, after the previous release.

    Other keys, or another schema type, make it a major; anything else that differs a minor. What a change
    means can't be told from the data: a release may go higher than this, never lower. Raises UsageError
    for releases of different datasets and for a previous release without a version.
    """
    found = diff_datasets(previous, dataset)
    for field in ("product_id", "scope"):
        one, other = found.metadata_before.get(field), found.metadata_after.get(field)
        if one != other:
            raise UsageError(
                f"these are releases of two datasets: {field} was {shown(one)} and is {shown(other)}",
                hint="name the release of the same dataset before this one",
            )
    text = found.metadata_before.get("version")
    if not isinstance(text, str):
        raise UsageError(f"{found.before} declares no version", hint="write metadata.version as major.minor")
    before = ReleaseVersion.parse(text)
    kind, reasons = _called_for(found)
    number = {
        "none": text,
        "minor": f"{before.major}.{before.minor + 1}"
        if not before.stage
        else f"{before.major}.{before.minor}",
        "major": f"{before.major + 1}.0",
    }[kind]
    declared = found.metadata_after.get("version")
    return NextReleaseVersion(
        number, kind, tuple(reasons), text, declared if isinstance(declared, str) else None
    )


def _called_for(found: DatasetDiff) -> tuple[Literal["none", "minor", "major"], list[str]]:
    major = [f"new keys: {listed(found.keys_added)}"] if found.keys_added else []
    major += [f"keys gone: {listed(found.keys_removed)}"] if found.keys_removed else []
    types = [metadata.get("input_schema_type") for metadata in (found.metadata_before, found.metadata_after)]
    if types[0] != types[1]:
        major.append(f"input_schema_type was {shown(types[0])} and is {shown(types[1])}")
    if major:
        return "major", major
    minor = [
        f"{counted(len(ids), 'item')} {how}"
        for how, ids in (("added", found.added), ("removed", found.removed), ("changed", found.changed))
        if ids
    ]
    fields = [place.removeprefix("/") for place, _ in found.metadata if place != "/version"]
    minor += [f"metadata changed: {listed(fields)}"] if fields else []
    if minor:
        return "minor", [*minor, "the keys are the same"]
    return "none", ["nothing has changed"]
