"""Cards of datasets: what Hugging Face and Croissant's readers find in them."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from evalcontract.release import check_release
from tests.support.cli import run
from tests.support.projects import PROJECT

RELEASE = PROJECT / "examples" / "pathfinder" / "pathfinder_rag_retrieval_v1.0.json"
HOSTILE = "| </b> <script>alert(1)</script> [x](javascript:y)\n---\n# no\u202e heading"


def header_of(text: str) -> dict[str, Any]:
    _, header, _ = text.split("---\n", 2)
    found: dict[str, Any] = yaml.safe_load(header)
    return found


def written(folder: Path, **metadata: str) -> Path:
    document = json.loads(RELEASE.read_bytes())
    document["metadata"] |= metadata
    file = folder / RELEASE.name
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def test_the_card_says_what_the_dataset_is_and_what_it_passed(tmp_path: Path) -> None:
    file = written(
        tmp_path, license="Apache-2.0", description="Questions of travellers.", created_at="2026-12-01"
    )
    card = run("dataset", "card", str(file))
    assert (card.code, card.err) == (0, "")
    header = header_of(card.out)
    assert header["license"] == "apache-2.0"
    assert header["size_categories"] == ["n<1K"]
    assert {"evaluation", "rag"} <= set(header["tags"])
    assert f"| sha256 | {hashlib.sha256(file.read_bytes()).hexdigest()} |" in card.out
    assert "Questions of travellers." in card.out
    for outcome in check_release(str(file)).outcomes:
        assert f"| {outcome.code} | {outcome.status} |" in card.out
    assert "It may go out as a new dataset." in card.out


def test_a_dataset_that_may_not_go_out_says_so(tmp_path: Path) -> None:
    file = written(tmp_path, product_id="another")
    assert "It may not go out as a new dataset." in run("dataset", "card", str(file)).out


def test_text_of_the_data_is_no_markup(tmp_path: Path) -> None:
    card = run("dataset", "card", str(written(tmp_path, description=HOSTILE, license=HOSTILE))).out
    header = header_of(card)
    assert header["license"] == "other"
    _, _, body = card.split("---\n", 2)
    assert "<script>" not in body
    assert "\n# no" not in body
    assert "[x](" not in body
    assert "\u202e" not in body


def test_a_table_of_items_is_one_configuration_that_can_be_loaded(tmp_path: Path) -> None:
    lines = tmp_path / "pathfinder_rag_retrieval_v1.0.jsonl"
    assert run("convert", str(RELEASE), str(lines)).code == 0
    card = run("dataset", "card", str(lines), "-o", str(tmp_path / "README.md"))
    assert (card.code, card.out) == (0, "")
    header = header_of((tmp_path / "README.md").read_text("utf-8"))
    assert header["configs"] == [{"config_name": "default", "data_files": lines.name}]


@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning:rdflib", "ignore::DeprecationWarning:mlcroissant", "ignore::FutureWarning"
)
@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".parquet"])
def test_croissant_is_valid_and_its_records_are_the_items(tmp_path: Path, suffix: str) -> None:
    import mlcroissant

    file = tmp_path / f"pathfinder_rag_retrieval_v1.0{suffix}"
    if suffix == ".json":
        file = written(tmp_path, license="Apache-2.0", created_at="2026-12-01")
    else:
        assert run("convert", str(RELEASE), str(file)).code == 0
    described = tmp_path / "croissant.json"
    assert run("dataset", "card", str(file), "-o", str(described)).code == 0
    dataset = mlcroissant.Dataset(jsonld=str(described))
    assert not dataset.metadata.issues.errors
    records = list(dataset.records("items"))
    items = json.loads(RELEASE.read_bytes())["items"]
    assert [record["items/item_id"].decode() for record in records] == [item["item_id"] for item in items]
    if suffix == ".json":
        said = [(record["items/question"].decode(), record["items/response"].decode()) for record in records]
        assert said == [
            (item["input"]["messages"][0]["content"], item["expected_output"]["response"]) for item in items
        ]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (["-"], "a card is of a file"),
        (["{file}.gz", "--format", "json"], "Croissant can't describe"),
        (["gone.json"], "no such file"),
        (["{file}", "-o", "card.html"], "card.html says html"),
    ],
)
def test_a_wrong_call_is_a_line(tmp_path: Path, line: list[str], complaint: str) -> None:
    file = written(tmp_path)
    Path(f"{file}.gz").write_bytes(gzip.compress(file.read_bytes()))
    done = run("dataset", "card", *(word.format(file=file) for word in line))
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
