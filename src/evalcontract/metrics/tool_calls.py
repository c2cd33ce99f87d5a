"""Tool calls and routing: what an agent called, against what it was expected to call.

A call is `{"name": ..., "args": {...}}`. Arguments are compared as JSON (key order ignored, list order kept,
1 == 1.0, "1" != 1, true != 1, absent != null) in one of four modes: `exact` (default); `superset`, the
predicted arguments hold every expected one and may hold more; `subset`, every predicted argument is an
expected one; `ignore`, names only.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Literal

from evalcontract.errors import MetricTypeError, MetricValueError
from evalcontract.metrics._assignment import best_total, longest_common_subsequence, maximum_matching
from evalcontract.metrics._json import check_sharing, json_key
from evalcontract.metrics._result import MetricScore, overlap_scores, undefined

ArgsMode = Literal["exact", "superset", "subset", "ignore"]
Call = Mapping[str, Any]

NOT_ANNOTATED = "no expected tool calls are annotated"
_MODES = ("exact", "superset", "subset", "ignore")
_MAX_NESTING = 50


def tool_calls_exact(
    predicted: Sequence[Call], expected: Sequence[Call] | None, args: ArgsMode = "exact"
) -> MetricScore:
    """1 if both lists have the same length, the names in the same order and matching args, else 0; both
    empty: 1.
    """
    if expected is None:
        return undefined(NOT_ANNOTATED)
    pairs = _MatchingCalls(predicted, expected, args)
    same = pairs.n_predicted == pairs.n_expected and all(i in row for i, row in enumerate(pairs.matches))
    return MetricScore(1.0 if same else 0.0)


def tool_calls_in_order(
    predicted: Sequence[Call], expected: Sequence[Call] | None, args: ArgsMode = "exact"
) -> MetricScore:
    """Longest common subsequence / the longer list's length; both empty: 1, one empty: 0."""
    if expected is None:
        return undefined(NOT_ANNOTATED)
    pairs = _MatchingCalls(predicted, expected, args)
    longer = max(pairs.n_predicted, pairs.n_expected)
    if not longer:
        return MetricScore(1.0)
    return MetricScore(longest_common_subsequence(pairs.matches, pairs.n_predicted) / longer)


def tool_call_precision(
    predicted: Sequence[Call], expected: Sequence[Call] | None, args: ArgsMode = "exact"
) -> MetricScore:
    """Calls paired by the best one-to-one matching on name and args / predicted calls; both empty: 1, one
    empty: 0.
    """
    return _overlap(predicted, expected, args, 0)


def tool_call_recall(
    predicted: Sequence[Call], expected: Sequence[Call] | None, args: ArgsMode = "exact"
) -> MetricScore:
    """Calls paired by the best one-to-one matching on name and args / expected calls; both empty: 1, one
    empty: 0.
    """
    return _overlap(predicted, expected, args, 1)


def tool_call_f1(
    predicted: Sequence[Call], expected: Sequence[Call] | None, args: ArgsMode = "exact"
) -> MetricScore:
    """Harmonic mean of `tool_call_precision` and `tool_call_recall`."""
    return _overlap(predicted, expected, args, 2)


def argument_score(predicted: Mapping[str, Any], expected: Mapping[str, Any] | None) -> MetricScore:
    """Matched expected keys / union of keys, nested objects scored the same way; both {}: 1."""
    if expected is None:
        return undefined("no expected arguments are annotated")
    check_sharing(predicted, expected)
    return MetricScore(min(1.0, _agreement(predicted, expected, _MAX_NESTING)))


