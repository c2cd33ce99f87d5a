"""How far an answer is covered by its contexts, sentence by sentence, without a model: see `groundedness`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from math import fsum, sqrt
from typing import Any

from evalcontract.metrics._coverage import Evidence
from evalcontract.metrics._result import MetricScore
from evalcontract.metrics._sentences import blank_markers, sentence_spans
from evalcontract.metrics._terms import Term, sentence_keys, terms_outside
from evalcontract.metrics.contexts import ContextIndex, as_index, require_text

GROUNDEDNESS_FORMULA = 2
"""The number of the formula: scores of different ones are not comparable."""

_USUAL_WEIGHT = 25
"""An answer of this weight scores what its contexts cover; a longer one less, a shorter one more."""


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


class GroundednessScore(MetricScore):
    """A MetricScore that also says which sentences, numbers and names are unsupported.

    `sentences` may be given as a function: the explanation is then worked out when it is first asked for.
    `details` holds the same as plain JSON data.
    """

    __slots__ = ("_sentences",)

    _sentences: tuple[SentenceScore, ...] | Callable[[], tuple[SentenceScore, ...]]

    def __init__(
        self,
        value: float | None,
        reason: str | None = None,
        sentences: tuple[SentenceScore, ...] | Callable[[], tuple[SentenceScore, ...]] = (),
    ) -> None:
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "reason", reason)
        object.__setattr__(self, "_sentences", sentences)
        self.__post_init__()

    def __reduce__(self) -> tuple[object, ...]:
        return GroundednessScore, (self.value, self.reason, self.sentences)

    def because(self, reason: str | None) -> GroundednessScore:
        """The same score with another reason."""
        return GroundednessScore(self.value, reason, self._sentences)

    @property
    def sentences(self) -> tuple[SentenceScore, ...]:
        """Each sentence of the answer with its score, its span and what the contexts lack of it."""
        sentences = self._sentences
        if callable(sentences):
            sentences = sentences()
            object.__setattr__(self, "_sentences", sentences)
        return sentences

    @property
    def unsupported_numbers_names(self) -> tuple[str, ...]:
        """Surface forms of the answer's numbers and names that stand in no context, in order, once each."""
        return tuple(dict.fromkeys(n for s in self.sentences for n in s.unsupported_numbers_names))

    @property
    def details(self) -> dict[str, Any]:
        """The sentences and the unsupported numbers and names."""
        return {
            "sentences": [_as_plain(sentence) for sentence in self.sentences],
            "unsupported_numbers_names": list(self.unsupported_numbers_names),
        }


def groundedness(answer: str, contexts: Sequence[object] | ContextIndex) -> GroundednessScore:
    """How far the contexts cover the answer, in [0, 1] (second formula).

    A term with a digit weighs 3, one with a capital that isn't the first of its sentence 2, any other 1. Per
    answer sentence, T is the weight of its distinct terms; U the weight of those found in any context / T; W
    the greatest weight of them inside 80 consecutive terms of one context / T; L is taken over its neighbours,
    each pair by its weight: 1 if both stand in a context and the second follows the first within 2
    terms or is the same, 1/2 if they stand within 4 of each other, else 0 (W if it has one term only). f is
    0.8 if a term of weight above 1 stands in no context, else 1. c = f (U + W)/2 (1 + L)/2. An answer's c is
    the mean of those of its sentences by T, and its T is their sum. The score is c / (c + (1 - c)
    sqrt(T / 25)): what a long answer leaves unsupported weighs more. Another context never lowers it.

    None when the answer has no scorable term; 0 when it has and there is no context. Raises MetricTypeError
    (a TypeError) for an answer that is no string or contexts that are neither strings nor objects with
    `text`.

    It can't see what words don't show: an edit made of words that stand in the context scores near chance,
    and no pass/fail threshold fits all kinds of data. Scores aren't comparable with those of version 0.1.
    """
    index = as_index(contexts)
    blanked = blank_markers(require_text(answer, "answer"))
    spans = sentence_spans(blanked)
    read = [sentence_keys(blanked[start:end]) for start, end in spans]
    wanted: dict[str, int] = {}
    for _, weights in read:
        wanted.update(weights)
    evidence = Evidence(index.postings.row, index.postings.places(wanted))
    scores: list[float | None] = []
    parts: list[float] = []
    total = 0
    for keys, weights in read:
        if not weights:
            scores.append(None)
            continue
        weight = sum(weights.values())
        coverage = evidence.coverage(keys, weights)
        scores.append(_score(coverage, weight))
        parts.append(coverage * weight)
        total += weight
    explain = partial(_explained, answer, blanked, spans, read, scores, evidence.places.keys())
    if not total:
        return GroundednessScore(None, "the answer has no scorable term", explain)
    reason = None if index.texts else "there is no context"
    return GroundednessScore(_score(min(1.0, fsum(parts) / total), total), reason, explain)


def _score(coverage: float, weight: int) -> float:
    if not coverage:
        return 0.0
    return coverage / (coverage + (1 - coverage) * sqrt(weight / _USUAL_WEIGHT))


def _explained(
    answer: str,
    blanked: str,
    spans: Sequence[tuple[int, int]],
    read: Sequence[tuple[Sequence[str], Mapping[str, int]]],
    scores: Sequence[float | None],
    found: AbstractSet[str],
) -> tuple[SentenceScore, ...]:
    sentences = []
    for (start, end), (_, weights), score in zip(spans, read, scores, strict=True):
        lacking = not found >= weights.keys()
        missing = _merged(answer, terms_outside(blanked[start:end], start, found)) if lacking else ()
        sentences.append(SentenceScore(answer[start:end], start, end, score, missing))
    return tuple(sentences)


def _merged(answer: str, terms: Sequence[Term]) -> tuple[MissingTerm, ...]:
    """The terms as they stand in the answer; overlapping bigrams are one run."""
    merged: list[MissingTerm] = []
    for term in terms:
        start, is_number_or_name = term.start, term.is_number_or_name
        if merged and start < merged[-1].end:
            last = merged.pop()
            start, is_number_or_name = last.start, is_number_or_name or last.is_number_or_name
        merged.append(MissingTerm(answer[start : term.end], start, term.end, is_number_or_name))
    return tuple(merged)


def _as_plain(sentence: SentenceScore) -> dict[str, Any]:
    return {
        "start": sentence.start,
        "end": sentence.end,
        "score": sentence.score,
        "missing": [{"text": m.text, "start": m.start, "end": m.end} for m in sentence.missing],
        "unsupported_numbers_names": list(sentence.unsupported_numbers_names),
    }
