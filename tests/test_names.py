"""Names in the code: a class name means one thing, and what a loop holds is called after what it is."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

from tests.test_rooms import FILES, SOURCES, tree_of

TREES = {module: tree_of(path) for module, path in FILES.items()}


def bound(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every name that a module gives to a value or an argument."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno


def test_what_a_loop_holds_is_called_after_what_it_is() -> None:
    assert [
        f"{module}:{line}" for module, tree in TREES.items() for name, line in bound(tree) if name == "each"
    ] == []


def test_so_it_is_in_the_templates_of_pages() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.html")}
    assert texts
    assert [name for name, text in texts.items() if re.search(r"\{%-? *for[^%]*\beach\b", text)] == []


def test_no_class_name_means_two_things() -> None:
    homes = defaultdict(list)
    for module, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name.lstrip("_")].append(module)
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}
