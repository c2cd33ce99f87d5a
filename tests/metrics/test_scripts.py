"""Every metric on text tells texts apart in every script: 1 for the text itself, 0 for one of another script."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evalcontract.metrics import (
    MetricScore,
    answer_contains,
    answer_exact_match,
    answer_f1,
    answer_recall,
    bleu,
    chrf,
    find_quote,
    groundedness,
    missing_evidence,
    retrieved_text_recall,
    rouge_l,
)

TEXTS = {
    "Thai": "ห้องสมุดเปิดเวลาเก้าโมง",
    "Khmer": "បណ្ណាល័យបើកម៉ោងប្រាំបួន",
    "Chinese": "图书馆九点开门",
    "Arabic": "تفتح المكتبة في التاسعة",
    "Devanagari": "पुस्तकालय नौ बजे खुलता है",
    "Korean": "도서관에서는 아홉 시에 엽니다",
    "emoji": "👩‍👩‍👧 family 👨🏽‍🚀",
}
COMPARISONS = [answer_exact_match, answer_f1, answer_recall, answer_contains, rouge_l, chrf, bleu]


@pytest.mark.parametrize("script", TEXTS)
@pytest.mark.parametrize("compare", COMPARISONS, ids=lambda compare: compare.__name__)
def test_an_answer_equals_itself_and_no_text_of_another_script(
    compare: Callable[[str, str], MetricScore], script: str
) -> None:
    text = TEXTS[script]
    assert compare(text, text).value == 1.0
    for other, different in TEXTS.items():
        if other != script:
            assert compare(text, different).value == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("script", TEXTS)
def test_contexts_quotes_and_passages_of_every_script_are_found_and_missed(script: str) -> None:
    text = TEXTS[script]
    other = TEXTS["Thai" if script == "Chinese" else "Chinese"]
    assert groundedness(text, [text]).value == 1.0
    assert groundedness(text, [other]).value == 0.0
    assert missing_evidence(text, [text]) == []
    assert missing_evidence(text, [other])
    assert find_quote(text, f"x {text} y").match == "exact"
    assert find_quote(text, f"x {other} y").match == "none"
    assert retrieved_text_recall([text], [text]).value == 1.0
    assert retrieved_text_recall([other], [text]).value == 0.0
