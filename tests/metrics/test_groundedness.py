from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.metrics import ContextIndex, groundedness
from evalcontract.metrics._sentences import blank_markers, sentence_spans
from evalcontract.metrics._terms import text_keys

SCRIPTS = [
    "สวัสดี",
    "पूर्व प्रधानमन्त्री",
    "أركان الإسلام",
    "東京",
    "Größe",
    "Cristóbal está",
    "Ελλάδα",
    "한국어",
    "ខ្មែរ",
    "မြန်မာ",
]


def value(answer: str, *contexts: str) -> float | None:
    return groundedness(answer, list(contexts)).value


@pytest.mark.parametrize("text", SCRIPTS)
def test_a_text_is_grounded_in_itself_in_every_script(text: str) -> None:
    assert value(text, text) == 1.0


@pytest.mark.parametrize("text", ["???", "👍", "", "   ", "the of and", "[1]", "- *"])
def test_an_answer_without_scorable_terms_has_no_value(text: str) -> None:
    score = groundedness(text, [text])
    assert score.value is None
    assert score.reason


def test_without_a_context_an_answer_scores_zero() -> None:
    score = groundedness("Paris is big", [])
    assert score.value == 0.0
    assert score.reason == "there is no context"
    assert value("Paris is big", "", "  ") == 0.0


def test_each_sentence_says_what_it_lacks_and_where() -> None:
    answer = "Ada Lovelace was born in 1815. She met Babbage in London [2]."
    score = groundedness(answer, ["Lovelace met Charles Babbage in Paris. Ada was born in 1816."])
    first, second = score.sentences
    assert (answer[first.start : first.end], answer[second.start : second.end]) == (first.text, second.text)
    assert [term.text for term in first.missing] == ["1815"]
    assert [term.text for term in second.missing] == ["London"]
    assert all(answer[term.start : term.end] == term.text for term in (*first.missing, *second.missing))
    assert second.unsupported_numbers_names == ("London",)
    assert score.unsupported_numbers_names == ("1815", "London")
    assert json.loads(json.dumps(score.details))["unsupported_numbers_names"] == ["1815", "London"]


def test_missing_runs_without_spaces_keep_their_offsets() -> None:
    answer = "首都は大阪市です"
    (sentence,) = groundedness(answer, ["首都は東京です"]).sentences
    assert [(term.text, term.start) for term in sentence.missing] == [("は大阪市で", 2)]


def test_offsets_are_those_of_the_answer_even_where_folding_changes_lengths() -> None:
    answer = "Ｔｈｅ ﬁnal ½ mile of Cafe\u0301 Zürich²"
    score = groundedness(answer, ["nothing"])
    for term in score.sentences[0].missing:
        assert answer[term.start : term.end] == term.text
    assert "Cafe\u0301" in [term.text for term in score.sentences[0].missing]


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("1,000 books", "1000 books"),
        ("2.50 euros", "2.5 euros"),
        ("five books", "5 books"),
        ("the 1st place", "the 1 place"),
        ("Smith’s studies", "smith study"),
        ("It walks", "walked"),
        ("It isn't red", "It is not red"),
        ("５ km", "5 km"),
        ("5km", "5 km"),
        ("U.S. troops", "US troops"),
        ("3,14 Meter", "3.14 Meter"),
        ("CO₂", "CO2"),
    ],
)
def test_forms_of_the_same_word_or_number_are_equal(answer: str, context: str) -> None:
    assert value(answer, context) == 1.0


@pytest.mark.parametrize(
    ("answer", "context"),
    [("10² m", "102 m"), ("10² m", "10 m"), ("is not red", "is red"), ("3.14", "314"), ("US law", "us law")],
)
def test_different_numbers_and_negations_stay_different(answer: str, context: str) -> None:
    score = value(answer, context)
    assert score is not None
    assert score < 1.0


@pytest.mark.parametrize("marker", ["[1]", "[1, 2]", "[1-3]", "[^1]", "【1】", "［２］", "【4†source】"])
def test_citation_markers_are_no_terms(marker: str) -> None:
    assert value(f"Paris is big {marker}.", "Paris is big.") == 1.0
    assert value(f"Paris is big.{marker}", "Paris is big.") == 1.0


