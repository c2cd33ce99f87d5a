"""The line that says how far the work is: on terminals only, with its rate and the time that is left."""

from __future__ import annotations

import gzip
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from evalcontract.cli.progress import Progress
from evalcontract.reading import opened, share_read


def test_how_much_of_a_file_was_read_is_known_while_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"x" * 1_000_000)
    assert share_read(str(file)) is None
    with opened(file) as (stream, _):
        assert share_read(str(file)) == 0
        stream.read(500_000)
        assert 0.5 <= (share_read(str(file)) or 0) < 1
        stream.read()
        assert share_read(str(file)) == 1
    assert share_read(str(file)) is None


def test_of_a_packed_file_the_packed_bytes_count(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl.gz"
    file.write_bytes(gzip.compress(os.urandom(2_000_000)))
    with opened(file) as (stream, _):
        stream.read(10)
        assert 0 < (share_read(str(file)) or 0) < 1


def test_rate_and_time_left_are_told_over_all_files(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for file in (first, second):
        file.write_bytes(b"x" * 4_000_000)
    progress = Progress([first, second])
    progress.update(str(first), 900)
    progress.update(str(second), 100)
    with opened(second) as (stream, _):
        stream.read(4_000_000)
        assert (
            progress.line(str(second), 100, 10) == f"{second}: 100 items, 100 a second, 100% read, 0 s left"
        )
    with opened(second) as (stream, _):
        while (share_read(str(second)) or 0) < 0.2:
            stream.read(1000)
        said = progress.line(str(second), 100, 60)
    assert "1 items" not in said
    assert " a second, 6" in said
    assert said.endswith("s left")


@pytest.mark.parametrize(("seconds", "said"), [(5, "5 s"), (65, "1 min 05 s"), (3700, "1 h 01 min")])
def test_the_time_that_is_left_is_short(
    tmp_path: Path, seconds: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"x" * 100)
    monkeypatch.setattr("evalcontract.reading.share_read", lambda name: 0.5)
    assert Progress([file]).line(str(file), 10, seconds).endswith(f", 50% read, {said} left")


def test_without_a_size_the_rate_alone_is_told() -> None:
    assert Progress(["-"]).line("<stdin>", 5000, 2) == "<stdin>: 5,000 items, 2,500 a second"


_SLOW = """
import sys, time
from evalcontract.cli import progress
progress._PATIENCE_SECONDS = progress._STEP_SECONDS = 0
from evalcontract.cli import main
sys.argv = ["evalcontract", "validate", sys.argv[1]]
main()
"""


@pytest.mark.parametrize("terminal", [True, False], ids=["terminal", "pipe"])
def test_progress_is_shown_on_terminals_only(tmp_path: Path, terminal: bool) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"".join(b'{"item_id":"%d","input":{}}\n' % number for number in range(20_000)))
    ours, theirs = pty.openpty() if terminal else os.pipe()
    environment = {**os.environ, "TERM": "xterm"}
    report = (tmp_path / "report").open("wb")
    command = [sys.executable, "-c", _SLOW, str(file)]
    done = subprocess.Popen(command, stdout=report, stderr=theirs, env=environment)
    os.close(theirs)
    said = b""
    try:
        while piece := os.read(ours, 1 << 16):
            said += piece
    except OSError:  # a terminal whose other end is closed
        pass
    os.close(ours)
    assert done.wait(timeout=60) == 0
    report.close()
    assert b"ok: 20,000 items in 1 file" in (tmp_path / "report").read_bytes()
    assert (b" a second" in said) is terminal
