"""Answers against references: exact match and token F1 after SQuAD's normalisation, in every script."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from evalcontract._text import fold, has_unspaced, words
from evalcontract.errors import MetricTypeError
from evalcontract.metrics._result import MetricScore, overlap_scores, undefined
from evalcontract.metrics.contexts import require_text

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_ASCII_PUNCTUATION = re.compile(r"(?<!\d)[.^]|[.^](?!\d)|[!-\-/:-@\[-\]_`{-~]")

NO_REFERENCE = "no reference answer is annotated"


def answer_exact_match(answer: str, references: str | Sequence[str] | None) -> MetricScore:
    """1 if the normalised answer equals a normalised reference, else 0; best over references; both empty: 1.

    Normalisation (SQuAD v1.1): fold case, drop punctuation and the articles a, an, the, collapse white space.
    A point between digits stays, so 3.14 is not 314. Texts without letters or digits are compared as they
    are.
    """
    return _best(answer, references, lambda ours, theirs: 1.0 if ours == theirs else 0.0)


def answer_f1(answer: str, references: str | Sequence[str] | None) -> MetricScore:
    """F1 over the multisets of normalised tokens, best over references; both empty: 1, one empty: 0.

    Tokens are words, and pairs of letters in scripts written without spaces. Normalisation as in
    `answer_exact_match`.
    """
    return _best(answer, references, lambda ours, theirs: _token_f1(_tokens(ours), _tokens(theirs)))


def normalise_answer(text: str) -> str:
    """The text as answers are compared; the stripped text itself when nothing of it is left."""
    folded = _ASCII_PUNCTUATION.sub("", fold(text))
    if not folded.isascii():
        folded = "".join(c for c in folded if c == "." or unicodedata.category(c)[0] != "P")
    return " ".join(_ARTICLES.sub(" ", folded).split()) or ("" if _has_words(text) else text.strip())


def _has_words(text: str) -> bool:
    return any(map(str.isalnum, text))


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
        tokens.extend(words(piece) if has_unspaced(piece) else [piece])
    return tokens


def _token_f1(ours: list[str], theirs: list[str]) -> float:
    hits = (Counter(ours) & Counter(theirs)).total()
    return overlap_scores(hits, len(ours), len(theirs))[2]
