"""Conversations: the last turn of the assistant is the answer, in every preset that can hold one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.importing import load_mapping, preset_names
from evalcontract.importing.choices import lines_of
from evalcontract.importing.values import put
from tests.support.cli import run

ASKED = [
    {"role": "user", "content": "When does the office open?"},
    {"role": "assistant", "content": "At nine.", "context": "Offices open at nine."},
    {"role": "user", "content": "And on Sundays?"},
]
ANSWER = {
    "role": "assistant",
    "content": "It stays closed.",
    "context": {"citations": [{"id": "h", "content": "c"}]},
}
CONVERSING = sorted(
    name for name in preset_names() if any("answer" in field.options for field in load_mapping(name).fields)
)


def written(path: Path, *rows: Any) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def imported(folder: Path, preset: str, row: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The item of one row, and its record where the preset has records."""
    items, records = folder / "items.jsonl", folder / "records.jsonl"
    records_too = any(field.target.part == "record" for field in load_mapping(preset).fields)
    options = ("--predictions", str(records)) if records_too else ()
    done = run("import", written(folder / "rows.jsonl", row), "--map", preset, "-o", str(items), *options)
    assert done.code == 0, done.out
    return lines(items)[0], lines(records)[0] if records_too else {}


def test_contexts_of_an_azure_conversation_are_retrieved_documents(tmp_path: Path) -> None:
    item, record = imported(tmp_path, "azure", {"conversation": {"messages": [*ASKED, ANSWER]}})
    assert item["input"]["messages"] == ASKED
    assert record["prediction"] == {
        "response": "It stays closed.",
        "retrieved_documents": [{"document_id": "h", "content": "c"}],
    }


@pytest.mark.parametrize("preset", CONVERSING)
def test_the_last_turn_is_the_answer_in_each_preset(tmp_path: Path, preset: str) -> None:
    (field,) = (field for field in load_mapping(preset).fields if "answer" in field.options)
    role = str(field.options.get("role_key", "role"))
    names = {"user": "human", "assistant": "ai"} if role == "type" else {}
    for source in field.sources:
        row: dict[str, Any] = {}
        turns = [
            {role: names.get(message["role"], message["role"]), "content": message["content"]}
            for message in (*ASKED, ANSWER)
        ]
        assert put(row, source, turns)
        item, record = imported(tmp_path, preset, row)
        assert [message["content"] for message in item["input"]["messages"]] == [
            message["content"] for message in ASKED
        ]
        answered = (
            record["prediction"] if field.options["answer"] == "prediction" else item["expected_output"]
        )
        assert answered == {"response": "It stays closed."}


def test_tool_calls_of_the_turn_are_the_answers_and_come_back(tmp_path: Path) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "look_up", "arguments": '{"day": "Sunday"}'}}
    turn = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "closed"},
        ANSWER,
    ]
    row = {"conversation": {"messages": [*ASKED, *turn]}}
    item, record = imported(tmp_path, "azure", row)
    assert [(call["name"], call["args"]) for call in record["prediction"]["tool_calls"]] == [
        ("look_up", {"day": "Sunday"})
    ]
    back = tmp_path / "back.jsonl"
    items, records = str(tmp_path / "items.jsonl"), str(tmp_path / "records.jsonl")
    done = run("export", items, "--map", "azure", "-o", str(back), "--predictions", records)
    assert done.code == 0, done.out
    (again,) = lines(back)
    assert again["conversation"] == row["conversation"]
    item, _ = imported(tmp_path, "golden", {"messages": [*ASKED, *turn]})
    assert item["expected_output"]["tool_calls"] == [{"name": "look_up", "args": {"day": "Sunday"}}]
    assert item["input"]["context"] == ["c"]


