"""The page about importing lists every preset and every transform, and its mapping can be used."""

from __future__ import annotations

import re
from pathlib import Path

from evalcontract.importing import load_mapping, preset_names
from evalcontract.importing.transforms import TRANSFORMS

PROJECT = Path(__file__).resolve().parents[2]
PAGE = (PROJECT / "docs" / "importing.md").read_text("utf-8")
PRESETS = PAGE[PAGE.index("## What each preset keeps") :]


def first_cells(page: str) -> list[str]:
    return re.findall(r"^\| `([a-z_-]+)` \|", page, re.MULTILINE)


def test_each_preset_and_each_transform_has_its_row() -> None:
    assert set(first_cells(PAGE.removesuffix(PRESETS))) == {each.name for each in TRANSFORMS}
    assert set(first_cells(PRESETS)) == set(preset_names())


def test_each_transform_is_described_as_in_the_code() -> None:
    for each in TRANSFORMS:
        assert f"| `{each.name}` | {each.why}" in PAGE


def test_the_example_is_a_valid_mapping(tmp_path: Path) -> None:
    whole, further = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "own.yaml").write_text(whole)
    assert load_mapping(str(tmp_path / "own.yaml")).name == "helpdesk"
    head = 'mapping_version: "1.0"\nname: further\nitem_id: {from: [query_id], otherwise: error}\n'
    (tmp_path / "further.yaml").write_text(head + further)
    mapping = load_mapping(str(tmp_path / "further.yaml"))
    assert mapping.group is not None
    assert mapping.rows_under == ("/data/*/paragraphs/*/qas",)
