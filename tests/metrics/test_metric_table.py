from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcontract.metrics as public
from evalcontract.errors import ContractError, UsageError
from evalcontract.metrics import METRICS, MetricOptions, MetricScore, metric, metrics_for, score_item
from evalcontract.metrics._terms import text_keys
from evalcontract.metrics.reference import metrics_table_markdown

Record = dict[str, Any]

ITEM: Record = {
    "item_id": "1",
    "input": {
        "messages": [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hi"},
            {"role": "user", "content": "Where is the Eiffel Tower?"},
        ],
        "context": ["The Eiffel Tower is in Paris.", "London is in England."],
        "document_ids": ["d1", "d2"],
    },
    "expected_output": {
        "response": "The tower is in Paris",
        "citations": [{"document_id": "d1"}],
        "retrieval_ground_truth": [
            {"document_id": "d1", "relevance": 2},
            {"document_id": "d2", "relevance": 0},
        ],
        "tool_calls": [{"name": "search", "args": {"q": "eiffel", "n": 5}}],
        "handoff_to": "billing",
        "answerable": True,
    },
}
PREDICTION: Record = {
    "response": "The Eiffel Tower is in Paris [1].",
    "citations": [{"document_id": "d1", "response_marker": "[1]", "quotes": ["Tower is in Paris"]}],
    "retrieved_documents": [
        {"document_id": "d2"},
        {"document_id": "d1", "content": "The Eiffel Tower is in Paris."},
    ],
    "tool_calls": [{"name": "search", "args": {"q": "eiffel", "n": "5"}, "output": "Paris"}],
    "handoff_to": "billing",
}


def scores(item: Record = ITEM, prediction: Record = PREDICTION, **options: Any) -> dict[str, MetricScore]:
    return score_item(item, prediction, options=MetricOptions(**options))


def without(record: Record, *path: str) -> Record:
    changed = deepcopy(record)
    holder = changed
    for name in path[:-1]:
        holder = holder[name]
    del holder[path[-1]]
    return changed


def test_every_metric_measures_the_example() -> None:
    found = scores(k=2, support_threshold=0.5)
    values = {name: score.value for name, score in found.items()}
    assert values.pop("empty_when_nothing_relevant") is None
    assert values.pop("abstained_when_unanswerable") is None
    for name in ("number_match", "json_match", "retrieved_text_precision", "retrieved_text_recall"):
        assert values.pop(name) is None
    assert values["groundedness"] == 1.0
    assert values["precision_at_k"] == values["reciprocal_rank"] == 0.5
    assert values["ndcg_at_k"] == pytest.approx(0.6309, abs=5e-5)
    assert values["judged_at_k"] == values["recall_at_k"] == values["quote_accuracy"] == 1.0
    assert values["citation_validity"] == values["citation_f1"] == values["citation_support_recall"] == 1.0
    assert values["tool_call_f1"] == 0.0
    assert values["tool_argument_score"] == 0.5
    assert values["routing_match"] == 1.0
    assert values["answer_relevance"] == 0.8, "the question is the last user message"
    assert None not in values.values()


