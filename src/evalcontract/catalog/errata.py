"""What is known to be wrong with released versions: it is said whenever data is checked against them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evalcontract.catalog import Catalogue, ContractRef


def errata_of(catalogue: Catalogue, labels: Iterable[str]) -> list[str]:
    """One sentence for each erratum of the contracts, or of those of the schema types, that `labels` name.

    A label is `rag_input@1.0` or `rag@1.0`; one that names neither says nothing.
    """
    refs = dict.fromkeys(ref for label in labels for ref in _refs(catalogue, label))
    return [f"{ref} has an erratum: {each}" for ref in refs for each in catalogue.entry(ref).errata]


def _refs(catalogue: Catalogue, label: str) -> Iterator[ContractRef]:
    name, _, version = label.partition("@")
    types = catalogue.schema_types().get(name, {})
    if version in types:
        yield from (types[version].input, types[version].expected_output)
    elif name in catalogue.names() and version in catalogue.versions(name):
        yield ContractRef(name, version)
