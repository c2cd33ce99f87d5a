"""Answers against references: exact match and token F1 after SQuAD's normalisation, in every script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from evalcontract._text import has_unspaced, split_run
from evalcontract.errors import MetricTypeError
from evalcontract.metrics._normalised import normalise_answer
from evalcontract.metrics._result import MetricScore, overlap_scores, undefined
from evalcontract.metrics.contexts import require_text

NO_REFERENCE = "no reference answer is annotated"


def answer_exact_match(answer: str, references: str | Sequence[str] | None) -> MetricScore:
    """1 if the normalised answer equals a normalised reference, else 0; best over references; both empty: 1.

    Normalisation (SQuAD v1.1): fold case, drop punctuation and the articles a, an, the, collapse white space.
    What tells numbers and names apart stays: signs (-5), points, colons, slashes and dashes between digits
    (3.14, 10:30, 1/2, 5-10), operators and the marks of C++ and C#. Digits grouped in any usual way are one
    number. An answer of articles only keeps them, and texts without letters or digits are compared as they are.
    """
    return _best(answer, references, lambda ours, theirs: 1.0 if ours == theirs else 0.0)


def answer_f1(answer: str, references: str | Sequence[str] | None) -> MetricScore:
    """F1 over the multisets of normalised tokens, best over references; both empty: 1, one empty: 0.

    Tokens are words, and pairs of letters in scripts written without spaces. Normalisation as in
    `answer_exact_match`.
    """
    return _best(answer, references, lambda ours, theirs: _token_f1(_tokens(ours), _tokens(theirs)))


def _best(
    answer: str, references: str | Sequence[str] | None, compare: Callable[[str, str], float]
) -> MetricScore:
    ours = normalise_answer(require_text(answer, "answer"))
    texts = _reference_texts(references)
    if not texts:
        return undefined(NO_REFERENCE)
    return MetricScore(max(compare(ours, normalise_answer(text)) for text in texts))


def _reference_texts(references: str | Sequence[str] | None) -> list[str]:
    if references is None:
        return []
    if isinstance(references, str):
        return [references]
    if isinstance(references, bytes) or not isinstance(references, Sequence):
        raise MetricTypeError(
            f"references must be a string or a list of strings, not {type(references).__name__}"
        )
    return [require_text(reference, f"references[{number}]") for number, reference in enumerate(references)]


def _tokens(normalised: str) -> list[str]:
    tokens: list[str] = []
    for piece in normalised.split():
        tokens.extend(split_run(piece) if has_unspaced(piece) else [piece])
    return tokens


def _token_f1(ours: list[str], theirs: list[str]) -> float:
    hits = (Counter(ours) & Counter(theirs)).total()
    return overlap_scores(hits, len(ours), len(theirs))[2]
