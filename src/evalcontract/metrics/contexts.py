"""Contexts read once and scored against many answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from evalcontract.errors import MetricTypeError
from evalcontract.metrics._postings import AllPostings, Postings
from evalcontract.metrics._sentences import blank_markers
from evalcontract.metrics._terms import BoundedCache, text_keys
from evalcontract.texts import words

type_error_hint = 'pass a list of strings, or of objects like {"text": "..."}'


class ContextIndex:
    """The contexts of one item, read once: pass it wherever a list of contexts is taken.

    Built lazily, so that a metric pays only for the part it uses. Not bound to one answer, and its texts are
    never changed by scoring.
    """

    __slots__ = ("_keys", "_postings", "_words", "texts")

    def __init__(self, contexts: Sequence[object]) -> None:
        self.texts = context_texts(contexts)
        self._words: frozenset[str] | None = None
        self._keys: tuple[Sequence[str], ...] | None = None
        self._postings: Postings | None = None

    @property
    def words(self) -> frozenset[str]:
        """All folded words of all contexts."""
        if self._words is None:
            self._words = frozenset(chain.from_iterable(map(words, self.texts)))
        return self._words

    @property
    def keys(self) -> tuple[Sequence[str], ...]:
        """The terms of each context, in order."""
        if self._keys is None:
            self._keys = tuple(map(_KEYS.__getitem__, self.texts))
        return self._keys

    @property
    def postings(self) -> Postings:
        """Where the terms stand."""
        if self._postings is None:
            self._postings = AllPostings(self.keys)
        return self._postings

    def only(self, positions: Iterable[int]) -> ContextIndex:
        """The index of a selection of the contexts (0-based positions); nothing is read again."""
        chosen = sorted(set(positions))
        part = ContextIndex([self.texts[i] for i in chosen])
        part._keys = tuple(self.keys[i] for i in chosen)
        part._postings = self.postings.only(chosen)
        return part


def _keys_of(text: str) -> Sequence[str]:
    return text_keys(blank_markers(text))


_KEYS = BoundedCache(_keys_of, 1 << 11, 1 << 12)
"""The terms of the last passages: most of them are retrieved for more than one question."""


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
