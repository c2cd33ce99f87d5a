"""What docs/scale.md shows is run, in the order of the page: as a program of its own, and on every engine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.projects import PROJECT

PAGE = PROJECT / "docs" / "scale.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.S | re.M)
SAYS = ["3 1 (('rag@1.0', 2), ('evaluation_item@1.0', 1))", "2 1 1", "1", "[('answer_f1', 0.5)]", "2"]


def test_the_page_is_a_program_that_ends(spark: Any, tmp_path: Path) -> None:
    if spark.engine != "sail":
        pytest.skip("skipped: the page begins Sail")
    (tmp_path / "page.py").write_text("".join(BLOCKS))
    done = subprocess.run(
        [sys.executable, "page.py"],
        cwd=tmp_path,
        env={**os.environ, "RUST_LOG": "off"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == SAYS


def test_the_snippets_of_the_page_run(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {"spark": spark}
    for block in BLOCKS[1:-1]:  # the engine is begun and ended by the fixture
        exec(_written_here(block, tmp_path), space)  # noqa: S102 our own page
    assert capsys.readouterr().out.splitlines() == SAYS


def _written_here(block: str, folder: Path) -> str:
    """The engine's folder is not ours: paths are made whole."""
    names = "items.jsonl|predictions.jsonl|valid|quarantine|scores|releases|checked"
    return re.sub(rf'"({names})"', lambda match: f'"{folder}/{match[1]}"', block)
