"""Retrieval-augmented answers over any Retriever and ChatModel."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

from evalcontract.errors import RagTypeError, RagValueError
from evalcontract.rag.answers import RagAnswer
from evalcontract.rag.context import BuiltContext, build_context, fit_context
from evalcontract.rag.prompts import answer_messages, citing_messages, sufficiency_messages
from evalcontract.rag.protocols import ChatModel, RetrievedDocument, Retriever
from evalcontract.texts import find_markers

SUFFICIENCY_THRESHOLD = 0.7

_JSON_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_LONGEST_REASON = 500
_NOTHING_RETRIEVED = "nothing was retrieved that could be put into the context"


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """A judgement whether a context is enough; `confidence` is 0 when the judge's reply couldn't be read."""

    sufficient: bool
    confidence: float
    reason: str


_UNREADABLE = Sufficiency(False, 0.0, "the judgement could not be read")


async def rag_query(
    question: str,
    retriever: Retriever,
    model: ChatModel,
    *,
    limit: int = 5,
    budget: int | None = None,
    count_tokens: Callable[[str], int] | None = None,
) -> RagAnswer:
    """Retrieve, then answer from what was retrieved; every document of the context counts as a source.

    `budget` with `count_tokens` bounds the context. With nothing to put into it the model isn't asked and the
    outcome is `abstained`. Raises ModelUnavailable or ModelRejected when the model gives no reply.
    """
    found = await _retrieve(question, retriever, limit)
    prepared = _prepare(found, budget, count_tokens)
    return await _answer(question, model, prepared)


async def rag_with_citations(
    question: str,
    retriever: Retriever,
    model: ChatModel,
    *,
    limit: int = 5,
    budget: int | None = None,
    count_tokens: Callable[[str], int] | None = None,
) -> RagAnswer:
    """Like `rag_query`, but the model cites numbered documents and only those it cites are sources.

    Markers that stand for no document of the context are listed in `unresolved_markers`.
    """
    found = await _retrieve(question, retriever, limit)
    prepared = _prepare(found, budget, count_tokens)
    return await _cited_answer(question, model, prepared)


async def rag_with_sufficiency(
    question: str,
    retriever: Retriever,
    model: ChatModel,
    *,
    limit: int = 5,
    threshold: float = SUFFICIENCY_THRESHOLD,
    budget: int | None = None,
    count_tokens: Callable[[str], int] | None = None,
) -> RagAnswer:
    """Ask first whether the context is enough, then answer with citations or abstain.

    Insufficient with a confidence above `threshold`: the outcome is `abstained`, with the judge's reason.
    Insufficient with less, or a judgement that can't be read: twice as many documents are retrieved and the
    answer goes on.
    """
    if not isinstance(threshold, int | float) or isinstance(threshold, bool) or not 0 <= threshold <= 1:
        raise RagValueError(f"the threshold must lie in 0..1, not {threshold!r}")
    found = await _retrieve(question, retriever, limit)
    prepared = _prepare(found, budget, count_tokens)
    if not prepared.context.sources:
        return _abstain(prepared, _NOTHING_RETRIEVED)
    judgement = await judge_sufficiency(question, prepared.context, model)
    measurements = {"sufficiency_confidence": judgement.confidence, "retrieval_rounds": 1.0}
    if not judgement.sufficient:
        if judgement.confidence > threshold:
            return replace(_abstain(prepared, judgement.reason), measurements=measurements)
        found = await _retrieve(question, retriever, 2 * limit)
        prepared = _prepare(found, budget, count_tokens)
        measurements["retrieval_rounds"] = 2.0
    return replace(await _cited_answer(question, model, prepared), measurements=measurements)


async def judge_sufficiency(question: str, context: BuiltContext, model: ChatModel) -> Sufficiency:
    """Have the model judge whether a context is enough to answer a question."""
    reply = await model.complete(sufficiency_messages(question, context))
    match = _JSON_OBJECT.search(reply.text)
    try:
        judgement: Any = json.loads(match.group()) if match else None
    except (ValueError, RecursionError):
        judgement = None
    if not isinstance(judgement, dict):
        return _UNREADABLE
    sufficient, confidence, reason = map(judgement.get, ("sufficient", "confidence", "reason"))
    if not isinstance(sufficient, bool) or not _is_share(confidence):
        return _UNREADABLE
    text = reason.strip()[:_LONGEST_REASON] if isinstance(reason, str) else ""
    return Sufficiency(sufficient, float(confidence), text or "no reason was given")


@dataclass(frozen=True, slots=True)
class _Prepared:
    retrieved: tuple[RetrievedDocument, ...]
    context: BuiltContext
    left_out: tuple[str, ...]


async def _retrieve(question: str, retriever: Retriever, limit: int) -> tuple[RetrievedDocument, ...]:
    if not isinstance(question, str):
        raise RagTypeError(f"the question must be a string, not {type(question).__name__}")
    if not question.strip():
        raise RagValueError("the question is empty")
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        raise RagValueError(f"limit must be an integer of at least 1, not {limit!r}")
    found = tuple(await retriever.search(question, limit))[:limit]
    for document in found:
        if not isinstance(document, RetrievedDocument):
            raise RagTypeError(
                f"a retriever must give RetrievedDocument values, not {type(document).__name__}"
            )
    return found


def _prepare(
    retrieved: tuple[RetrievedDocument, ...], budget: int | None, count_tokens: Callable[[str], int] | None
) -> _Prepared:
    if (budget is None) != (count_tokens is None):
        raise RagValueError(
            "a budget needs a counter and a counter a budget", hint="give budget and count_tokens"
        )
    usable: Sequence[RetrievedDocument] = [d for d in retrieved if d.content and d.content.strip()]
    if budget is not None and count_tokens is not None:
        usable = fit_context(usable, budget, count_tokens).documents
    kept = {id(document) for document in usable}
    left_out = tuple(document.document_id for document in retrieved if id(document) not in kept)
    return _Prepared(retrieved, build_context(usable), left_out)


async def _answer(question: str, model: ChatModel, prepared: _Prepared) -> RagAnswer:
    if not prepared.context.sources:
        return _abstain(prepared, _NOTHING_RETRIEVED)
    reply = await model.complete(answer_messages(question, prepared.context))
    if reply.refusal is not None:
        return _refused(prepared, reply.refusal)
    sources, left_out = prepared.context.sources, prepared.left_out
    return RagAnswer(reply.text, "answered", prepared.retrieved, sources, left_out=left_out)


async def _cited_answer(question: str, model: ChatModel, prepared: _Prepared) -> RagAnswer:
    if not prepared.context.sources:
        return _abstain(prepared, _NOTHING_RETRIEVED)
    reply = await model.complete(citing_messages(question, prepared.context))
    if reply.refusal is not None:
        return _refused(prepared, reply.refusal)
    by_marker = {source.marker: source for source in prepared.context.sources}
    report = find_markers(reply.text, by_marker)
    return RagAnswer(
        reply.text,
        "answered",
        prepared.retrieved,
        tuple(by_marker[key] for key in report.used if key in by_marker),
        unresolved_markers=report.unresolved,
        left_out=prepared.left_out,
    )


def _abstain(prepared: _Prepared, reason: str) -> RagAnswer:
    text = f"I can't answer this from the documents at hand: {reason}"
    return RagAnswer(text, "abstained", prepared.retrieved, reason=reason, left_out=prepared.left_out)


def _refused(prepared: _Prepared, refusal: str) -> RagAnswer:
    reason = refusal.strip() or "the model declined to answer"
    return RagAnswer(reason, "refused", prepared.retrieved, reason=reason, left_out=prepared.left_out)


def _is_share(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
