"""`evalcontract dataset diff|next-version|stats` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.cli import run
from tests.support.datasets import dataset, item, write

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "pathfinder"
V1_0, V1_1, V2_0 = (str(FOLDER / f"pathfinder_rag_retrieval_v{each}.json") for each in ("1.0", "1.1", "2.0"))


def test_a_comparison_names_items_keys_and_metadata() -> None:
    done = run("dataset", "diff", V1_0, V1_1)
    assert (done.code, done.err) == (0, "")
    assert "  + nachtlinien-de" in done.out
    assert "new keys: input.locale" in done.out


def test_a_comparison_as_json(tmp_path: Path) -> None:
    out = tmp_path / "diff.json"
    assert run("dataset", "diff", V1_0, V1_1, "--format", "json", "-o", str(out)).code == 0
    assert "nachtlinien-de" in json.loads(out.read_bytes())["added"]


def test_a_long_comparison_is_shortened(tmp_path: Path) -> None:
    before = write(tmp_path, dataset("1.0"))
    after = write(tmp_path, dataset("1.1", *(item(f"i{n}") for n in range(50))))
    out = run("dataset", "diff", str(before), str(after)).out
    assert "50 items added" in out
    assert "and 30 more" in out


def test_the_next_version_stands_alone_on_the_first_line() -> None:
    done = run("dataset", "next-version", V1_1, "--previous", V1_0)
    assert (done.code, done.out.splitlines()[0]) == (0, "2.0")
    assert "new keys: input.locale" in done.out
    assert "the dataset declares 1.1" in done.out
    report = json.loads(run("dataset", "next-version", V2_0, "--previous", V1_1, "--format", "json").out)
    assert (report["version"], report["kind"]) == ("2.0", "major")


def test_statistics_as_text_and_json() -> None:
    done = run("dataset", "stats", V1_0)
    assert done.code == 0
    assert "12 items" in done.out
    report = json.loads(run("dataset", "stats", V1_0, "--format", "json").out)
    assert report["items"] == sum(report["types"].values()) == 12
    assert report["paths"]["input.messages[].role"]["items"] == 12


def test_wrong_usage_exits_with_2(tmp_path: Path) -> None:
    assert run("dataset", "diff", V1_0, str(tmp_path / "absent.json")).code == 2
    assert run("dataset", "diff", "-", V1_0).code == 2
    assert run("dataset", "stats", V1_0, "--format", "xml").code == 2
    assert (
        run("dataset", "next-version", V1_0, "--previous", str(FOLDER / "pathfinder_smoke_v1.0.json")).code
        == 2
    )
