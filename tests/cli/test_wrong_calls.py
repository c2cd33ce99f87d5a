"""What is wrong with a call is said in the same way, whoever finds it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evalcontract.cli import eval_dataset_main
from tests.support.cli import run
from tests.support.commands import Command, commands
from tests.support.datasets import dataset, item

ERROR = re.compile(r"error: [^A-Z\n][^\n]*\n  hint: [^\n]+\n")
COMMANDS = list(commands())


@pytest.mark.parametrize(
    ("line", "error", "hint"),
    [
        (["valdate", "x"], "no such command 'valdate'", "did you mean validate?"),
        (["schema", "nope"], "no such command 'nope'", "evalcontract schema --help lists what there is"),
        (
            ["validate", "x", "--fromat", "json"],
            "no such option",
            "did you mean --format or --formats?",
        ),
        (
            ["dataset", "next-version", "x.json"],
            "missing option '--previous'",
            "evalcontract dataset next-version --help lists what there is",
        ),
        (["validate", "x", "--jobs"], "option '--jobs' requires an argument", None),
        (
            ["validate", "x", "--jobs", "0"],
            "invalid value for '--jobs' / '-j': 0 is ",
            "evalcontract validate --help lists what there is",
        ),
        (["validate", "x", "--format", "xml"], "there is no format 'xml'", "known: text, json"),
        (["validate", "gone.json"], "gone.json: no such file or folder", "check the spelling and the folder"),
    ],
)
def test_a_bad_option_and_a_bad_file_look_alike(line: list[str], error: str, hint: str | None) -> None:
    done = run(*line)
    assert (done.code, done.out) == (2, "")
    assert ERROR.fullmatch(done.err)
    assert done.err.startswith(f"error: {error}")
    assert f"\n  hint: {hint or ''}" in done.err


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command.words))
def test_every_command_refuses_an_option_that_it_has_not(command: Command) -> None:
    done = run(*command.words, "--no-such\x1b[31m-option", "x")
    assert (done.code, done.out) == (2, "")
    assert ERROR.fullmatch(done.err)
    assert "\x1b" not in done.err


def test_the_other_name_of_the_program_says_its_own_name() -> None:
    done = run("validate", main=eval_dataset_main)
    assert (done.code, done.err.splitlines()[0]) == (2, "error: missing option '--source'")


def test_no_arguments_at_all_show_the_help() -> None:
    for line in ((), ("schema",), ("dataset",)):
        done = run(*line)
        assert done.code == 2
        assert "Usage: evalcontract" in done.out + done.err


# no file gets another format than its name says


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("d.json").write_text(json.dumps(dataset("1.0", item("a"))))
    Path("p.jsonl").write_text(json.dumps({"item_id": "a", "prediction": {"response": "x"}}) + "\n")
    Path("r.jsonl").write_text('{"question": "When?", "answer": "Now"}\n')
    return tmp_path


SCORE = ("score", "p.jsonl", "--dataset", "d.json")


@pytest.mark.parametrize(
    ("line", "name", "begins"),
    [
        (("validate", "d.json"), "r.json", "{"),
        (("validate", "d.json"), "r.xml", "<?xml"),
        (("validate", "d.json"), "r.sarif", "{"),
        (("validate", "d.json"), "r.txt", "file"),
        (("validate", "d.json"), "r", "file"),
        (("validate", "d.json", "--format", "sarif"), "r.json", '{\n  "$schema"'),
        (("dataset", "check", "d.json"), "r.XML", "<?xml"),
        (("dataset", "stats", "d.json"), "r.json", "{"),
        (SCORE, "r.md", "**"),
        (SCORE, "r.csv", "measure,"),
        (SCORE, "r.json", "{"),
        (("schema", "breaking", "rag_input"), "r.json", "{"),
    ],
)
def test_a_report_is_of_the_format_that_its_name_says(
    here: Path, line: tuple[str, ...], name: str, begins: str
) -> None:
    assert run(*line, "-o", name).code in (0, 1)
    assert Path(name).read_text().startswith(begins)


@pytest.mark.parametrize(
    "line",
    [
        ("validate", "d.json", "-o", "r.jsonl"),
        ("validate", "d.json", "-o", "r.md"),
        ("validate", "d.json", "--format", "json", "-o", "r.xml"),
        ("validate", "d.json", "--format", "text", "-o", "r.json"),
        (*SCORE, "--format", "markdown", "-o", "r.jsonl"),
        (*SCORE, "-o", "r.yaml"),
        (*SCORE, "--records", "r.md"),
        (*SCORE, "--records", "r.json"),
        ("dataset", "stats", "d.json", "-o", "r.csv"),
        ("schema", "show", "rag_input", "-o", "r.yaml"),
        ("schema", "bundle", "rag_input", "-o", "r.md"),
        ("import", "r.jsonl", "--suggest", "-o", "m.json"),
        ("import", "r.jsonl", "--map", "golden", "-o", "i.csv"),
        ("import", "r.jsonl", "--map", "golden", "-o", "i.jsonl", "--report", "r.csv"),
        ("convert", "d.json", "d2.md"),
        ("convert", "d.json", "d2.jsonl", "--report", "r.jsonl"),
        ("normalize", "d.json", "-o", "d2.txt"),
        ("migrate", "d.json", "--to", "rag@1.0", "-o", "d2.csv"),
        ("prediction", "d.json", "--from", "messages", "--item-id", "a", "-o", "p.csv"),
        ("response", "d.json", "--provider", "gemini", "-o", "p.jsonl"),
    ],
)
def test_a_name_that_says_another_format_is_refused_before_anything_is_written(
    here: Path, line: tuple[str, ...]
) -> None:
    before = {path: path.read_bytes() for path in here.iterdir()}
    done = run(*line)
    assert (done.code, done.out) == (2, "")
    assert ERROR.fullmatch(done.err)
    assert {path: path.read_bytes() for path in here.iterdir()} == before


def test_data_and_report_of_a_verb_go_where_each_is_said(here: Path) -> None:
    made = (
        ("import", "r.jsonl", "--map", "golden", "-o", "i.jsonl"),
        ("export", "d.json", "--map", "ragas", "-o", "rows.jsonl", "--allow-drop"),
        ("convert", "d.json", "lines.jsonl"),
        ("normalize", "d.json", "-o", "flat.json"),
        ("migrate", "d.json", "--to", "rag@1.0", "-o", "moved.json"),
    )
    for line in made:
        data = Path(line[-1] if line[0] != "export" else "rows.jsonl")
        done = run(*line, "--report", "report.json")
        assert (done.code, done.out, done.err) == (0, "", "")
        assert json.loads(Path("report.json").read_text())
        assert data.exists()


# JSON Lines under both names


@pytest.mark.parametrize(
    "line",
    [
        ("validate", "d.{}"),
        ("dataset", "check", "d.{}"),
        ("dataset", "diff", "d.{}", "d.json"),
        ("dataset", "stats", "d.{}"),
        ("convert", "d.{}", "out.json"),
        ("convert", "d.json", "out.{}"),
        ("normalize", "d.{}", "-o", "out.{}"),
        ("migrate", "d.{}", "--to", "rag@1.0", "-o", "out.{}"),
        ("import", "r.{}", "--map", "golden", "-o", "out.{}"),
        (
            "import",
            "r.{}",
            "--map",
            "golden",
            "-o",
            "out.{}",
            "--predictions",
            "p2.{}",
            "--ids",
            "row-number",
        ),
        ("import", "r.{}", "--suggest"),
        ("export", "d.{}", "--map", "ragas", "-o", "out.{}", "--allow-drop"),
        ("score", "p.{}", "--dataset", "d.{}", "--compare", "p.{}", "--records", "out.{}"),
    ],
    ids=" ".join,
)
def test_json_lines_are_taken_under_both_names(here: Path, line: tuple[str, ...]) -> None:
    assert run("convert", "d.json", "d.jsonl").code == 0
    for name in ("d", "p", "r"):
        Path(f"{name}.ndjson").write_bytes(Path(f"{name}.jsonl").read_bytes())
    codes, written = [], []
    for suffix in ("jsonl", "ndjson"):
        codes.append(run(*(word.format(suffix) for word in line)).code)
        out = Path(f"out.{suffix}")
        written.append(out.read_bytes() if out.exists() else None)
        for made in here.glob("out*"):
            made.unlink()
    assert codes[0] == codes[1] != 2
    assert written[0] == written[1]


# what a user's own module prints


def test_a_module_that_prints_does_not_spoil_a_report(here: Path) -> None:
    Path("mine.py").write_text(
        "print('imported')\n"
        "from evalcontract.models import RAGInput\n"
        "class Input(RAGInput):\n"
        "    @classmethod\n"
        "    def model_json_schema(cls, *args, **kwargs):\n"
        "        print('made')\n"
        "        return RAGInput.model_json_schema()\n"
    )
    command = ["-m", "evalcontract", "validate", "d.json", "--input-schema", "mine:Input", "--format", "json"]
    done = subprocess.run([sys.executable, *command], capture_output=True, check=False)
    assert json.loads(done.stdout)["files"]
    assert done.stderr == b"imported\nmade\n"
