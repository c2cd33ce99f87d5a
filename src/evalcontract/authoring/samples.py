"""Documents that keep a contract: the least there can be, and one with every property."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urljoin

from evalcontract.catalog import Catalogue, ContractRef, Schema, read_json
from evalcontract.errors import SchemaError, UnknownContract, UnknownVersion
from evalcontract.evolution.comparing import samples
from evalcontract.values import MAX_DEPTH

_LARGEST = 2**53 - 1


def vectors_folder(catalogue: Catalogue, ref: ContractRef) -> Path:
    """Where the vectors of a contract lie."""
    return Path(str(catalogue.layer_of(ref.name).root)) / "conformance" / ref.name / ref.version


class Samples:
    """Documents of the contracts of a catalogue: their vectors where there are any, else made up."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def document(self, ref: ContractRef, *, full: bool, depth: int = 0) -> Any:
        """A document of a contract. Raises SchemaError for a contract whose documents never end."""
        if depth > MAX_DEPTH // 2:
            raise SchemaError(f"a document of {ref} never ends", hint="let a property on the way be optional")
        vector = vectors_folder(self._catalogue, ref) / "valid" / ("full.json" if full else "minimal.json")
        if vector.is_file():
            return read_json(vector)
        made: dict[str, Any] = {}
        for part in (*reversed(self._catalogue.ancestors(ref)), ref):
            schema = self._catalogue.document(part)
            above = vectors_folder(self._catalogue, part) / "valid" / vector.name
            if part != ref and above.is_file():
                made |= read_json(above)
                continue
            required = schema.get("required", [])
            for name, declared in schema.get("properties", {}).items():
                if full or name in required:
                    made[name] = self.value(part, declared, name, full=full, depth=depth + 1)
        return made

    def value(self, ref: ContractRef, declared: Any, name: str, *, full: bool = False, depth: int = 0) -> Any:
        """A value that a part of a contract's schema takes, as far as it is of the authoring profile."""
        if not isinstance(declared, dict):
            return f"some {_words(name)}"
        if isinstance(declared.get("$ref"), str):
            return self._referred(ref, declared["$ref"], name, full, depth)
        if isinstance(declared.get("anyOf"), list) and declared["anyOf"]:
            return self.value(ref, declared["anyOf"][0], name, full=full, depth=depth)
        if "const" in declared:
            return declared["const"]
        if declared.get("enum"):
            return declared["enum"][0]
        kind = declared.get("type")
        kind = kind[0] if isinstance(kind, list) and kind else kind
        if kind == "array":
            count = max(1, declared.get("minItems", 0))
            return [
                self.value(ref, declared.get("items", {}), name, full=full, depth=depth) for _ in range(count)
            ]
        if kind == "object":
            inner = declared.get("additionalProperties")
            return (
                {"key": self.value(ref, inner, name, full=full, depth=depth)}
                if isinstance(inner, dict)
                else {}
            )
        return _scalar(kind, declared, name)

    def _referred(self, ref: ContractRef, written: str, name: str, full: bool, depth: int) -> Any:
        if written.startswith("#"):
            node: Any = self._catalogue.document(ref)
            for step in written.split("/")[1:]:
                node = node.get(step, {}) if isinstance(node, dict) else {}
            if depth > MAX_DEPTH // 2:
                raise SchemaError(f"{ref}: {written} never ends")
            return self.value(ref, node, name, full=full, depth=depth + 1)
        try:
            target = self._catalogue.ref_of(urljoin(self._catalogue.uri(ref), written))
        except (UnknownContract, UnknownVersion) as error:
            raise SchemaError(f"{ref} refers to {written}: {error.message}", hint=error.hint) from error
        return self.document(target, full=full, depth=depth + 1)


def _scalar(kind: object, declared: Schema, name: str) -> Any:
    low, high = declared.get("minimum"), declared.get("maximum")
    if kind == "integer":
        return max(low if low is not None else min(1, high if high is not None else 1), -_LARGEST)
    if kind == "number":
        if low is not None and high is not None:
            return (low + high) / 2
        return low if low is not None else high if high is not None else 0.5
    if kind == "boolean":
        return True
    return _text(declared, name)


def _text(declared: Schema, name: str) -> str:
    least, most = declared.get("minLength", 0), declared.get("maxLength")
    if "pattern" in declared:
        found = [
            text
            for text in samples(declared["pattern"], Random(0), 20)
            if len(text) >= least and (most is None or len(text) <= most)
        ]
        return max(found, key=lambda text: (text.isalnum(), -len(text)), default="")
    text = f"some {_words(name)}"
    text += "." * max(0, int(least) - len(text))
    return text if most is None else text[: int(most)]


def _words(name: str) -> str:
    return name.replace("_", " ")


def as_text(document: Any) -> bytes:
    """A document as a file of it is written."""
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
