from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evalcontract.release import check_release
from tests.support.datasets import dataset, item, write


def twins(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Two items that ask the same, with these expected outputs."""
    one, other = item("a"), item("b")
    other["input"] = one["input"]
    one["expected_output"], other["expected_output"] = first, second
    return dataset("1.0", one, other, item("c"))


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ({"response": "1879"}, {"response": "1889"}, "fail"),
        ({"response": "1879"}, {"response": " 1879 "}, "pass"),
        ({"response": "1879"}, {"response": ""}, "pass"),
        ({"response": "1879", "alternative_responses": ["in 1889"]}, {"response": "In 1889"}, "pass"),
        ({"response": "1879", "answerable": True}, {"response": "1879", "answerable": False}, "fail"),
        ({"response": "1879", "answerable": True}, {"response": "1879", "answerable": None}, "pass"),
    ],
)
def test_items_that_ask_the_same_must_not_contradict_each_other(
    tmp_path: Path, first: dict[str, Any], second: dict[str, Any], status: str
) -> None:
    report = check_release(write(tmp_path, twins(first, second)))
    outcome = report.outcome("answers-agree")
    assert outcome.status == status
    assert report.ok is (status == "pass")
    if status == "fail":
        assert outcome.items == ("b",)


def test_the_order_of_keys_and_the_spelling_of_numbers_do_not_make_another_input(tmp_path: Path) -> None:
    made = twins({"response": "1879"}, {"response": "1889"})
    made["items"][0]["input"] |= {"k": 1, "m": 2}
    made["items"][1]["input"] = {"m": 2.0, "k": 1, **item("a")["input"]}
    assert check_release(write(tmp_path, made)).outcome("answers-agree").status == "fail"
