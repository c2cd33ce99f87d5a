"""CSV and Parquet: what is read, what is refused, what is said."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Finished, run


def imported(
    tmp_path: Path, content: bytes, *options: str, preset: str = "ragas", name: str = "rows.csv"
) -> Finished:
    (tmp_path / name).write_bytes(content)
    return run("import", str(tmp_path / name), "--map", preset, "-o", str(tmp_path / "items.jsonl"), *options)


def items_of(tmp_path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (tmp_path / "items.jsonl").read_text("utf-8").splitlines()]


def test_a_byte_order_mark_is_read_with_an_advice(tmp_path: Path) -> None:
    done = imported(tmp_path, b"\xef\xbb\xbfquestion,ground_truth\nq,g\n")
    assert done.code == 0
    assert "[bom]" in done.out
    assert items_of(tmp_path)[0]["expected_output"] == {"response": "g"}


def test_a_column_without_a_name_is_kept_under_its_number(tmp_path: Path) -> None:
    done = imported(tmp_path, b",question,ground_truth\n0,q,g\n")
    assert done.code == 0
    assert "column 1 has no name; it is read as 'column 1'" in done.out
    assert items_of(tmp_path)[0]["metadata"]["raw_metadata"]["imported"] == {"column 1": "0"}


def test_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    done = imported(tmp_path, b"question,ground_truth,question\nq,g,p\n")
    assert done.code == 1
    assert 'rows.csv:1:1: error: columns 1 and 3 are both named "question"' in done.out


def test_a_row_of_another_length_is_refused_at_its_line_and_the_rest_is_checked(tmp_path: Path) -> None:
    done = imported(tmp_path, b'question,ground_truth\n"a\nb",g\nq,g,h\nr,"[1, 2]"\n')
    assert "rows.csv:4:1: error: 3 cells in a row, 2 in the header" in done.out
    assert "rows.csv:5:1: error [row 3] /ground_truth/0: expected string, got integer 1" in done.out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file holds no data"),
        (b"question;ground_truth\nq;g\n", "the header is one cell"),
        (b'question,ground_truth\n"q,g\n', "not CSV"),
        (b"question,ground_truth\n", "0 rows read"),
    ],
)
def test_what_is_no_table_is_a_failure(tmp_path: Path, content: bytes, said: str) -> None:
    done = imported(tmp_path, content)
    assert done.code == 1
    assert said in done.out


def test_another_encoding_is_refused_with_its_line(tmp_path: Path) -> None:
    done = imported(tmp_path, "question\nwie heißt\n".encode("latin-1"))
    assert done.code == 2
    assert "rows.csv:2: not UTF-8" in done.err


def test_python_text_in_a_cell_is_never_evaluated(tmp_path: Path) -> None:
    done = imported(tmp_path, b"question,ground_truth,contexts\nq,g,\"['a', 'b']\"\n")
    assert done.code == 1
    assert "/contexts: expected JSON text, got string \"['a', 'b']\"" in done.out
    assert "this looks like Python text, which is never evaluated" in done.out
    assert "expected JSON text" in imported(tmp_path, b"question,ground_truths\nq,\"['a']\"\n").out


def test_json_text_in_a_cell_is_a_list(tmp_path: Path) -> None:
    passages = ["cat log | grep ERR", "plain", 'a "quoted"\nline']
    cell = json.dumps(passages).replace('"', '""')
    assert imported(tmp_path, f'question,ground_truth,contexts\nq,g,"{cell}"\n'.encode()).code == 0
    assert items_of(tmp_path)[0]["input"]["context"] == passages


def test_a_delimiter_parts_lists_only_when_it_is_told(tmp_path: Path) -> None:
    content = b"input,expected_output,context\nq,a,one|two\n"
    done = imported(tmp_path, content, preset="deepeval")
    assert done.code == 1
    assert "or tell the delimiter with --list-delimiter" in done.out
    assert imported(tmp_path, content, "--list-delimiter", "|", preset="deepeval").code == 0
    assert items_of(tmp_path)[0]["input"]["context"] == ["one", "two"]


def test_json_text_in_a_cell_is_never_parted(tmp_path: Path) -> None:
    rows = b"""input,expected_output,context
