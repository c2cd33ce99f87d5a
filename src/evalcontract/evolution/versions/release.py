"""Freezing a draft: the one edit of catalog.json that makes a version released."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import urljoin

from evalcontract.catalog import Catalogue, ContractRef, SchemaVersion, file_digest, references
from evalcontract.errors import UnknownContract, UnknownVersion, UsageError
from evalcontract.evolution.versions.catalogued import NextSchemaVersion, next_version
from evalcontract.evolution.versions.number import Waiver
from evalcontract.reading import JsonText, skip_value
from evalcontract.validation import check_contract


@dataclass(frozen=True, slots=True)
class PreparedRelease:
    """A version about to be frozen: the new text of catalog.json, why the number is right, what else to think of."""

    ref: ContractRef
    sha256: str
    catalog_text: bytes
    number: NextSchemaVersion
    advices: tuple[str, ...] = ()


def prepare(
    catalogue: Catalogue, ref: ContractRef, on: date, waivers: Sequence[Waiver] = ()
) -> PreparedRelease:
    """Everything that freezing a draft needs; nothing is written.

    Raises UsageError when the version isn't a draft, refers to drafts, breaks a released version of its major,
    or leaves a number out; SchemaError when it can't judge; CatalogError when the catalogue is damaged.
    """
    entry = catalogue.entry(ref)
    if entry.frozen:
        raise UsageError(
            f"{ref} is {entry.status} already", hint="a released version never changes: add a new one"
        )
    check_contract(catalogue, ref)
    _refuse_drafts(catalogue, ref)
    number = next_version(catalogue, ref, waivers)
    _refuse_number(ref, number)
    sha256 = file_digest(catalogue.path(ref))
    entry_text = json.dumps({"status": "released", "sha256": sha256, "released_on": on.isoformat()})
    text = _with_entry(Path(str(catalogue.root)) / "catalog.json", ref, entry_text)
    return PreparedRelease(ref, sha256, text, number, tuple(_advices(catalogue, ref)))


def _advices(catalogue: Catalogue, ref: ContractRef) -> Iterator[str]:
    """A new major leaves the data of the old one behind without a migration."""
    major = SchemaVersion.parse(ref.version).major
    older = [
        version for version in map(SchemaVersion.parse, catalogue.versions(ref.name)) if version.major < major
    ]
    file = catalogue.root / ref.name / f"to-{major}.json"
    if older and not file.is_file():
        last = max(older).major
        operations = json.dumps(
            {"contract": ref.name, "from_major": last, "to_major": major, "operations": []}
        )
        yield f"data of {ref.name}@{last} can't be moved to {ref}: write {file}, at first {operations}"


def _refuse_drafts(catalogue: Catalogue, ref: ContractRef) -> None:
    targets = [_target(catalogue, ref, reference) for reference in references(catalogue.document(ref))]
    drafts = [target for target in dict.fromkeys(targets) if not catalogue.entry(target).frozen]
    drafts = [target for target in drafts if target != ref]
    if not drafts:
        return
    below = sorted({str(catalogue.layer_of(target.name).root) for target in drafts} - {str(catalogue.root)})
    raise UsageError(
        f"{catalogue.path(ref)}: {ref} refers to drafts: {', '.join(map(str, drafts))}",
        hint=f"they lie in {', '.join(below)}: wait for their release, and keep {ref} a draft until then"
        if below
        else "release them first",
    )


def _target(catalogue: Catalogue, ref: ContractRef, reference: str) -> ContractRef:
    try:
        return catalogue.ref_of(urljoin(catalogue.uri(ref), reference))
    except (UnknownContract, UnknownVersion) as error:
        raise UsageError(
            f"{catalogue.path(ref)}: {ref} refers to {reference}: {error.message}", hint=error.hint
        ) from error


def _refuse_number(ref: ContractRef, number: NextSchemaVersion) -> None:
    if not number.legal:
        reason = f": {number.reasons[0]}" if number.reasons else ""
        legal = " or ".join(number.allowed)
        raise UsageError(
            f"{ref} can't have that number, but {legal}{reason}",
            hint="rename the file, its $id and its entry",
        )


def _with_entry(path: Path, ref: ContractRef, entry: str) -> bytes:
    """The catalogue's text with one entry replaced, and everything else as it was written."""
    raw = path.read_bytes()
    start = JsonText(raw, 1).find(("contracts", ref.name, ref.version))
    lines = raw.split(b"\n")
    offset = sum(len(line) + 1 for line in lines[: start.line - 1])
    offset += len(lines[start.line - 1].decode()[: start.column - 1].encode())
    return raw[:offset] + entry.encode() + raw[skip_value(raw, offset) :]
