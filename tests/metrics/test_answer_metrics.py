from __future__ import annotations

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
        ("the", "an", 1.0, 1.0),
        ("👍", "👍", 1.0, 1.0),
        ("???", "???", 1.0, 1.0),
        ("???", "!!!", 0.0, 0.0),
    ],
)
def test_normalised_comparison(answer: str, reference: str, exact: float, f1: float) -> None:
    assert answer_exact_match(answer, reference).value == exact
    assert answer_f1(answer, reference).value == pytest.approx(f1)


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
