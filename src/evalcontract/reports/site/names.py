"""What the files of the site are called. All pages lie in one folder, so that links work from a disk too."""

from __future__ import annotations

from evalcontract.catalog import ContractRef, SchemaType

INDEX, CHECK = "index.html", "check.html"
BUNDLES, FLAT = "bundles", "flat"


def contract_page(ref: ContractRef) -> str:
    """The page of one version of a contract."""
    return f"{ref.name}-{ref.version}.html"


def cases_page(ref: ContractRef) -> str:
    """The page of its conformance cases."""
    return f"{ref.name}-{ref.version}-cases.html"


def changes_page(old: ContractRef, new: ContractRef) -> str:
    """The page that compares two versions of a contract."""
    return f"{new.name}-{old.version}-to-{new.version}.html"


def type_page(type_: SchemaType) -> str:
    """The page of one version of a schema type; no contract has a hyphen in its name."""
    return f"type-{type_.name}-{type_.version}.html"


def schema_file(ref: ContractRef) -> str:
    """The name of a self-contained schema, in either of the folders of downloads."""
    return f"{ref.name}-{ref.version}.schema.json"
