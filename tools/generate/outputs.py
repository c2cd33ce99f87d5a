"""The one list of what is generated: path from the project root -> bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from evalcontract.catalog import Catalogue, Schema, bundle, flat
from tools.generate.docs import CONTRACTS_PAGE, contracts_page
from tools.generate.hooks import HOOKS_FILE, hooks_file
from tools.generate.python_package import python_package
from tools.generate.sections import filled_documents

Outputs = dict[str, bytes]


def all_outputs(root: Path) -> Outputs:
    """Everything that is derived from `root`/schemas. Raises ContractError when it can't be derived."""
    catalogue = Catalogue(root / "schemas")
    texts = {
        **dict(_schema_files(catalogue)),
        **python_package(catalogue, root),
        HOOKS_FILE: hooks_file(),
        CONTRACTS_PAGE: contracts_page(catalogue),
        **filled_documents(catalogue, root),
    }
    return {path: texts[path].encode() for path in sorted(texts)}


def _schema_files(catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    kinds: dict[str, Callable[..., Schema]] = {"bundles": bundle, "flat": flat}
    for folder, make in kinds.items():
        for entry in catalogue.entries():
            name, version = entry.ref.name, entry.ref.version
            text = _json(make(catalogue, entry.ref))
            yield f"generated/{folder}/{name}-{version}.schema.json", text
            if folder == "bundles" and entry.status == "released" and version == catalogue.newest(name):
                yield f"generated/{folder}/{name}.schema.json", text


def _json(schema: Schema) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