q,a,"[""cat log | grep ERR"", ""plain""]"
r,b,[see one]|two [2]
"""
    assert imported(tmp_path, rows, "--list-delimiter", "|", preset="deepeval").code == 0
    assert [item["input"]["context"] for item in items_of(tmp_path)] == [
        ["cat log | grep ERR", "plain"],
        ["[see one]", "two [2]"],
    ]
    cells = b'question,reference,reference_context_ids\nq,r,"[""a|b""]"\np,s,a|b\n'
    assert imported(tmp_path, cells, "--list-delimiter", "|").code == 0
    assert [
        [each["document_id"] for each in item["expected_output"]["retrieval_ground_truth"]]
        for item in items_of(tmp_path)
    ] == [["a|b"], ["a", "b"]]


def test_a_passage_with_the_delimiter_stops_the_export(tmp_path: Path) -> None:
    item = {
        "item_id": "q1",
        "input": {"messages": [{"role": "user", "content": "q"}], "context": ["cat log | grep ERR", "plain"]},
        "expected_output": {"response": "a"},
    }
    (tmp_path / "items.jsonl").write_text(json.dumps(item) + "\n")
    arguments = (
        "export",
        str(tmp_path / "items.jsonl"),
        "--map",
        "deepeval",
        "-o",
        str(tmp_path / "out.csv"),
    )
    done = run(*arguments, "--list-delimiter", "|")
    assert done.code == 1
    assert "context can't hold this: expected text without '|'" in done.out
    assert run(*arguments).code == 0
    back = imported(tmp_path, (tmp_path / "out.csv").read_bytes(), preset="deepeval")
    assert back.code == 0
    assert items_of(tmp_path)[0]["input"]["context"] == ["cat log | grep ERR", "plain"]


def test_empty_text_has_no_cell(tmp_path: Path) -> None:
    item = {
        "item_id": "q1",
        "input": {"messages": [{"role": "user", "content": "q"}]},
        "expected_output": {"response": ""},
    }
    (tmp_path / "items.jsonl").write_text(json.dumps(item) + "\n")
    done = run("export", str(tmp_path / "items.jsonl"), "--map", "ragas", "-o", str(tmp_path / "out.csv"))
    assert done.code == 1
    assert "reference can't hold this: it would be read as null" in done.out


def test_tabs_part_the_cells_of_a_tsv_file(tmp_path: Path) -> None:
    assert imported(tmp_path, b"question\tground_truth\nq, r\tg\n", name="rows.tsv").code == 0
    assert items_of(tmp_path)[0]["input"]["messages"][0]["content"] == "q, r"


def test_parquet_rows(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [
        {"question": "q1", "ground_truth": "g", "contexts": ["a", "b"], "score": 0.5},
        {"question": "q2", "ground_truth": "h", "contexts": [], "score": None},
    ]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "rows.parquet")
    done = run(
        "import", str(tmp_path / "rows.parquet"), "--map", "ragas", "-o", str(tmp_path / "items.jsonl")
    )
    assert done.code == 0, done.out
    first, second = items_of(tmp_path)
    assert first["input"]["context"] == ["a", "b"]
    assert second["input"]["context"] == []
    assert first["metadata"]["raw_metadata"]["imported"] == {"score": 0.5}
    assert "metadata" not in second or "imported" not in second["metadata"]["raw_metadata"]


@pytest.mark.parametrize(
    ("value", "said", "way_out"),
    [
        (b"\x00", "row 2, /odd: expected a JSON value, got b'\\x00'", "cast the column to text"),
        (math.nan, "row 2, /odd: expected a finite number, got nan", "write null in the table"),
        (-math.inf, "row 2, /odd: expected a finite number, got -inf", "write null in the table"),
        (
            {"in": [math.nan]},
            "row 2, /odd/in/0: expected a finite number, got nan",
            "write null in the table",
        ),
    ],
)
@pytest.mark.parametrize("verb", ["import", "convert"])
def test_parquet_values_that_json_has_not_are_refused_by_every_verb_with_a_way_out(
    tmp_path: Path, verb: str, value: object, said: str, way_out: str
) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"question": ["q", "r"], "ground_truth": ["g", "h"], "odd": [None, value]})
    parquet.write_table(table, tmp_path / "rows.parquet")
    to = ["--map", "ragas", "-o"] if verb == "import" else []
    done = run(verb, str(tmp_path / "rows.parquet"), *to, str(tmp_path / "items.jsonl"))
    assert done.code == 1
    assert said in done.out + done.err
    assert way_out in done.out + done.err
    assert "evalcontract validate" not in done.err
    assert not (tmp_path / "items.jsonl").exists()


@pytest.mark.parametrize("verb", ["import", "convert"])
def test_two_columns_of_one_name_are_refused_as_in_a_csv(tmp_path: Path, verb: str) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    names = ["question", "answer", "answer"]
    table = arrow.Table.from_arrays([arrow.array(["x"])] * 3, names=names)
    parquet.write_table(table, tmp_path / "rows.parquet")
    to = ["--map", "golden", "-o"] if verb == "import" else []
    done = run(verb, str(tmp_path / "rows.parquet"), *to, str(tmp_path / "items.jsonl"))
    assert done.code == 1
    assert 'columns 2 and 3 are both named "answer"' in done.out + done.err
    assert "rename one of them" in done.out + done.err
    assert not (tmp_path / "items.jsonl").exists()
    in_csv = imported(tmp_path, b"question,answer,answer\r\nx,x,x\r\n", name="rows.csv")
    assert 'columns 2 and 3 are both named "answer"' in in_csv.out


def test_what_is_no_parquet_file_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 not")
    done = run("import", str(tmp_path / "bad.parquet"), "--map", "ragas", "-o", str(tmp_path / "items.jsonl"))
    assert done.code == 2
    assert "can't be read as Parquet" in done.err