def test_options_reach_their_metrics() -> None:
    declared = {"search": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    assert scores(tool_parameters=declared)["tool_calls_exact"].value == 1.0
    assert scores(args="ignore")["tool_calls_exact"].value == 1.0
    assert scores(k=1)["recall_at_k"].value == 0.0
    assert scores()["citation_support_recall"].reason == "no support threshold is given"
    chunked = {**PREDICTION, "retrieved_documents": [{"document_id": "d1#2"}]}
    assert scores(prediction=chunked)["recall_at_k"].value == 0.0
    assert scores(prediction=chunked, chunk_separator="#")["recall_at_k"].value == 1.0


def test_declared_markers_are_no_terms_of_the_answer() -> None:
    prediction = {
        "response": "The Eiffel Tower is in Paris (source-a).",
        "citations": [{"document_id": "d1", "response_marker": "(source-a)"}],
    }
    assert scores(prediction=prediction)["groundedness"].value == 1.0


def test_what_an_item_does_not_annotate_has_no_value() -> None:
    for metric_ in METRICS:
        for path in metric_.item_fields:
            item = without(ITEM, *path.split("."))
            score = metric_.run(item, PREDICTION)
            assert score.value is None
            assert score.reason == f"the item has no {path}"
            assert not metric_.applies(item)
            assert metric_.applies(ITEM)
    assert scores({**ITEM, "expected_output": None})["answer_f1"].value is None


def test_that_a_conversation_must_stay_is_said_by_handoff_expected() -> None:
    gold = without(ITEM, "expected_output", "handoff_to")
    gold["expected_output"]["handoff_expected"] = False
    silent = without(PREDICTION, "handoff_to")
    assert scores(gold, {**silent, "handed_off": False})["routing_match"].value == 1.0
    assert scores(gold, PREDICTION)["routing_match"].value == 0.0
    assert scores(gold, silent)["routing_match"].value is None


def test_an_empty_prediction_fails_what_was_expected_and_leaves_the_rest_out() -> None:
    found = scores(prediction={})
    for name in ("answer_f1", "citation_recall", "tool_call_f1", "tool_calls_in_order"):
        assert found[name].value == 0.0
    for name in ("groundedness", "recall_at_k"):
        assert found[name].value is None
        assert "prediction has no" in str(found[name].reason)


def test_contexts_come_from_the_retrieved_documents_else_from_the_item() -> None:
    elsewhere = [{"document_id": "x", "content": "Bread is baked."}]
    assert scores(prediction={**PREDICTION, "retrieved_documents": elsewhere})["groundedness"].value == 0.0
    assert scores(prediction={**PREDICTION, "retrieved_documents": []})["groundedness"].value == 0.0
    textless = {**PREDICTION, "retrieved_documents": [{"document_id": "d1", "content": None}]}
    assert scores(prediction=textless)["groundedness"].value == 1.0, "the item knows the text of d1"
    unknown = {**PREDICTION, "retrieved_documents": [{"document_id": "x"}]}
    assert scores(prediction=unknown)["groundedness"].reason == "no text of the contexts is known"
    assert scores(prediction=without(PREDICTION, "retrieved_documents"))["groundedness"].value == 1.0


def test_one_of_several_alternative_documents_is_enough() -> None:
    item = deepcopy(ITEM)
    item["expected_output"]["retrieval_ground_truth"] = [
        {"document_id": name, "relevance": 2, "alternative_group": "towers"} for name in ("d1", "d9")
    ]
    assert scores(item)["recall_at_k"].value == 1.0


def test_a_document_judged_twice_in_the_ground_truth_is_an_error() -> None:
    item = deepcopy(ITEM)
    item["expected_output"]["retrieval_ground_truth"] *= 2
    with pytest.raises(ContractError, match="twice"):
        scores(item)


def test_markers_without_declared_citations_cite_by_position() -> None:
    prediction = {**without(PREDICTION, "citations"), "response": "It is in Paris [2]."}
    assert scores(prediction=prediction)["citation_f1"].value == 1.0
    assert scores(prediction={**prediction, "response": "It is in Paris [1]."})["citation_f1"].value == 0.0


@pytest.mark.parametrize(
    ("side", "path", "value"),
    [
        ("prediction", "retrieved_documents", [{"document_id": 4}]),
        ("prediction", "citations", [{"document_id": None}]),
        ("prediction", "tool_calls", [{"args": {}}]),
        ("expected", "retrieval_ground_truth", [{"relevance": 1}]),
        ("expected", "retrieval_ground_truth", [{"document_id": "d1", "relevance": 3}]),
        ("expected", "retrieval_ground_truth", [{"document_id": "d1"}]),
        ("expected", "citations", [{}]),
        ("expected", "tool_calls", [{"name": "a", "args": "{}"}]),
    ],
)
def test_records_that_break_the_contract_are_one_clear_error(side: str, path: str, value: object) -> None:
    item, prediction = deepcopy(ITEM), deepcopy(PREDICTION)
    (prediction if side == "prediction" else item["expected_output"])[path] = value
    with pytest.raises(ContractError):
        scores(item, prediction)


def test_scoring_changes_neither_side_and_ignores_key_order() -> None:
    def reordered(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: reordered(value[key]) for key in reversed(value)}
        return [reordered(member) for member in value] if isinstance(value, list) else value

    item, prediction = deepcopy(ITEM), deepcopy(PREDICTION)
    found = scores(item, prediction, support_threshold=0.5)
    assert (item, prediction) == (ITEM, PREDICTION)
    assert scores(reordered(item), reordered(prediction), support_threshold=0.5) == found


def test_schema_types_enable_their_metrics() -> None:
    names = {type_: {m.name for m in metrics_for(type_)} for type_ in ("qa", "rag", "agent", "rag_agent")}
    assert {"answer_exact_match", "rouge_l", "answer_relevance", "conciseness"} < names["qa"]
    assert names["qa"] < names["rag"]
    assert "term_groundedness" not in names["qa"]
    assert "groundedness" in names["rag"]
    assert "tool_call_f1" not in names["rag"]
    assert "tool_call_f1" in names["agent"]
    assert names["rag"] | names["agent"] == names["rag_agent"]
    assert metrics_for(None) == METRICS
    assert metrics_for("unheard-of") == ()


def test_metrics_are_found_by_name_with_a_hint_for_typos() -> None:
    assert metric("ndcg_at_k").takes_k
    assert len({m.name for m in METRICS}) == len(METRICS)
    with pytest.raises(UsageError, match="did you mean ndcg_at_k"):
        metric("ndgc_at_k")
    with pytest.raises(UsageError, match="one of answer_exact_match"):
        metric("zzz")


def test_details_are_plain_json() -> None:
    for score in scores(support_threshold=0.5).values():
        assert json.loads(json.dumps(score.details)) == dict(score.details)


@pytest.mark.parametrize("value", [float("nan"), -0.1, 1.1, float("inf")])
def test_no_score_outside_its_range_can_be_made(value: float) -> None:
    with pytest.raises(ValueError, match=r"0\.\.1"):
        MetricScore(value)


def test_a_score_without_value_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="reason"):
        MetricScore(None)


