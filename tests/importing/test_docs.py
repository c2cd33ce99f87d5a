"""The page about importing lists every preset and every transform, and its mapping can be used."""

from __future__ import annotations

import re
from pathlib import Path

from evalcontract.importing import load_mapping, preset_names
from evalcontract.importing.transforms import TRANSFORMS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "importing.md").read_text("utf-8")


def test_each_preset_and_each_transform_has_its_row() -> None:
    rows = set(re.findall(r"^\| `([a-z_-]+)` \|", PAGE, re.MULTILINE))
    assert rows == {*preset_names(), *(each.name for each in TRANSFORMS)}


def test_each_transform_is_described_as_in_the_code() -> None:
    for each in TRANSFORMS:
        assert f"| `{each.name}` | {each.why}" in PAGE


def test_the_example_is_a_valid_mapping(tmp_path: Path) -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "own.yaml").write_text(text)
    assert load_mapping(str(tmp_path / "own.yaml")).name == "helpdesk"
