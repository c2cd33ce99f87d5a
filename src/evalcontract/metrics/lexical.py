"""Term-overlap heuristics for a (question, contexts, answer) triple.

On text of ASCII letters and digits the values are those of rag-quality-kit 0.1.0, to the last digit. Beyond
ASCII, words are Unicode words, and scripts written without spaces are compared by pairs of letters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from evalcontract.errors import MetricTypeError
from evalcontract.metrics.contexts import ContextIndex, require_text, words_found
from evalcontract.texts import is_unspaced, words


@dataclass(frozen=True, slots=True)
class QualityResult:
    """Four heuristics in [0, 1], each rounded to 4 places, and their mean."""

    groundedness: float
    context_relevance: float
    answer_relevance: float
    conciseness: float
    overall: float


def score(question: str, contexts: Sequence[object] | ContextIndex, answer: str) -> QualityResult:
    """Score a triple by the overlap of its terms (sets of lowercase alphanumeric runs).

    groundedness: share of answer terms found in any context. context_relevance: share of question terms
    longer than 3 characters found in the contexts. answer_relevance: share of question terms found in the
    answer. conciseness: 1 up to twice the question's term count, falling linearly to 0 at ten times. An empty
    denominator gives 1. Pairs of letters of scripts without spaces count as long terms. Raises
    MetricTypeError (a TypeError) for wrong types.
    """
    question_terms = frozenset(words(require_text(question, "question")))
    answer_terms = frozenset(words(require_text(answer, "answer")))
    supported = words_found(question_terms | answer_terms, contexts)
    grounded = _share(answer_terms, supported)
    relevant = _share(_longer_than(3, question_terms), supported)
    answered = _share(question_terms, answer_terms)
    concise = _conciseness(len(question_terms), len(answer_terms))
    overall = _round((grounded + relevant + answered + concise) / 4)
    return QualityResult(grounded, relevant, answered, concise, overall)


def missing_evidence(answer: str, contexts: Sequence[object] | ContextIndex) -> list[str]:
    """The answer's terms longer than 4 characters that stand in no context, sorted.

    Pairs of letters of scripts without spaces count as long terms. Raises MetricTypeError (a TypeError) for
    wrong types.
    """
    answer_terms = frozenset(words(require_text(answer, "answer")))
    return sorted(_longer_than(4, answer_terms - words_found(answer_terms, contexts)))


def score_rag(triple: Mapping[str, Any] | None = None, /, **named: Any) -> dict[str, float]:
    """The same heuristics under the names of rag-quality-kit's JavaScript sibling.

    Takes `{"query": ..., "answer": ..., "contexts": [...]}` (or the three as keywords) and returns
    `{"retrievalCoverage", "groundedness", "citationCoverage", "score"}`: retrievalCoverage is
    `context_relevance`, citationCoverage is the share of the contexts' `id`s that stand in the answer as
    whole words (1 when no context has an id), score is the mean of the three; all rounded to 4 places.
    """
    given = {**(triple or {}), **named}
    absent = [name for name in ("query", "answer", "contexts") if name not in given]
    if absent:
        raise MetricTypeError(f"score_rag needs {', '.join(absent)}", hint="pass query, answer and contexts")
    contexts = given["contexts"]
    quality = score(given["query"], contexts, given["answer"])
    cited = _citation_coverage(given["answer"], () if isinstance(contexts, ContextIndex) else contexts)
    return {
        "retrievalCoverage": quality.context_relevance,
        "groundedness": quality.groundedness,
        "citationCoverage": cited,
        "score": _round((quality.context_relevance + quality.groundedness + cited) / 3),
    }


def _citation_coverage(answer: str, contexts: Sequence[object]) -> float:
    ids = {
        context["id"]
        for context in contexts
        if isinstance(context, Mapping) and isinstance(context.get("id"), str)
    }
    ids.discard("")
    cited = sum(1 for id_ in ids if re.search(rf"(?<!\w){re.escape(id_)}(?!\w)", answer))
    return _round(cited / len(ids)) if ids else 1.0


def _longer_than(length: int, terms: AbstractSet[str]) -> set[str]:
    return {term for term in terms if len(term) > length or is_unspaced(term)}


def _share(terms: AbstractSet[str], found_in: AbstractSet[str]) -> float:
    return _round(len(terms & found_in) / len(terms)) if terms else 1.0


def _conciseness(question_count: int, answer_count: int) -> float:
    base = max(question_count, 1)
    if answer_count <= 2 * base:
        return 1.0
    if answer_count >= 10 * base:
        return 0.0
    return _round(1.0 - (answer_count - 2 * base) / (8 * base))


def _round(value: float) -> float:
    return round(value * 10000) / 10000
