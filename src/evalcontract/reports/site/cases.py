"""The conformance cases of a contract: documents with the verdict that every implementation must reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from evalcontract.catalog import Catalogue, ContractRef, read_object
from evalcontract.errors import CatalogError

_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class ConformanceCase:
    """One document. `faults` are pointer and keyword of what is wrong with it; `text` is cut where `longer`."""

    name: str
    valid: bool
    faults: tuple[tuple[str, str], ...]
    text: str
    longer: bool

    @property
    def title(self) -> str:
        """The name of the case as words."""
        return self.name.replace("-", " ")


def cases(catalogue: Catalogue, ref: ContractRef) -> tuple[ConformanceCase, ...]:
    """The cases of a contract, valid ones first; none where its layer has no vectors for it."""
    folder = _folder(catalogue, ref)
    expected = _expected(folder)
    return (*_of_kind(folder, expected, "valid"), *_of_kind(folder, expected, "invalid"))


def example(catalogue: Catalogue, ref: ContractRef, name: str = "full") -> str | None:
    """The text of a valid case; by default of the one with every property."""
    file = _folder(catalogue, ref) / "valid" / f"{name}.json"
    return file.read_text("utf-8").strip() if file.is_file() else None


def _folder(catalogue: Catalogue, ref: ContractRef) -> Traversable:
    return catalogue.layer_of(ref.name).root / "conformance" / ref.name / ref.version


def _expected(folder: Traversable) -> dict[str, tuple[tuple[str, str], ...]]:
    """The faults of each invalid case. CatalogError when the file is damaged."""
    file = folder / "expected.json"
    if not file.is_file():
        return {}
    try:
        return {
            name: tuple((str(fault["pointer"]), str(fault["keyword"])) for fault in faults)
            for name, faults in read_object(file).items()
        }
    except (KeyError, TypeError) as error:
        raise CatalogError(
            f"{file} is damaged: a case has a list of pointer and keyword",
            hint="evalcontract schema vectors NAME writes it again",
        ) from error


def _of_kind(
    folder: Traversable, expected: dict[str, tuple[tuple[str, str], ...]], kind: str
) -> Iterator[ConformanceCase]:
    inside = folder / kind
    if not inside.is_dir():
        return
    for file in sorted(inside.iterdir(), key=lambda file: file.name):
        name = file.name.removesuffix(".json")
        if name == file.name:
            continue
        text = file.read_bytes().decode("utf-8", "replace").strip()
        faults = expected.get(name, ()) if kind == "invalid" else ()
        yield ConformanceCase(name, kind == "valid", faults, text[:_LONGEST], len(text) > _LONGEST)
