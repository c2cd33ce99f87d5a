from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.metrics import answer_exact_match, answer_f1


@pytest.mark.parametrize(
    ("answer", "reference", "exact", "f1"),
    [
        ("The Eiffel Tower!", "eiffel tower", 1.0, 1.0),
        ("the big cat", "a cat", 0.0, 2 / 3),
        ("cat cat", "cat", 0.0, 2 / 3),
        ("1,000", "1000", 1.0, 1.0),
        ("3.14.", "3.14", 1.0, 1.0),
        ("3.14", "314", 0.0, 0.0),
        ("10²", "102", 0.0, 0.0),
        ("café", "cafe\u0301", 1.0, 1.0),
        ("STRASSE", "Straße", 1.0, 1.0),
        ("東京都", "東京", 0.0, 2 / 3),
        ("„Ja“", "ja", 1.0, 1.0),
        ("", "", 1.0, 1.0),
        ("", "x", 0.0, 0.0),
        ("x", "", 0.0, 0.0),
        ("the", "an", 0.0, 0.0),
        ("", "A", 0.0, 0.0),
        ("A", "a", 1.0, 1.0),
        ("the A", "the a", 1.0, 1.0),
        ("👍", "👍", 1.0, 1.0),
        ("???", "???", 1.0, 1.0),
        ("???", "!!!", 0.0, 0.0),
    ],
)
def test_normalised_comparison(answer: str, reference: str, exact: float, f1: float) -> None:
    assert answer_exact_match(answer, reference).value == exact
    assert answer_f1(answer, reference).value == pytest.approx(f1)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("-5", "5"),
        ("+5", "-5"),
        ("-5 °C", "5 °C"),
        ("-$5", "$5"),
        ("1/2", "12"),
        ("1/2", "1 2"),
        ("10:30", "1030"),
        ("5-10", "510"),
        ("2024-01-05", "20240105"),
        ("C++", "C"),
        ("C#", "C"),
        ("A+", "A"),
        ("A+", "B+"),
        ("x > 5", "x < 5"),
        ("x = 5", "x 5"),
        ("x = 5", "x != 5"),
        ("x == 5", "x != 5"),
        ("x <= 5", "x >= 5"),
        ("a && b", "a || b"),
        ("a && b", "a b"),
        ("2**3", "23"),
        ("2 ** 3", "2 * 3"),
        ("-∞", "∞"),
        ("3 * 4", "34"),
        ("3.10", "3.1"),
        ("007", "7"),
        ("1.234", "1234"),
        ("-5度", "5度"),
        ("1,2,3", "123"),
        ("50%", "50"),
        ("$5", "5"),
        ("€5", "$5"),
        ("5 €", "5"),
        ("5‰", "5%"),
    ],
)
def test_what_tells_numbers_and_names_apart_is_kept(left: str, right: str) -> None:
    assert answer_exact_match(left, right).value == 0.0
    assert answer_f1(left, right).value != 1.0


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("1 234 567", "1,234,567"),
        ("1'234'567", "1234567"),
        ("1.234.567", "1234567"),
        ("12,34,567", "1234567"),
        ("1\u202f234\u202f567", "1234567"),
        ("1.234.567,50", "1,234,567.50"),
        ("2,5", "2.5"),
        ("−5", "-5"),
        ("– 5", "-5"),
        ("5 – 10", "5-10"),
        ("½", "1/2"),
        ("1½", "1 1/2"),
        (".5", "0.5"),
        ("- 5", "5"),
        ("**Paris**.", "Paris"),
        ("1, 2, 3", "1,2,3"),
        ("50 %", "50%."),
        ("x != 5", "x ≠ 5"),
        ("5 <= 6", "5≤6"),
        ("x >= 5", "x ≥ 5"),
        ("2**3", "2^3"),
        ("2 ** 3", "2^3"),
        ("−∞", "-∞"),
        ("**5** towers", "5 towers"),
        ("R&D", "r&d"),
        ("％50％", "50%"),
        ("5 €", "€5"),
        ("$ 1,234.50", "1234.50$"),
        ("$-5", "-$5"),
        ("100% $ure", "100% ure"),
    ],
)
def test_ways_to_write_the_same_are_the_same(left: str, right: str) -> None:
    assert answer_exact_match(left, right).value == 1.0
    assert answer_f1(left, right).value == 1.0


@given(st.integers(0, 10**12), st.sampled_from([",", " ", "'", "\u00a0", "\u2009"]))
def test_a_whole_number_is_the_same_with_and_without_groups(number: int, separator: str) -> None:
    assert answer_exact_match(f"{number:,}".replace(",", separator), str(number)).value == 1.0


@given(
    st.text(alphabet="abcde AN.!?'\"()[]{}", max_size=40),
    st.text(alphabet="abcde AN.!?'\"()[]{}", max_size=40),
)
def test_words_and_punctuation_are_compared_as_squad_does(left: str, right: str) -> None:
    def squad(text: str) -> str:
        bare = "".join(c for c in text.lower() if c not in string.punctuation)
        return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())

    if squad(left) and squad(right):
        assert (answer_exact_match(left, right).value == 1.0) == (squad(left) == squad(right))


def test_the_best_reference_counts() -> None:
    assert answer_exact_match("Paris", ["London", "paris"]).value == 1.0
    assert answer_f1("Paris France", ["London", "Paris"]).value == pytest.approx(2 / 3)


def test_without_a_reference_there_is_no_value() -> None:
    assert answer_f1("x", None).value is None
    assert answer_exact_match("x", []).value is None


@pytest.mark.parametrize(("answer", "references"), [(None, "x"), ("x", 3), ("x", [None]), ("x", b"x")])
def test_wrong_types_are_refused(answer: object, references: object) -> None:
    with pytest.raises(TypeError):
        answer_f1(answer, references)  # type: ignore[arg-type]


@given(st.text(max_size=40))
def test_a_text_equals_itself_in_every_script(text: str) -> None:
    assert answer_exact_match(text, text).value == 1.0
    assert answer_f1(text, text).value == 1.0


@given(st.text(max_size=40), st.text(max_size=40))
def test_f1_is_symmetric_and_at_least_the_exact_match(left: str, right: str) -> None:
    assert answer_f1(left, right).value == answer_f1(right, left).value
    exact, f1 = answer_exact_match(left, right).value, answer_f1(left, right).value
    assert exact is not None
    assert f1 is not None
    assert exact <= f1 <= 1.0
