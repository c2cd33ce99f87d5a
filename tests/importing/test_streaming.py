"""Rows go through one by one: what comes out doesn't depend on where in the file something new stands."""

from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.importing import ImportRequest, import_file, load_mapping
from tests.support.cli import run

QA = {"question": "When?", "ground_truth": "1879"}
RAG = QA | {"contexts": ["It was in 1879."]}
UNANSWERED = {"question": "Why?"}


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row | {"number": n}) + "\n" for n, row in enumerate(rows)), "utf-8")
    return path


@given(st.lists(st.sampled_from([QA, RAG, UNANSWERED]), min_size=1, max_size=6))
def test_items_declare_the_type_of_all_rows_together(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    source = write(folder / "rows.jsonl", rows)
    for suffix in ("jsonl", "json"):
        output = folder / f"items.{suffix}"
        done = import_file(ImportRequest(source, load_mapping("ragas"), output, ids="row-number"))
        assert not done.failed
        text = output.read_text("utf-8")
        items = json.loads(text) if suffix == "json" else [json.loads(line) for line in text.splitlines()]
        expected = "rag" if RAG in rows else "qa"
        for row, item in zip(rows, items, strict=True):
            declared = item["metadata"]["raw_metadata"].get("input_schema_type")
            assert declared == (expected if "ground_truth" in row else None)


def test_what_can_be_read_once_only_gives_the_same(tmp_path: Path) -> None:
    source = write(tmp_path / "rows.jsonl", [QA, UNANSWERED, RAG])
    command = ("--map", "ragas", "--ids", "row-number", "-o")
    assert run("import", str(source), *command, str(tmp_path / "one.jsonl")).code == 0
    piped = run("import", "-", *command, str(tmp_path / "two.jsonl"), stdin=source.read_bytes())
    assert piped.code == 0, piped.out
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_a_fault_in_the_last_row_leaves_nothing(tmp_path: Path, suffix: str) -> None:
    source = write(tmp_path / "rows.jsonl", [RAG] * 50 + [{"question": 7}])
    (tmp_path / "out").mkdir()
    before = tmp_path / "out" / f"items.{suffix}"
    before.write_text("older")
    command = ("import", str(source), "--map", "ragas", "--ids", "row-number", "-o", str(before))
    assert run(*command, "--predictions", str(tmp_path / "out" / "p.jsonl")).code == 1
    assert before.read_text() == "older"
    assert os.listdir(tmp_path / "out") == [before.name]


@pytest.mark.parametrize(("fault", "given"), [({"question": 7}, 0), (QA, 51)])
def test_a_pipe_is_given_all_or_nothing(tmp_path: Path, fault: dict[str, Any], given: int) -> None:
    source, pipe = write(tmp_path / "rows.jsonl", [RAG] * 50 + [fault]), tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    run("import", str(source), "--map", "ragas", "--ids", "row-number", "-o", str(pipe))
    assert os.read(reader, 1 << 16).count(b"\n") == given
    os.close(reader)


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_memory_does_not_grow_with_the_rows(tmp_path: Path, suffix: str) -> None:
    def peak(count: int) -> int:
        source, text = tmp_path / f"{count}.{suffix}", "word " * 2_000
        with source.open("w", encoding="utf-8") as file:
            file.write("" if suffix == "jsonl" else "question,answer\n")
            for number in range(count):
                row = {"question": f"{number} {text}", "answer": text}
                file.write((json.dumps(row) if suffix == "jsonl" else ",".join(row.values())) + "\n")
        request = ImportRequest(source, load_mapping("golden"), tmp_path / "items.jsonl", ids="row-number")
        tracemalloc.start()
        try:
            assert not import_file(request).failed
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(2)
    assert peak(600) < peak(60) + 2_000_000
