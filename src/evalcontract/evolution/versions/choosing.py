"""What a command line means: which schema is new, and which older ones it is compared with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalcontract.catalog import Catalogue, ContractRef, SchemaVersion, read_json, split_spec
from evalcontract.errors import CatalogError, HistoryError, UsageError
from evalcontract.evolution.comparing.codes import Code
from evalcontract.evolution.comparing.sides import Side, load_side
from evalcontract.evolution.versions.catalogued import predecessors, side_of
from evalcontract.evolution.versions.history import History, not_as_it_was
from evalcontract.evolution.versions.number import Waiver
from evalcontract.validation import SchemaSource, from_file, from_text
from evalcontract.values import JSON_SUFFIXES, YAML_SUFFIXES, shown

ALL = "all"


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


def versions_to_compare(catalogue: Catalogue, text: str, against: str) -> list[str]:
    """The new schemas that the text means: itself, or of a contract without version every one that is not released.

    Compared with anything but the released versions, a contract is the version being worked on.
    """
    if not is_contract(catalogue, text) or "@" in text or against != ALL:
        return [text]
    refs = [ContractRef(text, version) for version in catalogue.versions(text)]
    return [str(ref) for ref in refs if not catalogue.entry(ref).frozen]


def is_contract(catalogue: Catalogue, text: str) -> bool:
    """Whether the text names a contract of the catalogue; else it is a file or a class."""
    return text.partition("@")[0] in catalogue.names()


def chosen(catalogue: Catalogue, text: str, against: str) -> tuple[Side, list[Side]]:
    """The new schema and the older ones to compare it with.

    `text`: a contract, a schema file or `package.module:Class`. `against`: `all` (every released version of its
    major), a version, a git commit, or another contract with its version, file or class.
    Raises UnknownContract, UnknownVersion, UsageError, SchemaError, UnreadableInput or HistoryError.
    """
    if is_contract(catalogue, text):
        ref = working_version(catalogue, text)
        new = side_of(catalogue, ref)
    else:
        ref, new = None, _side_from_text(catalogue, text)
    if _is_schema(catalogue, against):
        return new, [_side_from_text(catalogue, against)]
    if ref is not None:
        return new, list(_older(catalogue, ref, against))
    if against == ALL:
        raise UsageError(
            f"{text} is no contract of the catalogue",
            hint="say what to compare it with: --against FILE or COMMIT",
        )
    return new, [_file_as_it_was(catalogue, Path(text), against)]


def _is_schema(catalogue: Catalogue, text: str) -> bool:
    """Whether the text names a schema: a file, a class, or a contract with its version."""
    path = Path(text)
    file = path.suffix in (*JSON_SUFFIXES, *YAML_SUFFIXES) or (os.sep in text and path.is_file())
    return file or ":" in text or ("@" in text and is_contract(catalogue, text))


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
        try:
            old = catalogue.edition(then)
            if ref.name in old.names():
                known = ref.version in old.versions(ref.name)
                found = ref if known else working_version(old, ref.name)
                yield side_of(old, found, label=f"{found} ({commit})")
        except CatalogError as error:
            raise not_as_it_was(error, then) from error


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
        return _side_of_source(catalogue, source, f"{path} ({commit})")


def _side_from_text(catalogue: Catalogue, text: str) -> Side:
    source = from_text(catalogue, text)
    return _side_of_source(catalogue, source, source.label)


def _side_of_source(catalogue: Catalogue, source: SchemaSource, label: str) -> Side:
    """A side whose places are told by its label, as a file is found by its path; a contract's by its `$id`."""
    documents = {**dict(catalogue.documents()), **source.own}
    where = None if source.in_catalogue else label
    return load_side(label, source.schema, uri=source.uri, documents=documents, where=where)


def read_waivers(path: Path | None, base_uri: str) -> tuple[Waiver, ...]:
    """Waivers out of a JSON file: an array of {code, pointer, reason}, the pointer as reports print it.

    Raises UsageError when the file is anything else, or a reason is missing.
    """
    if path is None:
        return ()
    try:
        raw = read_json(path)
    except CatalogError as error:
        raise UsageError(error.message, hint=_WAIVERS) from error
    if not isinstance(raw, list):
        raise UsageError(f"{path} holds no array of waivers", hint=_WAIVERS)
    waivers = [_waiver(each, f"{path}: waiver {number}") for number, each in enumerate(raw, 1)]
    bases = ("", base_uri)  # reports print places in the catalogue without its base
    return tuple(Waiver(each.code, base + each.pointer, each.reason) for each in waivers for base in bases)


WAIVER = ("code", "pointer", "reason")
_WAIVERS = f"write [{{{', '.join(WAIVER)}}}, ...]"


def _waiver(raw: Any, name: str) -> Waiver:
    texts: list[Any] = [raw.get(key) for key in WAIVER] if isinstance(raw, dict) else []
    if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
        raise UsageError(f"{name} has not the three texts {', '.join(WAIVER)}", hint=_WAIVERS)
    code, where, reason = texts
    if code not in set(Code):
        raise UsageError(f"{name} has the unknown code {shown(code)}", hint=f"known: {', '.join(Code)}")
    return Waiver(Code(code), where, reason.strip())
