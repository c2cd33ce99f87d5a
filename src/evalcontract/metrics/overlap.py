"""Answers against references by overlapping sequences: ROUGE-L, chrF and BLEU, each the best over references.

Where the packages that people use print 0 for two empty texts, the value here is 1; one empty text is 0.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import exp, fsum, log

from evalcontract.metrics._assignment import common_length, mask_of
from evalcontract.metrics._references import best_of
from evalcontract.metrics._result import MetricScore, overlap_scores
from evalcontract.texts import UNSPACED, has_unspaced, marks, words

CHARACTERS, RECALL_WEIGHT = 6, 2
"""chrF2: up to six characters, recall weighing twice as much as precision."""
LONGEST = 4
"""BLEU-4: up to four tokens."""

_MARKS_APART = re.compile(r"([!-&(-+/:-@\[-`{-~])")
_POINT_AFTER_OTHER = re.compile(r"([^0-9])([.,])")
_POINT_BEFORE_OTHER = re.compile(r"([.,])([^0-9])")
_DASH_AFTER_DIGIT = re.compile(r"([0-9])(-)")
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def rouge_l(answer: str, references: str | Sequence[str] | None) -> MetricScore:
    """F1 of the longest common subsequence of words (Lin, 2004); on ASCII that of rouge-score, without stemming.

    Words are folded alphanumeric runs, and pairs of letters in scripts written without spaces. Two texts without words
    are compared as they are.
    """
    return best_of(answer, references, _rouge_l_of_texts)


def chrf(answer: str, references: str | Sequence[str] | None) -> MetricScore:
    """chrF2 (Popovic, 2015): F-score over runs of 1 to 6 characters, white space left out; that of sacrebleu / 100.

    Case counts; composed and decomposed letters are the same.
    """
    return best_of(answer, references, lambda ours, theirs: _chrf(_characters(ours), _characters(theirs)))


def bleu(answer: str, references: str | Sequence[str] | None) -> MetricScore:
    """BLEU-4 of one sentence (Papineni et al., 2002), smoothed exponentially; that of sacrebleu's sentence_bleu / 100.

    Tokens are those of mteval-v13a, and letters in scripts written without spaces. Case counts. Made for whole
    corpora: of short answers it says little.
    """
    return best_of(answer, references, lambda ours, theirs: _bleu(_tokens(ours), _tokens(theirs)))


def _rouge_l_of_texts(ours: str, theirs: str) -> float:
    mine, wanted = words(ours), words(theirs)
    return _rouge_l(mine, wanted) if mine or wanted else float(_characters(ours) == _characters(theirs))


def _rouge_l(ours: Sequence[str], theirs: Sequence[str]) -> float:
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(ours):
        places[word].append(place)
    masks = {word: mask_of(where) for word, where in places.items()}
    common = common_length((masks.get(word, 0) for word in theirs), len(ours))
    return overlap_scores(common, len(ours), len(theirs))[2]


def _characters(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).split())


def _chrf(ours: str, theirs: str) -> float:
    if not ours or not theirs:
        return float(ours == theirs)
    precisions: list[float] = []
    recalls: list[float] = []
    for size in range(1, min(CHARACTERS, len(ours), len(theirs)) + 1):
        matched = _common(_runs(ours, size), _runs(theirs, size))
        precisions.append(matched / (len(ours) - size + 1))
        recalls.append(matched / (len(theirs) - size + 1))
    precision, recall = fsum(precisions) / len(precisions), fsum(recalls) / len(recalls)
    if not precision + recall:
        return 0.0
    factor = RECALL_WEIGHT * RECALL_WEIGHT
    return min(1.0, (1 + factor) * precision * recall / (factor * precision + recall))


def _runs(text: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(text[start:] for start in range(size)), strict=False))


def _common(ours: Counter[tuple[str, ...]], theirs: Counter[tuple[str, ...]]) -> int:
    return sum(min(ours[run], theirs[run]) for run in ours.keys() & theirs.keys())


def _tokens(text: str) -> list[str]:
    """The tokens of mteval-v13a; letters of scripts without spaces stand alone."""
    text = unicodedata.normalize("NFC", text).replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    if has_unspaced(text):
        text = re.sub(rf"([{UNSPACED}][{marks()}]*)", r" \1 ", text)
    text = _MARKS_APART.sub(r" \1 ", f" {text} ")
    text = _POINT_AFTER_OTHER.sub(r"\1 \2 ", text)
    text = _POINT_BEFORE_OTHER.sub(r" \1 \2", text)
    return _DASH_AFTER_DIGIT.sub(r"\1 \2 ", text).split()


def _bleu(ours: Sequence[str], theirs: Sequence[str]) -> float:
    if not ours or not theirs:
        return float(ours == theirs)
    logs: list[float] = []
    smoothing = 1
    for size in range(1, min(LONGEST, len(ours)) + 1):
        matched, runs = _common(_runs(ours, size), _runs(theirs, size)), len(ours) - size + 1
        if not matched:
            if size == 1:
                return 0.0
            smoothing *= 2
        logs.append(log(matched / runs) if matched else -log(smoothing * runs))
    shortness = min(0.0, 1 - len(theirs) / len(ours))
    return min(1.0, exp(shortness + fsum(logs) / len(logs)))
