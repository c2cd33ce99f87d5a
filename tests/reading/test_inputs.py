"""Files, folders and patterns on a command line become a list of files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evalcontract.errors import UnreadableInput
from evalcontract.reading import find_inputs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (
        *(
            "b.json",
            "a.jsonl",
            "c.YAML",
            "d.yml.gz",
            "e.ndjson.zst",
            "notes.md",
            "table.csv",
            "x.gz",
            ".hidden.json",
        ),
        *("deep/er/f.json", ".git/g.json", "deep/.cache/h.json"),
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("1")
    return tmp_path


def names(folder: Path, found: list[Path]) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in found]


def test_a_folder_stands_for_the_files_below_it_sorted_and_without_hidden_ones(folder: Path) -> None:
    assert names(folder, find_inputs([folder])) == [
        "a.jsonl",
        "b.json",
        "c.YAML",
        "d.yml.gz",
        "deep/er/f.json",
        "e.ndjson.zst",
    ]


def test_a_pattern_stands_for_the_files_it_matches(folder: Path) -> None:
    assert names(folder, find_inputs([f"{folder}/*.json*"])) == ["a.jsonl", "b.json"]
    assert names(folder, find_inputs([f"{folder}/**/*.json"])) == ["b.json", "deep/er/f.json"]


def test_the_order_of_the_arguments_is_kept_and_each_file_comes_once(folder: Path) -> None:
    arguments = [folder / "c.YAML", folder / "b.json", folder / "c.YAML", f"{folder}/*.json"]
    assert names(folder, find_inputs(arguments)) == ["c.YAML", "b.json"]


def test_a_file_named_outright_is_taken_whatever_its_name(folder: Path) -> None:
    assert names(folder, find_inputs([folder / "notes.md", folder / ".hidden.json"])) == [
        "notes.md",
        ".hidden.json",
    ]


def test_a_file_whose_name_looks_like_a_pattern_is_a_file(folder: Path) -> None:
    (folder / "[a].json").write_text("1")
    assert names(folder, find_inputs([folder / "[a].json"])) == ["[a].json"]


def test_a_pipe_is_taken_when_it_is_named_and_left_out_of_a_folder(folder: Path) -> None:
    os.mkfifo(folder / "p.json")
    assert "p.json" not in names(folder, find_inputs([folder]))
    assert names(folder, find_inputs([folder / "p.json"])) == ["p.json"]


def test_a_folder_that_cannot_be_searched_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def refusing(path: Path | str) -> object:
        if str(path).endswith("deep"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    with pytest.raises(UnreadableInput, match="deep can't be searched: permission denied"):
        find_inputs([folder])


def test_an_empty_name_does_not_mean_the_folder_at_hand() -> None:
    with pytest.raises(UnreadableInput, match="an empty name"):
        find_inputs([""])


def test_standard_input_is_kept(folder: Path) -> None:
    assert find_inputs(["-", folder / "b.json"]) == [Path("-"), folder / "b.json"]


@pytest.mark.parametrize("argument", ["absent.json", "empty", "*.parquet"])
def test_what_matches_nothing_is_refused(folder: Path, argument: str) -> None:
    (folder / "empty").mkdir()
    (folder / "empty" / "notes.md").write_text("x")
    with pytest.raises(UnreadableInput, match=r"no (such )?file"):
        find_inputs([folder / "b.json", folder / argument])
