"""Checks of a release's name, and of a release against the one before it."""

from __future__ import annotations

from pathlib import Path

from evalcontract.release.comparison import ReleaseComparison
from evalcontract.release.finding import CheckFinding, failed, not_applicable, passed
from evalcontract.release.keys import key_path
from evalcontract.release.name import FORM, DatasetName, readings
from evalcontract.validation import Told
from evalcontract.values import counted, listed, shown


def name_matches_metadata(compared: ReleaseComparison) -> CheckFinding:
    """The name is the one that the metadata calls for."""
    given, wanted = compared.given_name, compared.new.name
    if given is None:
        return not_applicable("the dataset comes without a name; --name tells it")
    if wanted is None:
        return not_applicable("the metadata is not complete enough for a name")
    found = readings(given, [wanted.schema_type])
    if not found:
        hint = f"rename it to {wanted}"
        return failed(f"{shown(given)} is not a name of the form {FORM}", hint, keys=("name",))
    if any(change == wanted and str(change.version) == str(wanted.version) for change in found):
        return passed(f"{given} says what the metadata says")
    nearest = min(found, key=lambda change: (len(_differences(change, wanted)), not change.type_written))
    said = [
        f"{what} {shown(name)} in the name, {shown(meta)} in the metadata"
        for what, name, meta in _differences(nearest, wanted)
    ]
    keys = [what for what, _, _ in _differences(nearest, wanted)]
    return failed("; ".join(said), f"rename it to {wanted}, or correct the metadata", keys=keys)


def keys_unchanged(compared: ReleaseComparison) -> CheckFinding:
    """A minor release: the same keys."""
    added, removed = compared.keys_added, compared.keys_removed
    if not added and not removed:
        return passed("the same keys as before")
    items = [
        item
        for part, keys in compared.new.keys.parts.items()
        for key, use in keys.items()
        if key_path(part, key) in added
        for item in use.examples
    ]
    return failed(
        "; ".join(_changes(compared)),
        "release it as a major, or take the change back",
        items=dict.fromkeys(items),
        keys=(*added, *removed),
        count=len(added) + len(removed),
    )


def keys_changed(compared: ReleaseComparison) -> CheckFinding:
    """A major release: other keys."""
    changes = _changes(compared)
    if changes:
        return passed("; ".join(changes))
    return failed(
        "the keys are the same as before",
        "release it as a minor; where the meaning has changed, waive this check and say so",
    )


def version_higher(compared: ReleaseComparison) -> CheckFinding:
    """A number that was not there before."""
    assert compared.previous is not None
    version, before = compared.new.version, compared.previous.version
    if version is None or before is None:
        whose = "this release" if version is None else "the previous release"
        return failed(
            f"{whose} declares no version", "write metadata.version as major.minor", keys=("version",)
        )
    if version > before:
        return passed(f"{version} is higher than {before}")
    if _same_file(compared):
        return failed(f"the previous release is this very file, {version}", "name the release before it")
    how = "the same as" if version == before else "lower than"
    return failed(
        f"{version} is {how} the previous version {before}",
        "swap the two files?" if version < before else "give the release a number of its own",
        keys=("version",),
    )


def previous_comparable(compared: ReleaseComparison) -> CheckFinding:
    """The same dataset, read to its end."""
    new, previous = compared.new, compared.previous
    assert previous is not None
    if previous.faults or not previous.items:
        what = f"{counted(previous.faults, 'fault')} in it" if previous.faults else "it has no items"
        return failed(
            f"the previous release can't be compared with: {what}", "evalcontract validate shows more"
        )
    fields = ["product_id", "scope", *(["input_schema_type"] if compared.kind == "minor" else [])]
    said = [
        f"{name} was {shown(previous.text(name))} and is {shown(new.text(name))}"
        for name in fields
        if previous.text(name) != new.text(name)
    ]
    if said:
        keys = [name for name in fields if previous.text(name) != new.text(name)]
        return failed("; ".join(said), "name the release of the same dataset before this one", keys=keys)
    return passed(f"both are releases of {listed(str(new.text(name)) for name in fields)}")


def items_still_valid(compared: ReleaseComparison) -> CheckFinding:
    """No item that was valid would now be refused."""
    contracts = compared.contracts
    assert contracts is not None
    before, now = contracts
    if (before.input is None) != (now.input is None) or (before.expected_output is None) != (
        now.expected_output is None
    ):
        return not_applicable("the schemas of one of the two releases only are given")
    if before == now:
        return not_applicable(f"both releases follow {_label(now)}")
    refused = list(compared.newly_refused())
    if not refused:
        return passed(f"every item that was valid by {_label(before)} is valid by {_label(now)}")
    return failed(
        f"{counted(len(refused), 'item')} of the previous release, valid by {_label(before)}, "
        f"would be refused by {_label(now)}",
        "release it as a major, or loosen the schema again",
        items=refused,
        count=len(refused),
    )


def _differences(name: DatasetName, wanted: DatasetName) -> list[tuple[str, str, str]]:
    parts = (
        ("product_id", name.product_id, wanted.product_id),
        ("input_schema_type", name.schema_type, wanted.schema_type),
        ("scope", name.scope, wanted.scope),
        ("version", str(name.version), str(wanted.version)),
    )
    return [(what, one, other) for what, one, other in parts if one != other]


def _changes(compared: ReleaseComparison) -> list[str]:
    named = (("new", compared.keys_added), ("gone", compared.keys_removed))
    return [f"{how}: {listed(keys)}" for how, keys in named if keys]


def _same_file(compared: ReleaseComparison) -> bool:
    paths: list[Path | None] = [
        release.source.path for release in (compared.new, compared.previous) if release
    ]
    one, other = paths
    return one is not None and other is not None and one.samefile(other)


def _label(told: Told) -> str:
    own = [source.label for source in (told.input, told.expected_output) if source]
    if own:
        return " + ".join(own)
    return f"{told.type.name}@{told.type.version}" if told.type else "the envelope"
