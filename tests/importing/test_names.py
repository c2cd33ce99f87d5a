"""Every name that a text of ours asks for exists: no message can demand a typo."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import evalcontract
from evalcontract.catalog import ContractRef, default_catalogue
from evalcontract.cli.app import app
from evalcontract.importing import load_mapping, preset_names
from evalcontract.importing.mapping import mapping_schema
from evalcontract.validation import iter_violations
from evalcontract.validation.foreign import TELL_TALES

ROOM = Path(evalcontract.__file__).parent
SNAKE = re.compile(r"(?<![\w-])[a-z]+(?:_[a-z0-9]+)+(?![\w(])")
OPTION = re.compile(r"--[a-z][a-z-]+")
FOREIGN = {"trec_eval", "page_label", "raw_metadata", "inspect_ai"}


def names_in(schema: Any) -> set[str]:
    if isinstance(schema, dict):
        return set(schema.get("properties", {})) | {
            name for each in schema.values() for name in names_in(each)
        }
    return {name for each in schema for name in names_in(each)} if isinstance(schema, list) else set()


@cache
def known_names() -> frozenset[str]:
    catalogue = default_catalogue()
    contracts = {name for entry in catalogue.entries() for name in names_in(catalogue.document(entry.ref))}
    sources = {path[-1] for name in preset_names() for path in load_mapping(name).known_sources}
    return frozenset(contracts | set(catalogue.names()) | names_in(mapping_schema()) | sources | FOREIGN)


def texts_of(path: Path) -> list[str]:
    """What a module can say: its strings of several words, docstrings left out."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {
        id(node.value)
        for holder in ast.walk(tree)
        if isinstance(holder, ast.Module | ast.FunctionDef | ast.ClassDef)
        for node in holder.body[:1]
        if isinstance(node, ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
        and " " in node.value
    ]


ROOMS = ("importing", "validation", "checking")
MODULES = sorted(path for room in ROOMS for path in ROOM.glob(f"{room}/*.py") if path.stem != "__init__")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_field_in_a_message_is_in_a_schema(path: Path) -> None:
    unknown = {name for text in texts_of(path) for name in SNAKE.findall(text)} - known_names()
    assert not unknown


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_option_in_a_message_exists(path: Path) -> None:
    command = app
    options = {name for each in command.commands.values() for option in each.params for name in option.opts}  # type: ignore[attr-defined]
    unknown = {name for text in texts_of(path) for name in OPTION.findall(text)} - options
    assert not unknown


def test_the_check_sees_a_typo(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('MESSAGE = "needs the column retrived_contexts"\n')
    assert set(SNAKE.findall(texts_of(module)[0])) - known_names() == {"retrived_contexts"}


def test_the_tell_tale_keys_are_sources_of_their_presets() -> None:
    for name, keys in TELL_TALES:
        mapping = load_mapping(name)
        known = {path[0] for path in mapping.known_sources}
        assert keys <= known, name
        assert any(path[0] in keys for field in mapping.fields for path in field.sources), name


def test_each_preset_of_rows_has_tell_tale_keys() -> None:
    rows = {name for name in preset_names() if load_mapping(name).layout == "rows"}
    assert {name for name, _ in TELL_TALES} == rows


@pytest.mark.parametrize(
    ("name", "keys"),
    TELL_TALES,
    ids=lambda value: "-".join(sorted(value)) if not isinstance(value, str) else value,
)
def test_the_validator_names_the_import_for_such_a_row(name: str, keys: frozenset[str]) -> None:
    row = dict.fromkeys(sorted(keys), "x")
    found = {each.pointer: each.hint for each in iter_violations(row, "evaluation_item")}
    assert found["/item_id"] == f"this looks like a {name} row: evalcontract import --map {name}"


def test_no_valid_item_looks_foreign() -> None:
    items = default_catalogue().root / "conformance" / "evaluation_item" / "1.0" / "valid"
    assert ContractRef("evaluation_item", "1.0") in {entry.ref for entry in default_catalogue().entries()}
    for path in items.iterdir():
        document = json.loads(path.read_text("utf-8"))
        assert not list(iter_violations(document, "evaluation_item"))
