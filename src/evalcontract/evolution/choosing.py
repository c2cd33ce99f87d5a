"""What a command line means: which schema is new, and which older ones it is compared with."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalcontract.catalog import Catalogue, ContractRef, SchemaVersion, schemas_root
from evalcontract.catalog.names import split_spec
from evalcontract.errors import CatalogError, HistoryError, UsageError
from evalcontract.evolution.catalogued import predecessors, side_of
from evalcontract.evolution.codes import Code
from evalcontract.evolution.history import History
from evalcontract.evolution.number import Waiver
from evalcontract.evolution.sides import Side, load_side
from evalcontract.validation.sources import from_file, from_text

ALL = "all"


def open_catalogue(folder: Path | None) -> Catalogue:
    """The schemas in a folder, those of this installation without one. CatalogError when there are none."""
    if folder is not None and not (folder / "catalog.json").is_file():
        raise CatalogError(f"{folder} has no catalog.json", hint="name the folder that holds it")
    return Catalogue(folder if folder is not None else schemas_root())


def checkout_folder(catalogue: Catalogue) -> Path | None:
    """The folder of a catalogue where it may be edited; None inside an installed package."""
    root = catalogue.root
    return root if isinstance(root, Path) and "_data" not in root.parts else None


def working_version(catalogue: Catalogue, spec: str) -> ContractRef:
    """The version being worked on: the one named, else the highest that isn't withdrawn."""
    name, version = split_spec(spec)
    if version is not None:
        return catalogue.resolve(spec)
    refs = [ContractRef(name, each) for each in catalogue.versions(name)]
    kept = [ref for ref in refs if catalogue.entry(ref).status != "withdrawn"]
    return max(kept or refs, key=lambda ref: SchemaVersion.parse(ref.version))


def is_contract(catalogue: Catalogue, text: str) -> bool:
    """Whether the text names a contract of the catalogue; else it is a file or a class."""
    return text.partition("@")[0] in catalogue.names()


def chosen(catalogue: Catalogue, text: str, against: str) -> tuple[Side, list[Side]]:
    """The new schema and the older ones to compare it with.

    `text`: a contract, a schema file or `package.module:Class`. `against`: `all` (every released version of its
    major), a version, a git commit, or another file or class.
    Raises UnknownContract, UnknownVersion, UsageError, SchemaError, UnreadableInput or HistoryError.
    """
    if is_contract(catalogue, text):
        ref = working_version(catalogue, text)
        return side_of(catalogue, ref), list(_older(catalogue, ref, against))
    new = _side_from_text(catalogue, text)
    path = Path(against)
    if against == ALL:
        raise UsageError(
            f"{text} is no contract of the catalogue",
            hint="say what to compare it with: --against FILE or COMMIT",
        )
    if path.suffix in (".json", ".yaml", ".yml") or (os.sep in against and path.is_file()) or ":" in against:
        return new, [_side_from_text(catalogue, against)]
    return new, [_file_as_it_was(catalogue, Path(text), against)]


def _older(catalogue: Catalogue, ref: ContractRef, against: str) -> Iterator[Side]:
    if against == ALL:
        for each in predecessors(catalogue, ref):
            yield side_of(catalogue, each)
        return
    try:
        version = str(SchemaVersion.parse(against))
    except UsageError:
        yield from _catalogue_as_it_was(catalogue, ref, against)
    else:
        yield side_of(catalogue, catalogue.resolve(ref.name, version))


def _catalogue_as_it_was(catalogue: Catalogue, ref: ContractRef, commit: str) -> Iterator[Side]:
    """The same version at a commit, or the highest that was there then; nothing when the contract is new."""
    folder = checkout_folder(catalogue)
    if folder is None:
        raise HistoryError(
            "an installed package has no history", hint="name the folder of a repository with --schemas"
        )
    with History(folder).as_it_was(commit) as then:
        if then is None or not (then / "catalog.json").is_file():
            return
        old = Catalogue(then)
        if ref.name in old.names():
            known = ref.version in old.versions(ref.name)
            found = ref if known else working_version(old, ref.name)
            yield side_of(old, found, label=f"{found} ({commit})")


def _file_as_it_was(catalogue: Catalogue, path: Path, commit: str) -> Side:
    if not path.is_file():
        raise UsageError(
            f"{path} is no file, so there is no older one at {commit}", hint="name a file with --against"
        )
    with History(path.parent).as_it_was(commit) as then:
        old = then / path.name if then else None
        if old is None or not old.is_file():
            raise HistoryError(f"{path} was not there at {commit}", hint="name another commit")
        source = from_file(catalogue, old)
        return load_side(
            f"{path} ({commit})", source.schema, uri=source.uri, documents=_documents(catalogue, source.own)
        )


def _side_from_text(catalogue: Catalogue, text: str) -> Side:
    source = from_text(catalogue, text)
    return load_side(source.label, source.schema, uri=source.uri, documents=_documents(catalogue, source.own))


def _documents(catalogue: Catalogue, own: Any) -> dict[str, Any]:
    return {**dict(catalogue.documents()), **own}


def read_waivers(path: Path | None, base_uri: str) -> tuple[Waiver, ...]:
    """Waivers out of a JSON file: an array of {code, pointer, reason}, the pointer as reports print it.

    Raises UsageError when the file is anything else, or a reason is missing.
    """
    if path is None:
        return ()
    try:
        raw = json.loads(path.read_bytes())
        waivers = tuple(
            Waiver(Code(each["code"]), str(each["pointer"]), str(each["reason"]).strip()) for each in raw
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(
            f"{path} holds no waivers: {error!s:.200}", hint="write [{code, pointer, reason}, ...]"
        ) from error
    if not all(each.reason for each in waivers):
        raise UsageError(f"{path} has a waiver without a reason", hint="say why it may pass")
    return tuple(Waiver(each.code, base_uri + each.pointer, each.reason) for each in waivers)
