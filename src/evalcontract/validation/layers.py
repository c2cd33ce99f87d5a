"""Contracts of layers other than the built-in one are looked at before they judge."""

from __future__ import annotations

from functools import lru_cache

from evalcontract.catalog import Catalogue, registry_of, schemas_root
from evalcontract.validation.engine.expansion import check_expansion
from evalcontract.validation.engine.reference import check_references, check_schema


@lru_cache(maxsize=64)
def check_layers(catalogue: Catalogue) -> None:
    """Raise SchemaError or CatalogError for a contract of an own layer that can't judge: the file and the way out.

    It must be JSON Schema of the dialect 2020-12, extend nothing in a ring, and refer to what there is.
    """
    built_in = str(schemas_root())
    registry = registry_of(catalogue)
    for entry in catalogue.entries():
        if str(catalogue.layer_of(entry.ref.name).root) == built_in:
            continue
        document, label = catalogue.document(entry.ref), str(catalogue.path(entry.ref))
        check_schema(document, label)
        catalogue.ancestors(entry.ref)
        check_references(document, registry, label)
        check_expansion(document, registry, label)
