"""`evalcontract validate` from the outside: exit codes, streams, files and bad input."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from evalcontract.cli import eval_dataset_main
from tests.support.cli import run

EXAMPLES = Path(__file__).parents[2] / "examples"
RAG = EXAMPLES / "pathfinder" / "pathfinder_rag_retrieval_v1.0.json"
FAULTY = EXAMPLES / "faulty" / "instructive_faults.jsonl"
ITEM = {
    "item_id": "q1",
    "input": {"messages": [{"role": "user", "content": "When?"}]},
    "expected_output": {"response": "1879"},
}


def lines(*documents: object) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in documents)


def test_a_clean_dataset_exits_with_0() -> None:
    done = run("validate", str(RAG))
    assert (done.code, done.err) == (0, "")
    assert "ok: 12 items in 1 file" in done.out


def test_violations_exit_with_1_and_name_place_item_and_way_out() -> None:
    done = run("validate", str(FAULTY))
    assert done.code == 1
    assert f"{FAULTY}:11:521: error [page-number-is-0] /expected_output/citations/0/page_number: " in done.out
    assert "hint: page numbers start at 1; is this a 0-based index?" in done.out


def test_a_folder_is_searched_for_every_kind_of_file(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "a.json").write_text(json.dumps([ITEM]))
    (tmp_path / "inner" / "b.jsonl").write_bytes(lines(ITEM))
    (tmp_path / "c.yaml").write_text(f"- {json.dumps(ITEM)}\n")
    (tmp_path / "d.jsonl.gz").write_bytes(gzip.compress(lines(ITEM)))
    (tmp_path / "notes.txt").write_text("not data")
    done = run("validate", str(tmp_path))
    assert (done.code, "ok: 4 items in 4 files" in done.out) == (0, True)


def test_a_glob_is_expanded(tmp_path: Path) -> None:
    for name in ("a_v1.json", "b_v1.json", "c_v2.json"):
        (tmp_path / name).write_text(json.dumps([ITEM]))
    assert "ok: 2 items in 2 files" in run("validate", str(tmp_path / "*_v1.json")).out


def test_standard_input_is_read() -> None:
    done = run("validate", "-", stdin=lines(ITEM, ITEM))
    assert done.code == 1
    assert "<stdin>:2:13: error [q1] /item_id" in done.out


def test_a_contract_is_told() -> None:
    document = lines({"role": "user", "content": 1}, {"role": "user", "content": "x"})
    done = run("validate", "-", "--contract", "message@1.0", stdin=document)
    assert done.code == 1
    assert "<stdin>:1:29: error /content: expected string, got integer 1 [wrong-type]" in done.out
    assert "message@1.0 (2 items)" in done.out


def test_a_schema_type_is_told() -> None:
    document = lines(ITEM | {"input": ITEM["input"] | {"context": "text"}})  # type: ignore[operator]
    assert run("validate", "-", stdin=document).code == 0
    assert run("validate", "-", "--type", "rag", stdin=document).code == 1


def test_schemas_of_the_parts_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    Path("product_schemas.py").write_text(
        "from evalcontract.models import RAGInput\n\n\nclass ProductInput(RAGInput):\n    tenant: str\n"
    )
    schemas = [
        "--input-schema",
        "product_schemas:ProductInput",
        "--expected-output-schema",
        "rag_expected_output",
    ]
    done = run("validate", "-", *schemas, stdin=lines(ITEM))
    assert done.code == 1
    assert "/input/tenant: tenant is required but missing, expected string" in done.out


def test_rows_of_another_tool_fail_one_by_one() -> None:
    rows = lines({"inputs": {"q": "a"}, "outputs": "b"}, {"inputs": {"q": "a"}, "outputs": {"r": "b"}})
    done = run("validate", "-", stdin=rows)
    assert done.code == 1
    assert "<stdin>:1:1: error /item_id" in done.out
    assert "<stdin>:2:1: error /item_id" in done.out
    rows = json.dumps([{"vars": {"x": 1}, "assert": []}]).encode()
    assert run("validate", "-", "--type", "qa", stdin=rows).code == 1


def test_a_wrong_type_is_told_with_line_pointer_types_and_value_and_the_next_line_is_checked() -> None:
    rows = b"\n" + lines(ITEM | {"expected_output": "b"}, ITEM | {"item_id": 7})
    done = run("validate", "-", stdin=rows)
    assert '/expected_output: expected object or null, got string "b" [wrong-type]' in done.out
    assert "/item_id: expected string, got integer 7 [wrong-type]" in done.out
    assert [line.split(":")[1] for line in done.out.splitlines() if ": error" in line] == ["2", "3"]


def test_advices_fail_only_a_strict_run() -> None:
    document = lines(ITEM | {"input": ITEM["input"] | {"context": [""]}})  # type: ignore[operator]
    assert run("validate", "-", "--type", "rag", stdin=document).code == 0
    assert run("validate", "-", "--type", "rag", "--strict", stdin=document).code == 1


def test_findings_beyond_the_limit_are_counted_and_grouped() -> None:
    rows = lines(*({"item_id": f"q{number}"} for number in range(5)))
    done = run("validate", "-", "--max-violations", "2", stdin=rows)
    assert done.out.count("[missing-property]") == 2
    assert "<stdin>: 3 more errors: missing-property at /input" in done.out
    assert "failed: 5 items in 1 file, 5 errors" in done.out


def test_a_report_is_written_whole_and_replaces_an_older_one(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text("old")
    done = run("validate", str(RAG), "--format", "json", "--output", str(report))
    assert (done.code, done.out) == (0, "")
    assert json.loads(report.read_text())["ok"] is True
    assert [each.name for each in tmp_path.iterdir()] == ["report.json"]


def test_input_files_are_never_changed() -> None:
    before = FAULTY.read_bytes()
    run("validate", str(FAULTY))
    assert FAULTY.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["absent.json"], "absent.json: no such file or folder"),
        (["empty_folder"], "empty_folder"),
        (["*.nothing"], "*.nothing"),
        (["notes.txt"], "notes.txt"),
        ([], "missing argument"),
        (["a.json", "--contract", "rag_inptu"], "there is no contract rag_inptu"),
        (["a.json", "--contract", "rag_input@7.0"], "rag_input has no version 7.0"),
        (["a.json", "--contract", "../../etc/passwd"], "is not the name of a contract"),
        (["a.json", "--type", "ragg"], "there is no schema type 'ragg'"),
        (["a.json", "--type", "RAG"], "did you mean rag?"),
        (["a.json", "--input-schema", "a.json"], "a.json is not a JSON Schema"),
        (["a.json", "--input-schema", "no_such_module:Thing"], "no_such_module:Thing can't be imported"),
        (["a.json", "--format", "xml"], "there is no format 'xml'"),
        (["a.json", "--output", "no/such/folder/report.txt"], "report.txt can't be written"),
        (["a.json", "--max-violations", "0"], "max-violations"),
        (["a.json", "--contract", "message", "--type", "rag"], "leave out --contract"),
        (["utf16.json"], "UTF-16"),
        ([""], "an empty name is no file"),
        (["n" * 5000 + ".json"], "file name too long"),
        (["a.json", "--output", "a.json"], "a.json is read and would be written"),
        (["a.json", "--output", "empty_folder"], "empty_folder is a folder"),
    ],
)
def test_wrong_usage_and_unreadable_input_exit_with_2_and_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty_folder").mkdir()
    Path("notes.txt").write_text("not data")
    Path("a.json").write_text(json.dumps([ITEM]))
    Path("utf16.json").write_bytes(json.dumps([ITEM]).encode("utf-16"))
    done = run("validate", *arguments)
    assert done.code == 2
    assert said in done.err + done.out
    assert "Traceback" not in done.err + done.out
    assert len([line for line in done.err.splitlines() if line.startswith("error: ")]) <= 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\n\n",
        b'{"metadata":{"product_id":"p","scope":"s","version":"1.0","input_schema_type":"qa",'
        b'"input_schema_version":"1.0"},"items":[]}',
        b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d" * 32 + b"\nsize 12345\n",
        b"\xff\xfe\x00\x01\x02",
        b"{",
        b'[{"item_id": "q1"',
    ],
    ids=[
        "empty",
        "no-items",
        "blank",
        "empty-dataset",
        "lfs-pointer",
        "not-text",
        "truncated-object",
        "truncated-array",
    ],
)
def test_data_that_gives_no_item_is_never_a_success(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "data.json"
    path.write_bytes(content)
    done = run("validate", str(path))
    assert done.code in (1, 2)
    assert done.out + done.err != ""


def test_one_unreadable_file_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(json.dumps([ITEM]).encode("utf-16"))
    (tmp_path / "b.jsonl").write_bytes(lines({"item_id": "q1"}))
    done = run("validate", str(tmp_path))
    assert done.code == 2
    assert "/input: input is required but missing" in done.out
    assert "UTF-16" in done.out


def test_text_from_a_file_cannot_steer_the_terminal() -> None:
    done = run("validate", "-", stdin=lines({"item_id": "\x1b[2Jq1\u202e", "input": "\x07"}))
    assert "\x1b" not in done.out
    assert "\x07" not in done.out
    assert "\u202e" not in done.out


def test_the_other_name_does_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / "data.jsonl"
    path.write_bytes(lines(ITEM | {"input": {}}))
    done = run(
        "validate",
        "--source",
        str(path),
        "--input-schema",
        "evalcontract.models:RAGInput",
        main=eval_dataset_main,
    )
    assert done.code == 1
    assert "/input/messages: messages is required" in done.out


# many files at once


def test_every_file_that_can_be_read_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.json").write_text(json.dumps([ITEM]))
    Path("bad.json").write_text("{")
    Path("golden.csv").write_text("question,answer\n")
    Path("README.md").write_text("# Data")
    Path("LICENSE").write_text("free")
    done = run("validate", "gone.json", "bad.json", "golden.csv", "README.md", "good.json", "LICENSE")
    assert (done.code, done.err) == (2, "")
    assert "bad.json:1:" in done.out
    assert "good.json" in done.out
    assert "error: golden.csv: .csv is not read here (evalcontract import turns" in done.out
    assert "error: gone.json: no such file or folder" in done.out
    assert done.out.splitlines()[-2:] == [
        "note: 2 files not looked at, no format that is read: README.md, LICENSE",
        "failed: 2 items in 2 files, 1 error, 2 files not readable",
    ]
    report = json.loads(run("validate", "golden.csv", "README.md", "good.json", "--format", "json").out)
    assert report["skipped"] == [{"file": "README.md", "reason": "no format that is read"}]
    assert [each["file"] for each in report["unreadable"]] == ["golden.csv"]


def test_other_files_in_a_folder_of_data_do_not_fail_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.json").write_text(json.dumps([ITEM]))
    Path("README.md").write_text("# Data")
    assert run("validate", "README.md", "good.json").code == 0
    assert run("validate", "README.md", "README.md").code == 2  # nothing was looked at


def test_schemas_and_settings_in_a_folder_are_no_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("d").mkdir()
    Path("d/good.json").write_text(json.dumps([ITEM]))
    Path("d/named.json").write_text(
        json.dumps({"$schema": "https://evalcontract.example/schemas/x.json"} | ITEM)
    )
    Path("d/input.json").write_text(
        '{"title": "x", "$schema": "http://json-schema.org/draft-07/schema#", "a": {}}'
    )
    Path("d/package.json").write_text('{"name": "x"}')
    done = run("validate", "d")
    assert (done.code, done.err) == (0, "")
    assert "2 items in 2 files" in done.out
    assert (
        "note: 2 files not looked at, a JSON Schema: d/input.json; settings of a tool: d/package.json"
        in done.out
    )
    assert run("validate", "d/input.json").code == 1  # named outright, it is looked at
    assert run("validate", "d/*.json").code == 0
    Path("d/good.json").unlink()
    Path("d/named.json").unlink()
    done = run("validate", "d")
    assert (done.code, "nothing of this is read" in done.err) == (2, True)


@pytest.mark.parametrize("pattern", ["old", "old/", "old/*", "*bad*", "o*.json"])
def test_what_the_settings_exclude_is_not_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    (tmp_path / "evalcontract.toml").write_text(f'exclude = ["{pattern}"]\n')
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    (tmp_path / "old" / "bad.json").write_text("{}")
    (tmp_path / "new" / "good.json").write_text(json.dumps([ITEM]))
    monkeypatch.chdir(tmp_path / "new")
    for line in (["..", "good.json"], ["../old/bad.json", "good.json"]):
        done = run("validate", *line)
        assert (done.code, "excluded by the settings: ../old/bad.json" in done.out) == (0, True), done
    assert run("validate", "../old/bad.json").code == 2


def test_a_pattern_that_is_no_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evalcontract.toml").write_text("exclude = [1]\n")
    (tmp_path / "good.json").write_text(json.dumps([ITEM]))
    monkeypatch.chdir(tmp_path)
    done = run("validate", "good.json")
    assert (done.code, "exclude is not a list of patterns" in done.err) == (2, True)
