"""The freeze: a released schema never changes again. What breaks that is found three ways."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from urllib.parse import urljoin

from evalcontract.catalog import Catalogue, ContractRef, Entry
from evalcontract.catalog.files import digest
from evalcontract.catalog.keywords import references
from evalcontract.errors import CatalogError, ContractError, HistoryError
from evalcontract.evolution.versions.history import History, not_as_it_was

IN_WHEEL = "evalcontract/_data/schemas/"


@dataclass(frozen=True, slots=True)
class Problem:
    """A breach of the freeze: the check that found it, the file inside the schemas folder, and a sentence."""

    check: str
    file: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Grounds:
    """What there is to verify against: the schemas; for a checkout its history; a built wheel, if there is one."""

    catalogue: Catalogue
    folder: Path | None = None
    base: str | None = None
    wheel: Path | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A check by name; `run` yields its problems, `applies` says whether there is something to look at."""

    code: str
    why: str
    applies: Callable[[Grounds], bool]
    run: Callable[[Grounds], Iterator[Problem]]


def _file(ref: ContractRef) -> str:
    return f"{ref.name}/{ref.version}.json"


def _bytes(grounds: Grounds) -> Iterator[Problem]:
    """Catalogue and files agree, both ways, and a released file refers to released files only."""
    catalogue = grounds.catalogue
    known = {_file(entry.ref): entry for entry in catalogue.own_entries()}
    for file, entry in known.items():
        yield from _bytes_of(catalogue, entry, file)
    for file in _schema_files(catalogue.root, set(catalogue.own_names())):
        if file not in known:
            yield Problem("FROZEN_BYTES", file, "is not in catalog.json", "add it as a draft, or remove it")


def _bytes_of(catalogue: Catalogue, entry: Entry, file: str) -> Iterator[Problem]:
    if not entry.frozen:
        return
    state = f"{entry.ref} is {entry.status}"
    try:
        if digest(catalogue.path(entry.ref)) != entry.sha256:
            message = f"{state}, but its bytes are not those of the release"
            yield Problem("FROZEN_BYTES", file, message, "restore the file; a change needs a new version")
            return
        for target in _targets(catalogue, entry.ref):
            if not catalogue.entry(target).frozen:
                message = f"{state}, but refers to {target}, a draft"
                yield Problem("FROZEN_BYTES", file, message, f"release {target} first")
    except ContractError as error:
        yield Problem("FROZEN_BYTES", file, error.message, error.hint or "restore the file")


def _targets(catalogue: Catalogue, ref: ContractRef) -> Iterator[ContractRef]:
    for reference in references(catalogue.document(ref)):
        yield catalogue.ref_of(urljoin(catalogue.uri(ref), reference))


def _schema_files(root: Traversable, names: set[str]) -> Iterator[str]:
    for folder in sorted((each for each in root.iterdir() if each.name in names), key=lambda each: each.name):
        for file in sorted(each.name for each in folder.iterdir()):
            if file.endswith(".json") and file[0].isdigit():
                yield f"{folder.name}/{file}"


def _history(grounds: Grounds) -> Iterator[Problem]:
    """What was frozen at the last release, and where the branch began, is frozen now, and with the same bytes."""
    assert grounds.folder is not None
    try:
        history = History(grounds.folder)
        for ref in dict.fromkeys((history.last_release(), history.branch_point(grounds.base))):
            if ref is not None:
                with history.as_it_was(ref) as folder:
                    if folder is not None:
                        yield from _changed_since(
                            _catalogue_of(grounds.catalogue, folder), grounds.catalogue, ref
                        )
    except HistoryError as error:
        yield Problem(
            "FROZEN_HISTORY", "catalog.json", error.message, error.hint or "run this in a full clone"
        )


def _catalogue_of(now: Catalogue, then: Path) -> Catalogue:
    try:
        return now.edition(then)
    except CatalogError as error:
        raise not_as_it_was(error, then) from error


def _changed_since(then: Catalogue, now: Catalogue, ref: str) -> Iterator[Problem]:
    entries = {entry.ref: entry for entry in now.own_entries()}
    for old in (entry for entry in then.own_entries() if entry.frozen):
        new = entries.get(old.ref)
        since = f"{old.ref} was {old.status} at {ref[:12]}"
        if new is None:
            change = "is gone from the catalogue now"
        elif not new.frozen:
            change = f"is a {new.status} now"
        elif (new.sha256, new.released_on) != (old.sha256, old.released_on):
            change = "has another hash or date now"
        elif old.errata != new.errata[: len(old.errata)]:
            change = "has lost errata"
        else:
            continue
        hint = "restore file and entry; a change needs a new version, a mistake an entry in errata"
        yield Problem("FROZEN_HISTORY", _file(old.ref), f"{since}, and {change}", hint)


def _wheel(grounds: Grounds) -> Iterator[Problem]:
    """The built wheel holds the bytes of every released file."""
    assert grounds.wheel is not None
    try:
        with zipfile.ZipFile(grounds.wheel) as wheel:
            packed = {name: wheel.read(name) for name in wheel.namelist() if name.startswith(IN_WHEEL)}
    except (OSError, zipfile.BadZipFile) as error:
        yield Problem("FROZEN_WHEEL", grounds.wheel.name, f"is no readable wheel: {error}", "build it again")
        return
    catalogue = grounds.catalogue
    wanted = {"catalog.json": catalogue.root / "catalog.json"}
    wanted |= {
        _file(entry.ref): catalogue.path(entry.ref) for entry in catalogue.own_entries() if entry.frozen
    }
    for file, source in wanted.items():
        if packed.get(IN_WHEEL + file) != source.read_bytes():
            state = "other bytes" if IN_WHEEL + file in packed else "no such file"
            yield Problem(
                "FROZEN_WHEEL", file, f"{grounds.wheel.name} holds {state}", "build the wheel again"
            )


CHECKS = (
    Check("FROZEN_BYTES", _bytes.__doc__ or "", lambda _: True, _bytes),
    Check("FROZEN_HISTORY", _history.__doc__ or "", lambda grounds: grounds.folder is not None, _history),
    Check("FROZEN_WHEEL", _wheel.__doc__ or "", lambda grounds: grounds.wheel is not None, _wheel),
)


def verify(grounds: Grounds) -> tuple[Problem, ...]:
    """Every problem that the checks find; none when the freeze holds. A checkout without history is a problem."""
    return tuple(problem for check in CHECKS if check.applies(grounds) for problem in check.run(grounds))
