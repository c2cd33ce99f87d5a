"""Contracts of layers other than the built-in one are looked at before they judge."""

from __future__ import annotations

from functools import lru_cache

from evalcontract.catalog import Catalogue, ContractRef, registry_of, schemas_root
from evalcontract.validation.engine.expansion import check_expansion
from evalcontract.validation.engine.reference import check_references, check_schema


@lru_cache(maxsize=64)
def check_layers(catalogue: Catalogue) -> None:
    """What check_contract does, for every contract of the own layers."""
    built_in = str(schemas_root())
    for entry in catalogue.entries():
        if str(catalogue.layer_of(entry.ref.name).root) != built_in:
            check_contract(catalogue, entry.ref)


def check_contract(catalogue: Catalogue, ref: ContractRef) -> None:
    """Raise SchemaError or CatalogError for a contract that can't judge: the file and the way out.

    It must be JSON Schema of the dialect 2020-12, extend nothing in a ring, and refer to what there is.
    """
    document, label, registry = catalogue.document(ref), str(catalogue.path(ref)), registry_of(catalogue)
    check_schema(document, label)
    catalogue.ancestors(ref)
    check_references(document, registry, label)
    check_expansion(document, registry, label)
