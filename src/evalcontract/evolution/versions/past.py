"""What was ever frozen: the catalogues of a folder in every commit that leads to this one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from evalcontract.catalog import Catalogue
from evalcontract.evolution.versions.history import History, Tree
from evalcontract.values import counted

FROZEN = ("released", "withdrawn")


@dataclass(frozen=True, slots=True)
class Sighting:
    """Something frozen as a commit has it: `what` it is, a file inside the schemas, and its `state` there."""

    what: str
    commit: str
    state: tuple[str, ...]
    errata: tuple[str, ...] = ()
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """What was frozen in the commits up to `head`: `commits` of them, of which `changes` touched the catalogue.

    `others`: what catalogues of the same base URI had frozen that are still there beside this one.
    """

    head: str
    commits: int
    changes: int
    sightings: tuple[Sighting, ...]
    others: tuple[Sighting, ...] = ()

    def __str__(self) -> str:
        touched = f"{self.changes:,} of them changed the catalogue"
        return f"{counted(self.commits, 'commit')} up to {self.head[:12]}, {touched}"


def past_of(history: History, catalogue: Catalogue, start: str = "HEAD") -> Past:
    """Everything that the ancestors of a commit, and it, had frozen; oldest first.

    The catalogue is known by its folder. Where one lay that isn't there any more it is taken for this one by its base
    URI, or by a contract that it had frozen in a version that is here too.
    """
    head = history.checked(start)
    trees = _with_catalogues(history, head)
    own = [(tree, then) for tree, then in trees if _is_own(tree, then, history, catalogue)]
    known = {id(tree) for tree, _ in own}
    others = [(tree, then) for tree, then in trees if id(tree) not in known and _is_twin(then, catalogue)]
    return Past(
        head,
        history.count(head),
        len({tree.commit for tree, _ in own}),
        tuple(_all_seen(own)),
        tuple(_all_seen(others)),
    )


def outside_of(history: History, catalogue: Catalogue, start: str = "HEAD") -> tuple[Sighting, ...]:
    """What a catalogue of this base URI had frozen where this history doesn't lead.

    That is in commits that only tags know, and in a repository that has this one as a submodule.
    """
    trees = _with_catalogues(history, "--tags", "--not", history.checked(start))
    above = history.around()
    if above is not None:
        trees += _with_catalogues(above, above.checked("HEAD"))
    return tuple(_all_seen((tree, then) for tree, then in trees if _is_twin(then, catalogue)))


def _with_catalogues(history: History, *revisions: str) -> list[tuple[Tree, Mapping[str, Any]]]:
    trees = list(history.trees(*revisions))
    texts = dict(history.blobs(tree.catalogue for tree in trees))
    read = {blob: _contracts(text) for blob, text in texts.items()}
    return [(tree, read[tree.catalogue]) for tree in trees]


def _all_seen(trees: Iterable[tuple[Tree, Mapping[str, Any]]]) -> Iterator[Sighting]:
    for tree, then in trees:
        yield from _seen(tree, then)


def originals(sightings: Iterable[Sighting], history: History) -> dict[str, list[Sighting]]:
    """By what it is, how each thing was first frozen: once, or once on each of several branches."""
    first: dict[str, dict[tuple[str, ...], Sighting]] = {}
    for sighting in sightings:
        first.setdefault(sighting.what, {}).setdefault(sighting.state, sighting)
    return {
        what: [seen for seen in states.values() if not _came_later(seen, states.values(), history)]
        for what, states in first.items()
    }


def _came_later(seen: Sighting, others: Iterable[Sighting], history: History) -> bool:
    return any(other is not seen and history.leads(other.commit, seen.commit) for other in others)


def git_digest(raw: bytes, like: str) -> str:
    """What git calls a file with these bytes, by the hash that it used for `like`."""
    kind = hashlib.sha1 if len(like) == 40 else hashlib.sha256
    return kind(b"blob %d\0" % len(raw) + raw).hexdigest()


def _contracts(text: bytes) -> Mapping[str, Any]:
    """A catalogue of the past as far as it can be read; one that is no catalogue has frozen nothing."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return raw if isinstance(raw, dict) and isinstance(raw.get("contracts"), dict) else {}


def _is_own(tree: Tree, then: Mapping[str, Any], history: History, catalogue: Catalogue) -> bool:
    place = history.top / tree.folder
    if tree.folder == history.inside or place.resolve() == history.folder:
        return True
    if _base_now(place) == then.get("base_uri"):
        return False  # another catalogue, which has its own history
    known = {(entry.ref.name, entry.ref.version) for entry in catalogue.own_entries()}
    shared = any((name, version) in known for name, version, _ in _frozen(then))
    return shared or then.get("base_uri") == catalogue.base_uri


def _is_twin(then: Mapping[str, Any], catalogue: Catalogue) -> bool:
    """Whether both catalogues give out schemas by the same identifiers."""
    return then.get("base_uri") == catalogue.base_uri


def _base_now(folder: Path) -> Any:
    try:
        return _contracts((folder / "catalog.json").read_bytes()).get("base_uri")
    except OSError:
        return None


def _frozen(then: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for name, versions in then.get("contracts", {}).items():
        for version, entry in versions.items() if isinstance(versions, dict) else ():
            if isinstance(entry, dict) and entry.get("status") in FROZEN:
                yield name, version, entry


def _seen(tree: Tree, then: Mapping[str, Any]) -> Iterator[Sighting]:
    frozen_majors: set[tuple[str, str]] = set()
    for name, version, entry in _frozen(then):
        frozen_majors.add((name, version.partition(".")[0]))
        state = (str(entry.get("sha256")), str(entry.get("released_on")))
        withdrawn = entry["status"] == "withdrawn"
        yield Sighting(f"{name}/{version}.json", tree.commit, state, _texts(entry.get("errata")), withdrawn)
    for file, blob in tree.migrations.items():
        path = PurePosixPath(file)
        if (path.parent.name, path.stem.removeprefix("to-")) in frozen_majors:
            yield Sighting(file, tree.commit, (blob,))


def _texts(errata: Any) -> tuple[str, ...]:
    return tuple(text for text in errata if isinstance(text, str)) if isinstance(errata, list) else ()
