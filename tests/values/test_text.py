"""Text for people is short, on one line, and safe to print."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evalcontract.values import actual, listed, quoted, short, shown, visible

anything = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text() | st.binary(),
    lambda below: st.lists(below) | st.dictionaries(st.text() | st.integers(), below),
)


@given(anything, st.integers(10, 100))
def test_a_value_in_a_message_is_one_short_line(value: Any, limit: int) -> None:
    assert len(shown(value, limit)) <= limit
    assert all(len(text) <= 80 for text in (short(value), actual(value)))
    assert "\n" not in shown(value) + short(value)


@given(st.text())
def test_text_from_outside_holds_nothing_that_can_not_be_printed(text: str) -> None:
    assert visible(text).isprintable()
    assert quoted(text) == f'"{visible(text, 80)}"'
    if text.isprintable():
        assert visible(text) == text


def test_what_turns_or_hides_text_is_shown_as_an_escape() -> None:
    assert visible("a\x1b[31m\u202eb\ufffe") == "a\\u001b[31m\\u202eb\\ufffe"


def test_names_are_listed_as_far_as_they_fit() -> None:
    assert listed("abc") == "a, b, c"
    assert listed("abcd", 2) == "a, b and 2 more"
    assert listed([]) == ""
