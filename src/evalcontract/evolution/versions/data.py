"""Documents of a contract out of dataset files: the items themselves, or the parts of them that the contract is of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from evalcontract.catalog import Catalogue
from evalcontract.errors import UnreadableInput
from evalcontract.evolution.versions.breaking import Datum
from evalcontract.reading import Document, Fault, find_inputs, read


def documents_of(catalogue: Catalogue, name: str, files: Iterable[str]) -> Iterator[Datum]:
    """Every document of contract `name` in the files: inputs and expected outputs of items whose schema type uses it.

    For any other contract the files are taken to hold documents of it. Raises UnreadableInput, at once when a file is
    not there, on the way when it can't be read.
    """
    return _documents(find_inputs(list(files)), _parts(catalogue, name))


def _documents(files: Iterable[Path], parts: frozenset[str]) -> Iterator[Datum]:
    for file in files:
        for event in read(file, items=True):
            if isinstance(event, Fault):
                raise UnreadableInput(f"{event.place}: {event.message}", hint=event.hint)
            if isinstance(event, Document):
                yield from _within(event, file, parts)


def _within(document: Document, file: Path | str, parts: frozenset[str]) -> Iterator[Datum]:
    item = document.value
    item_id = item.get("item_id") if isinstance(item, dict) else None
    label = (
        f"{file}: item {item_id!r:.80}"
        if isinstance(item_id, str)
        else f"{file}: document {document.index + 1}"
    )
    if not parts or not isinstance(item, dict):
        yield Datum(label, item)
    for part in sorted(parts):
        if isinstance(item, dict) and item.get(part) is not None:
            yield Datum(f"{label}, {part}", item[part])


def _parts(catalogue: Catalogue, name: str) -> frozenset[str]:
    types = [type_ for versions in catalogue.schema_types().values() for type_ in versions.values()]
    inputs = {"input" for type_ in types if type_.input.name == name}
    return frozenset(inputs | {"expected_output" for type_ in types if type_.expected_output.name == name})
