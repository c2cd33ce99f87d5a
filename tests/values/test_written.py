"""Numbers that keep their text, and JSON written with them."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.values import (
    WrittenNumber,
    json_text,
    number_as_written,
    numbers_are_kept,
    numbers_as_written,
    reread,
)

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
VALUES = st.recursive(
    SCALARS.filter(lambda value: not isinstance(value, str) or value.isprintable()),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=5), below, max_size=4),
    max_leaves=20,
)
ODD = WrittenNumber("1.10")


@given(value=VALUES, indent=st.sampled_from([None, 1, 2]))
def test_it_is_what_the_standard_library_writes(value: Any, indent: int | None) -> None:
    """Also where one of the numbers keeps its text, so that all is written by hand."""
    around = [value, {"a": value, "b": ODD}]
    text = json.dumps(around, ensure_ascii=False, indent=indent)
    before = json.dumps(ODD)
    assert json_text(around, indent) == text.replace(f'"b": {before}', '"b": 1.10')
    assert json_text(value, indent) == json.dumps(value, ensure_ascii=False, indent=indent)


@given(value=VALUES)
def test_what_is_written_in_the_usual_way_is_read_again_as_it_was(value: Any) -> None:
    text = json.dumps(value)
    again = reread(text.encode(), json.loads(text))
    assert again == value
    assert json_text(again) == json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("indent", [None, 2])
def test_infinity_is_never_written(indent: int | None) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text([ODD, float("inf")], indent)


def test_a_copy_keeps_the_text() -> None:
    for copied in (copy.copy(ODD), copy.deepcopy([ODD])[0], pickle.loads(pickle.dumps(ODD))):  # noqa: S301  # noqa: S301 our own
        assert isinstance(copied, WrittenNumber)
        assert copied.text == "1.10"
        assert copied == 1.1


@pytest.mark.parametrize(
    ("text", "exact"),
    [("1.10", True), ("1E5", True), ("-0", True), ("1e-400", False), ("0.12345678901234567890", False),
     ("1e-99999999999999999999", False)],
)  # fmt: skip
def test_it_knows_whether_a_double_is_the_same_number(text: str, exact: bool) -> None:
    assert WrittenNumber(text).exact is exact


@pytest.mark.parametrize("text", ["0.1", "100.0", "-0.0", "1e+22", "1.5e-07"])
def test_the_usual_text_of_a_double_needs_no_keeping(text: str) -> None:
    assert type(number_as_written(text)) is float


def test_numbers_are_kept_within_the_block_only() -> None:
    assert not numbers_are_kept()
    with numbers_as_written():
        assert numbers_are_kept()
    assert not numbers_are_kept()
