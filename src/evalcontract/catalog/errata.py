"""What is known to be wrong with released versions: it is said whenever data is checked against them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from evalcontract.catalog.names import ContractRef
from evalcontract.errors import ContractError

if TYPE_CHECKING:
    from evalcontract.catalog.catalogue import Catalogue
    from evalcontract.catalog.layer import Schema

_SAID: ContextVar[dict[str, None] | None] = ContextVar("what is to be said", default=None)


@contextmanager
def errata_noted() -> Iterator[Mapping[str, None]]:
    """Collect a sentence for each erratum, and each withdrawal, of a contract that judges data meanwhile."""
    said: dict[str, None] = {}
    token = _SAID.set(said)
    try:
        yield said
    finally:
        _SAID.reset(token)


def note_judge(catalogue: Catalogue, schema: Schema, own: Iterable[Schema] = ()) -> None:
    """Note that data is judged by a schema, which may be a contract or refer to some; so may its `own` documents."""
    if _SAID.get() is None or not _has_errata(catalogue):
        return
    for document in (schema, *own):
        uri = str(document.get("$id", ""))
        _note(catalogue, _named_by(catalogue, [uri, *_referred(uri, document)]))


def note_judges(catalogue: Catalogue, labels: Iterable[str]) -> None:
    """Note the same by labels: `rag_input@1.0` or `rag@1.0`, a contract or a schema type; others say nothing."""
    if _SAID.get() is not None and _has_errata(catalogue):
        _note(catalogue, (ref for label in labels for ref in _refs(catalogue, label)))


def _has_errata(catalogue: Catalogue) -> bool:
    return any(entry.errata or entry.status == "withdrawn" for entry in catalogue.entries())


def _note(catalogue: Catalogue, found: Iterable[ContractRef]) -> None:
    said = _SAID.get()
    refs = dict.fromkeys(found)
    waiting = list(refs)
    while waiting:
        news = [ref for ref in _targets(catalogue, waiting.pop()) if ref not in refs]
        refs |= dict.fromkeys(news)
        waiting += news
    if said is not None:
        said |= dict.fromkeys(sentence for ref in refs for sentence in _sentences(catalogue, ref))


def _sentences(catalogue: Catalogue, ref: ContractRef) -> Iterator[str]:
    entry = catalogue.entry(ref)
    if entry.status == "withdrawn":
        instead = f"; use {entry.superseded_by}" if entry.superseded_by else ""
        yield f"{ref} was withdrawn{instead}"
    yield from (f"{ref} has an erratum: {erratum}" for erratum in entry.errata)


def _targets(catalogue: Catalogue, ref: ContractRef) -> Iterator[ContractRef]:
    return _named_by(catalogue, _referred(catalogue.uri(ref), catalogue.document(ref)))


def _referred(uri: str, document: Schema) -> Iterator[str]:
    """What a document refers to, as absolute URIs."""
    from urllib.parse import urljoin

    from evalcontract.catalog.keywords import references

    return (urljoin(uri, reference) for reference in references(document))


def _named_by(catalogue: Catalogue, addresses: Iterable[str]) -> Iterator[ContractRef]:
    for address in addresses:
        try:
            yield catalogue.ref_of(address)
        except ContractError:
            continue  # no contract: what it is, is told where it is used


def _refs(catalogue: Catalogue, label: str) -> Iterator[ContractRef]:
    name, _, version = label.partition("@")
    types = catalogue.schema_types().get(name, {})
    if version in types:
        yield from (types[version].input, types[version].expected_output)
    elif name in catalogue.names() and version in catalogue.versions(name):
        yield ContractRef(name, version)
