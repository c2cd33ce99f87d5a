"""Answers against references after SQuAD's normalisation, in every script; the best over references counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from evalcontract.metrics._normalised import normalise_answer
from evalcontract.metrics._references import best_of
from evalcontract.metrics._result import MetricScore, overlap_scores
from evalcontract.texts import has_unspaced, split_run


def answer_exact_match(answer: str, references: str | Sequence[str] | None) -> MetricScore:
    """1 if the normalised answer equals a normalised reference, else 0; both empty: 1.

    Normalisation (SQuAD v1.1): fold case, drop punctuation and the articles a, an, the, collapse white space.
    What tells numbers and names apart stays: signs (-5), points, colons, slashes and dashes between digits
    (3.14, 10:30, 1/2, 5-10), operators (!= is ≠, <= is ≤, 2**3 is 2^3), per cent and currency signs at a number
    (50 % is 50%, 5 € is €5, and neither is the bare number) and the marks of C++ and C#. Digits grouped in any usual
    way are one number. An answer of articles only keeps them, and texts without letters or digits are
    compared as they are.
    """
    return _normalised(answer, references, lambda ours, theirs: float(ours == theirs))


def answer_f1(answer: str, references: str | Sequence[str] | None) -> MetricScore:
    """F1 over the multisets of normalised tokens; both empty: 1, one empty: 0.

    Tokens are words, and pairs of letters in scripts written without spaces. Normalisation as in
    `answer_exact_match`.
    """
    return _normalised(answer, references, lambda ours, theirs: _overlap(ours, theirs)[2])


def answer_recall(answer: str, references: str | Sequence[str] | None) -> MetricScore:
    """Tokens of the reference found in the answer / tokens of the reference, as multisets; both empty: 1, one empty: 0.

    What a longer answer says beside the reference doesn't count against it. Tokens as in `answer_f1`.
    """
    return _normalised(answer, references, lambda ours, theirs: _overlap(ours, theirs)[1])


def answer_contains(answer: str, references: str | Sequence[str] | None) -> MetricScore:
    """1 if a normalised reference stands in the normalised answer as whole words, else 0; both empty: 1, one empty: 0.

    In scripts written without spaces it may begin and end anywhere.
    """
    return _normalised(answer, references, _contains)


def _normalised(
    answer: str, references: str | Sequence[str] | None, compare: Callable[[str, str], float]
) -> MetricScore:
    return best_of(
        answer, references, lambda ours, theirs: compare(normalise_answer(ours), normalise_answer(theirs))
    )


def _contains(ours: str, theirs: str) -> float:
    if not ours or not theirs:
        return float(ours == theirs)
    start = ours.find(theirs)
    while start >= 0:
        if _is_edge(ours, start) and _is_edge(ours, start + len(theirs)):
            return 1.0
        start = ours.find(theirs, start + 1)
    return 0.0


def _is_edge(text: str, place: int) -> bool:
    """Whether a word may begin or end at a place of a normalised text."""
    if place in (0, len(text)):
        return True
    before, after = text[place - 1], text[place]
    return " " in (before, after) or has_unspaced(before + after)


def _overlap(ours: str, theirs: str) -> tuple[float, float, float]:
    mine, wanted = _tokens(ours), _tokens(theirs)
    hits = (Counter(mine) & Counter(wanted)).total()
    return overlap_scores(hits, len(mine), len(wanted))


def _tokens(normalised: str) -> list[str]:
    tokens: list[str] = []
    for piece in normalised.split():
        tokens.extend(split_run(piece) if has_unspaced(piece) else [piece])
    return tokens
