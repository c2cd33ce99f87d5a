"""What a command line means: which schema is new, and which older ones it is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evalcontract.catalog import Catalogue, ContractRef, SchemaVersion, read_json, split_spec
from evalcontract.errors import CatalogError, HistoryError, UsageError
from evalcontract.evolution.comparing.codes import BreakCode
from evalcontract.evolution.comparing.sides import Side
from evalcontract.evolution.versions.catalogued import predecessors, released, side_of
from evalcontract.evolution.versions.history import History, not_as_it_was
from evalcontract.evolution.versions.number import Waiver
from evalcontract.evolution.versions.shapes import is_shape, paired, sides_of
from evalcontract.validation import file_and_fragment
from evalcontract.values import shown

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
    refs = [ContractRef(name, version) for version in catalogue.versions(name)]
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


def uncompared(catalogue: Catalogue, text: str, against: str) -> list[str]:
    """Why a contract, or one of its versions, is compared with nothing though something is released: in sentences."""
    if not is_contract(catalogue, text) or against != ALL:
        return []
    known = released(catalogue, text.partition("@")[0])
    wanted = versions_to_compare(catalogue, text, against)
    if not wanted:
        return [f"{text}: released: {_versions(known)}; nothing newer to compare"]
    alone = [ref for spec in wanted if not predecessors(catalogue, ref := working_version(catalogue, spec))]
    return [
        f"{ref}: released: {_versions(known)}; "
        + (
            "nothing older of its major to compare it with"
            if ref in known
            else "it is the first of its major, which may break them"
        )
        for ref in alone
        if known
    ]


def _versions(refs: Sequence[ContractRef]) -> str:
    return ", ".join(ref.version for ref in refs)


def two_schemas(catalogue: Catalogue, old: str, new: str) -> list[tuple[Side, Side]]:
    """The schemas that two texts mean, in pairs: contracts, files, definitions, folders, at commits, in archives.

    Raises what `chosen` raises.
    """
    found = [
        {"": side_of(catalogue, working_version(catalogue, text))}
        if is_contract(catalogue, text)
        else sides_of(catalogue, text)
        for text in (old, new)
    ]
    return list(paired(found[1], found[0]))


def is_contract(catalogue: Catalogue, text: str) -> bool:
    """Whether the text names a contract of the catalogue; else it is a file or a class."""
    return text.partition("@")[0] in catalogue.names()


class SchemaPair(NamedTuple):
    """Two schemas to compare; `whole` unless they are parts of one, or files of a folder."""

    old: Side
    new: Side
    whole: bool = True


def chosen(catalogue: Catalogue, text: str, against: str) -> list[SchemaPair]:
    """The new schema and the older ones to compare it with, in pairs.

    `text`: a contract, a schema file, a definition in it (`file.json#/$defs/Tool`), a folder, one of these at a commit
    (`v1.0:schemas/`) or in an archive (`some-1.0.whl:package/schemas/`), or `package.module:Class`. `against`: the
    same, or `all` (every released version of its major), a version, or a git commit.
    Raises UnknownContract, UnknownVersion, UsageError, SchemaError, UnreadableInput or HistoryError.
    """
    known = is_contract(catalogue, text)
    if _is_schema(catalogue, against):
        new = (
            {"": side_of(catalogue, working_version(catalogue, text))} if known else sides_of(catalogue, text)
        )
        olds = sides_of(catalogue, against)
        several = len(new) > 1 or len(olds) > 1
        return [SchemaPair(old, new, not several) for old, new in paired(new, olds)]
    if known:
        ref = working_version(catalogue, text)
        new_side = side_of(catalogue, ref)
        return [SchemaPair(old, new_side) for old in _older(catalogue, ref, against)]
    now = sides_of(catalogue, text)
    if against == ALL:
        raise UsageError(
            f"{text} is no contract of the catalogue",
            hint="say what to compare it with: --against FILE or COMMIT",
        )
    place, fragment = file_and_fragment(text)
    then = sides_of(catalogue, f"{against}:{_inside(place)}" + (f"#{fragment}" if fragment else ""))
    return [SchemaPair(old, new, len(then) < 2) for old, new in paired(now, then)]


def _inside(place: str) -> str:
    """A path that can't be taken for anything else."""
    if not Path(place).exists():
        raise UsageError(f"{place} is no file, so there is no older one", hint="name a file with --against")
    return place if Path(place).is_absolute() else f"./{place}"


def _is_schema(catalogue: Catalogue, text: str) -> bool:
    """Whether the text names a schema: a file or folder, a class, or a contract with its version."""
    return is_shape(text) or ":" in text or ("@" in text and is_contract(catalogue, text))


def _older(catalogue: Catalogue, ref: ContractRef, against: str) -> Iterator[Side]:
    if against == ALL:
        for older in predecessors(catalogue, ref):
            yield side_of(catalogue, older)
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
    waivers = [_waiver(entry, f"{path}: waiver {number}") for number, entry in enumerate(raw, 1)]
    bases = ("", base_uri)  # reports print places in the catalogue without its base
    return tuple(
        Waiver(waiver.code, base + waiver.pointer, waiver.reason) for waiver in waivers for base in bases
    )


WAIVER = ("code", "pointer", "reason")
_WAIVERS = f"write [{{{', '.join(WAIVER)}}}, ...]"


def _waiver(raw: Any, name: str) -> Waiver:
    texts: list[Any] = [raw.get(key) for key in WAIVER] if isinstance(raw, dict) else []
    if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
        raise UsageError(f"{name} has not the three texts {', '.join(WAIVER)}", hint=_WAIVERS)
    code, where, reason = texts
    if code not in set(BreakCode):
        raise UsageError(f"{name} has the unknown code {shown(code)}", hint=f"known: {', '.join(BreakCode)}")
    return Waiver(BreakCode(code), where, reason.strip())
