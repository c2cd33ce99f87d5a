"""What is known to be wrong with released versions: it is said whenever data is checked against them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import urljoin

from evalcontract.catalog.catalogue import Catalogue
from evalcontract.catalog.keywords import references
from evalcontract.catalog.names import ContractRef
from evalcontract.errors import ContractError


def errata_of(catalogue: Catalogue, labels: Iterable[str]) -> list[str]:
    """One sentence for each erratum and each withdrawal of what `labels` name, and of what that refers to.

    A label is `rag_input@1.0` or `rag@1.0`, a contract or a schema type; one that names neither says nothing.
    """
    if not any(entry.errata or entry.status == "withdrawn" for entry in catalogue.entries()):
        return []
    refs = dict.fromkeys(ref for label in labels for ref in _refs(catalogue, label))
    waiting = list(refs)
    while waiting:
        news = [ref for ref in _targets(catalogue, waiting.pop()) if ref not in refs]
        refs |= dict.fromkeys(news)
        waiting += news
    return [sentence for ref in refs for sentence in _sentences(catalogue, ref)]


def _sentences(catalogue: Catalogue, ref: ContractRef) -> Iterator[str]:
    entry = catalogue.entry(ref)
    if entry.status == "withdrawn":
        instead = f"; use {entry.superseded_by}" if entry.superseded_by else ""
        yield f"{ref} was withdrawn{instead}"
    yield from (f"{ref} has an erratum: {erratum}" for erratum in entry.errata)


def _targets(catalogue: Catalogue, ref: ContractRef) -> Iterator[ContractRef]:
    for reference in references(catalogue.document(ref)):
        try:
            yield catalogue.ref_of(urljoin(catalogue.uri(ref), reference))
        except ContractError:
            continue  # what it refers to is told where it is used


def _refs(catalogue: Catalogue, label: str) -> Iterator[ContractRef]:
    name, _, version = label.partition("@")
    types = catalogue.schema_types().get(name, {})
    if version in types:
        yield from (types[version].input, types[version].expected_output)
    elif name in catalogue.names() and version in catalogue.versions(name):
        yield ContractRef(name, version)
