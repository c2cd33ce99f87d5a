"""Rules about items and records that a schema can't state: what scoring refuses, validation refuses."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcontract.catalog import default_catalogue
from evalcontract.checking import RunResult, check_files, plan
from evalcontract.errors import UsageError
from evalcontract.release import check_release
from evalcontract.scoring import ScoreReport, score_files
from evalcontract.validation import ItemChecker

QUESTION = {"role": "user", "content": "When does the museum open?"}
RAG = {"raw_metadata": {"input_schema_type": "rag", "input_schema_version": "1.0"}}


def item(item_id: str = "a", input_: Any = None, **output: Any) -> dict[str, Any]:
    return {
        "item_id": item_id,
        "input": {"messages": [{"role": "user", "content": f"When does {item_id} open?"}]} | (input_ or {}),
        "expected_output": {"response": "At nine.", **output},
        "metadata": RAG,
    }


def judged(*grades: int) -> list[dict[str, Any]]:
    return [{"document_id": "d1", "relevance": grade} for grade in grades]


BREACHES = [
    (item(retrieval_ground_truth=judged(1, 2)), "duplicate-judgement", 1),
    (item(retrieval_ground_truth=judged(1, 1, 1)), "duplicate-judgement", 2),
    (
        item(
            response="So [1].",
            citations=[{"document_id": name, "response_marker": "[1]"} for name in ("d1", "d2")],
        ),
        "shared-marker",
        1,
    ),
    (item(input_={"context": ["x", "y"], "document_ids": ["d", "d"]}), "repeated-document-id", 1),
    (item(response=" \n"), "blank-text", 1),
    (item(alternative_responses=["", "\t"]), "blank-text", 2),
    (item(citations=[{"document_id": "d1", "quotes": [" "]}]), "blank-text", 1),
    (item(input_={"messages": [QUESTION | {"content": ""}]}), "blank-text", 1),
    (
        item(input_={"messages": [QUESTION, {"role": "assistant", "content": "At nine."}]}),
        "ends-with-assistant",
        1,
    ),
]


@pytest.mark.parametrize(("broken", "code", "times"), BREACHES, ids=lambda part: str(part)[:40])
def test_each_rule_is_found_by_a_quick_look_and_by_a_close_one(
    broken: dict[str, Any], code: str, times: int
) -> None:
    checker = ItemChecker(default_catalogue())
    assert [found.code for found in checker.check(broken).violations] == [code] * times
    assert checker.clean(broken) is None


@pytest.mark.parametrize(
    "fine",
    [
        item(response=""),
        item(input_={"context": ["x", "y"], "document_ids": ["", ""]}),
        item(retrieval_ground_truth=[]),
        item(alternative_responses=None),
        item(input_={"messages": [QUESTION, {"role": "assistant", "content": "Which?"}, QUESTION]}),
    ],
)
def test_what_is_allowed_is_not_spoken_of(fine: dict[str, Any]) -> None:
    assert ItemChecker(default_catalogue()).check(fine).violations == ()


def check(folder: Path, *documents: Any, strict: bool = True, **told: Any) -> RunResult:
    file = folder / "documents.jsonl"
    file.write_text("".join(json.dumps(document) + "\n" for document in documents))
    return check_files([str(file)], plan(**told), strict=strict)


def record(item_id: str = "a", **more: Any) -> dict[str, Any]:
    return {"item_id": item_id, "prediction": {"response": "At nine."}, **more}


@pytest.mark.parametrize("told", [{}, {"contract": "prediction_record"}])
def test_a_record_is_unique_by_item_run_and_repetition(tmp_path: Path, told: dict[str, Any]) -> None:
    apart = [record(), record(repetition=2), record(run_id="r"), record("b"), record("b", repetition=3)]
    assert check(tmp_path, *apart, **told).exit_code == 0
    result = check(tmp_path, *apart, record(repetition=1), record("b", repetition=3), **told)
    assert [(found.code, found.line) for found in result.violations] == [
        ("duplicate-prediction", 6),
        ("duplicate-prediction", 7),
    ]


def test_two_score_records_of_one_item_are_refused(tmp_path: Path) -> None:
    scores = {"item_id": "a", "scores": {}}
    (found,) = check(tmp_path, scores, scores, contract="score_record").violations
    assert found.code == "duplicate-score-record"


def test_several_evaluators_of_one_item_write_a_record_each(tmp_path: Path) -> None:
    records = [
        {"item_id": "a", "scores": {"tone": {"value": 1, "evaluator": evaluator}}}
        for evaluator in ("judge", "human", None, "judge", ["judge"])
    ]
    found = check(tmp_path, *records, contract="score_record").violations
    assert sorted((each.line or 0, each.code) for each in found) == [
        (4, "duplicate-score-record"),
        (5, "duplicate-score-record"),
        (5, "wrong-type"),
    ]


def test_the_same_question_under_two_ids_is_advised_against(tmp_path: Path) -> None:
    second = item("b") | {"input": item("a")["input"]}
    (found,) = check(tmp_path, item("a"), second).violations
    assert (found.code, found.severity, found.line) == ("same-input", "advice", 2)
    other_passages = copy.deepcopy(second)
    other_passages["input"]["context"] = ["Nine to five."]
    assert check(tmp_path, item("a"), other_passages).exit_code == 0


METADATA = {
    "product_id": "museum",
    "scope": "golden",
    "version": "1.0",
    "input_schema_type": "rag",
    "input_schema_version": "1.0",
}
texts = st.sampled_from(["", " ", "At nine.", "At nine [1].", "[1][2]", "\u2028", "1"])
ids = st.sampled_from(["d1", "d2", "", "D1", "d#1"])
outputs = st.fixed_dictionaries(
    {"response": texts},
    optional={
        "answerable": st.sampled_from([True, False, None]),
        "alternative_responses": st.none() | st.lists(texts, max_size=2),
        "retrieval_ground_truth": st.none()
        | st.lists(
            st.fixed_dictionaries(
                {"document_id": ids, "relevance": st.sampled_from([0, 1, 2])},
                optional={"alternative_group": st.sampled_from(["g", None])},
            ),
            max_size=3,
        ),
        "citations": st.none()
        | st.lists(
            st.fixed_dictionaries(
                {"document_id": ids},
                optional={
                    "response_marker": st.sampled_from(["[1]", "[2]", None]),
                    "quotes": st.none() | st.lists(texts, max_size=2),
                },
            ),
            max_size=3,
        ),
    },
)
inputs = st.fixed_dictionaries(
    {"messages": st.lists(st.builds(dict, role=st.just("user"), content=texts), min_size=1, max_size=2)},
    optional={
        "context": st.none() | st.lists(texts, max_size=2),
        "document_ids": st.none() | st.lists(ids, max_size=2),
    },
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(items=st.lists(st.tuples(inputs, outputs), min_size=1, max_size=3))
def test_what_validation_and_the_release_check_pass_is_never_refused_by_score(
    tmp_path: Path, items: list[Any]
) -> None:
    documents = [
        {"item_id": f"i{number}", "input": input_, "expected_output": output}
        for number, (input_, output) in enumerate(items)
    ]
    file = tmp_path / "museum_rag_golden_v1.0.json"
    file.write_text(json.dumps({"metadata": METADATA, "items": documents}))
    valid = check_files([str(file)], plan(), strict=True).exit_code == 0
    may_go_out = check_release(file, strict=True).exit_code == 0
    run = tmp_path / "run.jsonl"
    prediction = {"response": "At nine [1].", "retrieved_documents": [{"document_id": "d1", "content": "x"}]}
    run.write_text(
        "".join(
            json.dumps({"item_id": made["item_id"], "prediction": prediction}) + "\n" for made in documents
        )
    )
    try:
        scored = isinstance(score_files(str(run), str(file)), ScoreReport)
    except UsageError:
        scored = False
    assert scored or not (valid and may_go_out)
