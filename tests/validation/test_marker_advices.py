"""Advices about citation markers, of items and of predictions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcontract.catalog import default_catalogue
from evalcontract.texts.markers import find_markers
from evalcontract.validation import ItemChecker
from evalcontract.validation.advices import advices_of_record
from evalcontract.validation.marker_advices import markers_agree

CHECKER = ItemChecker(default_catalogue())
RESPONSE = "/expected_output/response"
CODE = "Use `arr[0]` or:\n```py\nx = dp[1][2]\n```\nas shown [1]. See [2](http://e.x) and f(x)[3]."
STYLES = "x [^1] y [1] z [ID:30ab9f] w [doc3]"


def citing(response: object, citations: object, **input_: Any) -> dict[str, Any]:
    return {
        "item_id": "q1",
        "input": {"messages": [{"role": "user", "content": "When?"}], **input_},
        "expected_output": {"response": response, "citations": citations},
        "metadata": {"raw_metadata": {"input_schema_type": "rag"}},
    }


def declaring(*markers: object) -> list[dict[str, object]]:
    return [{"document_id": "d", "response_marker": marker} for marker in markers]


def advices(item: object) -> list[tuple[str, str, str]]:
    """(code, pointer, message) of each; the same by the way that clean items take."""
    found = CHECKER.check(item).violations
    assert CHECKER.check(item, may_hold_null_bytes=False).violations == found
    return [(each.code, each.pointer, each.message) for each in found]


def test_a_marker_that_no_citation_declares_is_advised_against() -> None:
    assert advices(citing("A [1]. B [2]. C [1].", declaring("[1]"))) == [
        ("undeclared-marker", RESPONSE, "no citation declares [2], which the response contains")
    ]


def test_a_marker_that_the_response_lacks_is_advised_against() -> None:
    assert advices(citing("A [1].", declaring("[1]", "[3]"))) == [
        (
            "unused-marker",
            "/expected_output/citations/1/response_marker",
            "the response does not contain [3]",
        )
    ]


@pytest.mark.parametrize("declared", [["[1]"], ["[1]", "[2]", "[3]"]])
def test_code_links_and_indexes_are_markers_only_when_declared(declared: list[str]) -> None:
    assert advices(citing(CODE, declaring(*declared))) == []


def test_other_styles_of_markers_are_never_passed_over() -> None:
    assert [message for _, _, message in advices(citing(STYLES, []))] == [
        "no citation declares [^1], which the response contains",
        "no citation declares [ID:30ab9f], [doc3], which may be a marker",
    ]
    assert advices(citing(STYLES, declaring("[^1]", "[1]", "[ID:30ab9f]", "[doc3]"))) == []


def test_a_declared_word_inside_a_longer_one_is_unused() -> None:
    assert [code for code, _, _ in advices(citing("as in doc12", declaring("doc1")))] == ["unused-marker"]


def test_a_range_uses_the_markers_it_spans() -> None:
    (advice,) = advices(citing("A [1-3].", declaring("[1]", "[3]")))
    assert advice[2] == "no citation declares [2] of [1-3], which the response contains"


def test_many_markers_are_counted_instead_of_named() -> None:
    (advice,) = advices(citing(" ".join(f"[{n}]" for n in range(1, 9)), declaring("[1]")))
    assert advice[2] == "no citation declares [2], [3], [4], [5], [6] and 2 more, which the response contains"


def test_without_declared_markers_a_number_means_a_supplied_document() -> None:
    assert advices(citing("A [1] [2].", declaring(None), context=["a", "b"])) == []
    assert advices(citing("A [1] [2].", [], document_ids=["a", "b"])) == []
    (advice,) = advices(citing("A [1] [3].", declaring(None), context=["a", "b"]))
    assert advice[2] == "no citation declares [3], which the response contains"


def test_without_citations_nothing_is_said_of_markers() -> None:
    assert advices(citing("A [1] [doc3].", None)) == []


def test_what_is_no_marker_is_refused_and_the_rest_looked_at() -> None:
    found = advices(citing("A [1].", [{"document_id": "d", "response_marker": ["[1]"]}, 3]))
    assert sorted(code for code, _, _ in found) == ["undeclared-marker", "wrong-type", "wrong-type"]
    assert [code for code, _, _ in advices(citing(7, declaring("[1]")))] == ["wrong-type"]


def of_prediction(**prediction: object) -> list[tuple[str, str]]:
    record = {"item_id": "q1", "prediction": prediction}
    return [(each.code, each.pointer) for each in advices_of_record(record)]


def test_markers_of_predictions_are_advised_against_likewise() -> None:
    assert of_prediction(response="A [1] [2].", citations=declaring("[1]", "[3]")) == [
        ("unused-marker", "/prediction/citations/1/response_marker"),
        ("undeclared-marker", "/prediction/response"),
    ]
    assert of_prediction(response="A [1] [2].", citations=declaring(None)) == []
    assert of_prediction(
        response="A [1] [2].", citations=declaring(None), retrieved_documents=[{"document_id": "d"}]
    ) == [("undeclared-marker", "/prediction/response")]
    assert of_prediction(response=None, citations=None) == []


TEXTS = st.lists(st.sampled_from([*"[]【】［］()`^:1x \n", "[1]", "[2]", "```\n"]), max_size=12).map("".join)
MARKERS = st.lists(st.sampled_from(["[1]", "[2]", "【1】", "[1】", "[x]", "[1", "x", "", None]), max_size=3)


@given(TEXTS, MARKERS)
@example("[1] `[1]` [2]", ["[1]", "[2]"])
@example("[1]【a[1]】", ["[1]"])
def test_the_quick_look_passes_only_what_the_search_finds_nothing_in(
    text: str, declared: list[str | None]
) -> None:
    if markers_agree(text, declared):
        report = find_markers(text, filter(None, declared))
        assert (report.unresolved, report.unused, report.marker_like) == ((), (), ())


@pytest.mark.parametrize("markers", [["[1]"], ["[1]", "[2]", "[1]"], ["【1】", "[doc3]", None]])
def test_the_quick_look_passes_what_is_common(markers: Iterable[str | None]) -> None:
    assert markers_agree("As said " + " and ".join(filter(None, markers)) + ".", markers)


def test_markers_without_end_are_not_searched_for_without_end() -> None:
    markers = [f"[{number}]" for number in range(30_000)]
    ((code, pointer, _),) = advices(citing(" ".join(markers) + " [x]", declaring(*markers)))
    assert (code, pointer) == ("many-markers", "/expected_output/citations")
