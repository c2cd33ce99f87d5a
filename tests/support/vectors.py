"""The conformance vectors, read as plain files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from evalcontract.catalog import ContractRef, default_catalogue

WHOLE = ("typed_item", "typed_dataset")
"""The schemas of whole items and datasets by their declared types, which have vectors as contracts have."""

CONFORMANCE = Path(__file__).resolve().parents[2] / "schemas" / "conformance"


class Fault(NamedTuple):
    """Where a document breaks its contract, and which keyword it breaks there."""

    pointer: str
    keyword: str


@dataclass(frozen=True, slots=True)
class Case:
    """One document with the faults that a validator must find in it; none when it is valid."""

    contract: ContractRef
    name: str
    document: Any
    faults: frozenset[Fault]

    @property
    def valid(self) -> bool:
        return not self.faults

    def __str__(self) -> str:
        return f"{self.contract}/{self.name}"


def contracts() -> tuple[ContractRef, ...]:
    """Every contract in every version."""
    return tuple(entry.ref for entry in default_catalogue().entries())


def folder_of(contract: ContractRef) -> Path:
    """The folder that holds the vectors of a contract."""
    return CONFORMANCE / contract.name / contract.version


def expected_of(contract: ContractRef) -> dict[str, list[dict[str, str]]]:
    """What expected.json of a contract says."""
    found: dict[str, list[dict[str, str]]] = json.loads((folder_of(contract) / "expected.json").read_bytes())
    return found


@cache
def cases_of(contract: ContractRef) -> tuple[Case, ...]:
    """Every case of a contract, the valid ones first. Their documents are shared: no test may change one."""
    return tuple(_cases(contract))


def _cases(contract: ContractRef) -> Iterator[Case]:
    expected = expected_of(contract)
    for kind in ("valid", "invalid"):
        for path in sorted((folder_of(contract) / kind).glob("*.json")):
            faults = expected[path.stem] if kind == "invalid" else []
            yield Case(
                contract,
                f"{kind}/{path.stem}",
                json.loads(path.read_bytes()),
                frozenset(Fault(fault["pointer"], fault["keyword"]) for fault in faults),
            )
