"""Nothing that a command reads is written: every option that reads a file against every one that writes one.

Which options there are is asked of the commands themselves, so a new one can't be forgotten.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from evalcontract.cli.apps import GuardedCommand
from tests.support.cli import run
from tests.support.commands import Command, alias_commands, commands
from tests.support.datasets import dataset, item

COMMANDS = [*commands(), *alias_commands()]
BY_WORDS = {" ".join(command.words): command for command in commands()}
READ_AND_WRITTEN = [
    (command, reading, writing)
    for command in commands()
    for reading in command.reading()
    for writing in command.writing()
]
TWO_OUTPUTS = [
    (command, one, other)
    for command in commands()
    for one in command.writing()
    for other in command.writing()
    if one < other
]
SCHEMA = {"type": "object", "properties": {"a": {"$ref": "part.json"}}}


def name_of(case: tuple[Command, str, str]) -> str:
    command, one, other = case
    return f"{' '.join(command.words)}: {one}, {other}"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command.words))
def test_every_option_that_takes_text_says_what_it_means_for_files(command: Command) -> None:
    assert isinstance(command.made, GuardedCommand)
    assert set(command.takes_text()) == set(command.roles)


def test_there_is_something_to_guard() -> None:
    assert len(READ_AND_WRITTEN) > 40
    assert len(TWO_OUTPUTS) >= 3


@pytest.mark.parametrize("spelling", ["same", "dotted", "symbolic", "hard"])
@pytest.mark.parametrize("case", READ_AND_WRITTEN, ids=name_of)
def test_what_is_read_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: tuple[Command, str, str], spelling: str
) -> None:
    command, reading, writing = case
    monkeypatch.chdir(tmp_path)
    content = json.dumps(dataset("1.0", item("a")))
    read = Path("a.json")
    written = read
    if command.words == ("schema", "generate"):  # folders
        written = Path("a.json") if spelling in ("same", "hard") else Path("link")
        read.mkdir()
        if written != read:
            written.symlink_to(read)
    else:
        read.write_text(content)
        if spelling == "dotted":
            Path("folder").mkdir()
            written = Path("folder/../a.json")
        elif spelling == "symbolic":
            Path("link.json").symlink_to("a.json")
            written = Path("link.json")
        elif spelling == "hard":
            os.link("a.json", "hard.json")
            written = Path("hard.json")
    done = run(
        *command.line({reading: str(read.resolve() if spelling == "dotted" else read), writing: str(written)})
    )
    assert (done.code, done.out) == (2, "")
    assert f"error: {written} is read and would be written\n" in done.err
    assert not read.is_file() or read.read_text() == content


@pytest.mark.parametrize("case", TWO_OUTPUTS, ids=name_of)
@pytest.mark.parametrize("there", [True, False], ids=["there", "new"])
def test_two_outputs_are_two_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: tuple[Command, str, str], there: bool
) -> None:
    command, one, other = case
    monkeypatch.chdir(tmp_path)
    if there:
        Path("a2.jsonl").write_text("old")
    Path("a1.jsonl").symlink_to("a2.jsonl")
    done = run(*command.line({one: "a1.jsonl", other: "a2.jsonl"}))
    assert (done.code, done.out) == (2, "")
    assert "would be written twice\n" in done.err
    assert not there or Path("a2.jsonl").read_text() == "old"


# what stands behind a name


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("i.jsonl").write_text(json.dumps(item("a")) + "\n")
    Path("i.metadata.json").write_text(json.dumps(dataset("1.0")["metadata"]))
    Path("schema.json").write_text(json.dumps(SCHEMA))
    Path("part.json").write_text('{"type": "string"}')
    Path("package").mkdir()
    Path("package/__init__.py").write_text("")
    Path("package/module.py").write_text("raise SystemExit('imported')")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    ("line", "written"),
    [
        (("validate", "i.jsonl", "-o"), "i.metadata.json"),
        (("validate", ".", "-o"), "i.metadata.json"),
        (("validate", "*.jsonl", "-o"), "i.jsonl"),
        (("validate", "i.jsonl", "--input-schema", "schema.json", "-o"), "part.json"),
        (("validate", "i.jsonl", "--input-schema", "package.module:Class", "-o"), "package/module.py"),
        (("validate", "i.jsonl", "--input-schema", "package.module:Class", "-o"), "package/__init__.py"),
        (("dataset", "check", "i.jsonl", "--previous-input-schema", "schema.json", "-o"), "part.json"),
        (("schema", "breaking", "schema.json", "--against", "part.json", "-o"), "part.json"),
        (("schema", "breaking", "x", "--keys-from", ".", "-o"), "i.metadata.json"),
        (("dataset", "stats", "i.jsonl", "-o"), "i.metadata.json"),
        (("convert", "i.jsonl"), "i.ndjson"),
        (("normalize", "i.jsonl", "-o"), "i.ndjson"),
    ],
)
def test_what_stands_behind_a_name_is_not_written(folder: Path, line: tuple[str, ...], written: str) -> None:
    before = contents(folder)
    done = run(*line, written)
    assert (done.code, done.out) == (2, "")
    assert "is read and would be written" in done.err
    assert contents(folder) == before


def test_a_report_does_not_become_the_metadata_of_what_it_is_about(folder: Path) -> None:
    Path("i.metadata.json").unlink()
    assert run("validate", "i.jsonl", "-o", "i.metadata.json").code == 2
    assert not Path("i.metadata.json").exists()


def test_the_contracts_of_the_installation_are_read_by_everything(folder: Path) -> None:
    from evalcontract import schema_path

    file = Path(str(schema_path("rag_input")))
    before = file.read_bytes()
    for line in (("schema", "show", "rag_input"), ("validate", "i.jsonl"), ("schema", "bundle", "message")):
        assert run(*line, "-o", str(file)).code == 2
    assert file.read_bytes() == before


def test_a_second_run_writes_its_report_again(folder: Path) -> None:
    for _ in range(2):
        assert run("validate", "i.jsonl", "--input-schema", "schema.json", "-o", "report.json").code in (0, 1)
    assert json.loads(Path("report.json").read_text())["files"]


# what is written beside


def dataset_file(folder: Path) -> str:
    file = folder / "d.json"
    file.write_text(json.dumps(dataset("1.0", item("a"))))
    return str(file)


def test_a_foreign_file_by_the_name_of_the_metadata_stays(folder: Path) -> None:
    source = dataset_file(folder)
    Path("side.metadata.json").write_text("mine")
    for line in (("convert", source, "side.jsonl"), ("normalize", source, "-o", "side.jsonl")):
        done = run(*line)
        assert done.code == 2
        assert "side.metadata.json is there already, and not the metadata of an older side.jsonl" in done.err
        assert Path("side.metadata.json").read_text() == "mine"
        assert not Path("side.jsonl").exists()
    Path("side.jsonl").write_text("")
    assert run("convert", source, "side.jsonl").code == 2
    assert Path("side.metadata.json").read_text() == "mine"


def test_metadata_that_another_file_shares_stay(folder: Path) -> None:
    source = dataset_file(folder)
    assert run("convert", source, "side.jsonl").code == 0
    before = Path("side.metadata.json").read_bytes()
    Path("side.ndjson").write_text(json.dumps(item("b")))
    assert run("convert", source, "side.jsonl").code == 2
    assert Path("side.metadata.json").read_bytes() == before


def test_a_dataset_is_written_again_with_its_metadata(folder: Path) -> None:
    source = dataset_file(folder)
    assert run("convert", source, "side.jsonl").code == 0
    Path(source).write_text(json.dumps(dataset("1.1", item("a"), item("b"))))
    assert run("convert", source, "side.jsonl").code == 0
    assert json.loads(Path("side.metadata.json").read_text())["version"] == "1.1"


def test_imported_items_get_no_metadata_that_lie_there(folder: Path) -> None:
    Path("rows.jsonl").write_text('{"question": "When?", "answer": "Now"}\n')
    Path("new.metadata.json").write_text(Path("i.metadata.json").read_text())
    done = run("import", "rows.jsonl", "--map", "golden", "-o", "new.jsonl")
    assert done.code == 2
    assert "new.metadata.json would be taken for the metadata of new.jsonl" in done.err
    assert not Path("new.jsonl").exists()
