"""ROUGE-L, chrF and BLEU against the packages that people use, and their edges."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu import sentence_bleu, sentence_chrf

from evalcontract.metrics import bleu, chrf, rouge_l

METRICS = (rouge_l, chrf, bleu)
SCRIPTS = (
    "สวัสดีครับ",
    "पूर्व प्रधानमन्त्री",
    "أركان الإسلام",
    "東京都です",
    "Größe",
    "Cristóbal está",
    "Ελλάδα",
    "한국어",
    "ខ្មែរ",
    "မြန်မာ",
)
ROUGE = RougeScorer(["rougeL"])

SAMPLES = """
The cat, sat; on-the mat. 3.14 1,000 10-20 (a) 'b' C++ don't e.g. &amp; x&y U.S. 5% [1] a/b
"""
words = st.lists(st.sampled_from(SAMPLES.split()), max_size=14).map(" ".join)
texts = st.one_of(words, st.text(alphabet="abcdef ,.-0123456789'&;()/\n", max_size=50))


def values(answer: str, reference: str) -> tuple[float | None, ...]:
    return tuple(metric(answer, reference).value for metric in METRICS)


def theirs(answer: str, reference: str) -> tuple[float, float, float]:
    return (
        ROUGE.score(reference, answer)["rougeL"].fmeasure,
        sentence_chrf(answer, [reference]).score / 100,
        sentence_bleu(answer, [reference]).score / 100,
    )


@given(texts, texts)
@settings(max_examples=400)
def test_values_are_those_of_rouge_score_and_sacrebleu(answer: str, reference: str) -> None:
    ours = values(answer, reference)
    if any(c.isalnum() for c in answer + reference):
        assert ours[0] == pytest.approx(theirs(answer, reference)[0], abs=1e-9)
    if answer.split() or reference.split():
        assert ours[1:] == pytest.approx(theirs(answer, reference)[1:], abs=1e-9)


SPACED = {
    "Latin": "Größe Cristóbal está naïve façade Łódź çok İstanbul",
    "Greek": "Ελλάδα είναι μεγάλη χώρα",
    "Cyrillic": "Москва — столица России, город",
    "Hebrew": "שלום עולם ספר גדול",
    "Arabic": "أركان الإسلام خمسة كتاب",
    "Devanagari": "पूर्व प्रधानमन्त्री नेपाल देश",
    "Tamil": "தமிழ் மொழி பழமை வாய்ந்தது",
    "Hangul": "한국어 문장 비교 시험",
    "Armenian": "Հայաստան երկիր քաղաք",
    "Georgian": "საქართველო ქვეყანა ქალაქი",
    "Ethiopic": "ኢትዮጵያ አገር ከተማ",
}
UNSPACED_SCRIPTS = {
    "Han": "東京都是日本的首都城市",
    "Kana": "これはペンですカタカナ",
    "Thai": "สวัสดีครับประเทศไทย",
}


def mixed(words: list[str]) -> st.SearchStrategy[str]:
    """Words of one script among marks, numbers and words of ASCII, with all kinds of white space between."""
    pieces = st.sampled_from([*words, *words, *SAMPLES.split(), "2024", "3,5", "«", "”", "…", "%"])
    gaps = st.sampled_from([" ", "  ", "\n", "\t"])
    return st.lists(st.tuples(pieces, gaps), max_size=12).map(lambda rows: "".join(a + b for a, b in rows))


@pytest.mark.parametrize("script", SPACED)
@given(data=st.data())
@settings(max_examples=25)
def test_values_are_those_of_sacrebleu_in_every_script_with_spaces(script: str, data: st.DataObject) -> None:
    answers = mixed(SPACED[script].split())
    answer, reference = data.draw(answers), data.draw(answers)
    if answer.split() or reference.split():
        assert values(answer, reference)[1:] == pytest.approx(theirs(answer, reference)[1:], abs=1e-9)


@pytest.mark.parametrize("script", UNSPACED_SCRIPTS)
@given(data=st.data())
@settings(max_examples=25)
def test_chrf_is_that_of_sacrebleu_in_scripts_without_spaces(script: str, data: st.DataObject) -> None:
    answers = st.text(UNSPACED_SCRIPTS[script] + " ab1", max_size=30)
    answer, reference = data.draw(answers), data.draw(answers)
    if answer.split() or reference.split():
        assert chrf(answer, reference).value == pytest.approx(theirs(answer, reference)[1], abs=1e-9)


@given(st.lists(texts, min_size=1, max_size=4), texts)
@settings(max_examples=60)
def test_several_references_count_by_the_best_of_them(references: list[str], answer: str) -> None:
    for metric in METRICS:
        each = [metric(answer, reference).value or 0.0 for reference in references]
        assert metric(answer, references).value == max(each)


def test_values_are_theirs_on_real_answers() -> None:
    lines = (Path(__file__).parent / "data/contrast_pairs.jsonl").read_text(encoding="utf-8").splitlines()
    rng = random.Random(5)
    rows = [row for row in map(json.loads, lines) if row["language"] in ("en", "de", "fr", "es", "ru", "pl")]
    for row in rows:
        for reference in (row["context"], row["corrupted"][0][1], rng.choice(rows)["faithful"]):
            ours, others = values(row["faithful"], reference), theirs(row["faithful"], reference)
            assert ours[1:] == pytest.approx(others[1:], abs=1e-9)
            if (row["faithful"] + reference).isascii():
                assert ours[0] == pytest.approx(others[0], abs=1e-9)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("text", SCRIPTS)
def test_a_text_equals_itself_in_every_script(metric: object, text: str) -> None:
    assert callable(metric)
    assert metric(text, text).value == pytest.approx(1.0)
    assert metric(text, "zzz").value == 0.0
    assert metric(f"{text} more", text).value > 0


@pytest.mark.parametrize("metric", METRICS)
def test_edges(metric: object) -> None:
    assert callable(metric)
    assert metric("", "").value == 1.0
    assert metric("", "x").value == metric("x", "").value == 0.0
    assert metric("x", None).value is metric("x", []).value is None
    assert metric("a cat sat there", ["no", "a cat sat there"]).value == pytest.approx(1.0)
    assert metric("cafe\u0301 noir", "café noir").value == pytest.approx(1.0)
    with pytest.raises(TypeError):
        metric(None, "x")
    with pytest.raises(TypeError):
        metric("x", [3])


@given(st.text(max_size=40), st.text(max_size=40))
def test_values_lie_in_0_to_1(left: str, right: str) -> None:
    for value in values(left, right):
        assert value is not None
        assert 0 <= value <= 1


def test_long_answers_take_linear_space_and_little_time() -> None:
    answer, reference = "word " * 8000 + "x" * 20_000, "other word " * 8000
    assert all(value is not None for value in values(answer, reference))


@pytest.mark.parametrize(("left", "right"), [("👍", "👎"), ("...", "?!"), ("+", "-"), ("\u2713", "\u2717")])
def test_texts_without_words_are_compared_as_they_are(left: str, right: str) -> None:
    for metric in (rouge_l, chrf, bleu):
        assert metric(left, right).value == 0.0
        assert metric(left, f" {left}").value == pytest.approx(1.0)
