"""What an adapter makes of a provider's answer, and the pieces that all adapters share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalcontract.errors import OffsetMismatch
from evalcontract.responses.identities import Identities
from evalcontract.responses.shapes import JsonNode
from evalcontract.validation import Violation, validate
from evalcontract.values import Notice, short


@dataclass(frozen=True, slots=True)
class AdaptedResponse:
    """An answer in contract data.

    `sources` are RAGCitation: the passages that came with the answer. `citations` are Citation: places of
    the answer that point to a document, with `response_span` {start, end, text} where the provider says it;
    start and end count characters of `text`, and end is exclusive. `context` holds what else the provider
    says about the sources, under its own names. `finish_reason` is how the answer ended, in the provider's words, and
    `measurements` are what it counts of it, by the names of prediction records: input_tokens, latency_ms. `metadata`
    tells which `model` gave it and under which `response_id` the provider knows it, as far as the answer says.
    """

    provider: str
    text: str
    sources: tuple[dict[str, Any], ...]
    citations: tuple[dict[str, Any], ...]
    notices: tuple[Notice, ...]
    context: Mapping[str, Any] = field(default_factory=dict)
    finish_reason: str | None = None
    measurements: Mapping[str, float] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)

    def as_rag_response(self) -> dict[str, Any]:
        """A document that keeps the contract `rag_response`."""
        context = {**self.context, "citations": list(self.sources)}
        message = {"role": "assistant", "content": self.text, "context": context}
        ended = {} if self.finish_reason is None else {"finish_reason": self.finish_reason}
        return {"choices": [{"message": message, **ended}]}


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """Characters [start, end) of the answer, and the text there."""

    start: int
    end: int
    text: str

    def as_json(self) -> dict[str, Any]:
        return {"start": self.start, "end": self.end, "text": self.text}


class CollectedCitations:
    """Sources, citations and notices as they are found; `finished` checks them against their contracts.

    `documents` are the texts of the documents of the request, in order, where the caller has them.
    """

    def __init__(self, provider: str, documents: Sequence[str] = ()) -> None:
        self.provider = provider
        self.documents = documents
        self.finish_reason: str | None = None
        self.measurements: dict[str, float] = {}
        self.metadata: dict[str, str] = {}
        self.context: dict[str, Any] = {}
        self.identities = Identities()
        self.notices: list[Notice] = []
        self.sources: list[dict[str, Any]] = []
        self.citations: list[dict[str, Any]] = []
        self._textless: list[str] = []
        self._left_out: dict[str, list[str]] = {}

    def left_out(self, kind: str, place: JsonNode) -> None:
        """Count a part of the answer that is none of its text, for a notice that names its kind."""
        self._left_out.setdefault(kind[:40], []).append(place.pointer)

    def refused(self, place: JsonNode) -> None:
        """Say that the text is a refusal: the provider's own state does not tell."""
        self.finish_reason = "refusal"
        self.notice("refused", "the model refused to answer", place)

    def source(
        self,
        place: JsonNode,
        text: str | None,
        document_id: str | None,
        *,
        score: float | None = None,
        source_id: str | None = None,
        kept: Mapping[str, Any] | None = None,
        once: bool = False,
    ) -> None:
        """Add a passage; with `once` only if it is new. Without a text it can't be one, as a notice says."""
        passage = {
            "retrieved_context": text,
            "document_id": document_id,
            "score": score,
            "source_id": source_id,
            **described(kept or {}),
        }
        self.passage(place, passage, once=once)

    def passage(self, place: JsonNode, passage: dict[str, Any], *, once: bool = False) -> None:
        """Add a passage that has the keys of the contract already; with `once` and without a text as above."""
        if not passage["retrieved_context"]:
            self._textless.append(place.pointer)
        elif not (once and passage in self.sources):
            self.sources.append(passage)

    def cite(
        self,
        document_id: str,
        *,
        span: AnswerSpan | None = None,
        marker: str | None = None,
        quotes: list[str] | None = None,
        page: Any = None,
        kept: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a citation. A page that is not a number is a label and is kept as one."""
        self.citations.append(
            {
                "document_id": document_id,
                "response_marker": marker,
                "page_label": None,
                **paged(page),
                "quotes": quotes,
                "response_span": span.as_json() if span is not None else None,
                **described(kept or {}),
            }
        )

    def notice(self, code: str, message: str, place: JsonNode | None = None, hint: str | None = None) -> None:
        self.notices.append(Notice(code, message, place.pointer if place else "", hint))

    def finished(
        self, text: str, *, context: Mapping[str, Any] | None = None, no_text_hint: str | None = None
    ) -> AdaptedResponse:
        """The result. Raises ContractViolation when the provider sent what the contract does not allow."""
        if self._textless:
            count = len(self._textless)
            subject = "1 source comes" if count == 1 else f"{count} sources come"
            message = f"{subject} without the text of its passage and can't be a retrieved_context"
            self.notices.append(Notice("no-passage", message, self._textless[0], no_text_hint))
        if self._left_out:
            named = ", ".join(f"{len(places)} {kind}" for kind, places in self._left_out.items())
            first = next(iter(self._left_out.values()))[0]
            self.notices.append(Notice("left-out", f"parts that are no text are left out: {named}", first))
        adapted = AdaptedResponse(
            self.provider,
            text,
            tuple(self.sources),
            tuple(self.citations),
            (*self.notices, *self.identities.notices()),
            {**self.context, **(context or {})},
            self.finish_reason,
            self.measurements,
            self.metadata,
        )
        validate(adapted.as_rag_response(), "rag_response")
        validate({"response": text, "citations": self.citations}, "prediction")
        return adapted


def described(kept: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of a document or citation, as the contracts have it: title, url, and the rest as metadata."""
    own = {name: kept[name] if isinstance(kept.get(name), str) else None for name in ("title", "url")}
    rest = {name: value for name, value in kept.items() if own.get(name) is None and value is not None}
    inner = rest.pop("metadata", None)
    rest = (
        {**inner, **rest}
        if isinstance(inner, dict)
        else rest
        if inner is None
        else {"metadata": inner, **rest}
    )
    return {**own, "metadata": rest or None}


def paged(page: Any) -> dict[str, Any]:
    """`page_number` as an integer, or `page_label` for a printed one such as iv.

    Anything else is passed on for the contract to refuse: 0 and -1 are not physical pages.
    """
    if isinstance(page, float) and page.is_integer():
        page = int(page)
    if isinstance(page, str) and page.strip() and not page.strip().isdigit():
        return {"page_number": None, "page_label": page}
    return {"page_number": page}


def character_span(
    text: str, start: int, end: int, place: JsonNode, *, base: int = 0, repeated: str | None = None
) -> AnswerSpan:
    """Characters [start, end) of `text`, which begins at `base` in the answer.

    Raises OffsetMismatch when they lie outside, or hold another text than the provider repeats.
    """
    if not 0 <= start <= end <= len(text):
        raise mismatch(place, f"characters {start} to {end} lie outside the text of {len(text)} characters")
    found = text[start:end]
    _prove(found, repeated, f"characters {start} to {end}", place)
    return AnswerSpan(base + start, base + end, found)


def byte_span(
    text: str, start: int, end: int, place: JsonNode, *, base: int = 0, repeated: str | None = None
) -> AnswerSpan:
    """The same for offsets that count bytes of UTF-8; a cut inside a character is an OffsetMismatch too."""
    raw = text.encode()
    if not 0 <= start <= end <= len(raw):
        raise mismatch(place, f"bytes {start} to {end} lie outside the text of {len(raw)} bytes")
    try:
        before, found = raw[:start].decode(), raw[start:end].decode()
    except UnicodeDecodeError:
        raise mismatch(place, f"bytes {start} to {end} cut a character in two") from None
    _prove(found, repeated, f"bytes {start} to {end}", place)
    return AnswerSpan(base + len(before), base + len(before) + len(found), found)


def _prove(found: str, repeated: str | None, where: str, place: JsonNode) -> None:
    if repeated is not None and found != repeated:
        raise mismatch(place, f"{where} are {short(found)}, but the provider says they are {short(repeated)}")


def mismatch(place: JsonNode, message: str) -> OffsetMismatch:
    violation = Violation("offset-mismatch", message, place.pointer)
    return OffsetMismatch(
        f"{place.pointer}: {message}",
        violations=(violation,),
        hint="the answer was changed after the provider sent it, or it counts otherwise than documented",
    )
