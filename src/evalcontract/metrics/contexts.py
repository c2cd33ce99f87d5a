"""Contexts read once and scored against many answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise

from evalcontract._text import words
from evalcontract.errors import MetricTypeError
from evalcontract.metrics._sentences import blank_markers, sentence_spans
from evalcontract.metrics._terms import sentence_keys

WINDOW = 5
"""How many consecutive sentences of one context may together support an answer sentence."""

type_error_hint = 'pass a list of strings, or of objects like {"text": "..."}'


class Passage:
    """One context, indexed for groundedness: where each term stands and which terms are neighbours."""

    __slots__ = ("_masks", "n_sentences", "neighbours", "postings")

    def __init__(self, text: str) -> None:
        blanked = blank_markers(text)
        self.postings: defaultdict[str, list[int]] = defaultdict(list)
        self.neighbours: set[tuple[str, str]] = set()
        self._masks: dict[str, int] = {}
        spans = sentence_spans(blanked)
        self.n_sentences = len(spans)
        for number, (start, end) in enumerate(spans):
            keys = sentence_keys(blanked[start:end])
            self.neighbours.update(pairwise(keys))
            for key in set(keys):
                self.postings[key].append(number)

    def best_window(self, weights: Mapping[str, int], at_least: int = 0) -> int:
        """Greatest weight of the given terms inside one run of WINDOW sentences (weights are 1 or 2).

        A result that can't beat `at_least` may be returned as 0.
        """
        present = [(key, weight) for key, weight in weights.items() if key in self.postings]
        total = sum(weight for _, weight in present)
        if total <= at_least:
            return 0
        if self.n_sentences <= WINDOW:
            return total
        # Bit i of a mask stands for the window that starts at sentence i. The planes are a binary counter
        # per window, so all windows are counted at once by a few operations on long integers.
        planes: list[int] = []
        for key, weight in present:
            carry, level = self._mask(key), weight - 1
            while carry:
                while level >= len(planes):
                    planes.append(0)
                planes[level], carry = planes[level] ^ carry, planes[level] & carry
                level += 1
        best, candidates = 0, -1
        for level in reversed(range(len(planes))):
            if candidates & planes[level]:
                candidates &= planes[level]
                best |= 1 << level
        return best

    def _mask(self, key: str) -> int:
        mask = self._masks.get(key)
        if mask is None:
            bits = bytearray(self.n_sentences // 8 + 1)
            for number in self.postings[key]:
                bits[number >> 3] |= 1 << (number & 7)
            at = int.from_bytes(bits, "little")
            pairs = at | at >> 1
            mask = pairs | pairs >> 2 | at >> 4
            self._masks[key] = mask
        return mask


class ContextIndex:
    """The contexts of one item, read once: pass it wherever a list of contexts is taken.

    Built lazily, so that a metric pays only for the part it uses. Not bound to one answer, and never changed
    by scoring.
    """

    __slots__ = ("_passages", "_words", "texts")

    def __init__(self, contexts: Sequence[object]) -> None:
        self.texts = context_texts(contexts)
        self._words: frozenset[str] | None = None
        self._passages: tuple[Passage, ...] | None = None

    @property
    def words(self) -> frozenset[str]:
        """All folded words of all contexts."""
        if self._words is None:
            self._words = frozenset(chain.from_iterable(map(words, self.texts)))
        return self._words

    @property
    def passages(self) -> tuple[Passage, ...]:
        """One index per context, in order."""
        if self._passages is None:
            self._passages = tuple(map(Passage, self.texts))
        return self._passages

    def only(self, positions: Iterable[int]) -> ContextIndex:
        """The index of a selection of the contexts (0-based positions); nothing is read again."""
        chosen = sorted(set(positions))
        part = ContextIndex([self.texts[i] for i in chosen])
        part._passages = tuple(self.passages[i] for i in chosen)
        return part


def as_index(contexts: Sequence[object] | ContextIndex) -> ContextIndex:
    """The index itself, or a new one over a list of contexts."""
    return contexts if isinstance(contexts, ContextIndex) else ContextIndex(contexts)


def words_found(wanted: frozenset[str], contexts: Sequence[object] | ContextIndex) -> frozenset[str]:
    """Those of the words that stand in any of the contexts."""
    if isinstance(contexts, ContextIndex):
        return wanted & contexts.words
    return wanted.intersection(chain.from_iterable(map(words, context_texts(contexts))))


def context_texts(contexts: Sequence[object]) -> tuple[str, ...]:
    """The text of each context: the string itself or its `text`; MetricTypeError (a TypeError) for anything
    else.
    """
    if isinstance(contexts, str | bytes) or not isinstance(contexts, Sequence):
        raise MetricTypeError(f"contexts must be a list, not {type(contexts).__name__}", hint=type_error_hint)
    return tuple(_text_of(context, number) for number, context in enumerate(contexts))


def _text_of(context: object, number: int) -> str:
    if isinstance(context, str):
        return context
    text = context.get("text", "") if isinstance(context, Mapping) else getattr(context, "text", None)
    if not isinstance(text, str):
        found = type(context).__name__
        raise MetricTypeError(
            f"contexts[{number}] must be a string or have a string `text`, not {found}", hint=type_error_hint
        )
    return text


def require_text(value: object, name: str) -> str:
    """The value, when it is a string; MetricTypeError otherwise."""
    if not isinstance(value, str):
        raise MetricTypeError(f"{name} must be a string, not {type(value).__name__}")
    return value