def test_list_numbers_are_no_terms() -> None:
    assert value("1. Paris\n2) London\n3. Rome", "Paris\n\nLondon\n\nRome") == 1.0


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Pi is 3.14. Yes!", ["Pi is 3.14.", "Yes!"]),
        ("The U.S. Army, z. B. Dr. Smith. Next", ["The U.S. Army, z. B. Dr. Smith.", "Next"]),
        ("It rose 15.5% today. Good", ["It rose 15.5% today.", "Good"]),
        ("你好。再见！真的？对", ["你好。", "再见！", "真的？", "对"]),
        ("ｱ｡ｲ", ["ｱ｡", "ｲ"]),
        ("هل؟ نعم", ["هل؟", "نعم"]),
        ("یہ ہے۔ وہ", ["یہ ہے۔", "وہ"]),
        ("एक है। दो", ["एक है।", "दो"]),
        ("See No. 5. No. It isn't. Ok", ["See No. 5.", "No.", "It isn't.", "Ok"]),
        ("wait... and go", ["wait... and go"]),
        ("One\n- two\n- three", ["One", "two", "three"]),
        ("Head\n\nBody", ["Head", "Body"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_end_where_readers_see_them_end(text: str, sentences: list[str]) -> None:
    blanked = blank_markers(text)
    assert [blanked[start:end] for start, end in sentence_spans(blanked)] == sentences


def test_an_index_gives_the_same_scores_as_its_contexts() -> None:
    contexts = ["Paris is the capital of France.", {"text": "London is in England."}]
    index = ContextIndex(contexts)
    for answer in ("Paris is in England", "London", "Berlin 1990"):
        assert groundedness(answer, index) == groundedness(answer, contexts)
    assert groundedness("London", index.only([1])) == groundedness("London", [contexts[1]])
    assert groundedness("London", index.only([0])).value == 0.0


@pytest.mark.parametrize("contexts", ["text", None, [1], [None], [{"text": 3}], b"x", {"a": "b"}])
def test_contexts_of_the_wrong_type_are_refused(contexts: object) -> None:
    with pytest.raises(TypeError, match="contexts"):
        groundedness("a", contexts)  # type: ignore[arg-type]


def test_an_answer_of_the_wrong_type_is_refused() -> None:
    with pytest.raises(TypeError, match="answer must be a string"):
        groundedness(None, ["x"])  # type: ignore[arg-type]


def test_a_name_at_the_start_of_a_sentence_is_named_as_unsupported() -> None:
    assert groundedness("Rosalind Franklin won it.", ["Marie Curie won it."]).unsupported_numbers_names == (
        "Rosalind",
        "Franklin",
    )
    assert groundedness("Unlikely things.", ["x"]).unsupported_numbers_names == ()


@pytest.mark.parametrize(
    "piece",
    [".", "!.", '."', " . ", "[1", "\n ", "1.", "a.", "- ", "e\u0301", "東1a", "²", "1,", "'s", "[1-1", "【"],
)
def test_hostile_repetition_is_read_in_linear_time(piece: str) -> None:
    text = piece * 60_000
    assert groundedness(text, [text]).value in (1.0, None)


texts = st.text(
    alphabet=st.one_of(
        st.sampled_from("aA1.,[]'- \n²½°。！は東สัดीกΩß\u0301\u200dıİ"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=60,
)


@given(texts, st.lists(texts, max_size=3))
def test_every_score_lies_between_0_and_1_and_every_offset_in_the_answer(
    answer: str, contexts: list[str]
) -> None:
    score = groundedness(answer, contexts)
    assert score.value is None or 0.0 <= score.value <= 1.0
    for sentence in score.sentences:
        assert sentence.text == answer[sentence.start : sentence.end]
        assert (sentence.score is None) == (
            not any(text_keys(blank_markers(answer)[sentence.start : sentence.end]))
        )
        for term in sentence.missing:
            assert sentence.start <= term.start < term.end <= sentence.end
            assert term.text == answer[term.start : term.end]


@given(texts)
def test_every_text_is_grounded_in_itself_or_has_no_terms(text: str) -> None:
    assert value(text, text) in (1.0, None)
    assert value(text, "", text, "other") in (1.0, None)


@given(texts, st.lists(texts, min_size=2, max_size=4))
def test_the_order_of_contexts_does_not_matter(answer: str, contexts: list[str]) -> None:
    assert groundedness(answer, contexts).value == groundedness(answer, contexts[::-1]).value
