"""A long document is shown by what lies on the way to the place that matters."""

from __future__ import annotations

from typing import Any

import pytest

from evalcontract.reports.examples import example

LONG: dict[str, Any] = {
    "before": "b" * 100,
    "rows": [{"n": 1}, {"name": "x" * 30, "bad/key": [True, None]}],
    "after": {"much": ["z" * 50]},
}


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/rows/*/bad~1key", '{…, "rows": […, {…, "bad/key": [true, null]}]}'),
        ("/rows/0/n", '{…, "rows": […, {"n": 1}]}'),
        ("/rows/0/missing", '{…, "rows": […, {"n": 1}]}'),
        ("/after/much/*", '{…, "after": {"much": ["' + "z" * 38 + "…]}}"),
        ("/*", '{…, "after": {"much": ["' + "z" * 28 + "…}"),
    ],
)
def test_what_is_beside_the_way_is_left_out(path: str, shown: str) -> None:
    assert example(LONG, path, 80) == shown


def test_a_short_document_is_shown_whole_and_a_deep_one_in_its_limit() -> None:
    assert example({"a": [1, {"b": "é"}]}, "/a/*", 80) == '{"a": [1, {"b": "é"}]}'
    deep: Any = "x" * 200
    for _ in range(60):
        deep = {"level": deep}
    assert len(example(deep, "/level" * 60, 80)) == 80
    assert example("…" * 10, "", 80) == '"' + "…" * 10 + '"'
