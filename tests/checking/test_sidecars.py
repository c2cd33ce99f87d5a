"""The metadata in a file beside the items: read for every form of items, by every verb."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tests.support.cli import run
from tests.support.datasets import dataset, item, metadata

ITEMS = [item("a"), item("b")]
ARRAY = json.dumps(ITEMS).encode()
LINES = "".join(json.dumps(one) + "\n" for one in ITEMS).encode()
FORMS: dict[str, bytes] = {
    "jsonl": LINES,
    "ndjson": LINES,
    "jsonl.gz": gzip.compress(LINES),
    "JSONL": LINES,
    "json": ARRAY,
    "json.gz": gzip.compress(ARRAY),
    "json.zst": zstandard.compress(ARRAY),
    "yaml": ARRAY,
    "yml": ARRAY,
    "yaml.gz": gzip.compress(ARRAY),
}
STEM = "pathfinder_rag_retrieval_v1.0"


@pytest.fixture(params=FORMS)
def items(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Items in one of the forms, with their metadata beside them."""
    file = tmp_path / f"{STEM}.{request.param}"
    file.write_bytes(FORMS[request.param])
    (tmp_path / f"{STEM}.metadata.json").write_text(json.dumps(metadata("1.0")))
    return file


def test_items_follow_the_type_that_is_declared_beside_them(items: Path) -> None:
    done = run("validate", str(items))
    assert done.code == 0, done.out
    assert "rag" in done.out
    beside = items.with_name(f"{STEM}.metadata.json")
    beside.write_text(json.dumps(metadata("1.0", input_schema_type="agent")))
    assert run("validate", str(beside)).code == 0
    beside.write_text("{")
    assert run("validate", str(items)).code == 1


def test_a_release_has_the_metadata_beside_it(items: Path) -> None:
    done = run("dataset", "check", str(items))
    assert done.code == 0, done.out + done.err
    assert "1.0" in done.out


VERBS = {
    "convert": ["convert", "IN", "OUT"],
    "normalize": ["normalize", "IN", "-o", "OUT"],
    "migrate": ["migrate", "IN", "--to", "rag@1.0", "-o", "OUT"],
}


@pytest.mark.parametrize("verb", VERBS)
def test_what_is_written_anew_keeps_it(items: Path, verb: str) -> None:
    out = items.with_name("out.json")
    done = run(*({"IN": str(items), "OUT": str(out)}.get(word, word) for word in VERBS[verb]))
    assert done.code == 0, done.out + done.err
    assert json.loads(out.read_bytes()) == dataset("1.0", *ITEMS)


def test_scores_are_by_the_declared_type(items: Path) -> None:
    records = items.with_name("run.jsonl")
    answer: Any = {"response": "1879", "retrieved_documents": [{"document_id": "d", "content": "c"}]}
    records.write_text("".join(json.dumps({"item_id": name, "prediction": answer}) + "\n" for name in "ab"))
    with_it = run("score", str(records), "--dataset", str(items), "--format", "json")
    items.with_name(f"{STEM}.metadata.json").unlink()
    without = run("score", str(records), "--dataset", str(items), "--format", "json")
    assert with_it.code == 0, with_it.err
    assert (with_it.out != without.out) or (without.code != 0)


def test_bare_items_are_not_written_beside_foreign_metadata(items: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.json"
    bare.write_bytes(ARRAY)
    for suffix in ("json", "jsonl"):
        target = tmp_path / f"{STEM[:-1]}1.{suffix}"
        (tmp_path / f"{STEM[:-1]}1.metadata.json").write_text(json.dumps(metadata("1.1")))
        done = run("convert", str(bare), str(target))
        assert done.code in (1, 2)
        assert not target.exists()


def test_a_dataset_says_when_other_metadata_lie_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "d.json"
    file.write_text(json.dumps(dataset("1.0", *ITEMS)))
    beside = tmp_path / "d.metadata.json"
    beside.write_text(json.dumps(metadata("1.0")))
    assert "metadata-beside" not in run("validate", str(file)).out
    beside.write_text(json.dumps(metadata("1.1")))
    done = run("validate", str(file))
    assert (done.code, "metadata-beside" in done.out) == (0, True)
    assert run("validate", str(file), "--strict").code == 1
    run("convert", str(file), str(tmp_path / "out.json"))
    assert json.loads((tmp_path / "out.json").read_bytes()) == dataset("1.0", *ITEMS)
    (tmp_path / "d.jsonl").write_bytes(LINES)  # whose metadata these are
    assert "metadata-beside" not in run("validate", str(file)).out


@pytest.mark.parametrize("verb", VERBS)
def test_a_dataset_and_its_lines_lie_beside_each_other(tmp_path: Path, verb: str) -> None:
    lines, whole = tmp_path / "d.jsonl", tmp_path / "d.json"
    lines.write_bytes(LINES)
    (tmp_path / "d.metadata.json").write_text(json.dumps(metadata("1.0")))
    done = run(*({"IN": str(lines), "OUT": str(whole)}.get(word, word) for word in VERBS[verb]))
    assert done.code == 0, done.err
    assert json.loads(whole.read_bytes()) == dataset("1.0", *ITEMS)
    assert run("validate", str(tmp_path)).code == 0


def test_a_dataset_becomes_lines_of_the_same_name_again_and_again(tmp_path: Path) -> None:
    whole, lines = tmp_path / "d.json", tmp_path / "d.jsonl"
    whole.write_text(json.dumps({"metadata": metadata("1.0"), "items": ITEMS}))
    for _ in range(2):
        done = run("convert", str(whole), str(lines))
        assert done.code == 0, done.err
    assert (tmp_path / "d.metadata.json").is_file()


def test_metadata_that_are_read_beside_an_array_are_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "d.json").write_bytes(ARRAY)
    beside = tmp_path / "d.metadata.json"
    beside.write_text(json.dumps(metadata("1.0")))
    before = beside.read_bytes()
    done = run("convert", str(tmp_path / "d.json"), str(tmp_path / "d.jsonl"))
    assert (done.code, beside.read_bytes()) == (2, before)
    assert "is read and would be written" in done.err
