"""The shipped example data, read as plain files."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PATHFINDER = EXAMPLES / "pathfinder"
FAULTS = EXAMPLES / "faulty" / "instructive_faults.jsonl"
RELEASES = tuple(sorted(path.stem for path in PATHFINDER.glob("pathfinder_*.json")))


def json_lines(path: Path) -> list[Any]:
    """Every line of a JSON Lines file."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


@cache
def release(name: str) -> dict[str, Any]:
    """A dataset release by its name; not to be changed."""
    found: dict[str, Any] = json.loads((PATHFINDER / f"{name}.json").read_bytes())
    return found


@cache
def documents() -> dict[str, dict[str, Any]]:
    """The passages of the knowledge base by document_id; not to be changed."""
    return {each["document_id"]: each for each in json_lines(PATHFINDER / "documents.jsonl")}


@cache
def mixed_items() -> tuple[dict[str, Any], ...]:
    """The items of the mixed file; not to be changed."""
    return tuple(json_lines(PATHFINDER / "mixed_items.jsonl"))
