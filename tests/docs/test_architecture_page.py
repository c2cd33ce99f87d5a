"""docs/architecture.md names rooms, files and functions: all of them are there, and no room is left out."""

from __future__ import annotations

import re

import pytest

from tests.support.projects import PROJECT
from tests.test_rooms import LAYERS, SOURCES

PAGE = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([^`\n]+)`", PAGE)))
PATHS = [name for name in NAMED if "/" in name and " " not in name]
IDENTIFIERS = [name for name in NAMED if re.fullmatch(r"_?[A-Za-z]+(?:_[A-Za-z]+)*", name)]
OPEN = ("advice", "report format", "provider", "release check", "schema keyword", "metric", "import preset")
OPEN_TOO = ("language emitter", "trace shape", "option on a verb", "limit", "setting in", "lint rule")
CHANGES = {
    "an advice": ("validation/advices.py", "advices_of"),
    "another report format": ("reports/formats.py", "Formats"),
    "a new provider": ("responses/adapters/table.py", "PROVIDERS"),
    "a new release check": ("release/checks.py", "CHECKS"),
    "a new schema keyword": ("validation/messages.py", "_CATALOGUE"),
    "a new metric": ("metrics/table.py", "METRICS"),
    "a new import preset": ("importing/transforms.py", "TRANSFORMS"),
    "a new language emitter": ("codegen/targets.py", "TARGETS"),
    "a new option on a verb": ("cli/options.py", "Schemas"),
    "an option of every verb": ("cli/apps.py", "GuardedCommand"),
    "a suffix that means JSON Lines": ("values/suffixes.py", "LINES_SUFFIXES"),
    "a new code": ("reports/codes/__init__.py", "TABLES"),
    "a new trace shape": ("predictions/table.py", "BUILDERS"),
    "a new lint rule": ("authoring/rules.py", "RULES"),
}
"""What somebody wants to change, where it is done, and what stands there to be added to."""
VERBS = {"validate", "score", "breaking"}


def rows(heading: str) -> list[list[str]]:
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("path", PATHS)
def test_every_path_leads_to_a_file_or_folder(path: str) -> None:
    assert (PROJECT / path).exists() or (SOURCES / path).exists()


@pytest.mark.parametrize("name", [name for name in IDENTIFIERS if name not in VERBS])
def test_every_name_is_one_of_the_code(name: str) -> None:
    rooms = {room for layer in LAYERS for room in layer}
    word = re.compile(rf"^(?:def |class |    \"?)?{name}\b", re.MULTILINE)
    texts = (file.read_text(encoding="utf-8") for file in SOURCES.rglob("*.py"))
    assert name in rooms | {"item_id"} or any(word.search(text) for text in texts)


def test_the_order_of_rooms_is_the_order_of_the_code() -> None:
    told = [tuple(re.findall(r"`([a-z_]+)`", cells[0])) for cells in rows("The order of the rooms")]
    assert told == list(LAYERS)


@pytest.mark.parametrize("thing", [*OPEN, *OPEN_TOO])
def test_the_table_says_where_to_add_it(thing: str) -> None:
    row = next(cells for cells in rows("To change X, open Y") if f" {thing}" in f" {cells[0]}")
    assert "`" in row[1]


@pytest.mark.parametrize("change", CHANGES)
def test_who_opens_the_module_named_for_a_change_finds_what_to_add_to(change: str) -> None:
    file, name = CHANGES[change]
    (row,) = (cells for cells in rows("To change X, open Y") if cells[0].startswith(change))
    assert f"`src/evalcontract/{file}`" in "".join(row)
    text = (SOURCES / file).read_text(encoding="utf-8")
    assert re.search(rf"^(?:def |class )?{name}\b", text, re.MULTILINE)
