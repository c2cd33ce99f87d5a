"""Names, versions, status and documents of the contracts, and the registry that resolves them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from evalcontract.catalog.bundle import bundle, flat, property_names
from evalcontract.catalog.catalogue import Catalogue, Entry, Schema, SchemaType
from evalcontract.catalog.data import generated_root, schemas_root
from evalcontract.catalog.names import ContractRef, SchemaVersion
from evalcontract.lazy import lazily

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from referencing import Registry

    from evalcontract.catalog.bundle import class_names, definitions, numbered, parent_of
    from evalcontract.catalog.errata import errata_noted, note_judge, note_judges
    from evalcontract.catalog.files import file_digest, read_json, read_object
    from evalcontract.catalog.keywords import (
        DATA_KEYWORDS,
        DIALECT,
        DIALECTS,
        SCHEMAS_BY_NAME,
        keywords_in,
        references,
        rewritten,
    )
    from evalcontract.catalog.names import split_spec
    from evalcontract.catalog.packing import PackedCatalogue, packed
    from evalcontract.catalog.registry import registry_of
    from evalcontract.catalog.typed import (
        dataset_schema,
        item_schema,
        typed_dataset,
        typed_item,
        whole_names,
        whole_schema,
    )

__all__ = [
    "DATA_KEYWORDS",
    "DIALECT",
    "DIALECTS",
    "SCHEMAS_BY_NAME",
    "Catalogue",
    "ContractRef",
    "Entry",
    "PackedCatalogue",
    "Schema",
    "SchemaType",
    "SchemaVersion",
    "bundle",
    "class_names",
    "dataset_schema",
    "default_catalogue",
    "default_registry",
    "definitions",
    "errata_noted",
    "file_digest",
    "flat",
    "generated_root",
    "item_schema",
    "keywords_in",
    "load_schema",
    "note_judge",
    "note_judges",
    "numbered",
    "packed",
    "parent_of",
    "property_names",
    "read_json",
    "read_object",
    "references",
    "registry_of",
    "rewritten",
    "schema_path",
    "schemas_root",
    "split_spec",
    "typed_dataset",
    "typed_item",
    "versions",
    "whole_names",
    "whole_schema",
]

__getattr__ = lazily(
    __name__,
    {
        "bundle": "class_names definitions numbered parent_of",
        "errata": "errata_noted note_judge note_judges",
        "files": "file_digest read_json read_object",
        "keywords": "DATA_KEYWORDS DIALECT DIALECTS SCHEMAS_BY_NAME keywords_in references rewritten",
        "names": "split_spec",
        "packing": "PackedCatalogue packed",
        "registry": "registry_of",
        "typed": "dataset_schema item_schema typed_dataset typed_item whole_names whole_schema",
    },
)


@cache
def default_catalogue() -> Catalogue:
    """The catalogue that comes with this installation."""
    return Catalogue(schemas_root())


@cache
def default_registry() -> Registry[Any]:
    """A `referencing` registry of every document of the default catalogue."""
    from evalcontract.catalog.registry import registry_of

    return registry_of(default_catalogue())


def versions(name: str, *, catalogue: Catalogue | None = None) -> tuple[str, ...]:
    """Every version of a contract, oldest first; UnknownContract when there is no such contract.

    `catalogue` has the contracts, by default those that are built in.
    """
    return (catalogue or default_catalogue()).versions(name)


def load_schema(name: str, version: str | None = None, *, catalogue: Catalogue | None = None) -> Schema:
    """The schema of a contract (`name` or `name@version`), the newest when no version is given.

    `catalogue` has the contracts, by default those that are built in. The document is a copy. Raises
    UnknownContract or UnknownVersion.
    """
    catalogue = catalogue or default_catalogue()
    return catalogue.document(catalogue.resolve(name, version))


def schema_path(name: str, version: str | None = None, *, catalogue: Catalogue | None = None) -> Traversable:
    """The schema file of a contract of `catalogue`, by default inside the installation."""
    catalogue = catalogue or default_catalogue()
    return catalogue.path(catalogue.resolve(name, version))
