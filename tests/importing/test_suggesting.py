"""Proposed mappings can be used as they are, and say what they don't know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.importing import load_mapping
from tests.support.cli import run


def suggested(tmp_path: Path, *rows: Any, name: str = "rows.jsonl") -> str:
    source = tmp_path / name
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    done = run("import", str(source), "--suggest")
    assert done.code == 0, done.err
    return done.out


@pytest.mark.parametrize(
    "row",
    [
        {"question": "q", "answer": "a", "doc_id": "d", "team": "x"},
        {"question": "q", "contexts": ["c"], "ground_truths": ["g"]},
        {"inputs": {"q": "q"}, "outputs": {"answer": "a", "steps": 3}},
        {"vars": {"question": "q"}, "assert": [{"type": "equals", "value": "a"}]},
        {"input": "q", "target": "a", "choices": ["a"]},
        {"query": "q", "ground_truth": "g", "context": "c"},
        {"input": "q", "actual_output": "a", "expected_output": "e"},
    ],
    ids=lambda row: "-".join(row),
)
def test_the_proposal_imports_the_file_it_was_made_from(tmp_path: Path, row: dict[str, Any]) -> None:
    mapping = tmp_path / "own.yaml"
    mapping.write_text(suggested(tmp_path, row), "utf-8")
    fields = {str(each.target) for each in load_mapping(str(mapping)).fields}
    assert "/input/messages" in fields
    source = str(tmp_path / "rows.jsonl")
    done = run("import", source, "--map", str(mapping), "-o", str(tmp_path / "items.jsonl"))
    assert done.code == 0, done.out


def test_the_keys_without_a_field_are_named(tmp_path: Path) -> None:
    text = suggested(tmp_path, {"question": "q", "answer": "a", "team": "x"})
    assert text.startswith(
        "# These look like rows of golden, which knows 2 of their 3 keys: check each line.\n"
    )
    assert "# team has no field and is kept in the metadata" in text


def test_a_key_whose_values_do_not_fit_is_not_proposed(tmp_path: Path) -> None:
    text = suggested(tmp_path, {"question": "q", "contexts": "one text"})
    assert "/input/context" not in text


def test_without_a_question_the_proposal_says_so(tmp_path: Path) -> None:
    text = suggested(tmp_path, {"column_a": "x", "answer": "y"})
    assert "# No key looks like the question: say which one fills /input/messages." in text


def test_a_file_without_rows_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text("[]")
    done = run("import", str(tmp_path / "rows.json"), "--suggest")
    assert done.code == 2
    assert "no rows to propose a mapping from" in done.err


def test_keys_that_cannot_be_printed_are_escaped_and_the_proposal_still_fits(tmp_path: Path) -> None:
    keys = ("\x1b[31m", "a\n::error::b", "\u202e")
    printed = suggested(tmp_path, {"question": "q", "answer": "a", "é": "x"} | dict.fromkeys(keys, "x"))
    assert printed.replace("\n", "").isprintable()
    assert not any(line.lstrip().startswith("::") for line in printed.splitlines())
    mapping = tmp_path / "own.yaml"
    mapping.write_text(printed, "utf-8")
    assert {"".join(path) for path in load_mapping(str(mapping)).keep} == {*keys, "é"}


def test_cases_of_an_evalset_are_read_by_their_preset(tmp_path: Path) -> None:
    """Their conversation is no list of messages, though it is called like one."""
    turn = {"user_content": {"parts": [{"text": "q"}]}, "final_response": {"parts": [{"text": "a"}]}}
    text = suggested(tmp_path, {"eval_id": "e", "conversation": [turn]})
    assert text.startswith("# These are rows of adk: --map adk reads them, by this mapping.\n")
    (tmp_path / "own.yaml").write_text(text, "utf-8")
    source, items = str(tmp_path / "rows.jsonl"), tmp_path / "items.jsonl"
    assert run("import", source, "--map", str(tmp_path / "own.yaml"), "-o", str(items)).code == 0
    assert json.loads(items.read_text())["expected_output"] == {"response": "a"}


def test_results_of_promptfoo_are_read_by_their_preset(tmp_path: Path) -> None:
    case = {"vars": {"question": "q"}, "assert": [{"type": "equals", "value": "a"}]}
    text = suggested(tmp_path, {"vars": {"question": "q"}, "testCase": case, "response": {"output": "o"}})
    assert text.startswith("# These are rows of promptfoo-results: --map promptfoo-results reads them")


def test_items_of_langfuse_are_read_by_their_preset(tmp_path: Path) -> None:
    """Their input and expectedOutput hold now a text, now an object: a list of keys can't tell that."""
    row = {"id": "1", "status": "ACTIVE", "input": {"question": "q"}, "expectedOutput": {"answer": "a"}}
    rows, mapping, out = tmp_path / "rows.json", tmp_path / "m.yaml", tmp_path / "out.jsonl"
    rows.write_text(json.dumps([row | {"datasetId": "d", "createdAt": "2024-01-01T00:00:00Z"}]))
    assert run("import", str(rows), "--suggest", "-o", str(mapping)).code == 0
    assert "--map langfuse" in mapping.read_text()
    assert run("import", str(rows), "--map", str(mapping), "-o", str(out)).code == 0
    assert json.loads(out.read_text())["expected_output"] == {"response": "a"}
