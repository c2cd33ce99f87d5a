from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.errors import MetricValueError
from evalcontract.metrics import (
    argument_score,
    coerce_arguments,
    json_equal,
    routing_match,
    tool_argument_score,
    tool_call_f1,
    tool_call_precision,
    tool_call_recall,
    tool_calls_exact,
    tool_calls_in_order,
    tool_sequence_score,
)
from evalcontract.metrics._assignment import best_total, longest_common_subsequence, maximum_matching

Call = dict[str, object]


def call(name: str, **args: object) -> Call:
    return {"name": name, "args": args}


NY, SH, CONV = call("w", city="NY"), call("w", city="SH"), call("conv", value=75)


@pytest.mark.parametrize(
    ("expected", "predicted", "precision", "recall", "f1"),
    [
        ([SH], [SH, SH, SH], 1 / 3, 1.0, 0.5),
        ([NY], [NY, CONV], 0.5, 1.0, 2 / 3),
        ([NY, SH], [SH, SH], 0.5, 0.5, 0.5),
        ([NY, SH], [SH, NY], 1.0, 1.0, 1.0),
        ([], [], 1.0, 1.0, 1.0),
        ([NY], [], 0.0, 0.0, 0.0),
        ([], [NY], 0.0, 0.0, 0.0),
    ],
)
def test_calls_are_matched_one_to_one(
    expected: list[Call], predicted: list[Call], precision: float, recall: float, f1: float
) -> None:
    assert tool_call_precision(predicted, expected).value == pytest.approx(precision)
    assert tool_call_recall(predicted, expected).value == pytest.approx(recall)
    assert tool_call_f1(predicted, expected).value == pytest.approx(f1)


def test_order_matters_to_the_ordered_metrics_only() -> None:
    a, b = call("a"), call("b")
    assert tool_call_f1([b, a], [a, b]).value == 1.0
    assert tool_calls_in_order([b, a], [a, b]).value == 0.5
    assert tool_calls_exact([b, a], [a, b]).value == 0.0
    assert tool_calls_exact([a, b], [a, b]).value == 1.0
    assert tool_calls_exact([a], [a, b]).value == 0.0
    assert tool_calls_in_order([a, NY, b], [a, b]).value == pytest.approx(2 / 3)
    assert tool_calls_exact([], []).value == tool_calls_in_order([], []).value == 1.0
    assert tool_calls_in_order([], [a]).value == 0.0


ALL_WITH_MODES: list[Any] = [
    tool_calls_exact,
    tool_calls_in_order,
    tool_call_precision,
    tool_call_recall,
    tool_call_f1,
]


@pytest.mark.parametrize("metric", [*ALL_WITH_MODES, tool_argument_score])
def test_without_annotation_there_is_no_value(metric: Any) -> None:
    score = metric([NY], None)
    assert score.value is None
    assert score.reason


def test_arguments_are_compared_as_json() -> None:
    expected = [{"name": "search", "args": {"f": {"lang": "en", "year": 2024}}}]
    assert (
        tool_calls_exact([{"name": "search", "args": {"f": {"year": 2024.0, "lang": "en"}}}], expected).value
        == 1.0
    )
    assert tool_calls_exact([call("s", n="42")], [call("s", n=42)]).value == 0.0
    assert tool_calls_exact([call("s", zip="020")], [call("s", zip=20)]).value == 0.0
    assert tool_calls_exact([call("s", n=True)], [call("s", n=1)]).value == 0.0
    assert tool_calls_exact([call("s", n=None)], [call("s")]).value == 0.0
    assert tool_calls_exact([call("s", n=[1, 2])], [call("s", n=[2, 1])]).value == 0.0


@pytest.mark.parametrize(
    ("mode", "predicted", "matches"),
    [
        ("exact", {"a": 1, "b": 2}, False),
        ("superset", {"a": 1, "b": 2}, True),
        ("superset", {"b": 2}, False),
        ("superset", {"a": 2}, False),
        ("subset", {}, True),
        ("subset", {"a": 1, "b": 2}, False),
        ("ignore", {"z": 9}, True),
    ],
)
def test_modes_of_comparing_arguments(mode: str, predicted: dict[str, int], matches: bool) -> None:
    ours, theirs = [{"name": "t", "args": predicted}], [{"name": "t", "args": {"a": 1}}]
    for metric in (tool_calls_exact, tool_calls_in_order, tool_call_f1):
        assert metric(ours, theirs, args=mode).value == float(matches)  # type: ignore[operator]
    assert tool_call_f1([{**ours[0], "name": "other"}], theirs, args=mode).value == 0.0  # type: ignore[arg-type]


