"""`evalcontract import` and `export` on files as people have them."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Finished, run

IMPORTED = "imported"


def written(path: Path, *rows: Any) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def items_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def imported(tmp_path: Path, preset: str, *rows: Any, options: tuple[str, ...] = ()) -> Finished:
    source = written(tmp_path / "rows.jsonl", *rows)
    return run("import", source, "--map", preset, "-o", str(tmp_path / "items.jsonl"), *options)


@pytest.mark.parametrize(
    "row",
    [
        {"question": "When?", "contexts": ["c"], "ground_truths": ["1879"]},
        {"question": "When?", "contexts": ["c"], "ground_truth": "1879"},
        {"user_input": "When?", "retrieved_contexts": ["c"], "reference": "1879"},
    ],
    ids=["first", "second", "third"],
)
def test_the_three_generations_of_ragas_give_the_same_item(tmp_path: Path, row: dict[str, Any]) -> None:
    done = imported(tmp_path, "ragas", row)
    assert done.code == 0, done.out
    (item,) = items_of(tmp_path / "items.jsonl")
    assert item["input"] == {"messages": [{"role": "user", "content": "When?"}], "context": ["c"]}
    assert item["expected_output"] == {"response": "1879"}
    assert item["metadata"]["raw_metadata"] == {"input_schema_type": "rag", "input_schema_version": "1.0"}
    canonical = '{"context":["c"],"messages":[{"content":"When?","role":"user"}]}'
    assert item["item_id"] == sha256(canonical.encode()).hexdigest()[:16]
    for key in row:
        assert f"mapped  1  {key} -> " in done.out
    assert "ok: 1 row in, 1 item out" in done.out
    assert run("validate", str(tmp_path / "items.jsonl")).code == 0


def test_a_file_without_contexts_is_qa(tmp_path: Path) -> None:
    assert imported(tmp_path, "ragas", {"question": "When?", "ground_truth": "1879"}).code == 0
    (item,) = items_of(tmp_path / "items.jsonl")
    assert item["metadata"]["raw_metadata"]["input_schema_type"] == "qa"
    assert "context" not in item["input"]


def test_two_references_are_neither_joined_nor_cut(tmp_path: Path) -> None:
    row = {"question": "q", "ground_truths": ["g1", "g2", "g3"]}
    done = imported(tmp_path, "ragas", row)
    assert done.code == 0
    assert "mapped  1  ground_truths -> /expected_output/alternative_responses" in done.out
    (item,) = items_of(tmp_path / "items.jsonl")
    assert item["expected_output"] == {"response": "g1", "alternative_responses": ["g2", "g3"]}
    back = tmp_path / "back.csv"
    assert run("export", str(tmp_path / "items.jsonl"), "--map", "ragas", "-o", str(back)).code == 0
    again = tmp_path / "again.jsonl"
    assert run("import", str(back), "--map", "ragas", "-o", str(again)).code == 0
    assert items_of(again) == [item]


def test_a_reference_that_is_no_text_is_refused_at_its_place(tmp_path: Path) -> None:
    done = imported(tmp_path, "ragas", {"question": "q", "ground_truths": ["g1", 2]})
    assert done.code == 1
    assert "rows.jsonl:1:43: error [row 1] /ground_truths/1: expected string, got integer 2" in done.out
    assert "failed: 1 row in, nothing written" in done.out
    assert not (tmp_path / "items.jsonl").exists()


def test_a_misspelt_key_stops_the_import_and_can_be_kept(tmp_path: Path) -> None:
    row = {"user_input": "q", "reference": "r", "retrived_contexts": ["c"]}
    done = imported(tmp_path, "ragas", row)
    assert done.code == 1
    assert "unknown key retrived_contexts: did you mean retrieved_contexts?" in done.out
    assert imported(tmp_path, "ragas", row, options=("--keep", "retrived_contexts")).code == 0
    (item,) = items_of(tmp_path / "items.jsonl")
    assert item["metadata"]["raw_metadata"][IMPORTED] == {"retrived_contexts": ["c"]}


def test_a_misspelt_required_key_is_guessed(tmp_path: Path) -> None:
    done = imported(tmp_path, "ragas", {"qestion": "q", "ground_truth": "r"})
    assert "user_input or question is required, for /input/messages" in done.out
    assert "unknown key qestion: did you mean question?" in done.out


@pytest.mark.parametrize(
    ("value", "pointer", "said"),
    [
        ("['a','b']", "/contexts", "expected array of strings, got string \"['a','b']\""),
        ("abc", "/contexts", 'expected array of strings, got string "abc"'),
        ([None], "/contexts/0", "expected string, got null"),
        (["a", ["b"]], "/contexts/1", "expected string, got array of 1"),
    ],
)
def test_contexts_that_are_no_list_of_texts(tmp_path: Path, value: Any, pointer: str, said: str) -> None:
    done = imported(tmp_path, "ragas", {"question": "q", "ground_truth": "g", "contexts": value})
    assert done.code == 1
    assert f"{pointer}: {said}" in done.out


def test_an_empty_context_is_kept_as_one(tmp_path: Path) -> None:
    assert imported(tmp_path, "ragas", {"question": "q", "ground_truth": "g", "contexts": []}).code == 0
    assert items_of(tmp_path / "items.jsonl")[0]["input"]["context"] == []


def test_all_bad_rows_are_reported_with_line_pointer_and_types(tmp_path: Path) -> None:
    mapping = tmp_path / "own.yaml"
    mapping.write_text(
        'mapping_version: "1.0"\nname: own\nitem_id: {from: [id], otherwise: row-number}\nfields:\n'
        "  - {from: [/inputs/q], to: /input/messages, as: messages, required: true}\n"
        "  - {from: [/outputs/r], to: /expected_output/response, as: text}\n"
    )
    good = {"inputs": {"q": "a"}, "outputs": {"r": "b"}}
    done = imported(
        tmp_path,
        str(mapping),
        {"inputs": {"q": "a"}, "outputs": "b"},
        good,
        {"inputs": {"q": 1}, "outputs": {"r": 2}},
    )
    assert done.code == 1
    assert 'rows.jsonl:1:35: error [row 1] /outputs: expected object, got string "b"' in done.out
    assert "rows.jsonl:3" in done.out
    assert "/outputs/r: expected string, got integer 2" in done.out
    assert "[row 2]" not in done.out
    assert imported(tmp_path, str(mapping), good).code == 0
    assert items_of(tmp_path / "items.jsonl")[0]["item_id"] == "row-1"


def test_rows_without_a_known_key_are_errors_one_by_one(tmp_path: Path) -> None:
    done = imported(tmp_path, "promptfoo", {"vars": {"x": 1}, "assert": []}, {"vars": {"x": 2}, "assert": []})
    assert done.code == 1
    assert done.out.count("[missing-key]") == 2


@pytest.mark.parametrize(
    ("preset", "row", "hint"),
    [
        (
            "langfuse",
            {"id": "1", "input": {"q": "x"}},
            "the keys of input: q; a mapping of your own reaches them, as /input/q",
        ),
        (
            "promptfoo",
            {"vars": {"x": 1}},
            "the keys of vars: x; a mapping of your own reaches them, as /vars/x",
        ),
        ("golden", {"qestion": "x", "answer": "a"}, "unknown key qestion: did you mean question?"),
        ("deepeval", {"turns": []}, "the keys of the row: turns"),
    ],
)
def test_a_key_that_is_missing_is_looked_for_where_it_may_be(
    tmp_path: Path, preset: str, row: dict[str, Any], hint: str
) -> None:
    assert f"hint: {hint}\n" in imported(tmp_path, preset, row).out


@pytest.mark.parametrize("content", ["", "[]"])
def test_nothing_to_import_is_a_failure(tmp_path: Path, content: str) -> None:
    (tmp_path / "rows.json").write_text(content)
    done = run("import", str(tmp_path / "rows.json"), "--map", "ragas", "-o", str(tmp_path / "items.jsonl"))
    assert done.code == 1
    assert not (tmp_path / "items.jsonl").exists()


def test_a_row_that_is_no_object_is_counted_and_refused(tmp_path: Path) -> None:
    done = imported(tmp_path, "ragas", ["q", "a"])
    assert done.code == 1
    assert "expected an object with the keys of a row, got array of 2" in done.out
    assert "1 row in" in done.out


def test_unmapped_keys_are_kept_and_named(tmp_path: Path) -> None:
    done = imported(tmp_path, "ragas", {"question": "q", "answer": "a", "ground_truth": "g", "score": 0.5})
    assert "kept    1  score -> /metadata/raw_metadata/imported" in done.out
    assert "what a system answered (answer) becomes prediction records with --predictions FILE" in done.out
    assert items_of(tmp_path / "items.jsonl")[0]["metadata"]["raw_metadata"][IMPORTED] == {
        "answer": "a",
        "score": 0.5,
    }


def test_predictions_are_written_beside_the_items(tmp_path: Path) -> None:
    row = {"question": "q", "answer": "a", "ground_truth": "g"}
    done = imported(tmp_path, "ragas", row, options=("--predictions", str(tmp_path / "records.jsonl")))
    assert done.code == 0
    (item,), (record,) = items_of(tmp_path / "items.jsonl"), items_of(tmp_path / "records.jsonl")
    assert record == {"item_id": item["item_id"], "prediction": {"response": "a"}}
    assert run("validate", str(tmp_path / "records.jsonl"), "--contract", "prediction_record").code == 0


def test_an_old_output_stays_when_the_import_fails(tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text("old")
    imported(tmp_path, "ragas", {"question": "q"}, {"question": 1})
    assert (tmp_path / "items.jsonl").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["items.jsonl", "rows.jsonl"]


def test_items_without_an_answer_declare_no_type_unless_told(tmp_path: Path) -> None:
    rows = {"question": "q1", "ground_truth": "g"}, {"question": "q2"}
    done = imported(tmp_path, "ragas", *rows)
    assert "1 of 2 items have no reference answer and declare no schema type" in done.out
    assert "metadata" not in items_of(tmp_path / "items.jsonl")[1]
    assert imported(tmp_path, "ragas", *rows, options=("--type", "qa")).code == 1


def test_a_told_type_must_have_the_fields(tmp_path: Path) -> None:
    row = {"question": "q", "ground_truth": "g", "contexts": ["c"]}
    done = imported(tmp_path, "ragas", row, options=("--type", "qa"))
    assert done.code == 1
    assert "the schema type qa has no field context in input" in done.out


def test_two_spellings_in_one_row_are_refused(tmp_path: Path) -> None:
    done = imported(tmp_path, "ragas", {"question": "q", "user_input": "p"})
    assert "user_input and question both fill /input/messages" in done.out


def test_equal_rows_would_share_their_id(tmp_path: Path) -> None:
    rows = {"question": "q", "ground_truth": "g"}, {"question": "q", "ground_truth": "h"}
    said = "row 1 has the same input and another expected output, so the same item_id"
    assert said in imported(tmp_path, "ragas", *rows).out
    assert (
        "row 1 has the same input, so the same item_id" in imported(tmp_path, "ragas", rows[0], rows[0]).out
    )
    assert imported(tmp_path, "ragas", *rows, options=("--ids", "row-number")).code == 0
    assert [item["item_id"] for item in items_of(tmp_path / "items.jsonl")] == ["row-1", "row-2"]


def test_what_stands_beside_the_rows_is_not_dropped_in_silence(tmp_path: Path) -> None:
    source = tmp_path / "config.yaml"
    source.write_text(
        "description: d\ntests:\n  - vars: {question: q}\n    assert: [{type: equals, value: a}]\n"
    )
    arguments = ("import", str(source), "--map", "promptfoo", "-o", str(tmp_path / "items.jsonl"))
    assert "description stand beside the rows" in run(*arguments).out
    done = run(*arguments, "--allow-loss")
    assert done.code == 0
    assert "  dropped  1  description\n" in done.out
    assert items_of(tmp_path / "items.jsonl")[0]["expected_output"] == {"response": "a"}


def test_dropping_what_the_mapping_drops_needs_permission(tmp_path: Path) -> None:
    mapping = tmp_path / "own.yaml"
    mapping.write_text(
        'mapping_version: "1.0"\nname: own\nitem_id: {from: [id], otherwise: error}\ndrop: [embedding]\nfields:\n'
        "  - {from: [q], to: /input/messages, as: messages}\n"
    )
    row = {"id": 7, "q": "q", "embedding": [0.1]}
    assert "the mapping leaves out embedding" in imported(tmp_path, str(mapping), row).out
    assert imported(tmp_path, str(mapping), row, options=("--allow-drop",)).code == 0
    assert items_of(tmp_path / "items.jsonl")[0]["item_id"] == "7"
    assert "id is required, for /item_id" in imported(tmp_path, str(mapping), {"q": "q"}).out


def test_deepeval_goldens_with_tools(tmp_path: Path) -> None:
    row = {
        "input": "Weather?",
        "expected_output": "Rain.",
        "actual_output": "Sun.",
        "context": ["It rains."],
        "expected_tools": [{"name": "weather", "type": "function", "inputParameters": {"city": "Altwil"}}],
        "tools_called": [{"name": "weather", "input_parameters": {"city": "Nordau"}, "output": "sun"}],
        "token_cost": 0.25,
        "additional_metadata": {"topic": "weather"},
        "retrieval_context": None,
    }
    done = imported(tmp_path, "deepeval", row, options=("--predictions", str(tmp_path / "records.jsonl")))
    assert done.code == 0, done.out
    (item,), (record,) = items_of(tmp_path / "items.jsonl"), items_of(tmp_path / "records.jsonl")
    assert item["expected_output"]["tool_calls"] == [
        {"name": "weather", "type": "function", "args": {"city": "Altwil"}}
    ]
    assert item["metadata"]["raw_metadata"]["input_schema_type"] == "rag_agent"
    assert item["metadata"]["raw_metadata"][IMPORTED]["additional_metadata"] == {"topic": "weather"}
    assert record["prediction"]["tool_calls"] == [
        {"name": "weather", "args": {"city": "Nordau"}, "output": "sun"}
    ]
    assert record["measurements"] == {"cost_usd": 0.25}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("[1]", "/expected_tools/0/inputParameters: expected object, got array of 1"),
        ("{'n': 1}", "/expected_tools/0/inputParameters: expected object, or JSON text of one"),
        (3, "/expected_tools/0/inputParameters: expected object, got integer 3"),
    ],
)
def test_arguments_that_are_no_object(tmp_path: Path, arguments: Any, said: str) -> None:
    row = {
        "input": "q",
        "expected_output": "a",
        "expected_tools": [{"name": "t", "inputParameters": arguments}],
    }
    done = imported(tmp_path, "deepeval", row)
    assert done.code == 1
    assert said in done.out


@pytest.mark.parametrize(
    ("arguments", "args"),
    [('{"n":"42","zip":"020"}', {"n": "42", "zip": "020"}), ("", {}), (None, {}), ({"n": 1}, {"n": 1})],
)
def test_arguments_are_parsed_once_and_no_further(tmp_path: Path, arguments: Any, args: Any) -> None:
    row = {
        "input": "q",
        "expected_output": "a",
        "expected_tools": [{"name": "t", "inputParameters": arguments}],
    }
    done = imported(tmp_path, "deepeval", row)
    assert done.code == 0
    assert items_of(tmp_path / "items.jsonl")[0]["expected_output"]["tool_calls"] == [
        {"name": "t", "args": args}
    ]
    assert ("read as no arguments" in done.out) is (arguments == "")


def test_langsmith_examples(tmp_path: Path) -> None:
    row = {
        "id": "5f1d",
        "inputs": {"question": "q", "locale": "de"},
        "outputs": {"answer": "a"},
        "metadata": {"source": "x"},
    }
    assert imported(tmp_path, "langsmith", row).code == 0
    (item,) = items_of(tmp_path / "items.jsonl")
    assert item["item_id"] == "5f1d"
    assert item["metadata"]["raw_metadata"][IMPORTED] == {
        "inputs": {"locale": "de"},
        "metadata": {"source": "x"},
    }
    done = run(
        "export", str(tmp_path / "items.jsonl"), "--map", "langsmith", "-o", str(tmp_path / "back.jsonl")
    )
    assert done.code == 0
    assert items_of(tmp_path / "back.jsonl") == [row]
    done = run(
        "export", str(tmp_path / "items.jsonl"), "--map", "langsmith", "-o", str(tmp_path / "back.csv")
    )
    assert "inputs holds keys of its own, a CSV has columns only" in done.out


def test_promptfoo_tests(tmp_path: Path) -> None:
    row = {
        "description": "d",
        "vars": {"question": "q", "context": "c", "tone": "dry"},
        "assert": [{"type": "contains", "value": "x"}, {"type": "equals", "value": "a"}],
    }
    assert imported(tmp_path, "promptfoo", row).code == 0
    (item,) = items_of(tmp_path / "items.jsonl")
    assert item["input"]["context"] == ["c"]
    assert item["expected_output"] == {"response": "a"}
    assert item["metadata"]["raw_metadata"][IMPORTED]["assert"] == [{"type": "contains", "value": "x"}]
    twice = {**row, "assert": [{"type": "equals", "value": "a"}, {"type": "equals", "value": "b"}]}
    assert "/assert: 2 references, one allowed" in imported(tmp_path, "promptfoo", twice).out


def test_inspect_samples(tmp_path: Path) -> None:
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "q"}]
    assert (
        imported(tmp_path, "inspect_ai", {"id": 3, "input": chat, "target": "a", "choices": ["a", "b"]}).code
        == 0
    )
    (item,) = items_of(tmp_path / "items.jsonl")
    shown = {"role": "user", "content": "q\n\nA) a\nB) b"}
    assert (item["item_id"], item["input"]["messages"]) == ("3", [chat[0], shown])
    assert item["metadata"]["raw_metadata"][IMPORTED] == {"choices": ["a", "b"]}
    back = tmp_path / "back.jsonl"
    assert run("export", str(tmp_path / "items.jsonl"), "--map", "inspect_ai", "-o", str(back)).code == 0
    assert items_of(back) == [{"id": "3", "input": chat, "target": "a", "choices": ["a", "b"]}]
    tool = {"input": [{"role": "tool", "content": "x"}], "target": "a"}
    done = imported(tmp_path, "inspect_ai", tool)
    assert "/input/0/role: expected one of" in done.out
    assert "in /input/messages/0/role made of input" in done.out


def test_azure_rows(tmp_path: Path) -> None:
    row = {
        "query": "q",
        "response": "r",
        "ground_truth": "g",
        "context": "c",
        "retrieval_ground_truth": [{"document_id": "1", "query_relevance_label": 2}],
        "retrieved_documents": [{"document_id": "2", "relevance_score": 43.4}],
    }
    done = imported(tmp_path, "azure", row, options=("--predictions", str(tmp_path / "records.jsonl")))
    assert done.code == 0, done.out
    assert items_of(tmp_path / "items.jsonl")[0]["expected_output"] == {
        "response": "g",
        "retrieval_ground_truth": [{"document_id": "1", "relevance": 2}],
    }
    assert items_of(tmp_path / "records.jsonl")[0]["prediction"] == {
        "response": "r",
        "retrieved_documents": [{"document_id": "2", "score": 43.4}],
    }
    row["retrieval_ground_truth"] = [{"document_id": "1", "query_relevance_label": 4}]
    done = imported(tmp_path, "azure", row)
    assert (
        "/retrieval_ground_truth/0/query_relevance_label: expected grade 0, 1 or 2, got integer 4" in done.out
    )


def test_plain_golden_files(tmp_path: Path) -> None:
    rows = (
        {"question": "q1", "answer": "a", "doc_id": "d1", "is_impossible": False},
        {"question": "q2", "answer": "The documents do not say.", "is_impossible": True},
    )
    assert imported(tmp_path, "golden", *rows).code == 0
    first, second = items_of(tmp_path / "items.jsonl")
    assert first["expected_output"]["retrieval_ground_truth"] == [{"document_id": "d1", "relevance": 2}]
    assert (first["expected_output"]["answerable"], second["expected_output"]["answerable"]) == (True, False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--map", "raggas"), "did you mean ragas?"),
        (("--map", "ragas", "--ids", "random"), "known: content-hash, row-number, error"),
        (("--map", "ragas", "--type", "raag"), "there is no schema type 'raag'"),
        (("--map", "ragas", "--format", "xml"), "there is no format 'xml'"),
        (("--map", "langsmith", "--predictions", "p.jsonl"), "the mapping langsmith has no predictions"),
        (("--map", "ragas", "--queries", "q.tsv"), "takes one file only"),
        (("--map", "ragas", "--list-delimiter", "|"), "--list-delimiter is for CSV files"),
        ((), "an import needs --map and -o"),
    ],
)
def test_wrong_usage_is_a_sentence_with_the_way_out(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    source = written(tmp_path / "rows.jsonl", {"question": "q"})
    done = run("import", source, "-o", str(tmp_path / "items.jsonl"), *arguments)
    assert done.code == 2
    assert said in done.err


def test_rows_are_read_from_standard_input(tmp_path: Path) -> None:
    row = json.dumps({"question": "q", "ground_truth": "g"}).encode() + b"\n"
    done = run("import", "-", "--map", "ragas", "-o", str(tmp_path / "items.jsonl"), stdin=row)
    assert done.code == 0, done.out + done.err
    assert items_of(tmp_path / "items.jsonl")[0]["expected_output"] == {"response": "g"}


def test_a_suffix_of_no_known_format_lists_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "rows.docx").write_bytes(b"PK")
    done = run("import", str(tmp_path / "rows.docx"), "--map", "ragas", "-o", str(tmp_path / "items.jsonl"))
    assert done.code == 2
    assert ".csv, .tsv, .parquet" in done.err


def test_items_and_predictions_need_two_files(tmp_path: Path) -> None:
    done = imported(
        tmp_path, "ragas", {"question": "q"}, options=("--predictions", str(tmp_path / "items.jsonl"))
    )
    assert done.code == 2
    assert "would be written twice" in done.err


def test_the_output_must_be_json(tmp_path: Path) -> None:
    source = written(tmp_path / "rows.jsonl", {"question": "q"})
    assert "names no format that is written" in run("import", source, "--map", "ragas", "-o", "x.parquet").err


def test_the_report_as_json(tmp_path: Path) -> None:
    report = json.loads(imported(tmp_path, "ragas", {"question": "q"}, options=("--format", "json")).out)
    assert report["ok"] is True
    assert (report["came"], report["went"]) == (1, 1)
    assert {"key": "question", "fate": "mapped", "to": "/input/messages", "count": 1} in report["keys"]


# export


def test_fields_without_a_place_are_named_and_dropped_only_when_allowed(tmp_path: Path) -> None:
    item = {
        "item_id": "q1",
        "input": {"messages": [{"role": "user", "content": "q"}], "available_tools": ["t"]},
        "expected_output": {"response": "a", "handoff_to": "team"},
        "metadata": {
            "raw_metadata": {"input_schema_type": "agent", "input_schema_version": "1.0", "owner": "me"}
        },
    }
    source = written(tmp_path / "items.jsonl", item)
    target = tmp_path / "rows.jsonl"
    done = run("export", source, "--map", "ragas", "-o", str(target))
    assert done.code == 1
    for at in ("/input/available_tools", "/expected_output/handoff_to", "/metadata/raw_metadata/owner"):
        assert f"ragas has no place for {at}" in done.out
    assert not target.exists()
    assert run("export", source, "--map", "ragas", "-o", str(target), "--allow-loss").code == 0
    assert items_of(target) == [{"item_id": "q1", "user_input": "q", "reference": "a"}]


def test_a_value_that_the_other_format_cannot_hold_stops_the_export(tmp_path: Path) -> None:
    item = {
        "item_id": "q1",
        "input": {"messages": [{"role": "user", "content": "q"}]},
        "expected_output": {
            "response": "a",
            "retrieval_ground_truth": [{"document_id": "d", "relevance": 1}],
        },
    }
    done = run(
        "export", written(tmp_path / "items.jsonl", item), "--map", "ragas", "-o", str(tmp_path / "o.json")
    )
    assert done.code == 1
    assert "reference_context_ids can't hold this: expected grade 2, got integer 1" in done.out
    item["expected_output"]["retrieval_ground_truth"][0] |= {"relevance": 2, "alternative_group": "g"}  # type: ignore[index]
    done = run(
        "export", written(tmp_path / "items.jsonl", item), "--map", "ragas", "-o", str(tmp_path / "o.json")
    )
    assert "reference_context_ids can't hold this: it would be read as array of 1" in done.out


def test_invalid_items_are_not_exported(tmp_path: Path) -> None:
    source = written(tmp_path / "items.jsonl", {"item_id": "q", "input": {"messages": []}})
    done = run("export", source, "--map", "ragas", "-o", str(tmp_path / "o.json"))
    assert done.code == 1
    assert "/input/messages: expected at least 1 item" in done.out


def test_a_prediction_of_an_unknown_item_stops_the_export(tmp_path: Path) -> None:
    item = {"item_id": "q1", "input": {"messages": [{"role": "user", "content": "q"}]}}
    records = written(tmp_path / "records.jsonl", {"item_id": "q2", "prediction": {"response": "r"}})
    source = written(tmp_path / "items.jsonl", item)
    done = run("export", source, "--map", "ragas", "--predictions", records, "-o", str(tmp_path / "o.json"))
    assert "a prediction of the item q2" in done.out


def test_presets_are_listed_and_printed() -> None:
    listed = run("presets").out
    assert listed.splitlines()[-1].startswith("trec-run")
    assert run("presets", "ragas").out.startswith('mapping_version: "1.0"\nname: ragas\n')
    assert run("presets", "rags").code == 2
