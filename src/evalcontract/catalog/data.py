"""Where the schemas lie: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from evalcontract.errors import CatalogError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def _data_root() -> Traversable:
    package = Path(__file__).resolve().parents[1]
    if (package / "_data").is_dir():
        return package / "_data"
    checkout = package.parents[1]
    if (checkout / "schemas" / "catalog.json").is_file():
        return checkout
    from importlib.resources import files  # late: it takes a while, and only archives need it

    archived = files("evalcontract") / "_data"
    if archived.is_dir():
        return archived
    raise CatalogError("this installation has no schemas", hint="install evalcontract again")


def schemas_root() -> Traversable:
    """The folder of hand-written schemas, with catalog.json."""
    return _data_root() / "schemas"


def generated_root() -> Traversable:
    """The folder of generated bundles and flat files."""
    return _data_root() / "generated"
