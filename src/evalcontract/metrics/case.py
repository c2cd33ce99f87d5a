"""One item with one prediction in the contract's shapes, read once for all metrics.

Absent and null both mean "not provided". Citations, tool calls and a hand-off that a prediction doesn't show
were not made; retrieved documents that it doesn't show were not recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from typing import Any

from evalcontract.metrics._ranking import JudgedRanking, judge
from evalcontract.metrics._result import rests_on
from evalcontract.metrics.arguments import coerce_arguments
from evalcontract.metrics.citations import CitedSentences, cited_documents
from evalcontract.metrics.contexts import ContextIndex
from evalcontract.metrics.grounding import GroundednessScore, groundedness
from evalcontract.metrics.lexical import QualityResult, score
from evalcontract.metrics.options import MetricOptions
from evalcontract.metrics.passages import similarities
from evalcontract.metrics.runs import alternatives_as_one, chunks_to_documents
from evalcontract.texts import find_markers, without_markers

Record = Mapping[str, Any]
Calls = Sequence[Mapping[str, Any]]


_NAMELESS = "\0"

_KEPT_PASSAGES = (
    "expected_output.reference_contexts",
    "metadata.raw_metadata.imported.reference_contexts",
    "metadata.raw_metadata.reference_contexts",
)
"""Where texts that should be retrieved are kept, the first of these first."""


def value_at(record: Record, path: str) -> Any:
    """The value at a dotted path, None when any part of it is absent or null."""
    value: Any = record
    for name in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def is_nameless(document_id: str) -> bool:
    """Whether this is the stand-in of a case for a document without an id."""
    return document_id.startswith(_NAMELESS)


class Case:
    """An item and a prediction for it; what several metrics share is computed once."""

    def __init__(self, item: Record, prediction: Record, options: MetricOptions) -> None:
        self.item = item
        self.prediction = prediction
        self.options = options

    @cached_property
    def expected(self) -> Record:
        expected: Record = self.item.get("expected_output") or {}
        return expected

    @cached_property
    def question(self) -> str:
        """The last user message, or the last message when no user speaks."""
        messages: Sequence[Record] = value_at(self.item, "input.messages") or ()
        spoken = [message for message in messages if message.get("role") == "user"] or messages
        return spoken[-1]["content"] if spoken else ""

    @cached_property
    def response(self) -> str:
        return self.prediction.get("response") or ""

    @cached_property
    def abstained(self) -> bool:
        """Whether the answer is that there is none: as recorded, else by a blank answer or a phrase of the options."""
        recorded = self.prediction.get("abstained")
        if recorded is not None:
            return bool(recorded)
        said = _plain(self.response)
        return not said or any(_plain(phrase) in said for phrase in self.options.abstentions)

    @cached_property
    def citations(self) -> Sequence[Record]:
        return self.prediction.get("citations") or ()

    @cached_property
    def cited_ids(self) -> list[str]:
        return cited_documents(self.citations, self.documents or (), self.response)

    @cached_property
    def expected_ids(self) -> list[str]:
        return [citation.get("document_id") for citation in self.expected["citations"]]

    @cached_property
    def answer(self) -> str:
        """The response with the markers that its citations declare blanked."""
        declared = [marker for citation in self.citations if (marker := citation.get("response_marker"))]
        if not declared:
            return self.response
        return without_markers(self.response, find_markers(self.response, declared))

    @cached_property
    def compared_answer(self) -> str:
        """The response without any marker, as answers are compared; an answer of markers only is kept."""
        return _uncited(self.response, self.citations)

    @cached_property
    def references(self) -> list[str]:
        """The right answers without markers: the expected response and its alternatives, as far as written."""
        texts = [self.expected.get("response"), *(self.expected.get("alternative_responses") or ())]
        citations = self.expected.get("citations") or ()
        return [_uncited(text, citations) for text in texts if text and text.strip()]

    @cached_property
    def supplied(self) -> list[tuple[str | None, str | None]]:
        """(id, text) of what the item supplies to the answer; a text may have no id, and an id no text."""
        ids, texts = value_at(self.item, "input.document_ids"), value_at(self.item, "input.context")
        return list(zip_longest(ids or (), texts or ()))

    @cached_property
    def documents(self) -> dict[str, str | None] | None:
        """Text by id of the documents supplied to the answer, None when neither side says.

        The prediction's retrieved documents, else those that the item supplies; a text that the retrieved
        documents lack is taken from the item. A document without an id goes by its place.
        """
        ids = value_at(self.item, "input.document_ids") or ()
        given = dict(zip(ids, value_at(self.item, "input.context") or (), strict=False))
        retrieved = self.prediction.get("retrieved_documents")
        if retrieved is None:
            return given or None
        found: dict[str, str | None] = {}
        for id_, document in zip(self.retrieved_ids, retrieved, strict=True):
            text = document.get("content") or given.get(id_)
            found[id_] = "\n\n".join(filter(None, (found.get(id_), text))) or None
        return found

    @cached_property
    def retrieved_ids(self) -> list[str]:
        """The ids of the retrieved documents, best first; one without an id has a name that nothing cites."""
        retrieved: Sequence[Record] = self.prediction["retrieved_documents"]
        return [
            document.get("document_id") or f"{_NAMELESS}{rank}" for rank, document in enumerate(retrieved, 1)
        ]

    @cached_property
    def known_texts(self) -> list[str]:
        """The texts of the documents supplied to the answer, as far as they are known."""
        if self.prediction.get("retrieved_documents") is None:
            return list(value_at(self.item, "input.context") or ())
        return [text for text in (self.documents or {}).values() if text]

    @cached_property
    def partly_known(self) -> str | None:
        """How many of the retrieved documents have a text, None when all have."""
        if self.prediction.get("retrieved_documents") is None:
            return None
        known = len(self.known_texts)
        return rests_on(known, len(self.documents or {}) - known, "documents")

    @cached_property
    def contexts(self) -> ContextIndex | None:
        """The texts that the answer could rest on; None when none of them is known."""
        retrieved = self.prediction.get("retrieved_documents")
        if retrieved is None:
            return None if value_at(self.item, "input.context") is None else ContextIndex(self.known_texts)
        return ContextIndex(self.known_texts) if self.known_texts or not retrieved else None

    @cached_property
    def quality(self) -> QualityResult:
        """The term-overlap heuristics; those about contexts mean nothing when there is no `contexts`."""
        return score(self.question, () if self.contexts is None else self.contexts, self.answer)

    @cached_property
    def groundedness(self) -> GroundednessScore | None:
        if self.contexts is None:
            return None
        found = groundedness(self.answer, self.contexts)
        return found if found.reason else found.because(self.partly_known)

    @cached_property
    def reference_passages(self) -> list[str]:
        """The texts that should be retrieved: those kept beside an imported item, else those that it supplies.

        Supplied texts with ids are compared by their ids, so they are none.
        """
        has_ids = value_at(self.item, "input.document_ids") or self.expected.get("retrieval_ground_truth")
        for path in _KEPT_PASSAGES if has_ids else (*_KEPT_PASSAGES, "input.context"):
            texts = value_at(self.item, path)
            if isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts):
                return texts
        return []

    @cached_property
    def passage_similarities(self) -> list[list[float]]:
        """How similar each retrieved text is to each reference passage."""
        return similarities(self.known_texts, self.reference_passages)

    @cached_property
    def cited_sentences(self) -> CitedSentences:
        """The sentences of the response with what they cite; the contexts that were read are used again."""
        retrieved = self.prediction.get("retrieved_documents") is not None
        threshold, documents = self.options.support_threshold, self.documents or {}
        assert threshold is not None
        index = self.contexts if retrieved else None
        return CitedSentences(self.response, self.citations, documents, threshold, index)

    @cached_property
    def ranked_ids(self) -> list[str]:
        """The ids of the retrieved documents as they are ranked: chunks as their documents where that is asked for."""
        separator = self.options.chunk_separator
        return chunks_to_documents(self.retrieved_ids, separator) if separator else self.retrieved_ids

    @cached_property
    def ranking(self) -> JudgedRanking:
        """The retrieved ids joined with the item's ground truth."""
        return judge(*alternatives_as_one(self.ranked_ids, self.expected["retrieval_ground_truth"]))

    @cached_property
    def calls(self) -> tuple[Calls, Calls]:
        """(predicted, expected) tool calls, coerced towards declared types where the options say so."""
        return self.coerced(self.prediction.get("tool_calls")), self.coerced(self.expected["tool_calls"])

    def coerced(self, calls: Calls | None) -> Calls:
        """Calls as they are compared."""
        declared = self.options.tool_parameters
        return [_coerced(call, declared) for call in calls or ()] if declared else calls or ()


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _uncited(text: str, citations: Sequence[Record]) -> str:
    declared = [marker for citation in citations if (marker := citation.get("response_marker"))]
    cut = without_markers(text, find_markers(text, declared))
    return cut if cut.strip() else text


def _coerced(call: Record, declared: Mapping[str, Record]) -> Record:
    parameters, args = declared.get(call.get("name", "")), call.get("args")
    if parameters is None or not isinstance(args, Mapping):
        return call
    return {**call, "args": coerce_arguments(args, parameters)}
