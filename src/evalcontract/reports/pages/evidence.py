"""What the metrics saw of an item, as a page shows it: the answer with marks and links, the documents, the calls."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from evalcontract.scoring import WorstItem

Plain = Mapping[str, Any]

_DOCUMENTS = 20
_LOW = 0.5
"""The groundedness below which a sentence is shown as one that the contexts don't carry."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an answer. `missing`: it stands in no context; `leads_to`: the anchor of the passage that it cites.

    `marker`: it is a citation marker; one that leads to no passage has no anchor.
    """

    text: str
    missing: bool = False
    marker: bool = False
    leads_to: str | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer in pieces. `unsupported`: the contexts don't carry it, or not those that it cites."""

    pieces: tuple[Piece, ...]
    unsupported: bool


@dataclass(frozen=True, slots=True)
class Passage:
    """A document in the place where the system had it. `anchor`: what citations of it lead to."""

    anchor: str
    rank: int | None
    document_id: str | None
    text: str | None
    grade: int | None
    cited: bool


@dataclass(frozen=True, slots=True)
class Call:
    """An expected and a predicted call side by side, as JSON; None where one has no counterpart."""

    expected: str | None
    predicted: str | None
    matched: bool
    argument_score: float | None


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """One answer to an item, and what was seen of it."""

    said: Plain
    sentences: tuple[Sentence, ...]
    passages: tuple[Passage, ...]
    more_passages: int
    calls: tuple[Call, ...]
    nowhere: tuple[str, ...]
    unquoted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """An item with its question, what was expected, and its answers. `anchor`: where it stands in the page."""

    item: WorstItem
    anchor: str
    question: str
    expected: Plain
    answers: tuple[ShownAnswer, ...]


def seen(items: Sequence[WorstItem]) -> tuple[Seen, ...]:
    """The items of which there is evidence."""
    return tuple(
        Seen(
            item,
            f"item-{number}",
            str(item.evidence.get("question") or ""),
            item.evidence.get("expected") or {},
            tuple(
                _answer(said, f"item-{number}-{place}")
                for place, said in enumerate(item.evidence.get("answers") or (), 1)
            ),
        )
        for number, item in enumerate(items, 1)
        if item.evidence
    )


def _answer(said: Plain, prefix: str) -> ShownAnswer:
    contexts = said.get("contexts") or ()
    citations = said.get("citations") or ()
    return ShownAnswer(
        said,
        tuple(_sentences(said, prefix)),
        tuple(
            Passage(
                f"{prefix}-{place}",
                found["rank"],
                found["document_id"],
                found["text"],
                found["grade"],
                found["cited"],
            )
            for place, found in enumerate(contexts[:_DOCUMENTS])
        ),
        max(0, len(contexts) - _DOCUMENTS),
        tuple(
            Call(_json(pair["expected"]), _json(pair["predicted"]), pair["matched"], pair["argument_score"])
            for pair in said.get("calls") or ()
        ),
        tuple(
            dict.fromkeys(marker["text"] for marker in said.get("markers") or () if not marker["contexts"])
        ),
        tuple(
            quote["quote"]
            for citation in citations
            for quote in citation["quotes"]
            if quote["match"] == "none"
        ),
    )


def _sentences(said: Plain, prefix: str) -> Iterable[Sentence]:
    response = said.get("response") or ""
    spans = said.get("sentences") or ()
    supported = {found["start"]: found["supported"] for found in said.get("support") or ()}
    missing = [(m["start"], m["end"]) for span in spans for m in span["missing"]]
    markers = [(found["start"], found["end"], found["contexts"]) for found in said.get("markers") or ()]
    at = 0
    for span in spans:
        start, end = max(at, span["start"]), min(span["end"], len(response))
        if end <= start:
            continue
        if start > at:
            yield Sentence(_pieces(response, at, start, missing, markers, prefix), False)
        score = span["score"]
        lacking = supported.get(span["start"]) is False or (score is not None and score < _LOW)
        yield Sentence(_pieces(response, start, end, missing, markers, prefix), lacking)
        at = end
    if at < len(response):
        yield Sentence(_pieces(response, at, len(response), missing, markers, prefix), False)


def _pieces(
    text: str,
    start: int,
    end: int,
    missing: Sequence[tuple[int, int]],
    markers: Sequence[tuple[int, int, Sequence[int]]],
    prefix: str,
) -> tuple[Piece, ...]:
    spans = [*missing, *((begin, stop) for begin, stop, _ in markers)]
    edges = {start, end} | {place for span in spans for place in span if start < place < end}
    found: list[Piece] = []
    for begin, stop in pairwise(sorted(edges)):
        marker = next((places for a, b, places in markers if a <= begin and stop <= b), None)
        shown = [place for place in marker or () if place < _DOCUMENTS]
        found.append(
            Piece(
                text[begin:stop],
                any(a <= begin and stop <= b for a, b in missing),
                marker is not None,
                f"{prefix}-{shown[0]}" if shown else None,
            )
        )
    return tuple(found)


def _json(call: Plain | None) -> str | None:
    return None if call is None else json.dumps(call, indent=2, ensure_ascii=False)
