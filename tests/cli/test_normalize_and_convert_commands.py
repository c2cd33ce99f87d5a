"""`evalcontract normalize` and `evalcontract convert` from the outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import run
from tests.support.datasets import dataset, item, write, write_lines


def wrapped(item_id: str, key: str = "request", **fields: Any) -> dict[str, Any]:
    whole = item(item_id)
    return whole | {"input": {key: whole["input"], **fields}}


def test_wrapped_inputs_come_out_flat_and_the_input_file_stays(tmp_path: Path) -> None:
    file = write(tmp_path, dataset("1.0", wrapped("a"), wrapped("b"), wrapped("c", "query"), item("d")))
    before = file.read_bytes()
    out = tmp_path / "out.json"
    done = run("normalize", str(file), "-o", str(out))
    assert (done.code, done.err) == (0, "")
    assert "2 inputs unwrapped from request" in done.out
    assert "1 input unwrapped from query" in done.out
    assert "decided by rag_input@1.0 (4 items)" in done.out
    assert json.loads(out.read_bytes()) == dataset("1.0", *map(item, "abcd"))
    assert file.read_bytes() == before


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    once, twice = tmp_path / "1.json", tmp_path / "2.json"
    run("normalize", str(write(tmp_path, dataset("1.0", wrapped("a")))), "-o", str(once))
    assert run("normalize", str(once), "-o", str(twice)).code == 0
    assert twice.read_bytes() == once.read_bytes()


def test_without_a_declared_type_a_single_key_is_unwrapped_by_guess(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "a.jsonl", [{"item_id": "a", "input": {"request": {"q": "x"}}}])
    out = tmp_path / "out.jsonl"
    done = run("normalize", str(file), "-o", str(out), "--format", "json")
    assert json.loads(done.out)["decided_by"] == {"no schema": 1}
    assert json.loads(out.read_bytes()) == {"item_id": "a", "input": {"q": "x"}}


def test_a_told_schema_decides(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "a.jsonl", [{"item_id": "a", "input": {"request": {"q": "x"}}}])
    done = run("normalize", str(file), "-o", str(tmp_path / "out.jsonl"), "--type", "rag", "--format", "json")
    report = json.loads(done.out)
    assert (done.code, report["left_count"], report["invalid"]) == (1, 1, 1)
    assert "'q'" in report["left"][0]["reason"]


def test_doubtful_inputs_are_left_named_and_checked_again(tmp_path: Path) -> None:
    file = write(tmp_path, dataset("1.0", wrapped("a", user="u1"), item("b")))
    done = run("normalize", str(file), "-o", str(tmp_path / "out.json"))
    assert done.code == 1
    assert (
        "left as it is: item 'a': several keys and none is a field of the schema: 'request', 'user'"
        in done.out
    )
    assert "failed: 1 item not valid" in done.out


def test_positional_arguments_leave_nothing_written(tmp_path: Path) -> None:
    call = {"args": ["What?"], "kwargs": {}}
    file = write_lines(tmp_path / "a.jsonl", [item("a"), item("b") | {"input": call}])
    done = run("normalize", str(file), "-o", str(tmp_path / "out.jsonl"))
    assert done.code == 1
    assert f"{file}:2: item b: " in done.err
    assert "args[0] is 'What?'" in done.err
    assert [each.name for each in tmp_path.iterdir()] == ["a.jsonl"]


def test_an_unreadable_line_leaves_the_older_file_alone(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "a.jsonl", [item("a")])
    file.write_text(file.read_text() + "{oops\n")
    out = tmp_path / "out.jsonl"
    out.write_text("older")
    for command in (("normalize", str(file), "-o", str(out)), ("convert", str(file), str(out))):
        done = run(*command)
        assert (done.code, f"{file}:2" in done.err) == (1, True)
        assert out.read_text() == "older"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.jsonl", "out.jsonl"]


def test_convert_writes_the_format_of_the_suffix(tmp_path: Path) -> None:
    file = write(tmp_path, dataset("1.0"))
    lines, back = tmp_path / "b.jsonl", tmp_path / "c.json"
    done = run("convert", str(file), str(lines))
    assert (done.code, done.out) == (0, f"2 items written to {lines}, {tmp_path / 'b.metadata.json'}\n")
    assert run("convert", str(lines), str(back)).code == 0
    assert json.loads(back.read_bytes()) == dataset("1.0")


def test_convert_says_what_a_format_cannot_keep(tmp_path: Path) -> None:
    file = write(tmp_path, dataset("1.0", item("a", v=1), item("b", v="1")) | {"curator": "team"})
    done = run("convert", str(file), str(tmp_path / "b.parquet"))
    assert (done.code, done.err) == (0, "")
    assert "note: kept as JSON text, having no single type: input.v\n" in done.out
    done = run("convert", str(file), str(tmp_path / "b.jsonl"))
    assert (done.code, "--allow-loss" in done.err) == (1, True)
    assert not (tmp_path / "b.jsonl").exists()
    for option in ("--allow-loss", "--allow-drop"):
        assert run("convert", str(file), str(tmp_path / "b.jsonl"), option).code == 0


def test_the_file_to_write_is_said_like_in_other_commands_too_and_once(tmp_path: Path) -> None:
    file, target = str(write(tmp_path, dataset("1.0"))), tmp_path / "b.json"
    assert run("convert", file, "-o", str(target)).code == 0
    assert json.loads(target.read_bytes()) == dataset("1.0")
    for arguments in ((), (str(target), "-o", str(tmp_path / "c.json"))):
        done = run("convert", file, *arguments)
        assert (done.code, done.err.splitlines()[0]) == (2, "error: convert needs the file to write, once")


@pytest.mark.parametrize("name", ["out.csv", "absent/out.json", "pathfinder_rag_retrieval_v1.0.json"])
def test_a_target_that_can_not_be_written_exits_with_2(tmp_path: Path, name: str) -> None:
    file = write(tmp_path, dataset("1.0"))
    before = file.read_bytes()
    done = run("convert", str(file), str(tmp_path / name))
    assert (done.code, done.out) == (2, "")
    assert file.read_bytes() == before


def test_normalize_writes_text_formats_only(tmp_path: Path) -> None:
    file = write(tmp_path, dataset("1.0"))
    done = run("normalize", str(file), "-o", str(tmp_path / "out.parquet"))
    assert (done.code, "then convert that file" in done.err) == (2, True)