def test_overlapping_matches_get_the_best_pairing() -> None:
    expected = [call("t"), call("t", a=1)]
    assert tool_call_recall([call("t", a=1), call("t", b=1)], expected, args="superset").value == 1.0


def test_argument_score_is_recursive_over_objects() -> None:
    assert argument_score({}, {}).value == 1.0
    assert argument_score({"a": 1}, {}).value == 0.0
    assert argument_score({"a": 1, "b": 2}, {"a": 1, "c": 3}).value == pytest.approx(1 / 3)
    assert argument_score({"f": {"x": 1, "y": 2}, "g": 1}, {"f": {"x": 1, "y": 3}, "g": 1}).value == 0.75
    assert argument_score({"a": [1]}, {"a": [1.0]}).value == 1.0
    assert argument_score({}, None).value is None


def test_tool_argument_score_pairs_calls_of_one_name_in_the_best_way() -> None:
    expected = [call("t", a=1, b=1), call("t", a=2, b=2)]
    predicted = [call("t", a=2, b=0), call("t", a=1, b=1), call("u")]
    assert tool_argument_score(predicted, expected).value == 0.75
    assert tool_argument_score([], expected).value == 0.0
    assert tool_argument_score([], []).value == 1.0
    assert tool_argument_score(predicted, []).value == 0.0


def test_routing() -> None:
    assert routing_match("billing", "billing").value == 1.0
    assert routing_match("sales", "billing").value == 0.0
    assert routing_match(None, "billing", handed_off=False).value == 0.0
    assert routing_match(None, "billing").value is None
    assert routing_match(None, "billing", handed_off=True).value is None
    assert routing_match("billing", None).value is None
    assert routing_match("billing", None, handoff_expected=True).value == 1.0
    assert routing_match(None, None, handoff_expected=True, handed_off=True).value == 1.0
    assert routing_match(None, None, handoff_expected=True, handed_off=False).value == 0.0
    assert routing_match(None, None, handoff_expected=False, handed_off=False).value == 1.0
    assert routing_match("billing", None, handoff_expected=False).value == 0.0
    assert routing_match(None, None, handoff_expected=False).value is None


@pytest.mark.parametrize(
    "calls", ["text", [1], [{"args": {}}], [{"name": "a", "args": []}], {"name": "a"}, [{"name": 1}]]
)
def test_malformed_calls_are_refused(calls: object) -> None:
    with pytest.raises(TypeError):
        tool_call_f1(calls, [NY])  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        tool_call_f1([NY], calls)  # type: ignore[arg-type]


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="compare arguments"):
        tool_call_f1([NY], [NY], args="fuzzy")  # type: ignore[arg-type]


def test_bottomless_and_non_finite_arguments_are_refused() -> None:
    deep: object = 1
    for _ in range(5000):
        deep = [deep]
    for args in ({"a": deep}, {"a": float("nan")}, {"a": float("inf")}, {"a": {1, 2}}, {"a": {1: 2}}):
        with pytest.raises((ValueError, TypeError)):
            tool_call_f1([{"name": "t", "args": args}], [NY])


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(-3, 3), st.text("ab1", max_size=2)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=1), inner, max_size=3),
    max_leaves=8,
)


def normal_form(value: object) -> object:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return int(value) if value == int(value) else value
    if isinstance(value, list):
        return [normal_form(member) for member in value]
    assert isinstance(value, dict)
    return {key: normal_form(member) for key, member in value.items()}


@given(json_values, json_values)
def test_json_equality_is_that_of_canonical_text(left: object, right: object) -> None:
    texts = [json.dumps(normal_form(value), sort_keys=True) for value in (left, right)]
    assert json_equal(left, right) == (texts[0] == texts[1])
    assert json_equal(left, json.loads(json.dumps(left)))


