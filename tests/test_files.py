"""Files that appear whole or not at all, whatever stands where they should go."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evalcontract.errors import UsageError
from evalcontract.files import refuse_overwriting, whole_file, write_all, write_whole


def test_a_file_stays_as_it_was_when_the_block_fails(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"before")
    with pytest.raises(KeyboardInterrupt), whole_file(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]
    assert path.read_bytes() == b"before"


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "a.json", tmp_path / "b.json"
    target.write_bytes(b"before")
    link.symlink_to(target)
    write_whole(link, b"after")
    assert link.is_symlink()
    assert target.read_bytes() == b"after"


def test_a_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"text")
    assert os.read(reader, 10) == b"text"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"before")
    path.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)  # what all but the superuser see
    with pytest.raises(UsageError, match="it is read-only"):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"


def test_a_long_name_that_the_system_takes_is_taken(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 250 + ".json")
    write_whole(path, b"{}")
    assert path.read_bytes() == b"{}"


@pytest.mark.parametrize("name", ["folder", "no/such/a.json", "n" * 300])
def test_what_cannot_be_written_is_refused_in_one_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match=r"is a folder|can't be written"):
        write_all({tmp_path / "first.json": b"{}", tmp_path / name: b"{}"})
    assert not (tmp_path / "first.json").exists()


@pytest.mark.parametrize("name", ["a.json", "link.json", "hard.json", "./folder/../a.json"])
def test_a_file_that_is_read_is_not_written(tmp_path: Path, name: str) -> None:
    read = tmp_path / "a.json"
    read.write_bytes(b"{}")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.json").symlink_to(read)
    (tmp_path / "hard.json").hardlink_to(read)
    with pytest.raises(UsageError, match="is read and would be written"):
        refuse_overwriting([None, tmp_path / name], [None, "-", read])
    refuse_overwriting([tmp_path / "new.json", None], [read])
