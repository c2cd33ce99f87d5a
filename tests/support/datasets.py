"""Small dataset releases, whole and valid, for tests to change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def item(item_id: str, **fields: Any) -> dict[str, Any]:
    """A valid rag item; `fields` are added to its input."""
    return {
        "item_id": item_id,
        "input": {
            "messages": [{"role": "user", "content": f"When was {item_id} built?"}],
            "context": ["c"],
            **fields,
        },
        "expected_output": {"response": "1879", "citations": []},
    }


def metadata(version: str = "1.0", **fields: Any) -> dict[str, Any]:
    """The metadata of the release `pathfinder_rag_retrieval` in a version."""
    return {
        "product_id": "pathfinder",
        "scope": "retrieval",
        "version": version,
        "input_schema_type": "rag",
        "input_schema_version": "1.0",
        **fields,
    }


def dataset(version: str = "1.0", *items: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """A dataset with two items, or with the items given."""
    return {"metadata": metadata(version, **fields), "items": list(items or (item("a"), item("b")))}


def write(folder: Path, document: Mapping[str, Any], name: str | None = None) -> Path:
    """The dataset as a file under its release name, or under the name given."""
    version = document["metadata"].get("version")
    file = folder / f"{name or f'pathfinder_rag_retrieval_v{version}'}.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def write_lines(file: Path, items: list[Any]) -> Path:
    """The items as JSON Lines."""
    file.write_text("".join(json.dumps(each) + "\n" for each in items), encoding="utf-8")
    return file
