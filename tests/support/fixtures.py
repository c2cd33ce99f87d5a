"""Fixtures as files: KIND/CASE.json beside CASE.expected.json or CASE.error.json."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Fixtures:
    """The cases under a folder: `good` ones have an expected result, `bad` ones an expected error."""

    all: list[Path]
    good: list[Path]
    bad: list[Path]


def fixtures_in(folder: Path) -> Fixtures:
    """Every case under a folder."""
    found = sorted(path for path in folder.glob("*/*.json") if path.name.count(".") == 1)
    good = [path for path in found if path.with_suffix(".expected.json").exists()]
    return Fixtures(found, good, [path for path in found if path.with_suffix(".error.json").exists()])


def name_of(path: Path) -> str:
    """The name of a case in a test report."""
    return f"{path.parent.name}-{path.stem}"


def load(path: Path) -> Any:
    """The JSON value in a file."""
    return json.loads(path.read_bytes())
