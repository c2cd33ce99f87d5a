"""Every contract in every version as a self-contained JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterable

from evalcontract.catalog import (
    Catalogue,
    ContractRef,
    Entry,
    Schema,
    bundle,
    dataset_schema,
    flat,
    item_schema,
    typed_dataset,
    typed_item,
)


def bundles(catalogue: Catalogue) -> dict[str, bytes]:
    """Bundles of the top layer by file name; the newest released version also stands under the name alone."""
    return _bundles(catalogue, catalogue.own_entries())


def all_bundles(catalogue: Catalogue) -> dict[str, bytes]:
    """Those of every layer, for a package that stands alone."""
    return _bundles(catalogue, catalogue.entries())


def _bundles(catalogue: Catalogue, entries: Iterable[Entry]) -> dict[str, bytes]:
    files = {}
    for entry in entries:
        name, version = entry.ref.name, entry.ref.version
        content = as_json(bundle(catalogue, entry.ref))
        files[f"{name}-{version}.schema.json"] = content
        if entry.status == "released" and version == catalogue.newest(name):
            files[f"{name}.schema.json"] = content
    return files | typed_bundles(catalogue)


def typed_bundles(catalogue: Catalogue) -> dict[str, bytes]:
    """Whole items and datasets by file name: of each schema type of the top layer, and by declared type."""
    own = catalogue.own_types()
    if not own or not {"evaluation_item", "dataset"} <= set(catalogue.names()):
        return {}
    made = {"typed_item": typed_item(catalogue), "typed_dataset": typed_dataset(catalogue)}
    for versions in own.values():
        for type_ in versions.values():
            made[f"{type_.name}_item-{type_.version}"] = item_schema(catalogue, type_)
            made[f"{type_.name}_dataset-{type_.version}"] = dataset_schema(catalogue, type_)
    return {f"{name}.schema.json": as_json(schema) for name, schema in made.items()}


def flat_files(catalogue: Catalogue) -> dict[str, bytes]:
    """The same without inheritance, by file name, for code generators of other projects."""
    return {
        f"{entry.ref.name}-{entry.ref.version}.schema.json": flat_file(catalogue, entry.ref)
        for entry in catalogue.own_entries()
    }


def flat_file(catalogue: Catalogue, ref: ContractRef) -> bytes:
    """One of them. Raises SchemaError when a contract declares a property again that its parent has."""
    return as_json(flat(catalogue, ref))


def as_json(document: Schema) -> bytes:
    """A document as it is committed: indented, one final newline."""
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
