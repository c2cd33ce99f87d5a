"""A scoring run: what is measured on which item, what is refused, and what doesn't matter."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcontract.checking import RunResult
from evalcontract.errors import MetricValueError, UsageError
from evalcontract.metrics import METRICS, MetricOptions
from evalcontract.metrics.tool_calls import ArgsMode
from evalcontract.scoring import ScoreReport, ScoreRequest, ScoreSettings, score_files
from evalcontract.scoring import run as runs_of_scores
from evalcontract.scoring.item import Scorer
from evalcontract.scoring.settings import names_in, numbers_in
from tests.support.examples import PATHFINDER, mixed_items, release
from tests.support.scoring import (
    METADATA,
    dataset,
    item,
    measure,
    prediction,
    scored,
    write_json,
    write_lines,
)

RAG = str(PATHFINDER / "pathfinder_rag_retrieval_v1.0.json")
PREDICTIONS = str(PATHFINDER / "predictions_rag.jsonl")
NAMES = (
    "messages",
    "role",
    "content",
    "context",
    "document_ids",
    "available_tools",
    "response",
    "citations",
    "retrieval_ground_truth",
    "tool_calls",
    "handoff_to",
    "document_id",
    "relevance",
    "name",
    "args",
)
LOOSE = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def gold(item_: dict[str, Any]) -> dict[str, Any]:
    """The expected output as a prediction."""
    expected = item_["expected_output"]
    return {
        "item_id": item_["item_id"],
        "prediction": expected | {"handed_off": expected.get("handoff_expected")},
    }


def test_the_type_of_each_item_chooses_its_metrics(tmp_path: Path) -> None:
    items = mixed_items()
    for agent_item in items:
        if "handoff_to" in agent_item["expected_output"]:
            agent_item["expected_output"]["handoff_expected"] = False
    result = score_files(
        write_lines(tmp_path / "p.jsonl", map(gold, items)),
        write_lines(tmp_path / "d.jsonl", items),
        ScoreSettings(ks=(1,)),
    )
    assert isinstance(result, ScoreReport)
    of = {each.name: each.n_total for each in result.measures}
    assert (of["answer_f1"], of["groundedness"], of["tool_call_f1"]) == (4, 2, 2)
    assert measure(result, "answer_exact_match").mean == 1.0
    assert measure(result, "routing_match").mean == 1.0


def test_named_metrics_are_measured_on_every_item(tmp_path: Path) -> None:
    report = scored(
        tmp_path, [item("a")], [prediction("a")], ScoreSettings(names_in("tool_call_f1, recall_at_3"))
    )
    assert [each.name for each in report.measures] == ["recall_at_3", "tool_call_f1"]
    assert measure(report, "tool_call_f1").reasons == {"the item has no expected_output.tool_calls": 1}


def test_items_without_a_type_get_what_their_fields_allow(tmp_path: Path) -> None:
    odd = {"item_id": "a", "input": {"messages": "x"}, "expected_output": {"response": 5, "citations": ["d"]}}
    plain = {"item_id": "b", "input": {}, "expected_output": {"response": "yes", "handoff_expected": False}}
    stayed = {"item_id": "b", "prediction": {"response": "Yes.", "handed_off": False}}
    result = score_files(
        write_lines(tmp_path / "p.jsonl", [prediction("a", "5"), stayed]),
        write_lines(tmp_path / "d.jsonl", [odd, plain]),
    )
    assert isinstance(result, ScoreReport)
    f1 = measure(result, "answer_f1")
    assert (f1.mean, f1.n_scored) == (1.0, 1)
    assert f1.reasons == {"the item's expected_output.response is not what a schema type calls so": 1}
    assert measure(result, "routing_match").n_scored == 1


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from(NAMES), anything),
    st.none() | st.dictionaries(st.sampled_from(NAMES), anything),
)
@settings(max_examples=200, deadline=None)
def test_an_item_without_a_type_may_hold_anything(input_: Any, expected: Any) -> None:
    scorer = Scorer(ScoreSettings(ks=(2,), options=MetricOptions(support_threshold=0.5)))
    odd = {"item_id": "a", "input": input_, "expected_output": expected}
    for given_ in (None, prediction("a", citations=[{"document_id": "hours"}])["prediction"]):
        for score in scorer.score(odd, given_, None).scores.values():
            assert score.reason if score.value is None else 0 <= score.value <= 1


def test_a_grade_written_as_2_0_is_2(tmp_path: Path) -> None:
    report = scored(
        tmp_path, [item("a", judged=[{"document_id": "hours", "relevance": 2.0}])], [prediction("a")]
    )
    assert measure(report, "ndcg_at_1").mean == 1.0


def test_a_mean_leaves_out_what_has_no_value_and_counts_it(tmp_path: Path) -> None:
    nothing = [{"document_id": "hours", "relevance": 0}]
    items = [item("a"), item("b", judged=nothing), item("c")]
    runs = [prediction("a"), prediction("b"), prediction("c", retrieved_documents=[])]
    found = measure(scored(tmp_path, items, runs), "recall_at_5")
    assert (found.mean, found.n_scored, found.n_total) == (0.5, 2, 3)
    assert found.reasons == {"nothing is relevant for this query": 1}


def test_extra_predictions_are_listed_and_change_nothing(tmp_path: Path) -> None:
    alone = scored(tmp_path, [item("a")], [prediction("a")])
    more = scored(tmp_path, [item("a")], [prediction("x"), prediction("a"), prediction("y")])
    assert more.extra == ("x", "y")
    assert more.measures == alone.measures


def test_a_document_retrieved_twice_counts_once_and_is_told(tmp_path: Path) -> None:
    twice = [{"document_id": "fees"}, {"document_id": "fees"}, {"document_id": "hours"}]
    report = scored(tmp_path, [item("a")], [prediction("a", retrieved_documents=twice)])
    assert measure(report, "reciprocal_rank").mean == 0.5
    assert list(report.warnings.values()) == [1]


def test_one_of_several_alternatives_is_enough_and_the_others_are_not_missed(tmp_path: Path) -> None:
    either = [{"document_id": id_, "relevance": 2, "alternative_group": "g"} for id_ in ("leaflet", "hours")]
    judged = [*either, {"document_id": "fees", "relevance": 1}]
    run = prediction("a", retrieved_documents=[{"document_id": "hours"}])
    found = measure(scored(tmp_path, [item("a", judged=judged)], [run]), "recall_at_5")
    assert found.mean == 0.5
    assert found.worst[0].reason == "not in the top 5: fees"


def test_chunks_are_counted_as_their_documents(tmp_path: Path) -> None:
    chunks = [{"document_id": "hours#3"}, {"document_id": "hours#1"}]
    options = MetricOptions(chunk_separator="#")
    report = scored(
        tmp_path, [item("a")], [prediction("a", retrieved_documents=chunks)], ScoreSettings(options=options)
    )
    assert measure(report, "recall_at_1").mean == 1.0


@pytest.mark.parametrize(
    ("args", "called", "said"),
    [
        ("exact", [("find", {"day": 2}), ("book", {})], "other arguments: find"),
        ("superset", [("find", {}), ("book", {"seats": 1})], "other arguments: find"),
        ("subset", [("find", {"day": 1, "hour": 9}), ("book", {})], "other arguments: find"),
        ("ignore", [("book", {}), ("find", {})], "expected find, book; called book, find"),
    ],
)
def test_a_wrong_tool_call_is_told_by_its_name_or_by_its_arguments(
    tmp_path: Path, args: ArgsMode, called: list[tuple[str, dict[str, int]]], said: str
) -> None:
    expected = [{"name": "find", "args": {"day": 1}}, {"name": "book", "args": {}}]
    calls = [{"name": name, "args": arguments} for name, arguments in called]
    report = scored(
        tmp_path,
        [item("a", tool_calls=expected)],
        [prediction("a", tool_calls=calls)],
        ScoreSettings(metrics=("tool_calls_exact",), options=MetricOptions(args=args)),
    )
    assert [each.reason for each in measure(report, "tool_calls_exact").worst] == [said]


def test_the_worst_items_come_first_with_their_reasons(tmp_path: Path) -> None:
    runs = [
        prediction("a"),
        prediction(
            "b", "It opens at ten in Paris.", retrieved_documents=[{"document_id": "fees", "content": "x"}]
        ),
        prediction("c", "At nine."),
    ]
    report = scored(tmp_path, [item("a"), item("b"), item("c")], runs, None, ScoreRequest(worst=2))
    assert [each.item_id for each in report.worst] == ["b", "c"]
    said = {name: reason for name, _, reason in report.worst[0].lowest}
    assert "not in the top 1: hours" in said.values()
    by_f1 = scored(
        tmp_path, [item("a"), item("b"), item("c")], runs, None, ScoreRequest(worst_by="answer_f1")
    )
    assert [each.item_id for each in by_f1.worst] == ["b", "c"]
    assert [name for name, *_ in by_f1.worst[0].lowest] == ["answer_f1"]


def test_equally_bad_items_come_in_the_order_of_their_ids(tmp_path: Path) -> None:
    names = [f"item {number:02}" for number in range(12)]
    shuffled = random.Random(3).sample(names, len(names))
    report = scored(tmp_path, map(item, shuffled), [prediction(name, "No.") for name in shuffled])
    assert [each.item_id for each in report.worst] == names[:5]
    assert [each.item_id for each in measure(report, "answer_f1").worst] == names[:3]


@given(st.randoms())
@LOOSE
def test_the_order_of_the_files_is_irrelevant(tmp_path: Path, rng: random.Random) -> None:
    few = ScoreSettings(("answer_f1", "groundedness", "ndcg_at_3", "citation_f1"))
    items = list(release("pathfinder_rag_retrieval_v1.0")["items"])
    runs = [json.loads(line) for line in Path(PREDICTIONS).read_text().splitlines()][:-2]
    before = score_files(write_lines(tmp_path / "p.jsonl", runs), RAG, few)
    rng.shuffle(items)
    rng.shuffle(runs)
    after = score_files(
        write_lines(tmp_path / "p.jsonl", runs),
        write_json(tmp_path / "d.json", release("pathfinder_rag_retrieval_v1.0") | {"items": items}),
        few,
    )
    assert isinstance(before, ScoreReport)
    assert isinstance(after, ScoreReport)
    assert before.measures == after.measures
    assert before.worst == after.worst
    assert set(before.missing) == set(after.missing)


responses = st.none() | st.text(max_size=30)
documents = st.lists(
    st.sampled_from(["hours", "fees", "other"]).map(lambda id_: {"document_id": id_}), max_size=4
)
predictions = st.fixed_dictionaries(
    {},
    optional={
        "response": responses,
        "retrieved_documents": st.none() | documents,
        "citations": st.none() | documents,
        "tool_calls": st.none()
        | st.lists(
            st.fixed_dictionaries({"name": st.sampled_from("ab"), "args": st.just({"n": 1})}), max_size=3
        ),
        "handoff_to": st.none() | st.sampled_from(["desk", "boss"]),
    },
)
grades = st.lists(st.sampled_from([0, 1, 2]), max_size=2).map(
    lambda found: [
        {"document_id": id_, "relevance": grade} for id_, grade in zip(("hours", "fees"), found, strict=False)
    ]
)


@given(st.lists(st.tuples(responses, st.none() | grades, st.none() | predictions), min_size=1, max_size=5))
@LOOSE
def test_never_a_nan_and_always_between_0_and_1(
    tmp_path: Path, cases: list[tuple[str | None, list[dict[str, Any]] | None, dict[str, Any] | None]]
) -> None:
    items = [item(f"i{n}", answer or "", judged) for n, (answer, judged, _) in enumerate(cases)]
    runs = [
        {"item_id": f"i{n}", "prediction": found} for n, (*_, found) in enumerate(cases) if found is not None
    ]
    everything = ScoreSettings(
        tuple(each.name for each in METRICS), (1, 3), MetricOptions(support_threshold=0.5)
    )
    lines: list[bytes] = []
    report = scored(
        tmp_path, [*items, item("sure")], [*runs, prediction("sure")], everything, write=lines.append
    )
    for each in report.measures:
        assert each.n_scored + sum(each.reasons.values()) == each.n_total == len(items) + 1
        if each.estimate:
            assert 0 <= each.estimate.mean <= 1
        for reason in each.reasons:
            assert reason
    for line in lines:
        for score in json.loads(line, parse_constant=pytest.fail)["scores"].values():
            assert 0 <= score["value"] <= 1 if score["value"] is not None else score["reason"]


def test_the_number_of_processes_is_irrelevant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs_of_scores, "TASKS_AT_ONCE", 3)
    monkeypatch.setattr(runs_of_scores, "ALONE_SECONDS", 0)
    items = [item(f"i{n}") for n in range(30)]
    runs = [prediction(f"i{n}", "The library " + "opens " * (n % 4)) for n in range(30) if n % 7]
    lines: dict[int, list[bytes]] = {1: [], 2: []}
    reports = {jobs: scored(tmp_path, items, runs, jobs=jobs, write=lines[jobs].append) for jobs in lines}
    assert reports[1] == reports[2]
    assert lines[1] == lines[2]
    assert len(lines[1]) == 30


def refused(folder: Path, items: Any, runs: Any) -> RunResult:
    """What is wrong with these files."""
    lines: list[bytes] = []
    result = score_files(
        write_lines(folder / "p.jsonl", runs),
        write_json(folder / "d.json", dataset(items)),
        write=lines.append,
    )
    assert isinstance(result, RunResult)
    assert result.exit_code == 1
    return result


@pytest.mark.parametrize(
    ("broken", "pointer"),
    [
        ({"retrieved_documents": [{"document_id": ""}]}, "/prediction/retrieved_documents/0/document_id"),
        ({"citations": [{"response_marker": "[1]"}]}, "/prediction/citations/0/document_id"),
        ({"tool_calls": [{"name": "a", "args": "{}"}]}, "/prediction/tool_calls/0/args"),
        ({"response": 5}, "/prediction/response"),
    ],
)
def test_a_prediction_that_breaks_its_contract_stops_the_run(
    tmp_path: Path, broken: dict[str, Any], pointer: str
) -> None:
    result = refused(tmp_path, [item("a"), item("b")], [prediction("a"), prediction("b", **broken)])
    errors = [each for each in result.violations if each.severity == "error"]
    assert [(each.pointer, each.line) for each in errors] == [(pointer, 2)]


@pytest.mark.parametrize(
    ("part", "value", "pointer"),
    [
        ("input", {"context": [1]}, "/input/context/0"),
        (
            "expected_output",
            {"retrieval_ground_truth": [{"document_id": "x", "relevance": 3}]},
            "/expected_output/",
        ),
        ("expected_output", {"response": None}, "/expected_output/response"),
    ],
)
def test_an_item_that_breaks_its_contract_stops_the_run(
    tmp_path: Path, part: str, value: dict[str, Any], pointer: str
) -> None:
    broken = item("b")
    broken[part] = broken[part] | value
    result = refused(tmp_path, [item("a"), broken], [prediction("a"), prediction("b")])
    errors = [each for each in result.violations if each.severity == "error"]
    assert [each.item_id for each in errors] == ["b"]
    assert errors[0].pointer.startswith(pointer)


def test_faults_of_both_files_are_reported_together(tmp_path: Path) -> None:
    result = refused(tmp_path, [item("a"), {"item_id": "b"}], [{"item_id": "a"}, prediction("b")])
    assert {Path(each.file or "").name for each in result.violations} == {"p.jsonl", "d.json"}


def test_a_second_prediction_for_an_item_is_an_error(tmp_path: Path) -> None:
    result = refused(tmp_path, [item("a")], [prediction("a"), prediction("b"), prediction("a", "No.")])
    (found,) = result.violations
    assert (found.code, found.line, found.item_id) == ("duplicate-prediction", 3, "a")
    assert "record 1" in found.message
    assert (result.errors, result.files[0].invalid) == (1, 1)


def test_a_second_judgement_on_a_document_is_an_error(tmp_path: Path) -> None:
    judged = [{"document_id": id_, "relevance": 1} for id_ in ("hours", "fees", "hours")]
    (found,) = refused(tmp_path, [item("a", judged=judged)], [prediction("a")]).violations
    assert (found.code, found.item_id) == ("duplicate-judgement", "a")
    assert found.pointer == "/expected_output/retrieval_ground_truth/2/document_id"


def test_nan_is_no_score_and_no_json(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(
        '{"item_id": "a", "prediction": {"retrieved_documents": [{"document_id": "x", "score": NaN}]}}\n'
    )
    result = score_files(str(path), write_json(tmp_path / "d.json", dataset([item("a")])))
    assert isinstance(result, RunResult)
    assert result.errors == 1


def test_an_empty_dataset_is_an_error(tmp_path: Path) -> None:
    assert "nothing-checked" in {each.code for each in refused(tmp_path, [], [prediction("a")]).violations}


def test_predictions_for_another_dataset_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"'x' is none of its ids"):
        scored(tmp_path, [item("a")], [prediction("x")])


def test_a_dataset_in_place_of_predictions_is_refused() -> None:
    with pytest.raises(UsageError, match="is a dataset"):
        score_files(RAG, RAG)


@pytest.mark.parametrize("document", [prediction("a"), {"item_id": "a", "scores": {}}])
def test_records_in_place_of_a_dataset_are_refused(tmp_path: Path, document: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="doesn't hold items"):
        score_files(PREDICTIONS, write_lines(tmp_path / "d.jsonl", [document]))


def test_the_metadata_of_a_dataset_is_no_dataset(tmp_path: Path) -> None:
    write_lines(tmp_path / "d.jsonl", [item("a")])
    with pytest.raises(UsageError, match="doesn't hold items"):
        score_files(PREDICTIONS, write_json(tmp_path / "d.metadata.json", METADATA))


def test_advices_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(prediction("a")) + "\n\n")
    result = score_files(str(path), write_json(tmp_path / "d.json", dataset([item("a")])))
    assert isinstance(result, ScoreReport)
    assert result.advices == 1


def test_a_bound_without_a_value_is_not_met(tmp_path: Path) -> None:
    wanted = ScoreRequest(bounds={"answer_f1": 1.0, "tool_call_f1": 0.0})
    report = scored(tmp_path, [item("a")], [prediction("a")], None, wanted)
    assert [each.met for each in report.bounds] == [True, False]
    assert report.exit_code == 1


def test_a_run_without_any_value_is_no_success(tmp_path: Path) -> None:
    report = scored(tmp_path, [item("a")], [prediction("a")], ScoreSettings(("routing_match",)))
    assert not report.scored
    assert report.exit_code == 1


@pytest.mark.parametrize(
    ("metrics", "match"),
    [
        (("f1",), "no metric 'f1'"),
        ((), "no metric is named"),
        (("recall_at_0",), "k must be"),
        (("x_at_3",), "x_at_k"),
    ],
)
def test_unknown_metrics_are_named(metrics: tuple[str, ...], match: str) -> None:
    with pytest.raises(UsageError, match=match):
        ScoreSettings(metrics)


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "five", "1,,x", "٣"])
def test_k_is_a_list_of_whole_numbers_from_1(text: str) -> None:
    with pytest.raises((UsageError, MetricValueError)):
        ScoreSettings(ks=numbers_in(text))


@pytest.mark.parametrize(
    "options",
    [
        {"min_grade": 3},
        {"gain": "square"},
        {"args": "some"},
        {"quotes": "loose"},
        {"support_threshold": 1.5},
        {"support_threshold": float("nan")},
        {"chunk_separator": ""},
    ],
)
def test_settings_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        ScoreSettings(options=MetricOptions(**options))


@pytest.mark.parametrize(
    "wanted", [ScoreRequest(bounds={"recall_at_7": 0.5}), ScoreRequest(worst_by="recall_at_7")]
)
def test_a_measure_that_is_not_taken_can_not_be_asked_for(wanted: ScoreRequest) -> None:
    with pytest.raises(UsageError, match="recall_at_7 is not measured"):
        score_files(PREDICTIONS, RAG, None, wanted)
