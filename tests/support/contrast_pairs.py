"""Faithful answers and corrupted twins, written by hand in many languages, and how far a metric tells them apart."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from evalcontract.metrics import groundedness


class Pair(NamedTuple):
    language: str
    category: str
    context: str
    faithful: str
    corrupted: str


def load_pairs() -> list[Pair]:
    lines = (
        (Path(__file__).parents[1] / "metrics/data/contrast_pairs.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    return [
        Pair(group["language"], category, group["context"], group["faithful"], corrupted)
        for group in map(json.loads, lines)
        for category, corrupted in group["corrupted"]
    ]


def grounded(pair: Pair, answer: str) -> float:
    """The groundedness of one of the pair's answers."""
    value = groundedness(answer, [pair.context]).value
    assert value is not None
    return value


def told_apart(pairs: Iterable[Pair]) -> float:
    """AUROC: how often a faithful answer scores higher than a corrupted one of any pair, equal scores counted half."""
    found = list(pairs)
    each_once = {pair.faithful: pair for pair in found}.values()
    good = [grounded(pair, pair.faithful) for pair in each_once]
    bad = [grounded(pair, pair.corrupted) for pair in found]
    above = sum((high > low) + (high == low) / 2 for high in good for low in bad)
    return above / (len(good) * len(bad))
