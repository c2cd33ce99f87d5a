"""Where the schemas lie: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from evalcontract.errors import CatalogError


def _data_root() -> Traversable:
    packaged = files("evalcontract") / "_data"
    if packaged.is_dir():
        return packaged
    checkout = Path(__file__).resolve().parents[3]
    if (checkout / "schemas" / "catalog.json").is_file():
        return checkout
    raise CatalogError("this installation has no schemas", hint="install evalcontract again")


def schemas_root() -> Traversable:
    """The folder of hand-written schemas, with catalog.json."""
    return _data_root() / "schemas"


def generated_root() -> Traversable:
    """The folder of generated bundles and flat files."""
    return _data_root() / "generated"
