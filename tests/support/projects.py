"""This project, and small copies of it that a test may break."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
ARCHIVE = PROJECT / "tests" / "catalog" / "data" / "archive" / "schemas"
"""Schemas with released, superseded, withdrawn and draft versions."""


def copy_archive(target: Path) -> Path:
    """A project with the schemas of the archive, ready for the tools."""
    shutil.copytree(ARCHIVE, target / "schemas")
    shutil.copy(PROJECT / "schemas" / "authoring.json", target / "schemas")
    shutil.copy(PROJECT / "pyproject.toml", target)
    return target


def edit_json(path: Path, **changes: Any) -> None:
    """Set keys of the JSON object in a file; None removes the key."""
    document = json.loads(path.read_bytes()) | changes
    kept = {key: value for key, value in document.items() if value is not None}
    path.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
