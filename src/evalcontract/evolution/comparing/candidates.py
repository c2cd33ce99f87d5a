"""Scalars at and around what schemas say of scalars: some of them are where two schemas part."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from evalcontract.evolution.comparing.parts import Node
from evalcontract.evolution.comparing.values import BOUNDS, COUNTS, NUMBER_KEYWORDS

MAX_TEXT = 4000
LETTERS = re.compile(r"[A-Za-z0-9]+")


def interesting(parts: Node, matching: Callable[[str], list[str]]) -> list[Any]:
    """Scalars at and around everything that the parts say of scalars; `matching` gives strings for a pattern."""
    bounds = [part.keywords[name] for part in parts for name in NUMBER_KEYWORDS if name in part.keywords]
    patterns = dict.fromkeys(part.keywords["pattern"] for part in parts if "pattern" in part.keywords)
    texts = [text for pattern in patterns for text in matching(pattern)]
    return [
        *(None, False, True, 0, 1, -1, 0.5, -0.5),
        *(math.floor(bound) + step for bound in bounds for step in (-1, 0, 1, 2)),
        *(bound + step for bound in bounds for step in (-0.25, 0, 0.25)),
        *_multiples(parts),
        *("a" * length for length in sorted({0, 1, *near(parts, "string", MAX_TEXT)})),
        *("0", " ", "A", "-", "\n", "\u00e9", "\U0001f600"),
        *(close for text in texts for close in (text, text[:-1], f"{text}x", f"-{text}")),
        *(word for pattern in patterns for word in LETTERS.findall(pattern)[:5]),
        *(value for part in parts for value in part.listed or () if not isinstance(value, dict | list)),
    ]


def near(parts: Node, kind: str, limit: int) -> Iterator[int]:
    """Lengths at, just under and just over what the parts say."""
    for bound in (
        int(part.keywords[name]) for part in parts for name in COUNTS[kind] if name in part.keywords
    ):
        yield from (count for count in (bound - 1, bound, bound + 1) if 0 <= count <= limit)


def _multiples(parts: Node) -> Iterator[int | float]:
    """Numbers that are multiples of what some parts say and not of what others say, by the bounds that there are."""
    factors = {Fraction(str(part.keywords["multipleOf"])) for part in parts if "multipleOf" in part.keywords}
    names = [name for side in BOUNDS.values() for name in side]
    bounds = {Fraction(str(part.keywords[name])) for part in parts for name in names if name in part.keywords}
    for factor in sorted(factors):
        for start in sorted(bounds | {Fraction(0)}):
            near = [(start // factor + step) * factor for step in (-1, 0, 1, 2)]
            for number in (*near, start + factor / 2, start - factor / 2):
                yield int(number) if number.denominator == 1 else float(number)
