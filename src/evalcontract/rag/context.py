"""Turning documents into the context of a prompt, safely and within a budget."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalcontract.errors import RagTypeError, RagValueError
from evalcontract.rag.protocols import RetrievedDocument

LINE_PREFIX = "| "

_LINE_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_KEPT = "\t\u200c\u200d"
_HIDDEN = ("Cc", "Cf", "Cs", "Co")
_EXTRA_VARIANTS = re.compile("[\U000e0100-\U000e01ef]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


@dataclass(frozen=True, slots=True)
class Source:
    """Which document a marker of the context stands for."""

    marker: str
    document: RetrievedDocument


@dataclass(frozen=True, slots=True)
class BuiltContext:
    """The text for the prompt, and its numbered sources in order."""

    text: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class FittedContext:
    """Which documents fit a budget. `dropped` didn't fit beside the others, `too_large` not even alone."""

    documents: tuple[RetrievedDocument, ...]
    tokens: int
    dropped: tuple[str, ...]
    too_large: tuple[str, ...]


def build_context(documents: Sequence[RetrievedDocument]) -> BuiltContext:
    """Number the documents and write each between <document> tags.

    Nothing inside a document can end it or stand where an instruction could: `&`, `<` and `>` are escaped, so
    no tag and no chat template token survives; every line begins with "| "; characters that are invisible or
    turn the direction of text are removed. Raises RagValueError for a document without text.
    """
    sources = tuple(Source(f"[{number}]", document) for number, document in enumerate(documents, 1))
    return BuiltContext("\n".join(_render(source) for source in sources), sources)


def fit_context(
    documents: Sequence[RetrievedDocument], budget: int, count_tokens: Callable[[str], int]
) -> FittedContext:
    """Keep the documents, in order and whole, whose built context costs at most `budget` tokens.

    A document that doesn't fit any more is left out and the next ones are tried. The cost is what
    `count_tokens` says of the text that `build_context` writes, tags included.
    """
    if not isinstance(budget, int) or isinstance(budget, bool) or budget < 1:
        raise RagValueError(f"the budget must be an integer of at least 1, not {budget!r}")
    kept: list[RetrievedDocument] = []
    tokens = 0
    dropped: list[str] = []
    too_large: list[str] = []
    for document in documents:
        cost = _cost([*kept, document], count_tokens)
        if cost <= budget:
            kept.append(document)
            tokens = cost
        elif _cost([document], count_tokens) > budget:
            too_large.append(document.document_id)
        else:
            dropped.append(document.document_id)
    return FittedContext(tuple(kept), tokens, tuple(dropped), tuple(too_large))


def _cost(documents: Sequence[RetrievedDocument], count_tokens: Callable[[str], int]) -> int:
    cost = count_tokens(build_context(documents).text)
    if not isinstance(cost, int) or isinstance(cost, bool) or cost < 0:
        raise RagTypeError(f"count_tokens must give a whole number of at least 0, not {cost!r}")
    return cost


def _render(source: Source) -> str:
    document = source.document
    if document.content is None or not document.content.strip():
        raise RagValueError(
            f"document {document.document_id!r} has no text", hint="leave it out of the context"
        )
    name = _attribute(document.source_id or document.document_id)
    lines = [LINE_PREFIX + _visible(line) for line in _LINE_BREAKS.split(document.content.strip())]
    return "\n".join([f'<document number="{source.marker}" source="{name}">', *lines, "</document>"])


def _visible(text: str) -> str:
    """One line with tags escaped and without hidden characters (tabs and joiners stay)."""
    if not text.isprintable():
        text = "".join(c for c in text if c in _KEPT or unicodedata.category(c) not in _HIDDEN)
    return _EXTRA_VARIANTS.sub("", text).translate(_ESCAPES)


def _attribute(text: str) -> str:
    return _visible(_LINE_BREAKS.sub(" ", text)).replace('"', "&quot;")
