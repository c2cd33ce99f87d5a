"""JSON pointers: what is written is read back and followed, and nothing else is read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.errors import NotAPointer, UnexpectedShape
from evalcontract.predictions import from_result
from evalcontract.values import follow, pointer, pointer_tokens


@given(st.lists(st.text(st.sampled_from("~/01a ")) | st.integers(0, 99)))
def test_a_pointer_leads_back_to_the_path_that_it_was_written_for(path: list[str | int]) -> None:
    assert pointer_tokens(pointer(path)) == tuple(map(str, path))


@pytest.mark.parametrize("text", ["a", "#/a", " /a", "/a~b", "/~", "/~2"])
def test_what_is_no_pointer_is_not_read(text: str) -> None:
    with pytest.raises(NotAPointer, match="not a JSON pointer"):
        pointer_tokens(text)


keys = st.text("~/01-a", max_size=2)
values = st.recursive(
    st.integers(), lambda below: st.lists(below, max_size=3) | st.dictionaries(keys, below, max_size=3)
)


def named(value: Any) -> dict[str, Any]:
    """What stands below a value by the one token that leads to it."""
    if isinstance(value, dict):
        return value
    return {str(index): value[index] for index in range(len(value))} if isinstance(value, list) else {}


@given(values, st.lists(keys | st.sampled_from(["0", "1", "01", "\u0661", "-"]), max_size=3))
def test_a_pointer_leads_to_what_has_its_name(value: Any, tokens: list[str]) -> None:
    expected: Any = value
    for token in tokens:
        expected = named(expected).get(token, LookupError)
    text = pointer(tokens)
    try:
        path, found = follow(value, pointer_tokens(text))
    except LookupError:
        found = LookupError
    else:
        assert pointer(path) == text
    assert found is expected


@pytest.mark.parametrize("index", ["01", "\u0661", "-1", "+1", "1 ", "-", "2", "9" * 5000])
def test_an_index_has_ascii_digits_and_no_leading_zero(index: str) -> None:
    with pytest.raises(UnexpectedShape, match="leads to nothing"):
        from_result("i", {"docs": ["a", "b"]}, {"response": f"/docs/{index}"})


def test_an_index_that_is_one_leads_to_its_element() -> None:
    built = from_result("i", {"docs": ["a", "b"]}, {"response": "/docs/1"})
    assert built.record["prediction"]["response"] == "b"
