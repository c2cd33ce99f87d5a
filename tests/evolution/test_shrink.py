"""A document is made smaller while it shows the same, from the outside in, and never without end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.evolution.comparing import shrink as shrinking
from evalcontract.evolution.comparing.shrink import LOOKS, shrink

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab", max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    max_leaves=12,
)


def holds(value: Any, wanted: Any) -> bool:
    return json.dumps(value) == json.dumps(wanted) or any(
        holds(member, wanted) for _, member in members(value)
    )


def members(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def with_one_less(value: Any) -> Iterator[Any]:
    """The value without one of its keys or elements, at any depth."""
    for at, member in members(value):
        shorter = value.copy()
        del shorter[at]
        yield shorter
        for smaller in with_one_less(member):
            changed = value.copy()
            changed[at] = smaller
            yield changed


@given(document=JSON, wanted=JSON)
def test_what_is_kept_still_shows_and_has_nothing_that_could_go(document: Any, wanted: Any) -> None:
    holder = {"x": document, "y": wanted}
    small = shrink(holder, lambda smaller: holds(smaller, wanted), tries=10_000)
    assert holds(small, wanted)
    assert len(json.dumps(small)) <= len(json.dumps(holder))
    assert not any(holds(smaller, wanted) for smaller in with_one_less(small))


def test_of_a_deep_document_the_way_to_the_fault_is_left() -> None:
    document = {"noise": list(range(50)), "a": [{"b": "x" * 30, "c": {"bad": True, "d": [1, 2]}}, {"e": 1}]}
    small = shrink(document, lambda smaller: '"bad": true' in json.dumps(smaller))
    assert small == {"bad": True} or small == {"a": [{"c": {"bad": True}}]}


def test_a_large_document_is_looked_at_a_bounded_number_of_times() -> None:
    seen: list[Any] = []
    large = [{"k": f"value {number}"} for number in range(5_000)]

    def never(smaller: Any) -> bool:
        seen.append(smaller)
        return False

    assert shrink(large, never, tries=12) == large
    assert len(seen) == 12


def test_what_is_no_smaller_is_measured_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zeros can't be made simpler: to see that, the whole document is measured, and there are thousands of them."""
    measured: list[int] = []
    size = shrinking._size
    monkeypatch.setattr(shrinking, "_size", lambda value: measured.append(1) or size(value))
    zeros = {str(number): 0 for number in range(5_000)}
    assert shrink(zeros, lambda smaller: smaller == zeros, tries=20) == zeros
    assert len(measured) <= LOOKS * 20 + 1
