"""Equality of JSON values, and the digest that equal values share."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.metrics import json_equal
from evalcontract.values import digest, frozen, same_value

leaves = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.0, -0.0, 1.0, 2.5, 1e300, 2**53 + 1, float(2**53)])
    | st.text("ab1.0e+\ud800", max_size=3)
)
values = st.recursive(
    leaves,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text("ab", max_size=1), below, max_size=3),
    max_leaves=6,
)


def equal(left: Any, right: Any) -> bool:
    """JSON equality, written once more."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    return (type(left) in (int, float) and type(right) in (int, float) and left == right) or (
        type(left) is type(right) and left == right
    )


@given(values, values)
def test_stand_ins_and_digests_are_equal_exactly_when_values_are(left: Any, right: Any) -> None:
    assert same_value(left, right) is json_equal(left, right) is equal(left, right)
    assert (digest(left) == digest(right)) is equal(left, right)


@given(values)
def test_a_whole_number_has_one_digest_however_it_is_written(value: Any) -> None:
    def as_floats(node: Any) -> Any:
        if isinstance(node, int) and not isinstance(node, bool) and abs(node) < 2**53:
            return float(node)
        if isinstance(node, list):
            return [as_floats(element) for element in node]
        if isinstance(node, dict):
            return {key: as_floats(node[key]) for key in reversed(node)}
        return node

    assert digest(value) == digest(as_floats(value))
    assert frozen(value) == frozen(as_floats(value))


def test_a_digest_is_a_beginning_of_the_sha256_of_canonical_json() -> None:
    assert digest({"b": [1.0, "\u00e4"], "a": None}).hex() == "5d4c789751acdad9ba305072d1a6ccdc"


@pytest.mark.parametrize(("value", "error"), [(math.nan, ValueError), (b"", TypeError), ({1: 2}, TypeError)])
def test_what_is_no_json_value_is_not_compared(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        frozen([value])


def test_a_value_nested_without_end_is_not_compared() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ValueError, match="too deep"):
        frozen(loop)
