from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.errors import MetricTypeError
from evalcontract.metrics import (
    aggregate,
    alternatives_as_one,
    average_precision,
    capped_recall_at_k,
    chunks_to_documents,
    empty_when_nothing_relevant,
    hit_rate_at_k,
    judged_at_k,
    ndcg_at_k,
    precision_at_k,
    r_precision,
    rank_by_score,
    recall_at_k,
    reciprocal_rank,
    relevance_by_id,
    score_run,
)

CELLS = [
    # ground truth, run, ndcg, exponential ndcg, ndcg@3, map, rr, P@3, R@3, hit@1, Rprec
    ("a2 b1 c0", "a b c", 1, 1, 1, 1, 1, 0.6667, 1, 1, 1),
    ("a2 b1 c0", "c b a", 0.6199, 0.5869, 0.6199, 0.5833, 0.5, 0.6667, 1, 0, 0.5),
    ("a2 b1", "b a", 0.8597, 0.7967, 0.8597, 1, 1, 0.6667, 1, 1, 1),
    ("a2", "x a", 0.6309, 0.6309, 0.6309, 0.5, 0.5, 0.3333, 1, 0, 0),
    ("a1 b1 c1 d1", "a b", 0.6367, 0.6367, 0.7654, 0.5, 1, 0.6667, 0.5, 1, 0.5),
    ("a2 b1", "x y", 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ("a0 b0", "a b", None, None, None, None, None, None, None, None, None),
    ("a1", "", 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ("a-1 b1", "a b", 0.6309, 0.6309, 0.6309, 0.5, 0.5, 0.3333, 1, 0, 0),
    ("d2", "a b c d", 0.4307, 0.4307, 0, 0.25, 0.25, 0, 0, 0, 0),
]


def grades(text: str) -> dict[str, int]:
    return {entry[0]: int(entry[1:]) for entry in text.split()}


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell[0]}|{cell[1]}")
def test_the_table_of_cells(cell: tuple[object, ...]) -> None:
    truth, run = grades(str(cell[0])), str(cell[1]).split()
    found = [
        ndcg_at_k(run, truth),
        ndcg_at_k(run, truth, gain="exponential"),
        ndcg_at_k(run, truth, 3),
        average_precision(run, truth),
        reciprocal_rank(run, truth),
        precision_at_k(run, truth, 3),
        recall_at_k(run, truth, 3),
        hit_rate_at_k(run, truth, 1),
        r_precision(run, truth),
    ]
    assert [None if score.value is None else round(score.value, 4) for score in found] == list(cell[2:])
    assert all(score.reason for score in found if score.value is None)


def test_a_duplicate_counts_once_at_its_first_place_and_is_reported() -> None:
    run = ["A", "A", "X"]
    assert recall_at_k(run, {"A": 1}, 3).value == 1.0
    assert precision_at_k(run, {"A": 1}, 3).value == pytest.approx(1 / 3)
    assert ndcg_at_k(run, {"A": 1}, 3).value == 1.0
    assert recall_at_k(["A", "A"], {"A": 1, "B": 1}, 2).value == 0.5
    assert ndcg_at_k(["A", "A"], {"A": 1, "B": 1}, 2).value == pytest.approx(0.6131, abs=5e-5)
    assert recall_at_k(run, {"A": 1}, 3).details["warnings"] == [
        "duplicate ids counted once, at their first place"
    ]
    assert recall_at_k(["A", "A", "B"], {"B": 1}, 2).value == 1.0, "a later document moves up"


def test_chunk_ids_become_documents_only_when_asked() -> None:
    run = ["doc#3", "doc#1", "other"]
    assert recall_at_k(run, {"doc": 1}, 3).value == 0.0
    assert chunks_to_documents(run) == ["doc", "doc", "other"]
    assert recall_at_k(chunks_to_documents(run), {"doc": 1}, 1).value == 1.0
    assert chunks_to_documents(["#1"]) == ["#1"]
    with pytest.raises(ValueError, match="separator"):
        chunks_to_documents(run, "")


def test_nothing_relevant_is_left_out_of_the_mean_and_counted() -> None:
    runs = [reciprocal_rank(["A"], {"A": 1}), reciprocal_rank(["A"], {}), reciprocal_rank(["X"], {"A": 1})]
    result = aggregate(runs)
    assert (result.mean, result.n_scored, result.n_total) == (0.5, 2, 3)
    assert result.reasons == {"nothing is relevant for this query": 1}
    assert aggregate([]).mean is None


def test_nothing_found_is_zero_and_never_nan() -> None:
    for run in (["X", "Y"], []):
        for score in (
            recall_at_k(run, {"A": 1}, 2),
            ndcg_at_k(run, {"A": 1}, 2),
            reciprocal_rank(run, {"A": 1}),
        ):
            assert score.value == 0.0


def test_an_unanswerable_query_is_right_with_an_empty_run() -> None:
    assert empty_when_nothing_relevant([], {"A": 0}).value == 1.0
    assert empty_when_nothing_relevant(["X"], {}).value == 0.0
    assert empty_when_nothing_relevant([], {"A": 1}).value is None


def test_the_ideal_comes_from_the_judgements_not_from_the_run() -> None:
    truth = dict.fromkeys("12345", 1)
    assert ndcg_at_k(["1"], truth, 5).value == pytest.approx(0.3392, abs=5e-5)
    assert precision_at_k(["1"], truth, 5).value == 0.2
    assert recall_at_k(["1"], truth, 5).value == 0.2
    assert hit_rate_at_k(["1"], truth, 5).value == 1.0
    assert recall_at_k(["a"], dict.fromkeys("abcd", 1), 1).value == 0.25
    assert capped_recall_at_k(["a"], dict.fromkeys("abcd", 1), 1).value == 1.0


def test_min_grade_moves_the_binary_metrics_only() -> None:
    truth = {"a": 1, "b": 2}
    assert precision_at_k(["a", "b"], truth, 2, min_grade=2).value == 0.5
    assert recall_at_k(["a"], truth, 2, min_grade=2).value == 0.0
    assert recall_at_k(["a"], {"a": 1}, 2, min_grade=2).value is None
    assert reciprocal_rank(["a", "b"], truth, min_grade=2).value == 0.5
    for wrong in (0, 3, True, 1.0, None):
        with pytest.raises(ValueError, match="min_grade"):
            recall_at_k(["a"], truth, 2, min_grade=wrong)  # type: ignore[arg-type]


def test_judged_share_tells_unjudged_from_bad() -> None:
    assert judged_at_k(["x", "y"], {"a": 1}, 2).value == 0.0
    assert judged_at_k(["x", "y"], {"a": 1, "x": 0, "y": 0}, 2).value == 1.0
    assert judged_at_k(["x"], {}, 2).value is None


@pytest.mark.parametrize("k", [0, -1, 1.0, 2.5, "3", None, True])
def test_a_cut_off_below_one_or_no_integer_is_refused(k: object) -> None:
    for metric in (precision_at_k, recall_at_k, hit_rate_at_k, capped_recall_at_k, judged_at_k):
        with pytest.raises(ValueError, match="k must be an integer"):
            metric(["a"], {"a": 1}, k)  # type: ignore[arg-type]
    if k is not None:
        with pytest.raises(ValueError, match="k must be an integer"):
            ndcg_at_k(["a"], {"a": 1}, k)  # type: ignore[arg-type]


@pytest.mark.parametrize("ranked", [[None], ["a", 3], "abc", {"a": 1}, [""]])
def test_bad_ids_are_refused(ranked: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        recall_at_k(ranked, {"a": 1}, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("truth", [{"a": 3}, {"a": 1.0}, {"a": True}, {"a": None}, {1: 1}, ["a"], {"a": "1"}])
def test_bad_grades_are_refused(truth: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        recall_at_k(["a"], truth, 1)  # type: ignore[arg-type]


def test_an_unknown_gain_is_refused() -> None:
    with pytest.raises(ValueError, match="gain"):
        ndcg_at_k(["a"], {"a": 1}, 1, gain="cubic")  # type: ignore[arg-type]


def test_scores_give_a_total_order_and_ties_are_counted() -> None:
    scores = {"b": 1.0, "a": 1.0, "c": 2.0, "d": 0}
    assert rank_by_score(scores).ids == ("c", "a", "b", "d")
    assert rank_by_score(scores, ties="trec").ids == ("c", "b", "a", "d")
    assert rank_by_score(scores).tied == 2
    assert rank_by_score(dict(reversed(scores.items()))) == rank_by_score(scores)
    for wrong in (math.nan, math.inf, None, "1", True):
        with pytest.raises((ValueError, TypeError)):
            rank_by_score({"a": wrong})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="ties"):
        rank_by_score(scores, ties="random")  # type: ignore[arg-type]


def test_a_document_judged_twice_is_an_error_in_the_ground_truth() -> None:
    rows = [{"document_id": "a", "relevance": 1}, {"document_id": "b", "relevance": 0}]
    assert relevance_by_id(rows) == {"a": 1, "b": 0}
    with pytest.raises(ValueError, match="'a' twice"):
        relevance_by_id([*rows, {"document_id": "a", "relevance": 1}])


def test_a_run_is_scored_over_the_queries_of_the_ground_truth() -> None:
    truth = {"q1": {"a": 1}, "q2": {"b": 2}, "q3": {"c": 0}}
    result = score_run({"q1": ["a", "a"], "other": ["x"]}, truth, ks=(1,))
    assert result.missing == ("q2", "q3")
    assert result.extra == ("other",)
    assert result.duplicates == 1
    assert result.means["recall_at_1"].mean == 0.5
    assert result.means["recall_at_1"].n_scored == 2
    assert result.means["recall_at_1"].reasons == {"nothing is relevant for this query": 1}
    assert result.by_query["q2"]["ndcg_at_1"] == 0.0
    assert result.by_query["q3"]["ndcg"] is None
    with pytest.raises(ValueError, match="no query"):
        score_run({}, {})
    with pytest.raises(ValueError, match="k must"):
        score_run({}, truth, ks=(0,))
    with pytest.raises(MetricTypeError, match="rankings are given by query") as refused:
        score_run([["a"]], truth)  # type: ignore[arg-type]
    assert "dict(enumerate(rankings))" in (refused.value.hint or "")
    with pytest.raises(MetricTypeError, match="relevance are given by query"):
        score_run({}, [{"a": 1}])  # type: ignore[arg-type]


ids = st.sampled_from("abcdefgh")
rankings = st.lists(ids, max_size=12)
truths = st.dictionaries(ids, st.sampled_from([-1, 0, 1, 2]), max_size=8)


@given(
    rankings, truths, st.integers(1, 15), st.sampled_from([1, 2]), st.sampled_from(["linear", "exponential"])
)
def test_values_lie_in_range_and_a_run_agrees_with_the_single_functions(
    ranked: list[str], truth: dict[str, int], k: int, min_grade: int, gain: str
) -> None:
    scores = {
        f"precision_at_{k}": precision_at_k(ranked, truth, k, min_grade),
        f"recall_at_{k}": recall_at_k(ranked, truth, k, min_grade),
        f"hit_rate_at_{k}": hit_rate_at_k(ranked, truth, k, min_grade),
        f"ndcg_at_{k}": ndcg_at_k(ranked, truth, k, gain),  # type: ignore[arg-type]
        "reciprocal_rank": reciprocal_rank(ranked, truth, min_grade),
        "average_precision": average_precision(ranked, truth, min_grade),
        "r_precision": r_precision(ranked, truth, min_grade),
        "ndcg": ndcg_at_k(ranked, truth, None, gain),  # type: ignore[arg-type]
    }
    run = score_run({"q": ranked}, {"q": truth}, (k,), min_grade, gain)  # type: ignore[arg-type]
    assert {name: score.value for name, score in scores.items()} == dict(run.by_query["q"])
    assert all(score.value is None or 0.0 <= score.value <= 1.0 for score in scores.values())


@given(rankings, truths)
def test_the_order_of_the_judgements_does_not_matter(ranked: list[str], truth: dict[str, int]) -> None:
    shuffled = dict(reversed(truth.items()))
    assert ndcg_at_k(ranked, truth).value == ndcg_at_k(ranked, shuffled).value
    assert average_precision(ranked, truth).value == average_precision(ranked, shuffled).value


ALTERNATIVES = [
    {"document_id": "a", "relevance": 1, "alternative_group": "rates"},
    {"document_id": "b", "relevance": 2, "alternative_group": "rates"},
    {"document_id": "c", "relevance": 1, "alternative_group": None},
    {"document_id": "d", "relevance": 1},
]


@pytest.mark.parametrize(
    ("run", "recall", "reciprocal"),
    [
        (["b", "c", "d"], 1.0, 1.0),
        (["a", "c", "d"], 1.0, 1.0),
        (["a", "b"], 1 / 3, 1.0),
        (["x", "b", "a", "c"], 2 / 3, 0.5),
        ([], 0.0, 0.0),
    ],
)
def test_any_one_of_alternative_documents_is_enough(run: list[str], recall: float, reciprocal: float) -> None:
    ranked, relevance = alternatives_as_one(run, ALTERNATIVES)
    assert relevance == {"a": 2, "c": 1, "d": 1}
    assert recall_at_k(ranked, relevance, 10).value == pytest.approx(recall)
    assert reciprocal_rank(ranked, relevance).value == pytest.approx(reciprocal)


@given(st.lists(st.sampled_from("abcdxy"), max_size=8))
def test_without_groups_nothing_is_joined(run: list[str]) -> None:
    rows = [{**row, "alternative_group": None} for row in ALTERNATIVES]
    assert alternatives_as_one(run, rows) == (run, relevance_by_id(rows))


@given(st.permutations("abcdxy"))
def test_a_group_is_found_where_its_first_member_is(run: list[str]) -> None:
    ranked, relevance = alternatives_as_one(run, ALTERNATIVES)
    first = min(run.index("a"), run.index("b"))
    assert ranked.index("a") == first
    assert "b" not in ranked
    assert ndcg_at_k(ranked, relevance, 10).value == pytest.approx(
        ndcg_at_k(
            [each for each in run if each != run[max(run.index("a"), run.index("b"))]],
            {run[first]: 2, "c": 1, "d": 1},
            10,
        ).value
    )
