"""Data flows one way: a room imports from the rooms below it and from none beside or above it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.projects import PROJECT

SOURCES = PROJECT / "src" / "evalcontract"
LAYERS = (
    ("cli",),
    ("reports",),
    ("codegen", "exchange"),
    ("authoring", "release"),
    ("datasets", "importing", "predictions", "scoring"),
    ("checking", "evolution", "models", "rag", "responses"),
    ("metrics", "settings"),
    ("validation",),
    ("_markers", "_text", "catalog", "files", "reading", "workers"),
    ("values",),
    ("_version", "errors"),
)
LEVEL = {room: -level for level, rooms in enumerate(LAYERS) for room in rooms}
OUTSIDE = {"__init__", "__main__"}


def room_of(path: Path) -> str:
    return path.relative_to(SOURCES).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "evalcontract":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("evalcontract."):
            yield str(node.module).split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (
                alias.name.split(".")[1] for alias in node.names if alias.name.startswith("evalcontract.")
            )


MODULES = [path for path in sorted(SOURCES.rglob("*.py")) if room_of(path) not in OUTSIDE]


def test_every_room_has_its_layer() -> None:
    assert {room_of(path) for path in MODULES} == set(LEVEL)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SOURCES).as_posix())
def test_a_room_imports_only_from_below(path: Path) -> None:
    own = room_of(path)
    upwards = {room for room in imported_rooms(path) if room != own and LEVEL.get(room, 1) >= LEVEL[own]}
    assert upwards == set()
