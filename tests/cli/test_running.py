"""What holds for every command: no traceback, nothing raw on the terminal, no input overwritten."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli import run
from tests.support.datasets import dataset, item

HOSTILE = "\x1b]0;title\x07\x9b2J\u202e\r\n::error::x"
COMMANDS = (
    ("validate", "{}"),
    ("dataset", "check", "{}"),
    ("dataset", "check", "{}", "--previous", "{}"),
    ("dataset", "diff", "{}", "{}"),
    ("dataset", "next-version", "{}", "--previous", "{}"),
    ("dataset", "stats", "{}"),
    ("dataset", "name", "{}"),
    ("dataset", "path", "{}", "--catalog", "main"),
    ("normalize", "{}", "-o", "out.jsonl"),
    ("convert", "{}", "out.jsonl"),
    ("import", "{}", "--map", "golden", "-o", "out.jsonl"),
    ("import", "{}", "--suggest"),
    ("export", "{}", "--map", "golden", "-o", "out.jsonl"),
    ("response", "{}"),
    ("response", "{}", "--provider", "anthropic"),
    ("prediction", "{}", "--from", "messages", "--item-id", "a"),
    ("migrate", "{}", "--to", "rag@1.0"),
    ("score", "{}", "--dataset", "{}"),
    ("score", "{}", "--dataset", "{}", "--compare", "{}", "-o", "out.jsonl"),
)


def hostile_dataset() -> bytes:
    hostile = {HOSTILE: HOSTILE, "messages": [{"role": HOSTILE, "content": 1}], "context": HOSTILE}
    one = item(HOSTILE) | {"input": hostile, HOSTILE: HOSTILE}
    return json.dumps(dataset("1.0", one, one) | {HOSTILE: 1}).encode()


def is_bounded_and_escaped(text: str) -> bool:
    return all(char.isprintable() for char in text.replace("\n", "")) and not any(
        line.startswith("::") or len(line) > 5000 for line in text.splitlines()
    )


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    "name", ["", "gone.json", "n" * 5000 + ".json", "folder.json", "loop.json", "empty.json"]
)
def test_a_file_that_cannot_be_used_is_a_few_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.json").mkdir()
    Path("loop.json").symlink_to("loop.json")
    Path("empty.json").touch()
    done = run(*(name if each == "{}" else each for each in command))
    assert done.code in (1, 2)
    assert 0 < len((done.out + done.err).splitlines()) < 40
    assert is_bounded_and_escaped(done.out + done.err)
    assert not Path("out.jsonl").exists()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_that_a_file_holds_reaches_the_terminal_raw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = HOSTILE.replace("/", "") + ".json"
    Path(name).write_bytes(hostile_dataset())
    done = run(*(name if each == "{}" else each for each in command))
    assert done.code in (0, 1, 2)
    assert is_bounded_and_escaped(done.out + done.err)


def started(*arguments: str, stdout: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "evalcontract", *arguments]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE, env=environment)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
@pytest.mark.parametrize("arguments", [("schema", "list"), ("--version",)])
def test_a_full_disk_is_a_line(arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        process = started(*arguments, stdout=full.fileno())
        _, error = process.communicate()
    assert (process.returncode, error) == (2, b"error: no space left on device\n")


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = started("schema", "list", stdout=writing)
    os.close(writing)
    assert process.communicate()[1] == b""


def test_without_standard_output_there_is_a_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = "import sys; sys.stdout = None; sys.argv[1:] = ['schema', 'list']; import evalcontract.cli as c; c.main()"
    done = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: there is no standard output\n")


def test_an_interrupt_while_it_loads_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("evalcontract.cli.import_module", interrupted)
    done = run("schema", "list")
    assert (done.code, done.out, done.err) == (130, "", "interrupted; nothing was written\n")