def test_without_predictions_the_turn_is_kept(tmp_path: Path) -> None:
    row = {"conversation": {"messages": [*ASKED, ANSWER]}}
    items = tmp_path / "items.jsonl"
    done = run("import", written(tmp_path / "rows.jsonl", row), "--map", "azure", "-o", str(items))
    assert "kept    1  /conversation/messages -> /metadata/raw_metadata/imported" in done.out
    assert lines(items)[0]["metadata"]["raw_metadata"]["imported"] == {"conversation": {"messages": [ANSWER]}}


def test_a_turn_and_another_key_are_two_answers(tmp_path: Path) -> None:
    source = written(tmp_path / "rows.jsonl", {"messages": [*ASKED, ANSWER], "reference": "Closed."})
    done = run("import", source, "--map", "golden", "-o", str(tmp_path / "items.jsonl"))
    assert done.code == 1
    assert "messages and reference both fill /expected_output/response" in done.out


@pytest.mark.parametrize(
    "turn",
    [
        [{"role": "assistant", "content": 5}],
        [{"role": "assistant"}],
        [{"role": "assistant", "content": {}, "tool_calls": 3}],
        [{"role": "tool", "content": "x"}, {"role": "assistant", "content": "y"}],
        [{"role": "assistant", "content": None, "tool_calls": [{"name": "t", "args": "no JSON"}]}],
    ],
    ids=["number", "nothing", "calls", "result-astray", "arguments"],
)
@pytest.mark.parametrize(("preset", "key"), [("azure", "query"), ("ragas", "user_input")])
def test_a_turn_of_no_known_shape_ends_in_a_finding_or_in_valid_data(
    tmp_path: Path, preset: str, key: str, turn: list[Any]
) -> None:
    row = {key: [*ASKED, *turn]}
    if preset == "ragas":
        names = {"user": "human", "assistant": "ai"}
        row = {
            key: [
                {
                    "type": names.get(role := message["role"], role),
                    **{k: v for k, v in message.items() if k != "role"},
                }
                for message in row[key]
            ]
        }
    items, records = tmp_path / "items.jsonl", tmp_path / "records.jsonl"
    source = written(tmp_path / "rows.jsonl", row)
    done = run("import", source, "--map", preset, "-o", str(items), "--predictions", str(records))
    assert done.code in (0, 1)
    assert done.err == ""
    if done.code:
        assert "rows.jsonl:1:" in done.out
        assert "allow_missing" not in done.out
        assert not items.exists()
    else:
        assert run("validate", str(records), "--contract", "prediction_record").code == 0


@pytest.mark.parametrize(
    ("choices", "shown"),
    [
        (["nine", "ten"], "A) nine\nB) ten"),
        ({"label": ["1", "2"], "text": ["nine", "ten"]}, "1) nine\n2) ten"),
        ([1, 2.5], "A) 1\nB) 2.5"),
    ],
)
def test_choices_stand_in_the_question(tmp_path: Path, choices: Any, shown: str) -> None:
    item, _ = imported(tmp_path, "golden", {"question": "When?", "answer": "A", "choices": choices})
    assert item["input"]["messages"][0]["content"] == f"When?\n\n{shown}"
    assert item["metadata"]["raw_metadata"]["imported"] == {"choices": choices}


@pytest.mark.parametrize("choices", ["nine or ten", {"a": "nine"}, [["nine"]], ["x"] * 27])
def test_choices_that_cannot_be_shown_are_named(tmp_path: Path, choices: Any) -> None:
    assert lines_of(choices) is None
    source = written(tmp_path / "rows.jsonl", {"question": "When?", "answer": "A", "choices": choices})
    done = run("import", source, "--map", "golden", "-o", str(tmp_path / "items.jsonl"))
    assert done.code == 0
    assert (
        "advice [row 1] /choices: choices are kept in the metadata, and not shown in the question" in done.out
    )


def test_null_keys_are_kept_and_named(tmp_path: Path) -> None:
    item, _ = imported(tmp_path, "golden", {"question": "q", "answer": None, "doc_id": None})
    assert item["metadata"]["raw_metadata"]["imported"] == {"answer": None, "doc_id": None}


