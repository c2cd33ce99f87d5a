"""The second formula of groundedness against a slow, obvious implementation of it, and its edges by hand."""

from __future__ import annotations

import json
import pickle
import random
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcontract.metrics import ContextIndex, groundedness
from evalcontract.metrics._postings import AllPostings
from evalcontract.metrics._terms import sentence_keys, text_keys
from evalcontract.metrics._windows import Windows
from tests.metrics import plain_groundedness as plain

ROOT = Path(__file__).parents[2]


def assert_agreement(answer: str, contexts: list[str]) -> None:
    ours = groundedness(answer, contexts)
    value, sentences = plain.groundedness(answer, contexts)
    assert ours.value == pytest.approx(value, abs=1e-12)
    assert [sentence.score for sentence in ours.sentences] == pytest.approx(sentences, abs=1e-12)


def real_paragraphs() -> list[str]:
    pages = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CHANGELOG.md"]
    text = "\n\n".join(page.read_text(encoding="utf-8") for page in pages)
    return [part for part in text.split("\n\n") if len(part) > 120]


def contrast_rows() -> list[dict[str, object]]:
    lines = (Path(__file__).parent / "data/contrast_pairs.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_it_agrees_with_the_plain_formula_on_real_pairs() -> None:
    rng = random.Random(13)
    rows = contrast_rows()
    for row in rows:
        answers = [row["faithful"], *(corrupted for _, corrupted in row["corrupted"])]  # type: ignore[misc, attr-defined]
        others = [str(other["context"]) for other in rng.sample(rows, 3)]
        for answer in answers:
            assert_agreement(answer, [str(row["context"])])
            assert_agreement(answer, [*others, str(row["context"])])
    paragraphs = real_paragraphs()
    for _ in range(400):
        contexts = [paragraph[:600] for paragraph in rng.sample(paragraphs, 3)]
        taken = rng.choice(contexts)
        assert_agreement(taken[rng.randrange(60) :][:200] + rng.choice(paragraphs)[:100], contexts)


def test_it_agrees_with_the_plain_formula_on_generated_pairs() -> None:
    rng = random.Random(7)
    words = [
        *"abcdefghij",
        "Kx",
        "Lx",
        "1,000",
        "1000",
        "12.05.2023",
        "not",
        "the",
        "five",
        "東京都",
        "km²",
        "U.S.",
    ]

    def text(longest: int) -> str:
        pieces = rng.choices(words, k=rng.randrange(longest))
        return " ".join("x" * rng.randrange(1, 3) + piece if piece.isalpha() else piece for piece in pieces)

    for _ in range(1500):
        answer = ". ".join(text(9).capitalize() for _ in range(rng.randrange(1, 4)))
        assert_agreement(answer, [text(rng.choice((4, 30, 200))) for _ in range(rng.randrange(4))])


anything = st.text(
    alphabet=st.one_of(
        st.sampled_from("aA19 .,'_^[]-\n \u00a0\u2009²½°。！は東สัดีกΩß\u0301\u200dıİ"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=60,
)


@given(anything, st.lists(anything, max_size=3))
@settings(max_examples=300)
def test_it_agrees_with_the_plain_formula_on_any_text(answer: str, contexts: list[str]) -> None:
    assert_agreement(answer, contexts)


@given(anything, st.lists(anything, max_size=3), anything)
def test_another_context_never_lowers_the_score(answer: str, contexts: list[str], more: str) -> None:
    fewer, all_of_them = groundedness(answer, contexts), groundedness(answer, [more, *contexts])
    assert (fewer.value is None) == (all_of_them.value is None)
    assert (fewer.value or 0) <= (all_of_them.value or 0) + 1e-12
    for one, other in zip(fewer.sentences, all_of_them.sentences, strict=True):
        assert (one.score or 0) <= (other.score or 0) + 1e-12


@given(anything)
def test_a_text_read_in_stretches_has_the_terms_of_the_whole(text: str) -> None:
    keys = [key for key, _ in plain.terms(text)]
    assert list(text_keys(text)) == keys
    assert sentence_keys(text)[0] == keys


@given(
    st.lists(st.lists(st.sampled_from("abcdef."), max_size=200), min_size=1, max_size=4),
    st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 3), min_size=1),
    st.integers(1, 6),
)
def test_counting_all_windows_at_once_gives_what_looking_at_each_gives(
    texts: list[list[str]], weights: dict[str, int], times: int
) -> None:
    postings = AllPostings([text * times for text in texts])
    places = postings.places(weights)
    held = {key: weight for key, weight in weights.items() if key in places}
    if held:
        windows = Windows(postings.row, places, 80)
        together = sorted(place for key in held for place in places[key])
        expected = max(
            sum(held[key] for key in held if key in postings.row[start : start + 80]) for start in together
        )
        total = sum(held.values())
        assert windows.greatest(held, total) == expected
        assert windows._greatest_of_few(together, held, total) == expected
        assert windows._greatest_of_many(held) == expected


def c_of(value: float, weight: int) -> float:
    """The coverage behind a score."""
    root = sqrt(weight / 25)
    return value * root / (1 - value + value * root)


def coverage(answer: str, *contexts: str, weight: int) -> float:
    value = groundedness(answer, list(contexts)).value
    assert value is not None
    return c_of(value, weight)


def test_the_parts_add_up_as_documented() -> None:
    # tower 1, Paris 2, build 1, 1887 3: T = 7; U = W = 4/7; L over (tower, Paris) and (Paris, build), both kept and of
    # weight 3, and (build, 1887) of weight 4, which isn't: L = 6/10; 1887 is nowhere: f = 0.8.
    found = coverage("The tower in Paris, built 1887", "The tower in Paris. It was built in 1889.", weight=7)
    assert found == pytest.approx(0.8 * 4 / 7 * (1 + 0.6) / 2)


def test_a_pair_is_worth_one_within_two_terms_a_half_within_four_and_nothing_beyond() -> None:
    def links(context: str) -> float:
        return 2 * coverage("alpha omega", context, weight=2) - 1

    assert links("alpha omega") == pytest.approx(1)
    assert links("alpha xx omega") == pytest.approx(1)
    assert links("alpha xx yy omega") == pytest.approx(0.5)
    assert links("alpha xx yy zz omega") == pytest.approx(0.5)
    assert links("alpha xx yy zz ww omega") == pytest.approx(0)
    assert links("omega alpha") == pytest.approx(0.5)
    assert coverage("alpha alpha", "alpha", weight=1) == pytest.approx(1)


def test_evidence_must_stand_within_eighty_terms_of_one_context() -> None:
    near = "alpha " + "filler " * 78 + "omega"
    far = "alpha " + "filler " * 79 + "omega"
    # U = 1; without a pair kept c = (1 + W) / 4.
    assert coverage("alpha omega", near, weight=2) == pytest.approx(2 / 4)
    assert coverage("alpha omega", far, weight=2) == pytest.approx(1.5 / 4)
    assert coverage("alpha omega", "alpha", "omega", weight=2) == pytest.approx(1.5 / 4)


def test_a_number_weighs_three_a_name_two_and_a_number_word_one() -> None:
    assert sentence_keys("Alpha met Omega5 in Rome, five 1889") == (
        ["alpha", "met", "omega5", "rom", "5", "1889"],
        {"alpha": 1, "met": 1, "omega5": 3, "rom": 2, "5": 1, "1889": 3},
    )
    assert sentence_keys("rome Rome")[1] == {"rom": 2}


def test_what_a_long_answer_lacks_weighs_more() -> None:
    short = groundedness("alpha beta", ["alpha"]).value
    longer = groundedness(
        " ".join(f"alph{c} bet{c}" for c in "bcdfghjk"), [" ".join(f"alph{c}" for c in "bcdfghjk")]
    )
    assert short is not None
    assert longer.value is not None
    assert short > longer.value


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("1 234 567 books", "1234567 books"),
        ("1'234'567 books", "1234567 books"),
        ("1.234.567 Bücher", "1234567 Bücher"),
        ("12,34,567 books", "1234567 books"),
        ("10\u202f000 books", "10000 books"),
        ("1.234,5 Meter", "1234.5 Meter"),
        ("in 1 234 567 of them", "in 1,234,567 of them"),
    ],
)
def test_a_number_is_the_same_however_its_digits_are_grouped(answer: str, context: str) -> None:
    assert groundedness(answer, [context]).value == 1.0
    assert groundedness(context, [answer]).value == 1.0


@pytest.mark.parametrize("text", ["2020 500", "12.05.2023", "10.0.0.1", "1 234 5678", "030 123 456", "5 12"])
def test_digits_that_are_not_one_number_stay_apart(text: str) -> None:
    assert len(text_keys(text)) > 1


def test_an_explanation_is_the_same_asked_for_once_or_again_and_survives_being_pickled() -> None:
    score = groundedness("Ada wrote it in 1843.", ["Ada wrote it."])
    again = pickle.loads(pickle.dumps(score))  # noqa: S301
    assert again == score
    assert again.sentences == score.sentences
    assert score.details["unsupported_numbers_names"] == ["1843"]


def test_a_selection_of_contexts_scores_like_those_contexts_alone() -> None:
    contexts = ["Ada met Charles in London.", "Ada wrote notes in 1843.", "Charles built engines."]
    index = ContextIndex(contexts)
    for chosen in ([0], [1, 2], [0, 2], [], [0, 1, 2]):
        for answer in ("Ada met Charles.", "Charles wrote notes in 1843.", "Ada built engines in London."):
            alone = groundedness(answer, [contexts[i] for i in chosen])
            assert groundedness(answer, index.only(chosen)) == alone
