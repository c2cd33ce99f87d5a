"""Plausible mistakes of a newcomer, in every command that reads or writes: a line, an exit code, no half file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.cli import run
from tests.support.datasets import dataset, item, write

READERS: dict[str, tuple[str, ...]] = {
    "validate": ("validate", "IN"),
    "check": ("dataset", "check", "IN"),
    "previous": ("dataset", "check", "GOOD", "--previous", "IN"),
    "name": ("dataset", "name", "IN"),
    "path": ("dataset", "path", "IN", "--catalog", "main"),
    "diff": ("dataset", "diff", "GOOD", "IN"),
    "next-version": ("dataset", "next-version", "IN", "--previous", "GOOD"),
    "stats": ("dataset", "stats", "IN"),
    "predictions": ("score", "IN", "--dataset", "GOOD"),
    "dataset": ("score", "GOOD", "--dataset", "IN"),
    "response": ("response", "IN"),
    "messages": ("prediction", "IN", "--from", "messages", "--item-id", "a"),
    "trace": ("prediction", "IN", "--from", "trace", "--item-id", "a"),
    "transcript": ("prediction", "IN", "--from", "transcript", "--item-id", "a"),
    "import": ("import", "IN", "--map", "golden", "-o", "OUT"),
    "suggest": ("import", "IN", "--suggest"),
    "export": ("export", "IN", "--map", "ragas", "-o", "OUT"),
    "convert": ("convert", "IN", "OUT"),
    "normalize": ("normalize", "IN", "-o", "OUT"),
    "migrate": ("migrate", "IN", "--to", "rag@1.0"),
}
READS_TABLES = {"import", "suggest"}
TAKES_FOLDERS = {"validate"}
NAME_OR_FILE = {"name", "path"}


def called(folder: Path, command: tuple[str, ...], source: str) -> list[str]:
    good = str(write(folder, dataset("1.0")))
    places = {"IN": source, "GOOD": good, "OUT": str(folder / "out.jsonl")}
    return [places.get(each, each) for each in command]


@pytest.mark.parametrize("command", [each for each in READERS if each not in READS_TABLES])
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("rows.csv", "evalcontract import {} --map golden -o items.jsonl"),
        ("rows.tsv", "evalcontract import {} --map golden -o items.jsonl"),
        ("rows.xlsx", "save the sheet as CSV"),
    ],
)
def test_a_table_is_not_read_and_the_way_out_is_said(
    tmp_path: Path, command: str, name: str, hint: str
) -> None:
    file = tmp_path / name
    file.write_text("question,answer\nWhen?,Now\n", "utf-8")
    done = run(*called(tmp_path, READERS[command], str(file)))
    assert (done.code, done.out) == (2, "")
    assert f"error: {file}: {file.suffix} is not read here\n" in done.err
    assert hint.format(file) in done.err


@pytest.mark.parametrize("command", [each for each in READERS if each not in TAKES_FOLDERS])
def test_a_folder_is_no_file(tmp_path: Path, command: str) -> None:
    (tmp_path / "folder").mkdir()
    done = run(*called(tmp_path, READERS[command], str(tmp_path / "folder")))
    assert (done.code, done.out) == (2, "")
    assert done.err == f"error: {tmp_path / 'folder'} is a folder, not a file\n  hint: name a file in it\n"


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("content", ["3", "null", '"text"', "[]", "[1]", "{}", "", "\n", "{", "\x89PNG"])
def test_content_that_is_nothing_of_the_kind_is_a_line(tmp_path: Path, command: str, content: str) -> None:
    file = tmp_path / "odd.json"
    file.write_text(content, "latin-1")
    done = run(*called(tmp_path, READERS[command], str(file)))
    assert done.code in (0, 1, 2)
    assert done.out or done.err
    assert "::" not in done.err
    assert ": :" not in done.err
    written_though_not_valid = command == "normalize"  # what it documents
    assert done.code == 0 or written_though_not_valid or not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("command", READERS)
def test_an_empty_name_is_no_file(tmp_path: Path, command: str) -> None:
    done = run(*called(tmp_path, READERS[command], ""))
    assert (done.code, done.out) == (2, "")
    assert "is no file" in done.err or "is a folder" in done.err


def test_messages_that_are_no_list_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    for content in ({"conversation": []}, 7, None, "Hello"):
        file.write_text(json.dumps(content), "utf-8")
        done = run("prediction", str(file), "--from", "messages", "--item-id", "a")
        assert done.code == 1
        assert f"error: {file}: (document): expected an array of messages, got " in done.err


@pytest.mark.parametrize("verb", ["import", "export"])
def test_an_unknown_format_of_the_report_is_noticed_before_anything_is_written(
    tmp_path: Path, verb: str
) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"question": "When?", "answer": "Now"}\n', "utf-8")
    items = tmp_path / "items.jsonl"
    assert run("import", str(rows), "--map", "golden", "-o", str(items)).code == 0
    source = rows if verb == "import" else items
    target = tmp_path / "out.jsonl"
    done = run(verb, str(source), "--map", "golden", "-o", str(target), "--format", "xml")
    assert (done.code, done.out) == (2, "")
    assert not target.exists()


# what is written


def test_a_report_goes_to_standard_output_when_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = str(write(tmp_path, dataset("1.0")))
    for command in (("validate", file), ("dataset", "check", file), ("dataset", "stats", file)):
        assert run(*command, "-o", "-").out == run(*command).out
    assert not (tmp_path / "-").exists()


def test_an_answer_on_standard_output_stands_there_alone() -> None:
    answer = {"candidates": [{"content": {"parts": [{"text": "High."}]}}]}
    done = run("response", "-", "--provider", "gemini", "-o", "-", stdin=json.dumps(answer).encode())
    assert json.loads(done.out)["choices"]
    assert "ok: - is a valid answer of gemini" in done.err


@pytest.mark.parametrize("command", ["convert", "normalize", "score"])
def test_data_is_not_written_to_a_file_by_the_name_of_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    file = str(write(tmp_path, dataset("1.0")))
    before = sorted(tmp_path.iterdir())
    more = {"score": ("--dataset", file)}.get(command, ())
    assert run(command, file, *more, "-o", "-").code == 2
    assert sorted(tmp_path.iterdir()) == before


def test_a_failure_whose_report_goes_to_a_file_is_said_on_standard_error(tmp_path: Path) -> None:
    broken = item("a")
    del broken["expected_output"]["response"]
    file, target = str(write(tmp_path, dataset("1.0", broken))), tmp_path / "report.txt"
    for command in (("validate", file), ("dataset", "check", file)):
        done = run(*command, "-o", str(target))
        assert (done.code, done.out, done.err) == (1, "", f"failed: the report is in {target}\n")
    good = str(write(tmp_path, dataset("1.0")))
    assert run("validate", good, "-o", str(target)).err == ""
