"""A folder of schemas as it lies on disk, whatever is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from evalcontract.catalog import Catalogue, ContractRef, Schema, references
from evalcontract.errors import UnknownContract, UnknownVersion


class Schemas:
    """A folder of schemas and what lies below it. Raises CatalogError without a usable catalogue.

    `below` is the catalogue that the folder lies on; of its contracts nothing is looked for but that they are there.
    """

    def __init__(self, root: Path, below: Catalogue) -> None:
        self.root = root
        self.catalogue = Catalogue(root, below)

    @cached_property
    def documents(self) -> dict[ContractRef, Schema]:
        """Every catalogued schema of the folder whose file holds a JSON object."""
        found = {}
        for entry in self.catalogue.own_entries():
            try:
                document = json.loads(self._path(entry.ref).read_bytes())
            except (OSError, ValueError):
                continue
            if isinstance(document, dict):
                found[entry.ref] = document
        return found

    def where(self, ref: ContractRef) -> str:
        """The path of a schema as it is printed."""
        return self._path(ref).relative_to(self.root.parent).as_posix()

    def targets(self, ref: ContractRef, node: Any) -> Iterator[ContractRef]:
        """The catalogued contracts that a part of a schema refers to."""
        for reference in references(node):
            try:
                yield self.catalogue.ref_of(urljoin(self.catalogue.uri(ref), reference))
            except (UnknownContract, UnknownVersion):
                continue

    def document(self, ref: ContractRef) -> Schema:
        """A schema of the folder or of a layer below; empty where there is none."""
        if ref.name in self.catalogue.own_names():
            return self.documents.get(ref, {})
        return self.catalogue.document(ref)

    def parent(self, ref: ContractRef) -> ContractRef | None:
        """The contract that another extends, if any."""
        stated = [
            part for part in references(self.document(ref).get("allOf", [])) if not part.startswith("#")
        ]
        return next(self.targets(ref, [{"$ref": reference} for reference in stated]), None)

    def ancestors(self, ref: ContractRef) -> list[ContractRef]:
        """The parent of a contract, its parent and so on; in a ring, up to where it closes."""
        line: list[ContractRef] = []
        parent = self.parent(ref)
        while parent is not None and parent not in line:
            line.append(parent)
            parent = self.parent(parent)
        return line

    def inherited(self, ref: ContractRef) -> dict[str, Any]:
        """The properties that a contract has from its ancestors."""
        found: dict[str, Any] = {}
        for ancestor in self.ancestors(ref):
            found |= self.document(ancestor).get("properties", {})
        return found

    def _path(self, ref: ContractRef) -> Path:
        return self.root / ref.name / f"{ref.version}.json"
