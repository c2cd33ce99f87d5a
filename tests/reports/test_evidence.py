"""What the metrics saw of an answer, as the page of a scored run shows it."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evalcontract.metrics import MetricOptions
from evalcontract.reports.pages.evidence import ShownAnswer, seen
from evalcontract.scoring import ScoreSettings, WorstItem, evidence_of
from tests.support.evidence import evidence
from tests.support.results import TEXT

ITEM = {
    "item_id": "q1",
    "input": {"messages": [{"role": "user", "content": "When do you open?"}]},
    "expected_output": {
        "response": "At nine.",
        "retrieval_ground_truth": [{"document_id": "hours", "relevance": 2}],
        "tool_calls": [{"name": "hours", "args": {"day": "monday"}}, {"name": "mail", "args": {}}],
    },
}
PREDICTION = {
    "response": "The library opens at nine [1]. Bring elephants [7].",
    "citations": [{"document_id": "hours", "response_marker": "[1]", "quotes": ["never said"]}],
    "retrieved_documents": [
        {"document_id": "dogs", "content": "Dogs stay outside."},
        {"document_id": "hours", "content": "The library opens at nine."},
    ],
    "tool_calls": [{"name": "hours", "args": {"day": "monday"}}, {"name": "search", "args": {"q": "x"}}],
}


def answer_of(found: dict[str, Any]) -> ShownAnswer:
    (item,) = seen([WorstItem("q1", 0.5, (), found)])
    (answer,) = item.answers
    return answer


def pathfinder() -> ShownAnswer:
    settings = ScoreSettings(options=MetricOptions(support_threshold=0.5))
    return answer_of(evidence_of(ITEM, [{"prediction": PREDICTION}], settings))


def test_words_without_a_source_are_marked_and_unsupported_sentences_told() -> None:
    first, *rest = pathfinder().sentences
    assert [piece.text for piece in first.pieces if piece.missing] == []
    assert not first.unsupported
    missing = [piece.text for sentence in rest for piece in sentence.pieces if piece.missing]
    assert missing == ["Bring", "elephants"]
    assert any(sentence.unsupported for sentence in rest)


def test_markers_lead_to_the_passage_that_they_cite_or_nowhere() -> None:
    answer = pathfinder()
    markers = {
        piece.text: piece.leads_to
        for sentence in answer.sentences
        for piece in sentence.pieces
        if piece.marker
    }
    anchors = {passage.anchor: passage.document_id for passage in answer.passages}
    assert anchors[str(markers["[1]"])] == "hours"
    assert markers["[7]"] is None
    assert answer.nowhere == ("[7]",)
    assert answer.unquoted == ("never said",)


def test_documents_stand_in_their_rank_with_their_grade() -> None:
    rows = [(row.rank, row.document_id, row.grade, row.cited) for row in pathfinder().passages]
    assert rows == [(1, "dogs", None, False), (2, "hours", 2, True)]


def test_calls_stand_side_by_side() -> None:
    found = [
        (call.matched, call.expected is not None, call.predicted is not None) for call in pathfinder().calls
    ]
    assert sorted(found) == [(False, False, True), (False, True, False), (True, True, True)]


@given(TEXT)
def test_an_answer_is_shown_whole(text: str) -> None:
    answer = answer_of(evidence(text))
    shown = "".join(piece.text for sentence in answer.sentences for piece in sentence.pieces)
    assert shown == answer.said["response"]


@given(st.lists(st.sampled_from(["The library opens. ", "[1]", "[2] ", "Nobody knows. ", "é ", "図書館。"])))
def test_an_answer_is_shown_whole_whatever_is_marked_in_it(parts: list[str]) -> None:
    prediction = {**PREDICTION, "response": "".join(parts)}
    answer = answer_of(evidence_of(ITEM, [{"prediction": prediction}]))
    shown = "".join(piece.text for sentence in answer.sentences for piece in sentence.pieces)
    assert shown == prediction["response"]
