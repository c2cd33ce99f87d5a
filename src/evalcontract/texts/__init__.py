"""Texts in every script: folded and cut into words, and the citation markers in them."""

from evalcontract.texts.folding import (
    UNSPACED,
    Origins,
    bigrams,
    fold,
    has_unspaced,
    is_blank,
    is_unspaced,
    letters,
    marks,
    normalise,
    normalise_with_origins,
    split_run,
    words,
)
from evalcontract.texts.markers import Marker, MarkerReport, find_markers, number_of, without_markers

__all__ = [
    "UNSPACED",
    "Marker",
    "MarkerReport",
    "Origins",
    "bigrams",
    "find_markers",
    "fold",
    "has_unspaced",
    "is_blank",
    "is_unspaced",
    "letters",
    "marks",
    "normalise",
    "normalise_with_origins",
    "number_of",
    "split_run",
    "without_markers",
    "words",
]
