"""Files of a folder of contracts that are schemas, whether or not its catalogue names them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources.abc import Traversable

from evalcontract.catalog import read_json
from evalcontract.errors import CatalogError

OWN_FILES = ("authoring.json", "catalog.json", "migration.json")
OWN_FOLDERS = ("conformance", "node_modules")
"""What lies beside the contracts and is none."""
MAX_FOLDERS = 8
VERSIONED = re.compile(r"[0-9]+\.[0-9]+\.(json|ya?ml)", re.IGNORECASE)
SUFFIXES = (".json", ".yaml", ".yml")


def schema_files(root: Traversable) -> Iterator[str]:
    """Every file that is a schema by its name, or beside or right below catalog.json by what it says."""
    for steps, file in _json_files(root):
        readable = file.name.endswith(".json")
        if VERSIONED.fullmatch(file.name) or (len(steps) < 2 and readable and _is_schema(file)):
            yield "/".join((*steps, file.name))


def _json_files(
    folder: Traversable, inside: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda found: found.name):
        if entry.is_dir():
            ours = entry.name not in OWN_FOLDERS and not entry.name.startswith(".")
            if ours and len(inside) < MAX_FOLDERS and not (entry / "catalog.json").is_file():
                yield from _json_files(entry, (*inside, entry.name))
        elif entry.name.lower().endswith(SUFFIXES) and (inside or entry.name not in OWN_FILES):
            yield inside, entry


def _is_schema(file: Traversable) -> bool:
    try:
        found = read_json(file)
    except CatalogError:
        return False
    said = found.get("$schema") if isinstance(found, dict) else None
    return isinstance(said, str) and "json-schema.org" in said
