"""What docs/scale.md shows is run, in the order of the page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.spark.test_validating import texts
from tests.support import datasets, scoring
from tests.support.projects import PROJECT
from tests.support.tables import item

PAGE = PROJECT / "docs" / "scale.md"


def test_the_snippets_of_the_page_run(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [*texts(item(1), item(2)), '{"item_id": "bad"}']
    Path("items.jsonl").write_text("\n".join(lines) + "\n")
    Path("predictions.jsonl").write_text(json.dumps(scoring.prediction("q00001")) + "\n")
    Path("releases").mkdir()
    for version in ("1.0", "1.1", "1.2"):
        datasets.write(Path("releases"), datasets.dataset(version))
    code = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.S | re.M)
    assert len(code) == 5
    space: dict[str, Any] = {"spark": spark}
    for block in code:
        exec(_written_here(block, tmp_path), space)  # noqa: S102 our own page
    said = capsys.readouterr().out.splitlines()
    assert said[1:3] == ["2 1 1", "1"]
    assert said[0].startswith("3 1 ")
    assert said[3].startswith("[('answer_f1', ")
    assert said[4] == "3"


def _written_here(block: str, folder: Path) -> str:
    """The engine's folder is not ours: paths are made whole."""
    names = "items.jsonl|predictions.jsonl|valid|quarantine|scores|releases|checked"
    return re.sub(rf'"({names})"', lambda match: f'"{folder}/{match[1]}"', block)
