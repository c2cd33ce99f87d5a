"""Strings that match a pattern."""

from __future__ import annotations

import re
import warnings
from math import prod
from random import Random
from typing import Any

from rstr import Rstr

from evalcontract.errors import SchemaError
from evalcontract.evolution.comparing.reference import matches
from evalcontract.evolution.comparing.work import spend

MAX_LENGTH = 1_000
MAX_REPEATS = 1_000
"""The product of all counts in a pattern, and of three for each group that may be repeated without end."""


class _Strings(Rstr):
    """Repeats at most a few times more than it must."""

    def _handle_repeat(self, start_range: int, end_range: int, value: Any) -> str:
        times = self._random.randint(start_range, min(end_range, start_range + 3))
        return "".join(self._handle_state(state) for _ in range(times) for state in value)


def samples(pattern: str, rng: Random, count: int = 6) -> list[str]:
    """Up to `count` strings that match; none when Python can't read the pattern, or when they could get long."""
    counts = [int(count or 3) for count in re.findall(r"\{([0-9]{1,9})|\)[*+]", pattern)]
    if prod(counts) > MAX_REPEATS or len(pattern) > MAX_LENGTH:
        return []
    spend(3 * count * (4 + len(pattern) // 4))
    strings = _Strings(rng)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's, of syntax that may change
            found = dict.fromkeys(strings.xeger(pattern) for _ in range(3 * count))
        return [text for text in found if _is_text(text) and matches(pattern, text)][:count]
    except (re.error, LookupError, OverflowError, RecursionError, SchemaError):
        return []


def _is_text(text: str) -> bool:
    """Whether no half of a character is in it: those come of ranges that hold them."""
    return not any("\ud800" <= sign <= "\udfff" for sign in text)
