"""What `convert --to parquet` writes is read by `datasets.load_dataset`, types included, and comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import run
from tests.support.projects import PROJECT

RELEASES = sorted((PROJECT / "examples" / "pathfinder").glob("pathfinder_*_v1.0.json"))
NULLS = "evalcontract:nulls"


@pytest.fixture
def datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    return pytest.importorskip("datasets", minversion="4")


def stated(value: Any) -> Any:
    """The value without what is null, as a table can't tell it from what isn't there."""
    if isinstance(value, dict):
        return {key: stated(child) for key, child in value.items() if child is not None and key != NULLS}
    return [stated(child) for child in value] if isinstance(value, list) else value


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.stem)
def test_a_release_is_loaded_with_its_types(datasets: Any, tmp_path: Path, release: Path) -> None:
    table = tmp_path / "items.parquet"
    assert run("convert", str(release), "-o", str(table)).code == 0
    loaded = datasets.load_dataset(
        "parquet", data_files=str(table), split="train", cache_dir=str(tmp_path / "cache")
    )
    items = json.loads(release.read_text("utf-8"))["items"]
    assert [stated(row) for row in loaded] == [stated(item) for item in items]
    features = loaded.features
    assert features["item_id"].dtype == "string"
    assert features["input"]["messages"].feature["content"].dtype == "string"
    loaded.to_parquet(str(tmp_path / "again.parquet"))
    back = tmp_path / "back.jsonl"
    assert run("convert", str(tmp_path / "again.parquet"), "-o", str(back)).code == 0
    assert [json.loads(line) for line in back.read_text("utf-8").splitlines()] == items
    assert run("validate", str(back)).code == 0


def test_whole_numbers_and_truth_values_stay_what_they_are(datasets: Any, tmp_path: Path) -> None:
    judged = [{"document_id": "d", "relevance": 2}]
    item = {
        "item_id": "a",
        "input": {"messages": [{"role": "user", "content": "q"}]},
        "expected_output": {"response": "x", "answerable": True, "retrieval_ground_truth": judged},
    }
    source, table = tmp_path / "items.jsonl", tmp_path / "items.parquet"
    source.write_text(json.dumps(item) + "\n")
    assert run("convert", str(source), "-o", str(table)).code == 0
    loaded = datasets.load_dataset(
        "parquet", data_files=str(table), split="train", cache_dir=str(tmp_path / "cache")
    )
    expected = loaded.features["expected_output"]
    assert expected["answerable"].dtype == "bool"
    assert expected["retrieval_ground_truth"].feature["relevance"].dtype == "int64"
    assert loaded[0]["expected_output"]["answerable"] is True
