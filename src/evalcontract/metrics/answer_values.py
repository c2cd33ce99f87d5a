"""Answers that are values: numbers within a text, and JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from math import fsum, isfinite
from typing import Any

from evalcontract.errors import MetricValueError
from evalcontract.metrics._json import json_equal, json_in
from evalcontract.metrics._numbers import GROUPED_BY_MARK, SPACED, ungrouped
from evalcontract.metrics._references import best_of
from evalcontract.metrics._result import MetricScore
from evalcontract.texts import normalise

_MINUS = str.maketrans(
    dict.fromkeys("\u2212\ufe63\u2010\u2011\u2012\u2013", "-") | {"\u2044": "/", "\u2215": "/"}
)
_NUMBER = re.compile(
    rf"(?P<sign>(?<![\w.,)\]])[-+]\s?(?=[$\u20ac\u00a3\u00a5]?\.?\d))?[$\u20ac\u00a3\u00a5]?"
    rf"(?P<number>{SPACED}|{GROUPED_BY_MARK}|(?<![\w.])\.\d+)(?:[eE](?P<exponent>[-+]?\d{{1,3}})(?!\w))?"
    r"(?:\s?/\s?(?P<below>\d{1,9})(?![\d/.,]))?"
)
_FENCES = ("```", "~~~")
_FRACTIONS = re.compile("(?<=\\d)(?=[\u00bc-\u00be\u2150-\u215e])")

NO_NUMBER = "no reference holds a number"
NO_JSON = "no reference is a JSON object or array"


def number_match(answer: str, references: str | Sequence[str] | None, tolerance: float = 0.0) -> MetricScore:
    """Numbers of the reference found in the answer / numbers of the reference; each of the answer's counts once.

    Two numbers are the same when they differ by at most `tolerance` times the reference's: 0.01 allows one per cent.
    Digits may be grouped in any usual way; 1/2 is 0.5; signs count; 10:30 is two numbers, number words are none, and
    units don't count: 50 % is 50.
    None when no reference holds a number. Raises MetricValueError for a tolerance that is no number of at least 0.
    """
    check_tolerance(tolerance)
    ours = numbers_in(answer) if isinstance(answer, str) else []

    def compare(_: str, reference: str) -> float | None:
        wanted = numbers_in(reference)
        if not wanted:
            return None
        return _paired(ours, wanted, tolerance) / len(wanted)

    return best_of(answer, references, compare, NO_NUMBER)


def json_match(answer: str, references: str | Sequence[str] | None) -> MetricScore:
    """How far an answer that is JSON agrees with a reference that is: 1 if they are equal, 0 if it is no JSON.

    Objects: the agreement of the keys that both have / all keys; arrays: that of the places / the longer length; both
    nested. Numbers, texts and literals agree when they are equal as JSON. A fence around the answer is taken off.
    None when no reference is a JSON object or array.
    """

    def compare(ours: str, reference: str) -> float | None:
        wanted = _parsed(reference)
        if not isinstance(wanted, dict | list):
            return None
        return min(1.0, _agreement(_parsed(ours), wanted))

    return best_of(answer, references, compare, NO_JSON)


def check_tolerance(tolerance: object) -> None:
    """MetricValueError unless it is a finite number of at least 0."""
    if (
        not isinstance(tolerance, int | float)
        or isinstance(tolerance, bool)
        or not isfinite(tolerance)
        or tolerance < 0
    ):
        raise MetricValueError(f"the tolerance must be a number of at least 0, not {tolerance!r}")


def numbers_in(text: str) -> list[float]:
    """The numbers of a text in order; of a date or an address each part."""
    found: list[float] = []
    for match in _NUMBER.finditer(normalise(_FRACTIONS.sub(" ", text)).translate(_MINUS)):
        parts = ungrouped(match["number"])
        if parts is None:
            found += filter(isfinite, map(float, re.findall(r"\d+", match["number"])))
            continue
        value = float(f"{parts[0] or '0'}.{parts[1] or '0'}e{match['exponent'] or '0'}")
        below = float(match["below"] or 1)
        if isfinite(value):
            found.append((-value if match["sign"] and match["sign"][0] == "-" else value) / (below or 1))
    return found


def _paired(ours: Sequence[float], wanted: Sequence[float], tolerance: float) -> int:
    """The most pairs of a number of ours and a wanted one near it, each used once.

    From the lowest of ours up, each takes the wanted one near it whose neighbourhood ends first.
    """
    near = sorted((want - _reach(want, tolerance), want + _reach(want, tolerance)) for want in wanted)
    open_: list[float] = []
    begun = paired = 0
    for number in sorted(ours):
        while begun < len(near) and near[begun][0] <= number:
            heappush(open_, near[begun][1])
            begun += 1
        while open_ and open_[0] < number:
            heappop(open_)
        if open_:
            heappop(open_)
            paired += 1
    return paired


def _reach(want: float, tolerance: float) -> float:
    """How far off a number may lie; two ways to write one, a fraction and a decimal, differ by rounding."""
    return (tolerance + 1e-12) * abs(want)


_NOTHING = object()
"""What a text is that is no JSON object or array."""


def _parsed(text: str) -> Any:
    body = text.strip()
    if body.startswith(_FENCES) and body.endswith(_FENCES) and "\n" in body:
        body = body[body.index("\n") : -3]
    if not body.lstrip().startswith(("{", "[")):
        return _NOTHING
    try:
        return json_in(body)
    except MetricValueError:
        return _NOTHING


def _agreement(have: object, want: object) -> float:
    if isinstance(have, Mapping) and isinstance(want, Mapping):
        union = have.keys() | want.keys()
        both = have.keys() & want.keys()
        return fsum(_agreement(have[key], want[key]) for key in both) / len(union) if union else 1.0
    if isinstance(have, list) and isinstance(want, list):
        longer = max(len(have), len(want))
        pairs = zip(have, want, strict=False)
        return fsum(_agreement(mine, other) for mine, other in pairs) / longer if longer else 1.0
    return float(have is not _NOTHING and json_equal(have, want))
