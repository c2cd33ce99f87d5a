"""JSON pointers: what is written is read back, and nothing else is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.reading.events import pointer_tokens
from evalcontract.values.pointers import pointer


@given(st.lists(st.text(st.sampled_from("~/01a ")) | st.integers(0, 99)))
def test_a_pointer_leads_back_to_the_path_that_it_was_written_for(path: list[str | int]) -> None:
    assert pointer_tokens(pointer(path)) == tuple(map(str, path))


@pytest.mark.parametrize("text", ["a", "#/a", " /a"])
def test_what_is_no_pointer_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="not a JSON pointer"):
        pointer_tokens(text)
