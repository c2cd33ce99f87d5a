"""The second formula of groundedness as one would write it down: slow, without an index, a cache or a short cut."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

from evalcontract.metrics._sentences import blank_markers, sentence_spans
from evalcontract.metrics._terms import _ASCII_TERM, _keys, _unicode_matches
from evalcontract.texts.folding import bigrams, normalise


def terms(text: str) -> list[tuple[str, int]]:
    """(key, weight) of each kept term; found by searching the whole text, not stretch by stretch."""
    text = normalise(text).replace("_", " ")
    found: list[tuple[str, int]] = []
    matches = list(_ASCII_TERM.finditer(text) if text.isascii() else _unicode_matches(text))
    for number, match in enumerate(matches):
        surface = match.group()
        if any(character.isdecimal() for character in surface):
            weight = 3
        elif number > 0 and surface != surface.lower():
            weight = 2
        else:
            weight = 1
        keys = bigrams(surface) if match.lastgroup else _keys(surface)
        found += [(key, weight) for key in keys]
    return found


def groundedness(answer: str, contexts: Sequence[str]) -> tuple[float | None, list[float | None]]:
    """The score of the answer, and those of its sentences."""
    read = [[key for key, _ in terms(blank_markers(context))] for context in contexts]
    blanked = blank_markers(answer)
    parts = [sentence(terms(blanked[start:end]), read) for start, end in sentence_spans(blanked)]
    scored = [part for part in parts if part is not None]
    if not scored:
        return None, [None for _ in parts]
    total = sum(weight for _, weight in scored)
    coverage = sum(c * weight for c, weight in scored) / total
    return score(coverage, total), [None if part is None else score(*part) for part in parts]


def score(coverage: float, weight: int) -> float:
    return 1.0 if coverage == 1 else coverage / (coverage + (1 - coverage) * sqrt(weight / 25))


def sentence(terms_in_order: list[tuple[str, int]], contexts: list[list[str]]) -> tuple[float, int] | None:
    """(c, T) of one sentence."""
    if not terms_in_order:
        return None
    weights: dict[str, int] = {}
    for key, weight in terms_in_order:
        weights[key] = max(weight, weights.get(key, 0))
    total = sum(weights.values())
    found = {key for key in weights if any(key in context for context in contexts)}
    anywhere = sum(weights[key] for key in found) / total
    windows = [set(context[i : i + 80]) for context in contexts for i in range(max(1, len(context) - 79))]
    together = max((sum(weights[key] for key in found & w) for w in windows), default=0) / total
    keys = [key for key, _ in terms_in_order]
    pairs = list(pairwise(keys))
    if pairs:
        worth = sum((weights[a] + weights[b]) * kept(a, b, contexts) for a, b in pairs if {a, b} <= found)
        links = worth / sum(weights[a] + weights[b] for a, b in pairs)
    else:
        links = together
    lacking = any(weights[key] > 1 for key in weights if key not in found)
    return (0.8 if lacking else 1) * (anywhere + together) / 2 * (1 + links) / 2, total


def kept(first: str, second: str, contexts: list[list[str]]) -> float:
    """1, 1/2 or 0 for a pair of neighbours."""
    if first == second:
        return 1.0
    distances = [
        j - i
        for context in contexts
        for i, a in enumerate(context)
        if a == first
        for j, b in enumerate(context)
        if b == second
    ]
    if any(1 <= distance <= 2 for distance in distances):
        return 1.0
    return 0.5 if any(abs(distance) <= 4 for distance in distances) else 0.0
