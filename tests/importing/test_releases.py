"""A file of questions and answers becomes a release in one step, and nothing has a release's name without metadata."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.cli import Finished, run

NAME = "helpdesk_rag_smoke_v1.0"
PARTS = {"--product": "helpdesk", "--scope": "smoke", "--version": "1.0", "--type": "rag"}


def imported(folder: Path, file: str, parts: dict[str, str]) -> Finished:
    source = folder / "questions.csv"
    source.write_text("question,answer,source_doc\nWhen?,At nine.,hours\nWhere?,In Altwil.,places\n")
    options = [text for pair in parts.items() for text in pair]
    return run("import", str(source), "--map", "golden", "-o", str(folder / file), *options)


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_the_release_may_go_out(tmp_path: Path, suffix: str) -> None:
    done = imported(tmp_path, NAME + suffix, PARTS)
    assert done.code == 0, done.err
    checked = run("dataset", "check", str(tmp_path / (NAME + suffix)), "--strict")
    assert checked.code == 0, checked.out
    assert run("validate", str(tmp_path / (NAME + suffix)), "--strict").code == 0
    where = ".json" if suffix == ".json" else ".metadata.json"
    document = json.loads((tmp_path / (NAME + where)).read_text())
    assert (document["metadata"] if suffix == ".json" else document) == {
        "product_id": "helpdesk",
        "scope": "smoke",
        "version": "1.0",
        "input_schema_type": "rag",
        "input_schema_version": "1.0",
    }


@pytest.mark.parametrize("name", ["helpdesk_qa_smoke_v1.0", "helpdesk_smoke_v1.0"])
def test_the_type_qa_may_be_left_out_of_the_name(tmp_path: Path, name: str) -> None:
    source = tmp_path / "questions.csv"
    source.write_text("question,answer\nWhen?,At nine.\n")
    options = [text for pair in (PARTS | {"--type": "qa"}).items() for text in pair]
    target = str(tmp_path / f"{name}.json")
    assert run("import", str(source), "--map", "golden", "-o", target, *options).code == 0
    assert run("dataset", "check", target).code == 0


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_is_missing_is_named(tmp_path: Path, part: str) -> None:
    done = imported(tmp_path, NAME + ".json", {name: text for name, text in PARTS.items() if name != part})
    assert done.code == 2
    assert f"a release needs {part} too" in done.err
    assert not (tmp_path / (NAME + ".json")).exists()


@pytest.mark.parametrize(
    ("file", "changed", "said"),
    [
        ("items.json", {}, "name it helpdesk_rag_smoke_v1.0.json"),
        (NAME + ".json", {"--version": "1.1"}, "name it helpdesk_rag_smoke_v1.1.json"),
        (NAME + ".json", {"--scope": "../x"}, "can't be the scope"),
        (NAME + ".json", {"--version": "one"}, "is not a version"),
        (NAME + ".json", {"--type": "rog"}, "rag"),
    ],
)
def test_parts_that_do_not_fit_are_wrong_usage(
    tmp_path: Path, file: str, changed: dict[str, str], said: str
) -> None:
    done = imported(tmp_path, file, PARTS | changed)
    assert done.code == 2
    assert said in done.err
    assert not (tmp_path / file).exists()


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_no_verb_gives_a_release_name_to_items_without_metadata(tmp_path: Path, suffix: str) -> None:
    assert imported(tmp_path, "items.jsonl", {}).code == 0
    items, target = str(tmp_path / "items.jsonl"), str(tmp_path / (NAME + suffix))
    assert imported(tmp_path, NAME + suffix, {}).code == 2
    for verb in (("convert", items, target), ("normalize", items, "-o", target)):
        done = run(*verb)
        assert done.code != 0
        assert "is the name of a release, and" in done.err
        assert not Path(target).exists()


def test_metadata_of_another_dataset_are_not_overwritten(tmp_path: Path) -> None:
    foreign = tmp_path / (NAME + ".metadata.json")
    foreign.write_text("{}")
    done = imported(tmp_path, NAME + ".jsonl", PARTS)
    assert done.code == 2
    assert foreign.read_text() == "{}"