calls_lists = st.lists(
    st.builds(call, st.sampled_from("ab"), x=st.sampled_from([1, 1.0, True, "1", None, {"k": 1}])), max_size=6
)


@given(calls_lists, calls_lists, st.sampled_from(["exact", "superset", "subset", "ignore"]))
def test_every_value_lies_between_0_and_1_and_identity_is_1(
    left: list[Call], right: list[Call], mode: str
) -> None:
    for metric in ALL_WITH_MODES:
        assert 0.0 <= metric(left, right, mode).value <= 1.0
        assert metric(left, left, mode).value == 1.0
    value = tool_argument_score(left, right).value
    assert value is not None
    assert 0.0 <= value <= 1.0
    assert tool_argument_score(left, left).value == 1.0
    assert tool_call_f1(left, right, args=mode).value == tool_call_f1(left[::-1], right, args=mode).value  # type: ignore[arg-type]


def test_pairings_are_those_of_a_full_search() -> None:
    rng = random.Random(2)
    for _ in range(300):
        rows, columns = rng.randint(0, 5), rng.randint(1, 5)
        matches = [[j for j in range(columns) if rng.random() < 0.4] for _ in range(rows)]
        weights = [[rng.random() for _ in range(columns)] for _ in range(rows)]
        slots = [*range(columns), *([None] * rows)]
        choices = list(set(itertools.permutations(slots, rows)))
        most = max(sum(j is not None and j in matches[i] for i, j in enumerate(choice)) for choice in choices)
        best = max(sum(weights[i][j] for i, j in enumerate(choice) if j is not None) for choice in choices)
        assert len(maximum_matching(matches)) == most
        assert best_total(weights) == pytest.approx(best)


@given(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(0, 3), max_size=12))
def test_common_subsequence_is_that_of_the_plain_algorithm(left: list[int], right: list[int]) -> None:
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    matches = [[j for j, b in enumerate(right) if a == b] for a in left]
    assert longest_common_subsequence(matches, len(right)) == table[-1][-1]


def test_arguments_that_hold_a_part_over_and_over_are_refused() -> None:
    tower: dict[str, Any] = {}
    for _ in range(40):
        tower = {"left": tower, "right": tower}
    again: dict[str, Any] = {}
    again["again"] = again
    for args in (tower, again):
        for compare in (json_equal, argument_score):
            with pytest.raises(MetricValueError, match="the same parts, or itself"):
                compare(args, args)
        with pytest.raises(MetricValueError, match="the same parts, or itself"):
            coerce_arguments(args, {"properties": {}})
        for measure in (tool_argument_score, tool_call_f1):
            with pytest.raises(MetricValueError, match="the same parts, or itself"):
                measure([call("w", **args)], [call("w", **args)])


arguments = st.dictionaries(st.sampled_from("xyz"), st.integers(0, 2), max_size=2)
named_calls = st.lists(
    st.builds(lambda name, args: {"name": name, "args": args}, st.sampled_from("ab"), arguments), max_size=4
)


def best_in_order(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> float:
    """The greatest total over all ways to pair calls in order."""
    if not ours or not theirs:
        return 0.0
    skipped = max(best_in_order(ours[1:], theirs), best_in_order(ours, theirs[1:]))
    if ours[0]["name"] != theirs[0]["name"]:
        return skipped
    worth = argument_score(ours[0]["args"], theirs[0]["args"]).value
    assert worth is not None
    return max(skipped, worth + best_in_order(ours[1:], theirs[1:]))


@given(named_calls, named_calls)
def test_the_sequence_score_is_that_of_the_best_pairing_in_order(
    predicted: list[dict[str, Any]], expected: list[dict[str, Any]]
) -> None:
    found = tool_sequence_score(predicted, expected).value
    longer = max(len(predicted), len(expected))
    assert found == pytest.approx(best_in_order(predicted, expected) / longer if longer else 1.0)
    in_order = tool_calls_in_order(predicted, expected).value
    assert found is not None
    assert in_order is not None
    assert found >= in_order - 1e-12
    assert tool_sequence_score(predicted, None).value is None
