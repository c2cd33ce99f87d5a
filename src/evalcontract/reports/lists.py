"""Lists of what there is: contracts and their versions, checks of a release, mappings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evalcontract.catalog import Catalogue, ContractRef
from evalcontract.reports.tables import aligned
from evalcontract.values import visible


def contracts_text(catalogue: Catalogue) -> str:
    """A line a contract: its name, its versions with their status, and what it is."""
    return _lines(aligned(_contracts(catalogue)))


def versions_text(catalogue: Catalogue, name: str) -> str:
    """A line a version: status, date, hash, what superseded it; its errata below."""
    return _lines(map(visible, _versions(catalogue, name)))


def checks_text() -> str:
    """The checks of a release: code, kinds of release, what is demanded and why."""
    from evalcontract.release import CHECKS

    return _lines(
        f"{check.code} ({check.severity}; "
        f"{', '.join(kind for kind in ('new', 'minor', 'major') if kind in check.kinds)})\n"
        f"  {check.name}\n  because {check.why}"
        for check in CHECKS
    )


def presets_text(names: Iterable[str]) -> str:
    """A line a mapping: its name and what it is for."""
    from evalcontract.importing import load_mapping

    return _lines(aligned((name, " ".join(load_mapping(name).description.split())) for name in names))


def _contracts(catalogue: Catalogue) -> Iterator[tuple[str, str, str]]:
    for name in catalogue.names():
        entries = [catalogue.entry(ContractRef(name, version)) for version in catalogue.versions(name)]
        about = catalogue.document(entries[-1].ref)["description"]
        yield (
            visible(name),
            ", ".join(f"{entry.ref.version} ({entry.status})" for entry in entries),
            visible(about),
        )


def _versions(catalogue: Catalogue, name: str) -> Iterator[str]:
    for version in catalogue.versions(name):
        entry = catalogue.entry(ContractRef(name, version))
        superseded = f"superseded by {entry.superseded_by}" if entry.superseded_by else ""
        facts = (version, entry.status, entry.released_on or "", (entry.sha256 or "")[:12], superseded)
        yield "  ".join(fact for fact in facts if fact)
        yield from (f"  erratum: {erratum}" for erratum in entry.errata)


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