@pytest.mark.parametrize("reference", ["reference_answer", "expected_answer"])
def test_ragas_rows_with_other_names_of_the_reference(tmp_path: Path, reference: str) -> None:
    item, _ = imported(tmp_path, "ragas", {"user_input": "q", reference: "a"})
    assert item["expected_output"] == {"response": "a"}


HEADERS = [
    ("question", "expected_answer", "source_doc"),
    ("query", "reference_answer", "doc_id"),
    ("input", "ideal", "source_document"),
    ("prompt", "expected_output", "relevant_docs"),
    ("user_query", "ground_truth", "expected_sources"),
    ("user_question", "correct_answer", "gold_doc_id"),
    ("instruction", "gold", "reference_docs"),
    ("q", "a", "document_id"),
]


@pytest.mark.parametrize("header", HEADERS, ids="-".join)
def test_the_usual_columns_of_golden_files_map_without_a_mapping_file(
    tmp_path: Path, header: tuple[str, ...]
) -> None:
    source = tmp_path / "golden.csv"
    source.write_text(",".join(header) + ",difficulty\nWhen?,At nine.,hours.pdf,\n")
    items = tmp_path / "items.jsonl"
    done = run("import", str(source), "--map", "golden", "-o", str(items))
    assert done.code == 0, done.out
    assert "empty   1  difficulty" in done.out
    (item,) = lines(items)
    assert item["input"]["messages"][0]["content"] == "When?"
    assert item["expected_output"] == {
        "response": "At nine.",
        "retrieval_ground_truth": [{"document_id": "hours.pdf", "relevance": 2}],
    }


def test_lists_of_kept_columns_are_kept_as_lists(tmp_path: Path) -> None:
    source = tmp_path / "goldens.csv"
    source.write_text("input,expected_output,retrieval_context\nWhen?,At nine.,one|two\n")
    items = tmp_path / "items.jsonl"
    done = run("import", str(source), "--map", "deepeval", "-o", str(items), "--list-delimiter", "|")
    assert done.code == 0, done.out
    assert lines(items)[0]["metadata"]["raw_metadata"]["imported"] == {"retrieval_context": ["one", "two"]}


@pytest.mark.parametrize("verb", ["import", "export"])
def test_an_empty_list_delimiter_is_wrong_usage(tmp_path: Path, verb: str) -> None:
    source = tmp_path / ("rows.csv" if verb == "import" else "items.jsonl")
    source.write_text("input\nq\n")
    out = str(tmp_path / "out.csv") if verb == "export" else str(tmp_path / "out.jsonl")
    done = run(verb, str(source), "--map", "deepeval", "-o", out, "--list-delimiter", "")
    assert done.code == 2
    assert "--list-delimiter is empty" in done.err


def test_langfuse_dataset_items(tmp_path: Path) -> None:
    row = {
        "id": "i1",
        "status": "ACTIVE",
        "input": {"messages": ASKED},
        "expectedOutput": {"response": "It stays closed."},
        "datasetId": "d1",
    }
    item, _ = imported(tmp_path, "langfuse", row)
    assert (item["input"], item["expected_output"]) == ({"messages": ASKED}, {"response": "It stays closed."})
    plain, _ = imported(tmp_path, "langfuse", row | {"input": "When?", "expectedOutput": "At nine."})
    assert plain["expected_output"] == {"response": "At nine."}
    answer = {"role": "assistant", "content": "At nine."}
    said, _ = imported(tmp_path, "langfuse", row | {"expectedOutput": answer})
    assert said["expected_output"] == {"response": "At nine."}
    assert said["metadata"]["raw_metadata"]["imported"]["expectedOutput"] == {"role": "assistant"}
    done = run("validate", str(tmp_path / "rows.jsonl"))
    assert "this looks like a langfuse row: evalcontract import --map langfuse" in done.out
