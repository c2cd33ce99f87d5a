"""Every contract in every version as a self-contained JSON Schema."""

from __future__ import annotations

import json

from evalcontract.catalog import Catalogue, Schema, bundle, flat


def bundles(catalogue: Catalogue) -> dict[str, bytes]:
    """Bundles by file name; the newest released version also stands under the name without a number."""
    files = {}
    for entry in catalogue.entries():
        name, version = entry.ref.name, entry.ref.version
        content = as_json(bundle(catalogue, entry.ref))
        files[f"{name}-{version}.schema.json"] = content
        if entry.status == "released" and version == catalogue.newest(name):
            files[f"{name}.schema.json"] = content
    return files


def flat_files(catalogue: Catalogue) -> dict[str, bytes]:
    """The same without inheritance, by file name, for code generators of other projects."""
    return {
        f"{entry.ref.name}-{entry.ref.version}.schema.json": as_json(flat(catalogue, entry.ref))
        for entry in catalogue.entries()
    }


def as_json(document: Schema) -> bytes:
    """A document as it is committed: indented, one final newline."""
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
