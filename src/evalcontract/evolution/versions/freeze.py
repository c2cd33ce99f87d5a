"""The freeze: a released schema never changes again. What breaks that is found three ways."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from urllib.parse import urljoin

from evalcontract.catalog import Catalogue, ContractRef, Entry, file_digest, references
from evalcontract.errors import ContractError, HistoryError
from evalcontract.evolution.versions.history import History
from evalcontract.evolution.versions.past import (
    Past,
    Sighting,
    git_digest,
    originals,
    outside_of,
    past_of,
)
from evalcontract.evolution.versions.strays import schema_files
from evalcontract.values import counted

IN_WHEEL = "evalcontract/_data/schemas/"


@dataclass(frozen=True, slots=True)
class Problem:
    """A breach of the freeze: the check that found it, the file inside the schemas folder, and a sentence."""

    check: str
    file: str
    message: str
    hint: str


@dataclass(frozen=True)
class Grounds:
    """What there is to verify against: the schemas; for a checkout its history; a built wheel, if there is one.

    `base`: a commit whose history counts as well.
    """

    catalogue: Catalogue
    folder: Path | None = None
    base: str | None = None
    wheel: Path | None = None

    @cached_property
    def history(self) -> History:
        """The history of the folder. Raises HistoryError when there is none."""
        assert self.folder is not None
        return History(self.folder)

    @cached_property
    def pasts(self) -> tuple[Past, ...]:
        """What was frozen in the history of this commit, and of `base`. Raises HistoryError when it can't be read."""
        starts = ["HEAD", *([self.base] if self.base else [])]
        return tuple(past_of(self.history, self.catalogue, start) for start in starts)

    @cached_property
    def outside(self) -> tuple[Sighting, ...]:
        """What was frozen where the history of this commit doesn't lead. Raises HistoryError when it can't be read."""
        return outside_of(self.history, self.catalogue)


@dataclass(frozen=True, slots=True)
class FreezeCheck:
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
    listed = catalogue.root / "catalog.json"
    if isinstance(listed, Path) and listed.is_symlink():
        message = "is a link, of which git keeps where it leads, and not what is there"
        yield Problem("FROZEN_BYTES", listed.name, message, "put the file in its place")
    known = {_file(entry.ref): entry for entry in catalogue.own_entries()}
    for file, entry in known.items():
        yield from _bytes_of(catalogue, entry, file)
    for file in schema_files(catalogue.root):
        if file not in known:
            yield Problem("FROZEN_BYTES", file, "is not in catalog.json", "add it as a draft, or remove it")


def _bytes_of(catalogue: Catalogue, entry: Entry, file: str) -> Iterator[Problem]:
    if not entry.frozen:
        return
    state = f"{entry.ref} is {entry.status}"
    try:
        if file_digest(catalogue.path(entry.ref)) != entry.sha256:
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


def _history(grounds: Grounds) -> Iterator[Problem]:
    """What any commit up to this one had released is released now, with the same bytes; so are its migrations."""
    try:
        found = [problem for past in grounds.pasts for problem in _changed_since(past, grounds)]
        yield from dict.fromkeys([*found, *_published_otherwise(grounds)])
    except HistoryError as error:
        yield Problem(
            "FROZEN_HISTORY", "catalog.json", error.message, error.hint or "run this in a full clone"
        )


RESTORE = "restore file and entry; a change needs a new version, a mistake an entry in errata"


def _changed_since(past: Past, grounds: Grounds) -> Iterator[Problem]:
    own = {sighting.what for sighting in past.sightings}
    entries = _entries(grounds)
    for file, seen in originals([*past.sightings, *past.others], grounds.history).items():
        if file not in own and not _is_frozen_here(file, grounds, entries):
            continue
        name, _, rest = file.removesuffix(".json").partition("/")
        if rest.startswith("to-"):
            subject, hint = (
                "it was part of a release",
                "restore it; a mistake in it needs a new major version",
            )
            change = _changed_migration(grounds.catalogue.root.joinpath(name, f"{rest}.json"), seen)
        else:
            subject, hint = f"{name}@{rest} was released", RESTORE
            change = _changed_entry(entries.get(file), seen, past.sightings)
        if change:
            yield Problem("FROZEN_HISTORY", file, f"{subject} at {seen[0].commit[:12]}, and {change}", hint)


