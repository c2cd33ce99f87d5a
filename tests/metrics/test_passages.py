"""Retrieved texts against reference passages: ragas' definitions, written down here with RapidFuzz's distance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from evalcontract.metrics import retrieved_text_precision, retrieved_text_recall
from evalcontract.metrics.passages import similarity

passages = st.lists(st.text("abc d", max_size=8), max_size=5)


def alike(left: str, right: str) -> float:
    return 1 - Levenshtein.normalized_distance(left, right)


@given(st.text("abcé東 ", max_size=200), st.text("abcé東 ", max_size=200))
def test_similarity_is_that_of_rapidfuzz(left: str, right: str) -> None:
    assert similarity(left, right) == pytest.approx(alike(left, right), abs=1e-12)


@given(passages, passages.filter(bool), st.sampled_from([0.3, 0.5, 0.9]))
def test_precision_and_recall_are_those_of_ragas(
    retrieved: list[str], wanted: list[str], threshold: float
) -> None:
    verdicts = [max(alike(text, passage) for passage in wanted) >= threshold for text in retrieved]
    ranks = [sum(verdicts[: place + 1]) / (place + 1) for place, hit in enumerate(verdicts) if hit]
    precision = sum(ranks) / len(ranks) if ranks else 0.0
    found = [max((alike(passage, text) for text in retrieved), default=0.0) > threshold for passage in wanted]
    assert retrieved_text_precision(retrieved, wanted, threshold).value == pytest.approx(precision)
    assert retrieved_text_recall(retrieved, wanted, threshold).value == pytest.approx(sum(found) / len(found))


def test_values_are_those_that_ragas_gave() -> None:
    """Random passages in five scripts, as NonLLMContextPrecisionWithReference and NonLLMContextRecall of ragas 0.4.3
    scored them; the package is too large to stand beside the tests.
    """
    lines = (Path(__file__).parent / "data/ragas_passages.jsonl").read_text(encoding="utf-8").splitlines()
    for row in map(json.loads, lines):
        retrieved, reference = row["retrieved"], row["reference"]
        assert retrieved_text_precision(retrieved, reference).value == pytest.approx(
            row["precision"], abs=1e-9
        )
        assert retrieved_text_recall(retrieved, reference).value == pytest.approx(row["recall"], abs=1e-9)
    assert len(lines) == 180


def test_edges() -> None:
    for metric in (retrieved_text_precision, retrieved_text_recall):
        assert metric(["a"], None).value is metric(["a"], []).value is None
        assert metric([], ["a"]).value == 0.0
        assert metric(["the same text"], ["the same text"]).value == 1.0
        with pytest.raises(TypeError, match="retrieved"):
            metric("text", ["a"])
        with pytest.raises(TypeError, match="retrieved"):
            metric([None], ["a"])  # type: ignore[list-item]
        with pytest.raises(ValueError, match="threshold"):
            metric(["a"], ["a"], 2.0)
