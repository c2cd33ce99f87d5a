"""Ids that only look different, over all that a file holds."""

from __future__ import annotations

import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from evalcontract.checking.identity import ItemIds


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
