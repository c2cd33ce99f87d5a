"""A faithful answer must score higher than its corrupted twin: pairs written by hand, in many languages."""

from __future__ import annotations

from collections import Counter

import pytest

from evalcontract.metrics import groundedness
from tests.support.contrast_pairs import Pair, load_pairs, told_apart

PAIRS = load_pairs()
RECOMBINED = [pair for pair in PAIRS if pair.category == "recombined"]
VISIBLE = [pair for pair in PAIRS if pair.category != "recombined"]


def name_of(pair: Pair) -> str:
    return f"{pair.language}-{pair.category}-{pair.corrupted[:30]}"


@pytest.mark.parametrize("pair", VISIBLE, ids=name_of)
def test_a_corruption_lowers_the_score(pair: Pair) -> None:
    faithful = groundedness(pair.faithful, [pair.context]).value
    corrupted = groundedness(pair.corrupted, [pair.context]).value
    assert faithful is not None
    assert corrupted is not None
    assert faithful > corrupted


@pytest.mark.parametrize("pair", RECOMBINED, ids=name_of)
def test_words_of_the_context_put_together_wrongly_never_score_higher(pair: Pair) -> None:
    """The metric can't be asked for more: every word of these edits stands in the context."""
    faithful = groundedness(pair.faithful, [pair.context]).value
    corrupted = groundedness(pair.corrupted, [pair.context]).value
    assert faithful is not None
    assert corrupted is not None
    assert faithful >= corrupted


@pytest.mark.parametrize("pair", [p for p in VISIBLE if p.category in ("number", "script")], ids=name_of)
def test_the_changed_number_or_word_is_named_as_missing(pair: Pair) -> None:
    score = groundedness(pair.corrupted, [pair.context])
    missing = [term for sentence in score.sentences for term in sentence.missing]
    assert missing
    for term in missing:
        assert pair.corrupted[term.start : term.end] == term.text


@pytest.mark.parametrize(
    ("kind", "at_least"),
    [("name", 0.87), ("number", 0.88), ("script", 0.95), ("unit", 0.9), ("negation", 0.9), ("zh", 0.99)],
)
def test_faithful_answers_stand_above_the_corrupted_ones_of_other_pairs(kind: str, at_least: float) -> None:
    assert told_apart(pair for pair in VISIBLE if kind in (pair.category, pair.language)) >= at_least


def test_the_suite_is_large_and_varied_enough() -> None:
    categories = Counter(pair.category for pair in VISIBLE)
    assert len(PAIRS) >= 200
    assert set(categories) == {"name", "number", "negation", "script", "unit"}
    assert min(categories.values()) >= 15
    assert len({pair.language for pair in PAIRS}) >= 20
    assert len(set(PAIRS)) == len(PAIRS)
