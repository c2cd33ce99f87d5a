"""Files of other tools in the shapes that these write, made up: what becomes of them without a mapping of one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.importing import load_mapping
from evalcontract.validation import foreign_format
from tests.support.cli import run

SKILL = {
    "skill_name": "ticket-sorter",
    "evals": [
        {
            "id": 1,
            "prompt": "Sort the open tickets by urgency.",
            "expected_output": "A list that begins with the outage.",
            "files": ["evals/files/tickets.csv"],
            "assertions": ["The outage is the first ticket"],
        },
        {"id": 2, "prompt": "Which tickets wait for us?"},
    ],
}
EVALSET = {
    "eval_set_id": "lights",
    "name": "Lights",
    "eval_cases": [
        {
            "eval_id": "hall-on",
            "conversation": [
                {
                    "invocation_id": "turn-1",
                    "user_content": {"parts": [{"text": "Switch on the hall light."}], "role": "user"},
                    "final_response": {"parts": [{"text": "The hall light is on."}], "role": "model"},
                    "intermediate_data": {
                        "tool_uses": [{"name": "switch", "args": {"room": "hall", "on": True}}],
                        "intermediate_responses": [],
                    },
                    "creation_timestamp": 1.5,
                }
            ],
            "session_input": {"app_name": "lights", "user_id": "u", "state": {}},
        },
        {
            "eval_id": "greeting",
            "conversation": [{"user_content": {"parts": [{"text": "Hello."}]}, "final_response": None}],
        },
    ],
}
RESULTS = [
    {
        "promptIdx": 0,
        "testIdx": 0,
        "provider": {"id": "a-provider", "label": ""},
        "vars": {"question": "Which line goes to the harbour?"},
        "testCase": {
            "vars": {"question": "Which line goes to the harbour?"},
            "assert": [{"type": "equals", "value": "Line 4"}, {"type": "contains", "value": "4"}],
        },
        "response": {"output": "Line 5", "tokenUsage": {"total": 12}},
        "success": False,
        "score": 0,
        "latencyMs": 540,
        "gradingResult": {"pass": False, "score": 0, "reason": "not the same"},
    },
]
WRITTEN_RESULTS = {
    "evalId": "eval-1",
    "results": {"version": 3, "timestamp": "2026-10-06T12:00:00Z", "results": RESULTS, "stats": {}},
    "config": {},
    "shareableUrl": None,
}
SAMPLES = [
    {
        "input": [
            {"role": "system", "content": "Answer in one word."},
            {"role": "user", "content": "Capital of Peru?"},
        ],
        "ideal": ["Lima", "LIMA"],
    },
    {"input": "2 + 2?", "ideal": "4"},
]
SOURCES = [
    {
        "item": {"question": "When was it built?", "ground_truth": "1879", "unit": "year"},
        "sample": {"output_text": "In 1879."},
    }
]
RAG_DATASET = {
    "examples": [
        {
            "query": "Who pays the fare?",
            "query_by": {"model_name": "a-model", "type": "ai"},
            "reference_contexts": ["The sender pays the fare."],
            "reference_answer": "The sender.",
            "reference_answer_by": {"model_name": "", "type": "human"},
        }
    ]
}
RECORDS = [
    {
        "dataset_record_id": "d-1",
        "inputs": {"question": "How long is a pass valid?", "tenant": "acme"},
        "expectations": {"expected_response": "A year.", "expected_facts": ["a year"]},
        "tags": {"reviewed": "yes"},
    }
]
EVENTS = [
    {
        "id": "e1",
        "input": {"question": "Is it open on Sunday?"},
        "expected": "No.",
        "metadata": {"topic": "hours"},
        "tags": [],
    },
    {"id": "e2", "input": "Where is it?", "expected": {"answer": "In the harbour."}, "output": "At sea."},
]
CASES = """
name: opening-hours
cases:
- name: sunday
  inputs: Is it open on Sunday?
  expected_output: No.
  metadata: {topic: hours}
  evaluators: [EqualsExpected]
- name: place
  inputs: {question: Where is it?}
  expected_output: In the harbour.
