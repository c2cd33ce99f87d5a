"""How far an answer is covered by its contexts, sentence by sentence, without a model.

score = 0.4 U + 0.4 W + 0.2 B: terms found anywhere, terms found together, neighbours kept. See
`groundedness`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from evalcontract.metrics._result import MetricScore
from evalcontract.metrics._sentences import blank_markers, sentence_spans
from evalcontract.metrics._terms import Term, sentence_terms
from evalcontract.metrics.contexts import ContextIndex, Passage, as_index, require_text


@dataclass(frozen=True, slots=True)
class MissingTerm:
    """A term of the answer that stands in no context: its surface form and its offsets in the answer."""

    text: str
    start: int
    end: int
    is_number_or_name: bool


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """One answer sentence: its span in the answer, its score (None without a scorable term), and gaps."""

    text: str
    start: int
    end: int
    score: float | None
    missing: tuple[MissingTerm, ...]

    @property
    def unsupported_numbers_names(self) -> tuple[str, ...]:
        """Surface forms of the missing terms that are numbers or names."""
        return tuple(term.text for term in self.missing if term.is_number_or_name)


@dataclass(frozen=True, slots=True)
class GroundednessScore(MetricScore):
    """A MetricScore that also says which sentences, numbers and names are unsupported."""

    sentences: tuple[SentenceScore, ...] = ()

    @property
    def unsupported_numbers_names(self) -> tuple[str, ...]:
        """Surface forms of the answer's numbers and names that stand in no context, in order, once each."""
        return tuple(dict.fromkeys(n for s in self.sentences for n in s.unsupported_numbers_names))


def groundedness(answer: str, contexts: Sequence[object] | ContextIndex) -> GroundednessScore:
    """Share of the answer that its contexts cover: 0.4 U + 0.4 W + 0.2 B, in [0, 1].

    U: weight of the distinct answer terms found in any context / weight of all of them. W: per answer
    sentence, the greatest weight found inside one run of 5 consecutive sentences of one context; summed over
    the sentences / total weight. B: neighbouring term pairs of the answer that are neighbours in some context
    sentence / all pairs (U if there are none). Numbers and names weigh 2, other terms 1.

    None when the answer has no scorable term; 0 when it has and there is no context. Raises MetricTypeError
    (a TypeError) for an answer that is no string or contexts that are neither strings nor objects with
    `text`.

    It can't see what words don't show: an edit made of words that stand in the context scores near chance,
    and no pass/fail threshold fits all kinds of data.
    """
    index = as_index(contexts)
    blanked = blank_markers(require_text(answer, "answer"))
    spans = sentence_spans(blanked)
    sentences = [sentence_terms(blanked[start:end], start) for start, end in spans]
    weights = _weights(term for terms in sentences for term in terms)
    passages = index.passages
    found = {key for key in weights if any(key in passage.postings for passage in passages)}
    scored = [_Coverage(terms, weights, found, passages) for terms in sentences]
    details: dict[str, Any] = {}
    value: float | None = None
    if weights:
        term_share = _covered(weights, found) / sum(weights.values())
        window_share = sum(s.window for s in scored) / sum(s.total for s in scored)
        pair_share = _pair_share([pair for s in scored for pair in s.pairs], passages, term_share)
        value = _blend(term_share, window_share, pair_share)
        details = {"terms": term_share, "windows": window_share, "pairs": pair_share}
    reports = tuple(
        SentenceScore(answer[start:end], start, end, s.score(passages), _missing(answer, s.terms, found))
        for (start, end), s in zip(spans, scored, strict=True)
    )
    details["sentences"] = [_as_plain(report) for report in reports]
    details["unsupported_numbers_names"] = list(
        dict.fromkeys(name for report in reports for name in report.unsupported_numbers_names)
    )
    reason = None
    if value is None:
        reason = "the answer has no scorable term"
    elif not index.texts:
        reason = "there is no context"
    return GroundednessScore(value, reason, details, reports)


class _Coverage:
    """What the contexts cover of one answer sentence."""

    __slots__ = ("found", "pairs", "terms", "total", "weights", "window")

    def __init__(
        self, terms: list[Term], weights: dict[str, int], found: set[str], passages: Sequence[Passage]
    ) -> None:
        self.terms = terms
        self.weights = {term.key: weights[term.key] for term in terms}
        self.found = found
        self.total = sum(self.weights.values())
        self.pairs = [(a.key, b.key) for a, b in pairwise(terms)]
        self.window = 0
        for passage in passages:
            self.window = max(self.window, passage.best_window(self.weights, self.window))

    def score(self, passages: Sequence[Passage]) -> float | None:
        if not self.total:
            return None
        term_share = _covered(self.weights, self.found) / self.total
        return _blend(term_share, self.window / self.total, _pair_share(self.pairs, passages, term_share))


def _blend(term_share: float, window_share: float, pair_share: float) -> float:
    return min(1.0, 0.4 * term_share + 0.4 * window_share + 0.2 * pair_share)


def _weights(terms: Iterable[Term]) -> dict[str, int]:
    weights: dict[str, int] = {}
    for term in terms:
        weights[term.key] = max(term.weight, weights.get(term.key, 0))
    return weights


def _covered(weights: dict[str, int], found: set[str]) -> int:
    return sum(weight for key, weight in weights.items() if key in found)


def _pair_share(pairs: list[tuple[str, str]], passages: Sequence[Passage], otherwise: float) -> float:
    if not pairs:
        return otherwise
    kept = sum(1 for pair in pairs if any(pair in passage.neighbours for passage in passages))
    return kept / len(pairs)


def _missing(answer: str, terms: list[Term], found: set[str]) -> tuple[MissingTerm, ...]:
    merged: list[MissingTerm] = []
    for term in terms:
        if term.key in found:
            continue
        start, is_number_or_name = term.start, term.is_number_or_name
        if merged and term.start < merged[-1].end:  # overlapping bigrams are shown as one run
            last = merged.pop()
            start, is_number_or_name = last.start, is_number_or_name or last.is_number_or_name
        merged.append(MissingTerm(answer[start : term.end], start, term.end, is_number_or_name))
    return tuple(merged)


def _as_plain(report: SentenceScore) -> dict[str, Any]:
    return {
        "start": report.start,
        "end": report.end,
        "score": report.score,
        "missing": [{"text": m.text, "start": m.start, "end": m.end} for m in report.missing],
        "unsupported_numbers_names": list(report.unsupported_numbers_names),
    }