def _published_otherwise(grounds: Grounds) -> Iterator[Problem]:
    """What is frozen here and was frozen with other bytes where this history doesn't lead."""
    entries = _entries(grounds)
    found: dict[str, list[Sighting]] = {}
    for sighting in grounds.outside:
        found.setdefault(sighting.what, []).append(sighting)
    for file, seen in found.items():
        if not _is_frozen_here(file, grounds, entries):
            continue
        entry = entries.get(file)
        change = (
            _changed_migration(grounds.catalogue.root.joinpath(*file.split("/")), seen)
            if entry is None
            else _changed_entry(entry, seen, ())
        )
        if change:
            message = (
                f"it was released at {seen[0].commit[:12]}, which this history doesn't lead to, and {change}"
            )
            yield Problem("FROZEN_HISTORY", file, message, "restore it, or give it a new version")


def _entries(grounds: Grounds) -> dict[str, Entry]:
    return {_file(entry.ref): entry for entry in grounds.catalogue.own_entries()}


def _is_frozen_here(file: str, grounds: Grounds, entries: Mapping[str, Entry]) -> bool:
    """Whether a schema is released here, or a migration is there."""
    entry = entries.get(file)
    if entry is not None:
        return entry.frozen
    return "/to-" in file and grounds.catalogue.root.joinpath(*file.split("/")).is_file()


def _changed_entry(now: Entry | None, seen: list[Sighting], all_seen: Iterable[Sighting]) -> str | None:
    if now is None:
        return "is gone from the catalogue now"
    if not now.frozen:
        return f"is a {now.status} now"
    if (str(now.sha256), str(now.released_on)) not in {sighting.state for sighting in seen}:
        return "has another hash or date now"
    same = [sighting for sighting in all_seen if sighting.what == seen[0].what]
    if now.status != "withdrawn" and any(sighting.withdrawn for sighting in same):
        return "is no longer withdrawn"
    errata = {text for sighting in same for text in sighting.errata}
    return None if errata <= set(now.errata) else "has lost errata"


def _changed_migration(file: Traversable, seen: list[Sighting]) -> str | None:
    if not file.is_file():
        return "is gone now"
    raw = file.read_bytes()
    kept = any(sighting.state == (git_digest(raw, sighting.state[0]),) for sighting in seen)
    return None if kept else "has other bytes now"


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
    FreezeCheck("FROZEN_BYTES", _bytes.__doc__ or "", lambda _: True, _bytes),
    FreezeCheck(
        "FROZEN_HISTORY", _history.__doc__ or "", lambda grounds: grounds.folder is not None, _history
    ),
    FreezeCheck("FROZEN_WHEEL", _wheel.__doc__ or "", lambda grounds: grounds.wheel is not None, _wheel),
)


@dataclass(frozen=True, slots=True)
class Verified:
    """What breaks the freeze, the checks that were made, and what of the history they looked at."""

    problems: tuple[Problem, ...]
    checked: tuple[str, ...]
    looked_at: tuple[str, ...]


def verify(grounds: Grounds) -> Verified:
    """Make every check that applies. A checkout without history is a problem."""
    checks = [check for check in CHECKS if check.applies(grounds)]
    problems = tuple(problem for check in checks for problem in check.run(grounds))
    return Verified(problems, tuple(check.code for check in checks), _looked_at(grounds))


def _looked_at(grounds: Grounds) -> tuple[str, ...]:
    try:
        if grounds.folder is None:
            return ()
        outside = len({sighting.commit for sighting in grounds.outside})
        more = (
            (f"{counted(outside, 'commit')} with releases that only tags, or a repository around, know",)
            if outside
            else ()
        )
        return (*map(str, grounds.pasts), *more)
    except HistoryError:
        return ()
