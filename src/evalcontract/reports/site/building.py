"""Every file of the site of a catalogue, from the same templates as the reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from evalcontract.authoring import LOOSE, lint_layers
from evalcontract.catalog import Catalogue, ContractRef, Entry, SchemaType
from evalcontract.codegen import Snippet, all_bundles, checker_script, flat_file, model_of, snippets
from evalcontract.errors import ContractError, UnfitSchemas
from evalcontract.reports.pages.page import page
from evalcontract.reports.site import names
from evalcontract.reports.site.cases import cases, example
from evalcontract.reports.site.properties import rows
from evalcontract.reports.site.relations import all_types, expected_metrics, parts, uses
from evalcontract.reports.site.versions import Changes, changes_between, version_pairs

if TYPE_CHECKING:
    from evalcontract.codegen.model import Model

Files = Mapping[str, bytes]
_LINKS = {
    "contract_page": names.contract_page,
    "cases_page": names.cases_page,
    "changes_page": names.changes_page,
    "type_page": names.type_page,
    "schema_file": names.schema_file,
}

_DOWNLOADS = (("self-contained schema", names.BUNDLES), ("the same without inheritance", names.FLAT))


def site_files(catalogue: Catalogue) -> Files:
    """The pages and downloads of a catalogue, every layer of it, by path inside the folder of the site.

    The same from run to run. Where contracts break the authoring profile, so that no code can be made of them, the
    pages have none, and there is no check in the browser. Raises UnfitSchemas for schemas that break another rule of
    `lint`, CatalogError for a damaged catalogue.
    """
    broken = [finding for finding in lint_layers(catalogue, LOOSE) if not finding.advice]
    if broken:
        raise UnfitSchemas(
            "no site is made of these schemas",
            details=tuple(map(str, broken)),
            hint="evalcontract schema lint --profile loose says the way out of each",
        )
    return dict(_Site(catalogue).files())


@dataclass(frozen=True)
class _Site:
    catalogue: Catalogue

    @cached_property
    def model(self) -> Model | None:
        """What code is made of; None where that can't be."""
        try:
            return None if next(lint_layers(self.catalogue), None) else model_of(self.catalogue)
        except ContractError:
            return None

    @cached_property
    def downloads(self) -> dict[str, bytes]:
        """Self-contained schemas by path; without the flat ones that can't be made."""
        found = {f"{names.BUNDLES}/{name}": text for name, text in all_bundles(self.catalogue).items()}
        for entry in self.catalogue.entries():
            with suppress(ContractError):
                path = f"{names.FLAT}/{names.schema_file(entry.ref)}"
                found[path] = flat_file(self.catalogue, entry.ref)
        return found

    @property
    def frame(self) -> dict[str, Any]:
        """What every page is given."""
        return {
            "host": urlsplit(self.catalogue.base_uri).hostname or self.catalogue.base_uri,
            "checkable": self.model is not None,
            "names": _LINKS,
        }

    def files(self) -> Iterator[tuple[str, bytes]]:
        changes = self._changes()
        code = snippets(self.model) if self.model else {}
        used = uses(self.catalogue)
        yield names.INDEX, self._page("index", **self._index())
        for type_ in all_types(self.catalogue):
            yield names.type_page(type_), self._page("type", **self._type(type_))
        for entry in self.catalogue.entries():
            ref = entry.ref
            found = cases(self.catalogue, ref)
            given = self._contract(entry, code.get(ref, ()), changes)
            yield (
                names.contract_page(ref),
                self._page("contract", **given, used=used[ref], cases=found, ref=ref, entry=entry),
            )
            if found:
                yield names.cases_page(ref), self._page("cases", ref=ref, cases=found)
        for step in changes:
            yield names.changes_page(step.old, step.new), self._page("changes", changes=step)
        if self.model is not None:
            yield names.CHECK, self._check(self.model)
        yield from self.downloads.items()

    def _page(self, template: str, **values: Any) -> bytes:
        return page(f"site_{template}", script="search.js", **self.frame, **values).encode()

    def _check(self, model: Model) -> bytes:
        return page(
            "site_check",
            script="check.js",
            workers=True,
            **self.frame,
            worker=checker_script(model),
            contracts=[str(entry.ref) for entry in self.catalogue.entries()],
        ).encode()

    def _changes(self) -> list[Changes]:
        pairs = (pair for name in self.catalogue.names() for pair in version_pairs(self.catalogue, name))
        return [changes_between(self.catalogue, old, new) for old, new in pairs]

    def _index(self) -> dict[str, Any]:
        return {
            "layers": [layer.base_uri for layer in self.catalogue.layers],
            "types": all_types(self.catalogue),
            "contracts": [self._listed(name) for name in self.catalogue.names()],
        }

    def _listed(self, name: str) -> dict[str, Any]:
        entries = [
            self.catalogue.entry(ContractRef(name, version)) for version in self.catalogue.versions(name)
        ]
        newest = _newest(self.catalogue, name)
        document = self.catalogue.document(newest)
        return {
            "ref": newest,
            "entries": entries,
            "title": document.get("title", ""),
            "description": document.get("description", ""),
            "words": " ".join(row.name for row in rows(self.catalogue, newest)),
        }

    def _type(self, type_: SchemaType) -> dict[str, Any]:
        catalogue = self.catalogue
        stem = f"{names.BUNDLES}/{type_.name}"
        wanted = (f"{stem}_{what}-{type_.version}.schema.json" for what in ("item", "dataset"))
        return {
            "type": type_,
            "versions": catalogue.schema_types()[type_.name].values(),
            "base": catalogue.base_type(type_),
            "metrics": expected_metrics(catalogue, type_),
            "halves": [
                (what, ref, rows(catalogue, ref))
                for what, ref in (("input", type_.input), ("expected_output", type_.expected_output))
            ],
            "downloads": [path for path in wanted if path in self.downloads],
        }

    def _contract(self, entry: Entry, code: tuple[Snippet, ...], changes: list[Changes]) -> dict[str, Any]:
        ref, catalogue = entry.ref, self.catalogue
        document = catalogue.document(ref)
        given = partial(example, catalogue, ref)
        return {
            "uri": catalogue.uri(ref),
            "downloads": [
                (words, path)
                for words, folder in _DOWNLOADS
                if (path := f"{folder}/{names.schema_file(ref)}") in self.downloads
            ],
            "title": document.get("title", ""),
            "description": document.get("description", ""),
            "parent": next(iter(catalogue.ancestors(ref)), None),
            "rows": rows(catalogue, ref),
            "parts_of": parts(catalogue, ref),
            "others": [
                catalogue.entry(ContractRef(ref.name, version)) for version in catalogue.versions(ref.name)
            ],
            "steps": [step for step in changes if ref in (step.old, step.new)],
            "examples": [(what, text) for what in ("full", "minimal") if (text := given(what)) is not None],
            "code": code,
        }


def _newest(catalogue: Catalogue, name: str) -> ContractRef:
    """The version that is used when none is asked for; of a contract that was withdrawn the last one."""
    try:
        return catalogue.resolve(name)
    except ContractError:
        return ContractRef(name, catalogue.versions(name)[-1])
