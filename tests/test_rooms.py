"""The order of the rooms: imports go downward, through the faces of rooms, and never in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.projects import PROJECT

SOURCES = PROJECT / "src" / "evalcontract"
LAYERS = (
    ("cli", "pytest_plugin"),
    ("reports",),
    ("codegen", "exchange", "spark"),
    ("authoring", "importing", "release"),
    ("datasets", "predictions", "scoring"),
    ("checking", "evolution", "models", "rag", "responses"),
    ("metrics", "settings"),
    ("validation",),
    ("catalog", "files", "reading", "texts", "workers"),
    ("values",),
    ("errors",),
)
LEVEL = {room: -level for level, rooms in enumerate(LAYERS) for room in rooms}
MOST_ROOMS = 27
NO_ROOMS = {"__init__", "__main__", "_version", "lazy"}
"""What a package needs: its own face, its version, and how faces are made."""


class Import(NamedTuple):
    """`from module import name`, or `import module` with no name."""

    module: str
    name: str
    line: int

    @property
    def room(self) -> str:
        return self.module.split(".")[1] if "." in self.module else self.name


def room_of(path: Path) -> str:
    return path.relative_to(SOURCES).parts[0].removesuffix(".py")


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(SOURCES.parent).with_suffix("").parts).removesuffix(".__init__")


FILES = {module_of(path): path for path in sorted(SOURCES.rglob("*.py"))}
MODULES = [path for path in FILES.values() if room_of(path) not in NO_ROOMS]
PACKAGES = {module for module, path in FILES.items() if path.name == "__init__.py"}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """What a file imports of the package when it runs, now or later; not what type checkers alone see."""
    return tuple(_imports(tree_of(path)))


def _imports(tree: ast.Module) -> Iterator[Import]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            waiting.extend(node.orelse)
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "evalcontract":
            yield from (Import(str(node.module), alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.Import):
            found = (alias.name for alias in node.names if alias.name.startswith("evalcontract."))
            yield from (Import(name, "", node.lineno) for name in found)
        waiting.extend(ast.iter_child_nodes(node))


def across(path: Path) -> list[Import]:
    """The imports of a file from rooms other than its own."""
    return [found for found in imports(path) if found.room not in {room_of(path), *NO_ROOMS}]


def test_every_room_has_its_layer() -> None:
    assert {room_of(path) for path in MODULES} == set(LEVEL)


def test_the_house_stays_small() -> None:
    assert len(LEVEL) <= MOST_ROOMS


def test_a_room_imports_only_from_below() -> None:
    for path in MODULES:
        own = LEVEL[room_of(path)]
        assert [found for found in across(path) if LEVEL.get(found.room, 1) >= own] == [], path


def test_what_is_imported_from_another_room_is_exported_by_its_face() -> None:
    for path in MODULES:
        for found in across(path):
            where = f"{path}:{found.line}"
            one_file = found.module.count(".") == 1
            assert found.module in PACKAGES or one_file, f"{where}: {found.module} lies behind a face"
            hidden = f"{found.module}.{found.name}" in FILES and not _exports(found.module, found.name)
            assert not hidden, f"{where}: {found.name} is a module of {found.module}, not what it exports"


def test_nothing_private_is_imported_from_another_room() -> None:
    for path in MODULES:
        parts = [
            (found.line, part) for found in across(path) for part in (*found.module.split("."), found.name)
        ]
        assert [(line, part) for line, part in parts if part.startswith("_")] == [], path


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = {module: set(_files(path, module)) for module, path in FILES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def _files(path: Path, module: str) -> Iterator[str]:
    for found in imports(path):
        inside = f"{found.module}.{found.name}"
        target = inside if inside in FILES else found.module
        if target != module:
            yield target


def _exports(module: str, name: str) -> bool:
    """Whether a face gives a name of its own to what would else be the module of that name."""
    tree = tree_of(FILES[module])
    given = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    named = {alias.asname or alias.name for node in given for alias in node.names}
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return name in named | defined or f"{module}.{name}" in PACKAGES