words = st.lists(
    st.sampled_from(["Paris", "tower", "1889", "[1]", "[2].", "not", "東京", "is"]), max_size=12
).map(" ".join)
documents = st.lists(
    st.fixed_dictionaries({"document_id": st.sampled_from(["d1", "d2", "d3"]), "content": st.none() | words}),
    max_size=4,
)
cites = st.lists(
    st.fixed_dictionaries(
        {
            "document_id": st.sampled_from(["d1", "d2", "x"]),
            "response_marker": st.sampled_from([None, "[1]", "[2]"]),
            "quotes": st.none() | st.lists(words, max_size=2),
        }
    ),
    max_size=3,
)
predictions = st.fixed_dictionaries(
    {},
    optional={
        "response": st.none() | words,
        "citations": st.none() | cites,
        "retrieved_documents": st.none() | documents,
        "tool_calls": st.none() | st.just(PREDICTION["tool_calls"]),
        "handoff_to": st.none() | st.just("billing"),
    },
)


@given(predictions, st.floats(0, 1))
def test_any_prediction_gets_values_between_0_and_1_or_a_reason(prediction: Record, threshold: float) -> None:
    for score in scores(prediction=prediction, support_threshold=threshold).values():
        assert score.reason if score.value is None else 0.0 <= score.value <= 1.0


def test_the_reference_names_every_metric() -> None:
    assert all(f"| `{each.name}` |" in metrics_table_markdown() for each in METRICS)


def test_every_public_name_resolves_to_itself() -> None:
    homes = ("evalcontract.metrics.", "evalcontract.texts.markers")
    for name in public.__all__:
        value = getattr(public, name)
        assert name.isupper() or value.__module__.startswith(homes), name
    assert set(public.__all__) <= set(dir(public))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = public.nonsense


def test_scoring_needs_no_compiled_dependency() -> None:
    program = (
        "import sys; from evalcontract.metrics import groundedness, score_item; groundedness('a b', ['a']);"
        "heavy = {'pydantic', 'jsonschema', 'jsonschema_rs', 'numpy', 'yaml', 'referencing', 'jiter'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("expected", "predicted", "value"),
    [
        (
            {"response": "1889"},
            {"response": "1889 [1]", "citations": [{"document_id": "d", "response_marker": "[1]"}]},
            1.0,
        ),
        ({"response": "1889"}, {"response": "1889 [1]."}, 1.0),
        (
            {"response": "1889 (*)", "citations": [{"document_id": "d", "response_marker": "(*)"}]},
            {"response": "1889"},
            1.0,
        ),
        ({"response": "1889[2]"}, {"response": "1889【4:0†source】"}, 1.0),
        ({"response": "[3]"}, {"response": "[4]"}, 0.0),
        ({"response": "[1999]"}, {"response": "1999"}, 1.0),
        ({"response": "one", "alternative_responses": ["two", "1889"]}, {"response": "1889"}, 1.0),
        ({"response": "", "alternative_responses": ["1889"]}, {"response": "1889"}, 1.0),
        ({"response": ""}, {"response": "1889"}, None),
        ({"response": " ", "alternative_responses": []}, {"response": "1889"}, None),
    ],
)
def test_answers_are_compared_without_markers_with_the_best_of_the_references(
    expected: Record, predicted: Record, value: float | None
) -> None:
    item = {"item_id": "1", "input": {"messages": []}, "expected_output": expected}
    assert metric("answer_exact_match").run(item, predicted).value == value
    assert metric("answer_f1").run(item, predicted).value == value


TEXT_METRICS = [
    "groundedness",
    "term_groundedness",
    "context_relevance",
    "quote_accuracy",
    "citation_support_recall",
    "citation_support_precision",
    "retrieved_text_precision",
    "retrieved_text_recall",
]


