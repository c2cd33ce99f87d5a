"""What stands in the way of a proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from evalcontract.evolution.codes import Code
from evalcontract.evolution.values import TYPES

Path: TypeAlias = tuple[str | int | None, ...]
"""Where in a document: a key, an array index, None for any other key or element."""


class GaveUp(Exception):
    """The prover stops without an answer; the message says why."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What didn't follow from the left side: where in a document, where in both schemas, and a sentence."""

    code: Code
    path: Path
    keyword: str
    left: str
    right: str
    sentence: str


def type_names(kinds: frozenset[str]) -> str:
    """The types as JSON Schema calls them, numbers that are not whole by what they are."""
    whole = "integer" in kinds
    names = {"fraction": "number" if whole else "numbers with a fraction"}
    return " or ".join(
        names.get(kind, kind)
        for kind in TYPES
        if kind in kinds and (kind != "integer" or "fraction" not in kinds)
    )
