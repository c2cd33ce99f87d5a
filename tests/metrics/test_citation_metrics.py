from __future__ import annotations

import pytest

from evalcontract.metrics import (
    citation_f1,
    citation_precision,
    citation_recall,
    citation_support_precision,
    citation_support_recall,
    citation_validity,
)

DOCUMENTS = {"d1": "Paris is the capital of France.", "d2": "The Seine flows through Paris.", "d3": None}


def cite(id_: str, marker: str | None = None) -> dict[str, object]:
    return {"document_id": id_, "response_marker": marker}


def test_validity_counts_what_resolves_to_a_supplied_document() -> None:
    score = citation_validity([cite("d1", "[1]"), cite("dX", "[3]")], DOCUMENTS, "A [1]. B [2].")
    assert score.value == pytest.approx(1 / 3)
    assert score.details["unknown_documents"] == ["dX"]
    assert score.details["unresolved_markers"] == ["[2]"]
    assert score.details["unused_markers"] == ["[3]"]


def test_markers_alone_mean_positions_and_out_of_range_is_invalid() -> None:
    assert citation_validity([], DOCUMENTS, "A [1]. B [3]. C [4]. D [0].").value == 0.5
    assert citation_validity([], DOCUMENTS, "No citation.").value is None
    assert citation_validity([cite("d1")], ["d1"]).value == 1.0
    assert citation_validity([cite("d1")], []).value == 0.0


def test_overlap_is_of_distinct_ids() -> None:
    cited, expected = ["a", "a", "b"], ["a", "c"]
    assert citation_precision(cited, expected).value == 0.5
    assert citation_recall(cited, expected).value == 0.5
    assert citation_f1(cited, expected).value == 0.5
    assert citation_recall(cited, expected).details == {"missing": ["c"], "unexpected": ["b"]}


@pytest.mark.parametrize("metric", [citation_precision, citation_recall, citation_f1])
def test_empty_sides_of_the_overlap(metric: object) -> None:
    assert metric([], []).value == 1.0  # type: ignore[operator]
    assert metric(["a"], []).value == 0.0  # type: ignore[operator]
    assert metric([], ["a"]).value == 0.0  # type: ignore[operator]
    assert metric(["a"], None).value is None  # type: ignore[operator]
    with pytest.raises(TypeError):
        metric("abc", ["a"])  # type: ignore[operator]
    with pytest.raises(TypeError):
        metric([None], ["a"])  # type: ignore[operator]


RESPONSE = (
    "Paris is the capital of France [1]. The Seine flows through Paris.[2] "
    "It has many bridges. London is big [1][2][7]."
)


def test_support_recall_counts_uncited_sentences_as_unsupported() -> None:
    score = citation_support_recall(RESPONSE, [], DOCUMENTS, 0.8)
    assert score.value == 0.5
    texts = [RESPONSE[span["start"] : span["end"]] for span in score.details["unsupported_sentences"]]
    assert [text.split()[0] for text in texts] == ["It", "London"]


def test_support_precision_counts_citations_that_matter() -> None:
    assert citation_support_precision(RESPONSE, [], DOCUMENTS, 0.8).value == 0.4
    both = "Paris is the capital of France and the Seine flows through Paris [1][2]."
    assert citation_support_precision(both, [], DOCUMENTS, 0.6).value == 1.0, (
        "each breaks or gives the support"
    )
    idle = "Paris is the capital of France [1][2]."
    assert citation_support_precision(idle, [], DOCUMENTS, 0.8).value == 0.5, "[2] changes nothing"


def test_support_follows_declared_markers_to_their_documents() -> None:
    citations = [cite("d2", "[a]"), cite("d1", "[b]")]
    assert (
        citation_support_recall("Paris is the capital of France [b].", citations, DOCUMENTS, 0.8).value == 1.0
    )
    assert (
        citation_support_recall("Paris is the capital of France [a].", citations, DOCUMENTS, 0.8).value == 0.0
    )
    assert (
        citation_support_recall("Paris is the capital of France [1].", citations, DOCUMENTS, 0.8).value == 0.0
    )


def test_support_without_text_sentences_or_citations() -> None:
    assert citation_support_recall("Paris is big.", [], DOCUMENTS, 0.0).value == 0.0
    assert citation_support_recall("[1]", [], DOCUMENTS, 0.5).value is None
    assert citation_support_precision("Paris is big.", [], DOCUMENTS, 0.5).value is None
    assert citation_support_precision("", [], DOCUMENTS, 0.5).value is None


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan"), None, True, "0.5"])
def test_a_threshold_outside_its_range_is_refused(threshold: object) -> None:
    with pytest.raises(ValueError, match="threshold"):
        citation_support_recall("a", [], DOCUMENTS, threshold)  # type: ignore[arg-type]


@pytest.mark.parametrize("citation", [{}, {"document_id": None}, {"document_id": ""}, "d1", None])
def test_citations_without_an_id_are_refused(citation: object) -> None:
    with pytest.raises(TypeError, match=r"citations\[0\]"):
        citation_validity([citation], DOCUMENTS)  # type: ignore[list-item]


def test_what_rests_on_an_unknown_text_is_left_out_and_counted() -> None:
    recall, precision = citation_support_recall, citation_support_precision
    for metric in (recall, precision):
        unknown = metric("Paris is big [3].", [], DOCUMENTS, 0.5)
        assert (unknown.value, unknown.reason) == (None, "no text of the documents it rests on is known")
    both = "Paris is the capital of France [1]. Paris is big [3]."
    assert recall(both, [], DOCUMENTS, 0.5).value == 1.0
    assert recall(both, [], DOCUMENTS, 0.5).reason == "known text: 1 of 2 sentences"
    assert precision(both, [], DOCUMENTS, 0.5).value == 1.0
    assert precision(both, [], DOCUMENTS, 0.5).reason == "known text: 1 of 2 citations"
    joint = "Paris is the capital of France [1, 3]."
    assert recall(joint, [], DOCUMENTS, 0.5).reason is None, "what is known supports it"
    assert precision(joint, [], DOCUMENTS, 0.5).reason == "known text: 1 of 2 citations"
    assert recall("Berlin is small. Paris is big [3].", [], DOCUMENTS, 0.5).value == 0.0, (
        "uncited is known to be so"
    )