def tool_argument_score(predicted: Sequence[Call], expected: Sequence[Call] | None) -> MetricScore:
    """Mean `argument_score` over the expected calls, each paired with at most one predicted call of its name.

    The pairing is the best one; an expected call without a partner scores 0. Both empty: 1, one empty: 0.
    """
    if expected is None:
        return undefined(NOT_ANNOTATED)
    ours, theirs = _by_name(predicted, "predicted"), _by_name(expected, "expected")
    n_expected = sum(map(len, theirs.values()))
    if not n_expected:
        return MetricScore(0.0 if ours else 1.0)
    total = 0.0
    for name, wanted in theirs.items():
        offered = ours.get(name, [])
        total += best_total([[_agreement(have, want, _MAX_NESTING) for have in offered] for want in wanted])
    return MetricScore(min(1.0, total / n_expected))


def tool_sequence_score(predicted: Sequence[Call], expected: Sequence[Call] | None) -> MetricScore:
    """Total `argument_score` of the best pairing of calls of one name that keeps the order / the longer list's length.

    Like `tool_calls_in_order`, with credit for arguments that are partly right. Both empty: 1, one empty: 0.
    """
    if expected is None:
        return undefined(NOT_ANNOTATED)
    ours, theirs = _checked(predicted, "predicted"), _checked(expected, "expected")
    longer = max(len(ours), len(theirs))
    if not longer:
        return MetricScore(1.0)
    best = [0.0] * (len(ours) + 1)
    for wanted, want in theirs:
        before = best
        best = [0.0]
        for place, (name, have) in enumerate(ours):
            paired = before[place] + _agreement(have, want, _MAX_NESTING) if name == wanted else 0.0
            best.append(max(best[place], before[place + 1], paired))
    return MetricScore(min(1.0, best[-1] / longer))


@dataclass(frozen=True, slots=True)
class CallPair:
    """Calls side by side, by their positions in the two lists; one of them is None for a call that is alone.

    `matched`: they are equal as far as arguments are compared; `argument_score` tells how far the arguments agree.
    """

    expected: int | None
    predicted: int | None
    matched: bool = False
    argument_score: float | None = None


def paired_calls(
    predicted: Sequence[Call], expected: Sequence[Call], args: ArgsMode = "exact"
) -> list[CallPair]:
    """The calls side by side: first what matches one to one, then of the rest the most alike of one name.

    In the order of the expected calls; predicted ones that nothing expects come last.
    """
    ours, theirs = _checked(predicted, "predicted"), _checked(expected, "expected")
    matched = maximum_matching(_MatchingCalls(predicted, expected, args).matches)
    free = [place for place in range(len(ours)) if place not in set(matched.values())]
    pairs = []
    for number, (name, want) in enumerate(theirs):
        place = matched.get(number)
        if place is None:
            alike = [place for place in free if ours[place][0] == name]
            place = max(alike, key=lambda place: _agreement(ours[place][1], want, _MAX_NESTING), default=None)
            if place is not None:
                free.remove(place)
        agreement = None if place is None else min(1.0, _agreement(ours[place][1], want, _MAX_NESTING))
        pairs.append(CallPair(number, place, number in matched, agreement))
    return [*pairs, *(CallPair(None, place) for place in free)]


def routing_match(
    predicted: str | None,
    expected: str | None,
    *,
    handed_off: bool | None = None,
    handoff_expected: bool | None = None,
) -> MetricScore:
    """1 if the conversation went where it should, else 0.

    `predicted` and `handed_off` are what a prediction records: the target, and whether there was a hand-off at
    all; None is "not recorded", and silence then scores nothing. `expected` and `handoff_expected` are what an
    item annotates: False asks that the conversation stays, True without a target that it goes to anyone, and a
    target that it goes there. None when nothing was annotated, or what decides was not recorded.
    """
    went = True if predicted is not None else handed_off
    if handoff_expected is None and expected is None:
        return undefined("no expected hand-off is annotated")
    if went is None:
        return undefined("the prediction doesn't record whether it handed off")
    if handoff_expected is False or expected is None:
        return MetricScore(1.0 if went is (handoff_expected is True) else 0.0)
    if went and predicted is None:
        return undefined("the prediction doesn't record whom it handed off to")
    return MetricScore(1.0 if predicted == expected else 0.0)


