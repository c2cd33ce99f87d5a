from __future__ import annotations

import random
import string
from dataclasses import astuple

import pytest
import rag_quality_kit
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcontract.metrics import ContextIndex, QualityResult, missing_evidence, score, score_rag

WORDS = [
    "the",
    "of",
    "is",
    "Paris",
    "paris",
    "capital",
    "France",
    "1889",
    "tower",
    "x",
    "a1",
    "Eiffel,",
    "(Eiffel)",
    "what's",
    "where?",
    "U.S.",
    "co-op",
    "3.14",
]
ascii_texts = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join),
    st.text(alphabet=string.ascii_letters + string.digits + " .,'-_\n", max_size=80),
)
ascii_contexts = st.lists(
    st.one_of(
        ascii_texts, st.builds(lambda text: {"id": "d", "text": text}, ascii_texts), st.just({"id": "e"})
    ),
    max_size=5,
)


@settings(max_examples=1500)
@given(ascii_texts, ascii_contexts, ascii_texts)
def test_ascii_triples_score_as_in_rag_quality_kit(
    question: str, contexts: list[object], answer: str
) -> None:
    expected = astuple(rag_quality_kit.score(question, contexts, answer))
    assert astuple(score(question, contexts, answer)) == expected
    assert astuple(score(question, ContextIndex(contexts), answer)) == expected
    assert missing_evidence(answer, contexts) == rag_quality_kit.missing_evidence(answer, contexts)


def test_thousands_of_generated_triples_score_as_in_rag_quality_kit() -> None:
    rng = random.Random(1)
    vocabulary = [
        "".join(rng.choices(string.ascii_letters + string.digits, k=rng.randint(1, 8))) for _ in range(300)
    ]

    def text(longest: int) -> str:
        return " ".join(
            rng.choice(vocabulary) + rng.choice(["", ",", ".", "'s"]) for _ in range(rng.randint(0, longest))
        )

    for _ in range(3000):
        question, contexts, answer = text(12), [text(40) for _ in range(rng.randint(0, 4))], text(60)
        assert astuple(score(question, contexts, answer)) == astuple(
            rag_quality_kit.score(question, contexts, answer)
        )
        assert missing_evidence(answer, contexts) == rag_quality_kit.missing_evidence(answer, contexts)


def test_the_original_example_gives_the_original_values() -> None:
    question = "Who wrote Hamlet and when was it first performed?"
    contexts = [
        {"id": "doc-1", "text": "Hamlet is a tragedy by William Shakespeare, written around 1600."},
        {"id": "doc-2", "text": "Records suggest Hamlet was first performed in 1602."},
    ]
    answer = "Hamlet was written by Shakespeare and first performed in 1602."
    assert score(question, contexts, answer) == QualityResult(0.9, 0.6, 0.5556, 1.0, 0.7639)


def test_empty_texts_get_the_free_pass_of_the_original() -> None:
    assert score("", [], "") == QualityResult(1.0, 1.0, 1.0, 1.0, 1.0)


def test_conciseness_falls_linearly_between_two_and_ten_times_the_question() -> None:
    def conciseness(n_terms: int) -> float:
        return score("q", [], " ".join(f"t{i}" for i in range(n_terms))).conciseness

    assert [conciseness(n) for n in (1, 2, 6, 10, 50)] == [1.0, 1.0, 0.5, 0.0, 0.0]


@pytest.mark.parametrize(
    "text", ["สวัสดี", "पूर्व प्रधानमन्त्री", "أركان الإسلام", "東京", "Größe", "Cristóbal está"]
)
def test_every_script_is_found_in_itself_and_not_in_another_text(text: str) -> None:
    assert score(text, [text], text) == QualityResult(1.0, 1.0, 1.0, 1.0, 1.0)
    assert score(text, ["other words"], text).groundedness == 0.0


def test_a_chinese_answer_from_elsewhere_is_not_grounded() -> None:
    result = score("长城有多长", ["李白是唐代诗人"], "长城全长21196公里")
    assert result.groundedness == 0.0
    assert result.context_relevance == 0.0
    assert "长城" in missing_evidence("长城全长21196公里", ["李白是唐代诗人"])


def test_composed_and_decomposed_letters_are_equal() -> None:
    assert score("está", ["esta\u0301"], "está").groundedness == 1.0


def test_a_raised_digit_is_not_an_ordinary_one() -> None:
    assert score("x", ["102 m"], "10² m").groundedness < 1.0


@pytest.mark.parametrize(
    ("question", "contexts", "answer"),
    [
        (1, [], "a"),
        ("q", "text", "a"),
        ("q", [], None),
        ("q", [1], "a"),
        ("q", [None], "a"),
        ("q", [["a"]], "a"),
    ],
)
def test_wrong_types_are_refused(question: object, contexts: object, answer: object) -> None:
    with pytest.raises(TypeError):
        score(question, contexts, answer)  # type: ignore[arg-type]


def test_missing_evidence_refuses_wrong_types() -> None:
    with pytest.raises(TypeError):
        missing_evidence(1, [])  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        missing_evidence("a", "text")


def test_the_siblings_names_are_served() -> None:
    contexts = [
        {"id": "doc-1", "text": "Hamlet is by Shakespeare."},
        {"id": "doc-10", "text": "Hamlet was played."},
    ]
    triple = {"query": "Who wrote Hamlet?", "answer": "Shakespeare [doc-1]", "contexts": contexts}
    result = score_rag(triple)
    assert (
        result["retrievalCoverage"]
        == score("Who wrote Hamlet?", contexts, "Shakespeare [doc-1]").context_relevance
    )
    assert result["citationCoverage"] == 0.5
    assert result["score"] == round((result["retrievalCoverage"] + result["groundedness"] + 0.5) / 3, 4)
    assert score_rag(**triple) == result
    assert score_rag({**triple, "contexts": ["no id"]})["citationCoverage"] == 1.0
    with pytest.raises(TypeError, match="score_rag needs contexts"):
        score_rag({"query": "q", "answer": "a"})
