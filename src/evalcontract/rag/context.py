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
class ContextSource:
    """Which document a marker of the context stands for."""

    marker: str
    document: RetrievedDocument


@dataclass(frozen=True, slots=True)
class BuiltContext:
    """The text for the prompt, and its numbered sources in order."""

    text: str
    sources: tuple[ContextSource, ...]


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
    sources = tuple(ContextSource(f"[{number}]", document) for number, document in enumerate(documents, 1))
    return BuiltContext("\n".join(_render(source) for source in sources), sources)


def fit_context(
    documents: Sequence[RetrievedDocument], budget: int, count_tokens: Callable[[str], int]
) -> FittedContext:
    """Keep the documents, in order and whole, whose built context costs at most `budget` tokens.

    A document that doesn't fit any more is left out and the next ones are tried. Each is counted once, as
    `build_context` writes it, tags included, and what is kept is counted as a whole at the end: where that
    costs more than its parts, the last documents are given up. Raises RagValueError for a bad budget and for a
    document without text, RagTypeError for a counter that gives no whole number.
    """
    if not isinstance(budget, int) or isinstance(budget, bool) or budget < 1:
        raise RagValueError(f"the budget must be an integer of at least 1, not {budget!r}")
    kept: list[RetrievedDocument] = []
    pieces: list[str] = []
    spent = 0
    out: dict[int, bool] = {}
    for place, document in enumerate(documents):
        piece = _render(ContextSource(f"[{len(kept) + 1}]", document))
        cost = _cost(f"\n{piece}" if kept else piece, count_tokens)
        if spent + cost <= budget:
            kept.append(document)
            pieces.append(piece)
            spent += cost
        else:
            alone = _cost(_render(ContextSource("[1]", document)), count_tokens)
            out[place] = alone > budget
    fitting = _fitting(pieces, budget, count_tokens)
    given_up = [document.document_id for document in kept[fitting:]]
    return FittedContext(
        tuple(kept[:fitting]),
        _cost("\n".join(pieces[:fitting]), count_tokens) if fitting else 0,
        tuple([documents[place].document_id for place, too_large in out.items() if not too_large] + given_up),
        tuple(documents[place].document_id for place, too_large in out.items() if too_large),
    )


def _fitting(pieces: Sequence[str], budget: int, count_tokens: Callable[[str], int]) -> int:
    """How many of the pieces fit together: all of them, unless the whole costs more than its parts."""
    enough, too_many = 0, len(pieces) + 1
    middle = len(pieces)
    while middle > enough:
        if _cost("\n".join(pieces[:middle]), count_tokens) <= budget:
            enough = middle
        else:
            too_many = middle
        middle = (enough + too_many) // 2
    return enough


def _cost(text: str, count_tokens: Callable[[str], int]) -> int:
    cost = count_tokens(text)
    if not isinstance(cost, int) or isinstance(cost, bool) or cost < 0:
        raise RagTypeError(f"count_tokens must give a whole number of at least 0, not {cost!r}")
    return cost


def _render(source: ContextSource) -> str:
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