def _overlap(
    predicted: Sequence[Call], expected: Sequence[Call] | None, args: ArgsMode, which: int
) -> MetricScore:
    if expected is None:
        return undefined(NOT_ANNOTATED)
    pairs = _MatchingCalls(predicted, expected, args)
    return MetricScore(overlap_scores(pairs.matched(), pairs.n_predicted, pairs.n_expected)[which])


class _MatchingCalls:
    """Which predicted call may stand for which expected call."""

    __slots__ = ("_keys", "matches", "n_expected", "n_predicted")

    def __init__(self, predicted: Sequence[Call], expected: Sequence[Call], mode: ArgsMode) -> None:
        if mode not in _MODES:
            raise MetricValueError(
                f"unknown way to compare arguments {mode!r}", hint=f"one of {', '.join(_MODES)}"
            )
        ours, theirs = _checked(predicted, "predicted"), _checked(expected, "expected")
        self.n_predicted, self.n_expected = len(ours), len(theirs)
        self._keys: tuple[list[Hashable], list[Hashable]] | None = None
        if mode in ("exact", "ignore"):
            keyed = mode == "exact"
            self._keys = (
                [(name, json_key(args) if keyed else None) for name, args in ours],
                [(name, json_key(args) if keyed else None) for name, args in theirs],
            )
            places: defaultdict[Hashable, list[int]] = defaultdict(list)
            for position, key in enumerate(self._keys[0]):
                places[key].append(position)
            self.matches: list[list[int]] = [places.get(key, []) for key in self._keys[1]]
            return
        self.matches = [
            [i for i, (name, have) in enumerate(ours) if name == wanted and _contains(have, want, mode)]
            for wanted, want in theirs
        ]

    def matched(self) -> int:
        """Size of the best one-to-one matching."""
        if self._keys:
            return (Counter(self._keys[0]) & Counter(self._keys[1])).total()
        return len(maximum_matching(self.matches))


def _contains(have: Mapping[str, Any], want: Mapping[str, Any], mode: ArgsMode) -> bool:
    larger, smaller = (have, want) if mode == "superset" else (want, have)
    return all(key in larger and json_key(larger[key]) == json_key(value) for key, value in smaller.items())


def _agreement(have: Mapping[str, Any], want: Mapping[str, Any], levels: int) -> float:
    union = have.keys() | want.keys()
    if not union:
        return 1.0
    return fsum(_value_agreement(have[key], want[key], levels) for key in have.keys() & want.keys()) / len(
        union
    )


def _value_agreement(have: object, want: object, levels: int) -> float:
    if levels and isinstance(have, Mapping) and isinstance(want, Mapping):
        return _agreement(have, want, levels - 1)
    return float(json_key(have) == json_key(want))


def _by_name(calls: Sequence[Call], side: str) -> dict[str, list[Mapping[str, Any]]]:
    grouped: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for name, args in _checked(calls, side):
        grouped[name].append(args)
    return grouped


def _checked(calls: Sequence[Call], side: str) -> list[tuple[str, Mapping[str, Any]]]:
    if isinstance(calls, str | bytes | Mapping) or not isinstance(calls, Sequence):
        raise MetricTypeError(f"{side} tool calls must be a list, not {type(calls).__name__}")
    checked = []
    for position, call in enumerate(calls):
        where = f"{side}[{position}]"
        if not isinstance(call, Mapping) or not isinstance(call.get("name"), str):
            raise MetricTypeError(
                f"{where} must be an object with a name", hint='{"name": "search", "args": {}}'
            )
        args = call.get("args", {})
        if not isinstance(args, Mapping):
            raise MetricTypeError(
                f"{where}.args must be an object, not {type(args).__name__}",
                hint="parse_arguments() reads arguments that came as text",
            )
        check_sharing(args)
        checked.append((call["name"], args))
    return checked
