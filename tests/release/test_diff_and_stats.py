"""Comparisons, next versions and statistics of datasets."""

from __future__ import annotations

import copy
import json
import statistics
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.errors import ContractViolation, UsageError
from evalcontract.metrics import json_equal
from evalcontract.release import check_release
from evalcontract.release.changes import changes
from evalcontract.release.diff import DETAILED, diff_datasets
from evalcontract.release.next_number import next_version
from evalcontract.release.stats import Spread, dataset_stats, null_rates, script_of
from evalcontract.values import digest
from tests.support.datasets import dataset, item, metadata, write_lines

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.0, 1.0, 0.5, -0.0])
    | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(one=JSON, other=JSON)
def test_digests_and_changes_agree_with_json_equality(one: Any, other: Any) -> None:
    assert (digest(one) == digest(other)) == json_equal(one, other)
    assert (not list(changes(one, other))) == json_equal(one, other)


@given(value=JSON)
def test_key_order_makes_no_difference(value: Any) -> None:
    document = {"a": value, "b": 1}
    assert digest(document) == digest(dict(reversed(document.items())))


def test_places_of_changes_are_pointers() -> None:
    before = {"a": [1, 2], "b/c": None, "d": 1}
    after = {"a": [1, 3, 4], "b/c": "", "e": 1}
    assert list(changes(before, after)) == [
        ("/a/1", "changed"),
        ("/a/2", "added"),
        ("/b~1c", "changed"),
        ("/d", "removed"),
        ("/e", "added"),
    ]


def test_items_are_compared_by_id_and_not_by_place() -> None:
    before = dataset("1.0", item("a"), item("b"), item("c"))
    after = dataset("1.1", item("c"), item("b", locale="de"), item("d"))
    found = diff_datasets(before, after)
    assert (found.added, found.removed, found.changed) == (("d",), ("a",), ("b",))
    assert found.details[0].places == (("/input/locale", "added"),)
    assert (found.keys_added, found.keys_removed) == (("input.locale",), ())
    assert found.metadata == (("/version", "changed"),)


def test_the_same_items_in_another_order_are_the_same() -> None:
    found = diff_datasets(dataset("1.0", item("a"), item("b")), dataset("1.0", item("b"), item("a")))
    assert found.same_items


def test_items_that_can_not_be_joined_are_counted() -> None:
    nameless = {key: value for key, value in item("x").items() if key != "item_id"}
    found = diff_datasets(dataset("1.0", item("a"), item("a"), nameless), dataset("1.0", item("a")))
    assert (found.unnamed, found.repeated, found.same_items) == (1, 1, True)


def test_every_changed_item_is_named_and_the_first_are_given_in_detail() -> None:
    before = dataset("1.0", *(item(f"i{n}") for n in range(DETAILED + 5)))
    after = copy.deepcopy(before)
    for each in after["items"]:
        each["input"]["context"] = []
    found = diff_datasets(before, after)
    assert (len(found.changed), len(found.details)) == (DETAILED + 5, DETAILED)


def test_a_dataset_that_can_not_be_read_to_its_end_is_not_compared(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "a.jsonl", [item("a")])
    file.write_text(file.read_text() + "{oops\n")
    with pytest.raises(ContractViolation, match=r"a\.jsonl:2"):
        diff_datasets(file, dataset("1.0"))


@pytest.mark.parametrize(
    ("after", "version", "kind"),
    [
        (dataset("9.9"), "1.9", "none"),
        (dataset("1.9", item("a"), item("b"), item("c")), "1.10", "minor"),
        (dataset("1.9", item("a")), "1.10", "minor"),
        (
            dataset("1.9", item("a") | {"expected_output": {"response": "x", "citations": []}}, item("b")),
            "1.10",
            "minor",
        ),
        (dataset("1.9", input_schema_version="1.1"), "1.10", "minor"),
        (dataset("1.9", item("a", locale="de"), item("b")), "2.0", "major"),
        (dataset("1.9", input_schema_type="rag_agent"), "2.0", "major"),
    ],
)
def test_the_data_call_for_a_number(after: dict[str, Any], version: str, kind: str) -> None:
    found = next_version(after, dataset("1.9"))
    assert (found.version, found.kind, found.previous) == (version, kind, "1.9")
    assert found.declared == after["metadata"]["version"]


def test_the_number_called_for_passes_the_checks_of_a_release() -> None:
    before = dataset("1.9")
    for items in ([item("a"), item("b"), item("c")], [item("a", locale="de")], [item("a")]):
        after = dataset("0.0", *items)
        after["metadata"]["version"] = next_version(after, before).version
        assert check_release(after, before).ok


def test_no_number_is_called_for_between_two_datasets() -> None:
    with pytest.raises(UsageError, match="product_id was 'pathfinder' and is 'other'"):
        next_version(dataset("1.0", product_id="other"), dataset("1.0"))
    with pytest.raises(UsageError, match="declares no version"):
        next_version(dataset("1.0"), {"metadata": metadata() | {"version": None}, "items": [item("a")]})


def test_statistics_count_what_is_there() -> None:
    long = item("b", available_tools=["search", "search"])
    long["input"]["messages"] *= 3
    long["expected_output"]["tool_calls"] = [{"name": "search", "args": {}}]
    other = item("c") | {"metadata": {"raw_metadata": {"input_schema_type": "agent"}}}
    other["input"] = {"messages": [{"role": "user", "content": "Когда?"}], "context": None}
    stats = dataset_stats(dataset("1.0", item("a"), long, other))
    assert stats.items == 3
    assert stats.types == {"rag": 2, "agent": 1}
    assert (stats.turns.low, stats.turns.median, stats.turns.high) == (1, 1, 3)
    assert stats.lengths["message"].count == 5
    assert (stats.offered, stats.called) == ({"search": 1}, {"search": 1})
    assert stats.scripts == {"Latin": 2, "Cyrillic": 1}
    assert dict(null_rates(stats))["input.context"] == pytest.approx(1 / 3)
    assert dict(null_rates(stats))["input.messages"] == 0


@given(numbers=st.lists(st.integers(0, 999), min_size=1))
def test_spreads_are_those_of_the_statistics_module(numbers: list[int]) -> None:
    spread = Spread()
    for number in numbers:
        spread.add(number)
    assert spread.mean == pytest.approx(statistics.mean(numbers))
    assert spread.median == statistics.median_low(numbers)
    assert (spread.low, spread.high) == (min(numbers), max(numbers))


@given(numbers=st.lists(st.integers(1000, 10**9), min_size=1))
def test_large_medians_are_right_to_three_digits(numbers: list[int]) -> None:
    spread = Spread()
    for number in numbers:
        spread.add(number)
    assert spread.median == pytest.approx(statistics.median_low(numbers), rel=0.006)


def test_an_empty_dataset_has_no_spreads() -> None:
    stats = dataset_stats({"metadata": {}, "items": []})
    assert (stats.items, stats.turns.mean, stats.turns.median) == (0, None, None)
    assert json.dumps(dict(null_rates(stats))) == "{}"


@pytest.mark.parametrize(
    ("letter", "script"),
    [
        ("a", "Latin"),
        ("ß", "Latin"),
        ("Ж", "Cyrillic"),
        ("東", "Han"),
        ("の", "Hiragana"),
        ("ก", "Thai"),
        ("א", "Hebrew"),
    ],
)
def test_scripts_are_named(letter: str, script: str) -> None:
    assert script_of(letter) == script
