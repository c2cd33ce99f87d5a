"""The official JSON Schema Test Suite: the required part for draft 2020-12, read as plain files."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

SUITE = Path(__file__).resolve().parents[1] / "data" / "json_schema_test_suite"
FILES = tuple(sorted(path.stem for path in (SUITE / "tests" / "draft2020-12").glob("*.json")))


def groups_of(name: str) -> list[dict[str, Any]]:
    """The groups of one file: a schema, and documents with the verdict on each of them."""
    found: list[dict[str, Any]] = json.loads((SUITE / "tests" / "draft2020-12" / f"{name}.json").read_bytes())
    return found


@cache
def remotes() -> dict[str, Any]:
    """The documents that the schemas refer to, by URI."""
    folder = SUITE / "remotes"
    return {
        f"http://localhost:1234/{path.relative_to(folder).as_posix()}": json.loads(path.read_bytes())
        for path in folder.rglob("*.json")
    }