def test_unknown_texts_are_unknown_and_partly_known_ones_say_so() -> None:
    item = without(without(ITEM, "input", "document_ids"), "expected_output", "retrieval_ground_truth")
    item = without(item, "input", "context")
    item["metadata"] = {"raw_metadata": {"reference_contexts": ["The Eiffel Tower is in Paris!"]}}
    none = {
        **PREDICTION,
        "retrieved_documents": [{"document_id": "d1"}, {"document_id": "d2", "content": None}],
    }
    part = {
        **none,
        "retrieved_documents": [*none["retrieved_documents"], {"content": "The Eiffel Tower is in Paris."}],
    }
    part["response"] = "The Eiffel Tower is in Paris [3]. It is tall [1]."
    part["citations"] = []
    for name in TEXT_METRICS:
        unknown = scores(item, none, support_threshold=0.5)[name]
        assert unknown.value is None, name
        assert unknown.reason
        partly = scores(item, part, support_threshold=0.5)[name]
        if name != "quote_accuracy":
            assert partly.value is not None, name
            assert partly.reason, name
            assert partly.reason.startswith("known text: 1 of "), name


def test_documents_without_ids_are_ranked_and_read_apart() -> None:
    prediction = {
        **PREDICTION,
        "retrieved_documents": [{"content": "a"}, {"content": "b"}, {"document_id": "d1"}],
    }
    found = scores(prediction=prediction)
    assert found["reciprocal_rank"].value == pytest.approx(1 / 3)
    assert found["retrieval_precision"].value == pytest.approx(1 / 3)
    assert "warnings" not in found["retrieval_precision"].details


def test_reference_passages_are_those_kept_beside_an_item_else_those_it_supplies() -> None:
    prediction = {
        "retrieved_documents": [{"content": "London is in England."}, {"content": "Something else entirely"}]
    }
    assert scores(prediction=prediction)["retrieved_text_recall"].value is None, "the item has ids"
    plain = without(without(ITEM, "input", "document_ids"), "expected_output", "retrieval_ground_truth")
    assert scores(plain, prediction)["retrieved_text_recall"].value == 0.5
    kept = {
        **ITEM,
        "metadata": {"raw_metadata": {"imported": {"reference_contexts": ["London is in England!"]}}},
    }
    assert scores(kept, prediction)["retrieved_text_recall"].value == 1.0
    assert scores(kept, prediction)["retrieved_text_precision"].value == 1.0
    assert scores(without(plain, "input", "context"), prediction)["retrieved_text_recall"].value is None
    assert scores(kept, {"retrieved_documents": []})["retrieved_text_recall"].value == 0.0


def test_a_question_and_an_answer_are_enough_for_relevance_and_conciseness() -> None:
    item = {"item_id": "1", "input": {"messages": [{"role": "user", "content": "Where is the tower?"}]}}
    found = scores(item, {"response": "The tower is in Paris"})
    assert found["answer_relevance"].value == 0.75
    assert found["conciseness"].value == 1.0
    assert found["quality_overall"].value is None


def test_the_tolerance_reaches_number_match() -> None:
    item = {"item_id": "1", "input": {"messages": []}, "expected_output": {"response": "about 1,000 km"}}
    assert scores(item, {"response": "995 km"})["number_match"].value == 0.0
    assert scores(item, {"response": "995 km"}, number_tolerance=0.01)["number_match"].value == 1.0


@pytest.mark.parametrize("part", ["input", "expected_output", "prediction"])
def test_null_is_not_given_for_every_metric(part: str) -> None:
    record = PREDICTION if part == "prediction" else ITEM[part]
    for name in record:
        if name == "messages":
            continue  # a question is required
        if part == "prediction":
            absent, null = (ITEM, without(PREDICTION, name)), (ITEM, {**PREDICTION, name: None})
        else:
            absent = (without(ITEM, part, name), PREDICTION)
            null = ({**ITEM, part: {**ITEM[part], name: None}}, PREDICTION)
        assert scores(*absent, support_threshold=0.5) == scores(*null, support_threshold=0.5), name


def test_a_context_is_read_once_for_all_metrics_of_an_item(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def reading(text: str) -> list[str]:
        read.append(text)
        return text_keys(text)

    monkeypatch.setattr("evalcontract.metrics.contexts.text_keys", reading)
    long = "The Eiffel Tower is in Paris, the capital. " * 200  # longer than what is kept from item to item
    prediction = {**PREDICTION, "retrieved_documents": [{"document_id": "d1", "content": long}]}
    scores(prediction=prediction, support_threshold=0.5)
    assert len(read) == 1


def test_a_whole_record_is_no_prediction() -> None:
    with pytest.raises(ContractError, match="record, not a prediction"):
        score_item(ITEM, {"item_id": "1", "prediction": PREDICTION})
