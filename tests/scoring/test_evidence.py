"""What the metrics saw of an item, as plain data: texts, missing words, ranks, citations and calls side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from evalcontract.metrics import MetricOptions
from evalcontract.scoring import ScoreRequest, ScoreSettings, evidence_of
from tests.support.examples import RELEASES, release
from tests.support.scoring import item, measure, prediction, scored
from tests.support.scoring_runs import Run, runs


def seen(of: dict[str, Any], record: dict[str, Any] | None, **options: Any) -> dict[str, Any]:
    """The evidence of one answer."""
    records = [] if record is None else [record]
    found = evidence_of(of, records, ScoreSettings(options=MetricOptions(**options)), "rag_agent")
    (answer,) = found["answers"]
    assert isinstance(answer, dict)
    return answer


def test_the_question_and_the_expected_answers_are_told() -> None:
    found = evidence_of(item("a", alternative_responses=["At nine."], answerable=True), [prediction("a")])
    assert found["question"] == "When does the library open?"
    assert found["expected"] == {
        "response": "The library opens at nine.",
        "alternative_responses": ["At nine."],
        "answerable": True,
    }


def test_unsupported_terms_stand_where_the_offsets_say() -> None:
    response = "The library opens at nine. Parking costs 12 euros [1]."
    answer = seen(item("a"), prediction("a", response))
    assert [response[s["start"] : s["end"]] for s in answer["sentences"]] == [
        "The library opens at nine.",
        "Parking costs 12 euros [1].",
    ]
    missing = answer["sentences"][1]["missing"]
    assert [term["text"] for term in missing] == ["Parking", "12"]
    assert all(response[term["start"] : term["end"]] == term["text"] for term in missing)


def test_contexts_are_in_order_of_rank_with_text_grade_and_whether_they_are_cited() -> None:
    retrieved = [
        {"document_id": "fees"},
        {"content": "Unnamed."},
        {"document_id": "hours", "content": "Nine."},
    ]
    judged = [{"document_id": "hours", "relevance": 2}, {"document_id": "map", "relevance": 1}]
    answer = seen(
        item("a", judged=judged),
        prediction("a", retrieved_documents=retrieved, citations=[{"document_id": "hours"}]),
    )
    assert answer["contexts"] == [
        {
            "rank": 1,
            "document_id": "fees",
            "text": "Late returns cost one euro a day.",
            "grade": None,
            "cited": False,
        },
        {"rank": 2, "document_id": None, "text": "Unnamed.", "grade": None, "cited": False},
        {
            "rank": 3,
            "document_id": "hours",
            "text": "Nine.\n\nThe library opens at nine on weekdays.",
            "grade": 2,
            "cited": True,
        },
    ]
    assert answer["not_retrieved"] == [{"document_id": "map", "grade": 1}]


def test_markers_lead_to_contexts_named_or_not() -> None:
    retrieved = [{"document_id": "fees"}, {"content": "Unnamed."}]
    answer = seen(item("a"), prediction("a", "One [1], two [2], nine [9].", retrieved_documents=retrieved))
    found = [(m["text"], m["document_ids"], m["contexts"]) for m in answer["markers"]]
    assert found == [("[1]", ["fees"], [0]), ("[2]", [], [1]), ("[9]", [], [])]


def test_citations_say_whether_they_are_expected_and_where_their_quotes_stand() -> None:
    cited = [{"document_id": "hours", "quotes": ["opens at nine", "closes at ten"]}, {"document_id": "other"}]
    answer = seen(
        item("a", citations=[{"document_id": "hours"}, {"document_id": "fees"}]),
        prediction("a", citations=cited),
    )
    hours, other = answer["citations"]
    assert (hours["context"], hours["expected"]) == (0, True)
    assert [(q["match"], q["start"], q["end"]) for q in hours["quotes"]] == [
        ("exact", 12, 25),
        ("none", None, None),
    ]
    assert (other["context"], other["expected"]) == (None, False)
    assert answer["not_cited"] == ["fees"]


def test_sentences_say_whether_what_they_cite_supports_them() -> None:
    answer = seen(
        item("a"), prediction("a", "It opens at nine [1]. Dogs may come in [2]."), support_threshold=0.5
    )
    assert [(s["supported"], s["document_ids"]) for s in answer["support"]] == [
        (True, ["hours"]),
        (False, ["fees"]),
    ]


def test_calls_are_paired_by_arguments_then_by_name_and_the_rest_stand_alone() -> None:
    def call(name: str, **args: Any) -> dict[str, Any]:
        return {"name": name, "args": args}

    expected = [call("find", q="a"), call("find", q="b", n=1), call("mail")]
    predicted = [call("find", q="b", n=2), call("find", q="a"), call("open")]
    answer = seen(item("a", tool_calls=expected), prediction("a", tool_calls=predicted))
    assert [(row["expected"], row["predicted"], row["matched"]) for row in answer["calls"]] == [
        (expected[0], predicted[1], True),
        (expected[1], predicted[0], False),
        (expected[2], None, False),
        (None, predicted[2], False),
    ]
    assert answer["calls"][1]["argument_score"] == 0.5


def test_reference_passages_say_which_retrieved_text_is_nearest() -> None:
    question = {
        "messages": [{"role": "user", "content": "When?"}],
        "context": ["Opens at nine.", "Nothing like it"],
    }
    of = item("a", judged=None) | {"input": question}
    retrieved = [{"content": "xyz"}, {"content": "Opens at nine!"}]
    answer = seen(of, prediction("a", retrieved_documents=retrieved))
    assert [(row["text"], row["rank"]) for row in answer["passages"]] == [
        ("Opens at nine.", 2),
        ("Nothing like it", None),
    ]


def test_a_missing_prediction_is_one_answer_with_nothing_in_it() -> None:
    answer = seen(item("a"), None)
    assert [answer[key] for key in ("response", "abstained", "sentences", "citations", "calls")] == [None] * 5
    assert [context["rank"] for context in answer["contexts"]] == [None, None]
    assert answer["scores"]["answer_f1"] == {"value": 0.0, "reason": "no prediction"}


def test_long_texts_and_lists_are_cut() -> None:
    retrieved = [{"document_id": f"d{number}", "content": "x" * 30_000} for number in range(300)]
    answer = seen(item("a"), prediction("a", "word " * 10_000, retrieved_documents=retrieved))
    assert len(answer["response"]) == 20_000
    assert len(answer["contexts"]) == 100
    assert len(answer["contexts"][0]["text"]) == 20_000


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_worst_items_of_a_run_carry_the_evidence_of_their_own_records(tmp_path: Path, jobs: int) -> None:
    records = [prediction(f"i{n}", f"Answer {n}.") | {"repetition": r} for n in range(300) for r in (1, 2)]
    report = scored(
        tmp_path, [item(f"i{n}") for n in range(300)], records, wanted=ScoreRequest(worst=3), jobs=jobs
    )
    for found in report.worst:
        number = found.item_id.removeprefix("i")
        assert found.evidence["item_id"] == found.item_id
        assert [a["response"] for a in found.evidence["answers"]] == [f"Answer {number}."] * 2
        assert [a["repetition"] for a in found.evidence["answers"]] == [1, 2]


def test_a_histogram_counts_each_item_with_a_value_once(tmp_path: Path) -> None:
    answers = ["The library opens at nine.", "The library opens.", "Nine.", "No idea"]
    report = scored(tmp_path, [item(a) for a in answers], [prediction(a, a) for a in answers])
    found = measure(report, "answer_f1")
    assert sum(found.histogram) == found.n_scored == 4
    assert found.histogram[0] == 1
    assert found.histogram[9] == 1


@pytest.mark.parametrize("name", RELEASES)
def test_every_example_has_evidence_that_is_json(name: str) -> None:
    dataset = release(name)
    for of in dataset["items"]:
        record = {"item_id": of["item_id"], "prediction": of["expected_output"]}
        found = evidence_of(of, [record], schema_type=dataset["metadata"]["input_schema_type"])
        assert json.loads(json.dumps(found, allow_nan=False)) == found


@given(runs())
def test_whatever_was_recorded_can_be_shown(run: Run) -> None:
    for of in run.items:
        records = [record for record in run.records if record["item_id"] == of["item_id"]]
        json.dumps(evidence_of(of, records, schema_type=run.schema_type), allow_nan=False)


def test_chunks_have_the_grade_of_their_document() -> None:
    answer = seen(
        item("a"), prediction("a", retrieved_documents=[{"document_id": "hours#3"}]), chunk_separator="#"
    )
    assert [context["grade"] for context in answer["contexts"]] == [2]
