from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.metrics import find_quote, quote_accuracy

DOCUMENT = (
    "The  quick “brown” fox—jumps over\nthe lazy dog… in 1889. It was ﬁne, 3.14 and 東京都です。 unable"
)


@pytest.mark.parametrize(
    "quote",
    [
        'The quick "brown" fox-jumps over the',
        "lazy dog... in 1889.",
        "It was fine",
        " the\tlazy  dog",
        "3.14",
        "東京",
        "The quick 'brown' fox".replace("'", "„", 1).replace("'", "”"),
    ],
)
def test_typography_does_not_break_an_exact_quote(quote: str) -> None:
    found = find_quote(quote, DOCUMENT)
    assert found.match == "exact"
    assert found.start is not None
    assert DOCUMENT[found.start : found.end].strip()


@pytest.mark.parametrize(
    "quote",
    ["lazy dog... in 1888.", "lazy cat... in 1889.", "188", "3.1", "14 and", "able", "The Quick", "", "  "],
)
def test_one_changed_word_or_digit_is_not_exact(quote: str) -> None:
    assert find_quote(quote, DOCUMENT).match != "exact"


def test_a_close_quote_is_fuzzy_with_its_offsets() -> None:
    found = find_quote('The quick "brown" fox-jumps over the lazy dog... in 1888.', DOCUMENT)
    assert found.match == "fuzzy"
    assert found.similarity == pytest.approx(1 - 1 / 57)
    assert DOCUMENT[found.start : found.end] == DOCUMENT[: DOCUMENT.index(" It was")]


def test_a_whole_occurrence_after_a_cut_one_is_found() -> None:
    found = find_quote("able", "unable but able")
    assert (found.match, found.start) == ("exact", 11)


def test_accuracy_is_over_all_quotes_of_all_citations() -> None:
    citations: list[dict[str, object]] = [
        {"document_id": "d", "quotes": ["the lazy dog", "the lazy dig in"]},
        {"document_id": "unknown", "quotes": ["x"]},
        {"document_id": "e", "quotes": None},
    ]
    documents = {"d": DOCUMENT}
    score = quote_accuracy(citations, documents)
    assert score.value == pytest.approx(1 / 3)
    assert [row["match"] for row in score.details["quotes"]] == ["exact", "none", "none"]
    assert quote_accuracy([{"document_id": "d"}], documents).value is None
    close = [{"document_id": "d", "quotes": ["jumps over the lazy cog in"[:22]]}]
    assert quote_accuracy(close, documents).value == 0.0
    assert quote_accuracy(close, documents, mode="fuzzy").value == 1.0
    with pytest.raises(ValueError, match="quotes"):
        quote_accuracy(close, documents, mode="loose")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="strings"):
        quote_accuracy([{"document_id": "d", "quotes": [1]}], documents)


def edit_distance_inside(pattern: str, text: str) -> int:
    row = [0] * (len(text) + 1)
    for i, wanted in enumerate(pattern, 1):
        previous, row = row, [i, *[0] * len(text)]
        for j, found in enumerate(text, 1):
            row[j] = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (wanted != found))
    return min(row)


def edit_distance(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for i, wanted in enumerate(left, 1):
        previous, row = row, [i, *[0] * len(right)]
        for j, found in enumerate(right, 1):
            row[j] = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (wanted != found))
    return row[-1]


@given(st.text(alphabet="abc", min_size=1, max_size=30), st.text(alphabet="abc", max_size=40))
def test_similarity_is_that_of_the_plain_algorithm(quote: str, document: str) -> None:
    found = find_quote(quote, document)
    if found.match != "exact":
        expected = max(0.0, 1 - edit_distance_inside(quote, document) / len(quote))
        assert found.similarity == pytest.approx(expected)


def test_fuzzy_offsets_hold_the_closest_passage() -> None:
    rng = random.Random(3)
    for _ in range(300):
        document = "".join(rng.choices("abcdefgh", k=200))
        start = rng.randrange(100)
        quote = list(document[start : start + 60])
        for _ in range(rng.randint(1, 5)):
            quote[rng.randrange(len(quote))] = rng.choice("xyz")
        found = find_quote("".join(quote), document)
        assert found.match == "fuzzy"
        distance = edit_distance("".join(quote), document[found.start : found.end])
        assert found.similarity == pytest.approx(1 - distance / len(quote))


def test_a_quote_from_a_text_that_is_not_known_is_left_out_and_counted() -> None:
    known = {"document_id": "d", "quotes": ["the lazy dog"]}
    unknown = {"document_id": "u", "quotes": ["x", "y"]}
    score = quote_accuracy([known, unknown], {"d": DOCUMENT, "u": None})
    assert (score.value, score.reason) == (1.0, "known text: 1 of 3 quotes")
    assert [row["match"] for row in score.details["quotes"]] == ["exact", "unknown", "unknown"]
    score = quote_accuracy([unknown], {"u": None})
    assert (score.value, score.reason) == (None, "no text of the documents it rests on is known")
