from __future__ import annotations

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.rag import reciprocal_rank_fusion


def test_a_duplicate_within_a_ranking_is_no_agreement() -> None:
    fused = reciprocal_rank_fusion(["A", "A", "B"], ["B", "C"], k=60)
    assert [document.document_id for document in fused] == ["B", "A", "C"]
    assert [round(document.score, 6) for document in fused] == [0.032522, 0.016393, 0.016129]
    assert fused[0] == ("B", 1 / 62 + 1 / 61)


def test_equal_scores_are_ordered_by_id() -> None:
    assert [d.document_id for d in reciprocal_rank_fusion(["b"], ["a"], ["c"])] == ["a", "b", "c"]


def test_weights_scale_the_rankings() -> None:
    fused = reciprocal_rank_fusion(["a", "b"], ["b", "a"], weights=[2, 1])
    assert [d.document_id for d in fused] == ["a", "b"]
    assert fused[0].score == pytest.approx(2 / 61 + 1 / 62)


def test_any_number_of_rankings_is_fused() -> None:
    assert reciprocal_rank_fusion() == []
    assert reciprocal_rank_fusion([], []) == []
    assert reciprocal_rank_fusion(["a"]) == [("a", 1 / 61)]
    assert len(reciprocal_rank_fusion(*[["a", "b"]] * 7)) == 2


def test_ids_that_are_no_strings_are_refused() -> None:
    with pytest.raises(TypeError, match="ranking 2 has an id at place 1 that is a int"):
        reciprocal_rank_fusion(["4"], [4])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="ranking 1"):
        reciprocal_rank_fusion("abc")
    with pytest.raises(TypeError, match="NoneType"):
        reciprocal_rank_fusion([None])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="empty id"):
        reciprocal_rank_fusion([""])


@pytest.mark.parametrize("k", [0, -1, float("nan"), float("inf"), "60", True, None])
def test_a_bad_constant_is_refused(k: object) -> None:
    with pytest.raises(ValueError, match="k must be"):
        reciprocal_rank_fusion(["a"], k=k)  # type: ignore[arg-type]


@pytest.mark.parametrize("weights", [[], [1, 2], [-1], [float("nan")], ["1"]])
def test_weights_that_do_not_fit_are_refused(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="weights"):
        reciprocal_rank_fusion(["a"], weights=weights)


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), max_size=5), st.randoms())
def test_the_result_is_the_same_for_any_order_of_rankings(rankings: list[list[str]], random: object) -> None:
    shuffled = list(rankings)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    fused = reciprocal_rank_fusion(*rankings)
    assert reciprocal_rank_fusion(*shuffled) == fused
    assert {d.document_id for d in fused} == set().union(*rankings)
    scores = [d.score for d in fused]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= fsum([1 / 61] * len(rankings)) for score in scores)