"""


def item(question: object, response: object) -> tuple[object, object]:
    return question, response


CASES_OF = [
    (
        "agent-skills",
        "evals.json",
        SKILL,
        [
            ("Sort the open tickets by urgency.", "A list that begins with the outage."),
            ("Which tickets wait for us?", None),
        ],
        ["files", "assertions"],
    ),
    (
        "adk",
        "lights.evalset.json",
        EVALSET,
        [("Switch on the hall light.", "The hall light is on."), ("Hello.", None)],
        ["conversation", "session_input"],
    ),
    (
        "promptfoo-results",
        "results.jsonl",
        RESULTS,
        [("Which line goes to the harbour?", "Line 4")],
        ["score", "gradingResult", "testCase", "response"],
    ),
    ("openai-evals", "samples.jsonl", SAMPLES, [("Capital of Peru?", "Lima"), ("2 + 2?", "4")], []),
    ("openai-evals", "source.jsonl", SOURCES, [("When was it built?", "1879")], ["item"]),
    (
        "llamaindex",
        "rag_dataset.json",
        RAG_DATASET,
        [("Who pays the fare?", "The sender.")],
        ["reference_contexts", "query_by"],
    ),
    (
        "mlflow",
        "records.jsonl",
        RECORDS,
        [("How long is a pass valid?", "A year.")],
        ["inputs", "expectations", "tags"],
    ),
    (
        "braintrust",
        "events.jsonl",
        EVENTS,
        [("Is it open on Sunday?", "No."), ("Where is it?", "In the harbour.")],
        [],
    ),
    (
        "pydantic-evals",
        "cases.yaml",
        CASES,
        [("Is it open on Sunday?", "No."), ("Where is it?", "In the harbour.")],
        [],
    ),
]


@pytest.mark.parametrize(
    ("preset", "name", "content", "said", "kept"),
    CASES_OF,
    ids=lambda part: part if isinstance(part, str) and len(part) < 20 else "",
)
def test_a_file_is_read_checked_and_written_back(
    tmp_path: Path, preset: str, name: str, content: Any, said: list[tuple[str, str | None]], kept: list[str]
) -> None:
    source, items, again = tmp_path / name, tmp_path / "items.jsonl", tmp_path / "again.json"
    if isinstance(content, str):
        source.write_text(content)
    elif name.endswith(".jsonl"):
        source.write_text("".join(json.dumps(row) + "\n" for row in content))
    else:
        source.write_text(json.dumps(content))
    done = run("import", str(source), "--map", preset, "-o", str(items), "--allow-drop")
    assert done.code == 0, done.out + done.err
    made = [json.loads(line) for line in items.read_text("utf-8").splitlines()]
    assert [
        (one["input"]["messages"][-1]["content"], (one.get("expected_output") or {}).get("response"))
        for one in made
    ] == said
    imported = made[0]["metadata"]["raw_metadata"].get("imported", {})
    assert set(kept) <= imported.keys()
    assert run("validate", str(items)).code == 0
    assert run("export", str(items), "--map", preset, "-o", str(again)).code == 0
    once_more = tmp_path / "once-more.jsonl"
    assert run("import", str(again), "--map", preset, "-o", str(once_more), "--allow-drop").code == 0
    assert [json.loads(line) for line in once_more.read_text("utf-8").splitlines()] == made


@pytest.mark.parametrize(
    ("preset", "content"), [(case[0], case[2]) for case in CASES_OF if not isinstance(case[2], str)]
)
def test_a_row_tells_what_it_is_a_row_of(preset: str, content: Any) -> None:
    (under,) = load_mapping(preset).rows_under[:1] or ("",)
    row = content[under][0] if isinstance(content, dict) else content[0]
    assert foreign_format(row) == preset


def test_what_a_model_answered_becomes_predictions(tmp_path: Path) -> None:
    source = tmp_path / "source.jsonl"
    source.write_text(json.dumps(SOURCES[0]) + "\n")
    records = tmp_path / "records.jsonl"
    line = (
        "import",
        str(source),
        "--map",
        "openai-evals",
        "-o",
        str(tmp_path / "i.jsonl"),
        "--predictions",
        str(records),
    )
    assert run(*line).code == 0
    assert json.loads(records.read_text())["prediction"]["response"] == "In 1879."


def test_the_tools_of_an_evalset_are_expected_and_a_second_turn_is_refused_at_its_place(
    tmp_path: Path,
) -> None:
    source, items = tmp_path / "lights.test.json", tmp_path / "items.jsonl"
    source.write_text(json.dumps(EVALSET))
    command = ("import", str(source), "--map", "adk", "-o", str(items), "--allow-drop")
    assert run(*command).code == 0
    called, silent = (json.loads(line) for line in items.read_text().splitlines())
    assert called["expected_output"]["tool_calls"] == [
        {"name": "switch", "args": {"room": "hall", "on": True}}
    ]
    assert "tool_calls" not in silent.get("expected_output", {})
    items.unlink()
    longer = json.loads(json.dumps(EVALSET))
    turns = longer["eval_cases"][0]["conversation"]
    turns.append(turns[0])
    text = json.dumps(longer)
    source.write_text(text)
    column = text.index('[{"invocation_id') + 1
    done = run(*command)
    assert done.code == 1
    assert f":1:{column}: error" in done.out
    assert "2 elements, one allowed" in done.out
    assert not items.exists()


def test_outputs_in_results_of_promptfoo_become_predictions(tmp_path: Path) -> None:
    source, items, records = (tmp_path / name for name in ("results.json", "i.jsonl", "r.jsonl"))
    source.write_text(json.dumps(WRITTEN_RESULTS))
    command = ("import", str(source), "--map", "promptfoo-results", "-o", str(items))
    assert run(*command, "--predictions", str(records), "--allow-drop").code == 0
    (item_made, record) = (json.loads(path.read_text()) for path in (items, records))
    assert item_made["expected_output"] == {"response": "Line 4"}
    assert record == {"item_id": item_made["item_id"], "prediction": {"response": "Line 5"}}


def test_plain_expected_values_of_a_table_are_answers_and_other_assertions_are_kept(tmp_path: Path) -> None:
    source, items, back = (tmp_path / name for name in ("tests.csv", "items.jsonl", "back.csv"))
    source.write_text(
        "question,__expected,__metadata:topic\n"
        "Which line?,Line 4,lines\n"
        "6 * 5?,equals: 30,\n"
        "Which harbour?,contains: east,\n"
        "How near?,similar(0.8):Very near,\n"
        "Is it JSON?,is-json,\n"
        "Not which?,not-equals: 30,\n"
        "What says the sign?,note: closed,\n"
    )
    command = ("--map", "promptfoo-csv", "-o")
    assert run("import", str(source), *command, str(items)).code == 0
    made = [json.loads(line) for line in items.read_text().splitlines()]
    answers = [one.get("expected_output", {}).get("response") for one in made]
    assert answers == ["Line 4", "30", None, None, None, None, "note: closed"]
    kept = [one["metadata"]["raw_metadata"].get("imported", {}).get("__expected") for one in made[:-1]]
    assert {"contains: east", "similar(0.8):Very near", "is-json", "not-equals: 30"} <= set(kept)
    assert run("export", str(items), "--map", "promptfoo-csv", "-o", str(back)).code == 0
    assert run("import", str(back), *command, str(tmp_path / "again.jsonl")).code == 0
    assert [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().splitlines()] == made
    assert foreign_format({"question": "", "__expected": ""}) == "promptfoo-csv"


@pytest.mark.parametrize(
    ("preset", "row"), [("adk", EVALSET["eval_cases"][0]), ("promptfoo-results", RESULTS[0])]
)
def test_a_preset_on_a_file_of_another_tool_says_which_it_looks_like(
    tmp_path: Path, preset: str, row: dict[str, Any]
) -> None:
    source, items = tmp_path / "rows.jsonl", tmp_path / "items.jsonl"
    source.write_text(json.dumps(row) + "\n")
    done = run("import", str(source), "--map", "ragas", "-o", str(items))
    assert done.code == 1
    assert f"this looks like a row of {preset}: --map {preset}" in done.out
    assert not items.exists()


SQUAD = {
    "version": "v2.0",
    "data": [
        {
            "title": "Fares",
            "paragraphs": [
                {
                    "context": "The fare was set in 1879.",
                    "qas": [
                        {
                            "id": "f1",
                            "question": "When was it set?",
                            "is_impossible": False,
                            "answers": [
                                {"text": text, "answer_start": at}
                                for text, at in (("1879", 20), ("in 1879", 17), ("1879", 20))
                            ],
                        },
                        {
                            "id": "f2",
                            "question": "Who set it?",
                            "is_impossible": True,
                            "answers": [],
                            "plausible_answers": [{"text": "1879", "answer_start": 20}],
                        },
                    ],
                }
            ],
        }
    ],
}


def test_squad_is_read_as_it_is_published_and_as_rows(tmp_path: Path) -> None:
    (tmp_path / "train.json").write_text(json.dumps(SQUAD))
    command = ("--map", "squad", "-o", str(tmp_path / "items.jsonl"))
    done = run("import", str(tmp_path / "train.json"), *command)
    assert "version stand beside the rows" in done.out
    assert run("import", str(tmp_path / "train.json"), *command, "--allow-drop").code == 0
    found, impossible = (json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines())
    assert found["input"]["context"] == ["The fare was set in 1879."]
    assert found["expected_output"] == {
        "response": "1879",
        "alternative_responses": ["in 1879"],
        "answerable": True,
    }
    assert impossible["expected_output"] == {"answerable": False}
    kept = impossible["metadata"]["raw_metadata"]["imported"]
    assert kept["answers"] == []
    assert kept["plausible_answers"] == [{"text": "1879", "answer_start": 20}]
    flat = {
        "id": "f1",
        "title": "Fares",
        "context": "The fare was set in 1879.",
        "question": "When was it set?",
        "answers": {"text": ["1879", "in 1879", "1879"], "answer_start": [20, 17, 20]},
    }
    (tmp_path / "rows.jsonl").write_text(json.dumps(flat) + "\n")
    assert run("import", str(tmp_path / "rows.jsonl"), *command).code == 0
    (row,) = (json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines())
    assert row["input"] == found["input"]
    assert row["expected_output"]["alternative_responses"] == ["in 1879"]
