"""Ids that only look different, over all that a file holds."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcontract.checking.identity import ItemIds, digest_of_input, hash_of_input
from evalcontract.release import asked_by


@given(st.lists(st.text(st.sampled_from("aAbéÉﬁ \n\t\x1f-1"), max_size=3), max_size=6, unique=True))
@example(["a", "a ", "", "b c"])
@example(["a", "b", "c-1"])
@example(["a\nb", "", "a"])
def test_an_id_that_folds_to_an_earlier_one_is_told_with_it(texts: list[str]) -> None:
    ids = ItemIds()
    for index, text in enumerate(texts):
        assert ids.add(text, index) == index
        assert ids.add(text, index + 10) == index
    seen: set[str] = set()
    expected = []
    for text in texts:
        folded = unicodedata.normalize("NFKC", text).strip().casefold()
        if folded in seen:
            expected.append(text)
        seen.add(folded)
    assert [each.item_id for each in ids.look_alikes()] == expected


TEXTS = st.sampled_from(["", "a", "b", "a\0b", "2", "user"])
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": TEXTS, "content": TEXTS}, optional={"context": st.none() | st.lists(TEXTS, max_size=1)}
    ),
    max_size=2,
)
INPUTS = st.fixed_dictionaries(
    {"messages": MESSAGES},
    optional={
        "context": st.none() | st.lists(TEXTS | st.sampled_from([None, 1, 1.0, True]), max_size=2),
        "filter": st.sampled_from([None, 1, 1.0, True, "a", {"b": None}, {}]),
    },
)


@given(INPUTS, INPUTS)
def test_inputs_ask_the_same_when_validation_and_the_release_say_so(one: Any, other: Any) -> None:
    in_a_release = asked_by({"input": one}) == asked_by({"input": other})
    reordered = json.loads(json.dumps(one, sort_keys=True))
    for stands_for in (digest_of_input, hash_of_input):
        assert stands_for(reordered) == stands_for(one)
        assert (stands_for(one) == stands_for(other)) == in_a_release


LONG = "A passage that goes on. " * 20


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"context": [LONG + "One end."]}, False),
        ({"context": [LONG, "Another end."]}, False),
        ({"messages": [{"role": "assistant", "content": "Why?"}]}, False),
        ({"available_tools": ["search"]}, False),
        ({"available_tools": None}, True),
        ({"messages": [{"role": "user", "content": "Why?", "context": None}]}, True),
    ],
)
def test_what_an_input_says_late_or_beside_the_question_counts(change: dict[str, Any], same: bool) -> None:
    asked = {"messages": [{"role": "user", "content": "Why?"}], "context": [LONG + "Another end."]}
    for stands_for in (digest_of_input, hash_of_input):
        assert (stands_for(asked) == stands_for(asked | change)) is same
