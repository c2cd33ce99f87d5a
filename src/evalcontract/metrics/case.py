"""One item with one prediction in the contract's shapes, read once for all metrics.

Absent and null both mean "not provided". Citations, tool calls and a hand-off that a prediction doesn't show
were not made; retrieved documents that it doesn't show were not recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from evalcontract.metrics._documents import Documents, Supplied, documents_of, retrieved_ids, supplied_by
from evalcontract.metrics._ranking import JudgedRanking, judge
from evalcontract.metrics._result import MetricScore
from evalcontract.metrics.arguments import coerce_arguments
from evalcontract.metrics.citations import CitedSentences, cited_documents, declared_markers
from evalcontract.metrics.contexts import ContextIndex
from evalcontract.metrics.grounding import GroundednessScore, groundedness
from evalcontract.metrics.lexical import QualityResult, score
from evalcontract.metrics.options import MetricOptions
from evalcontract.metrics.passages import similarities
from evalcontract.metrics.runs import alternatives_as_one, chunks_to_documents
from evalcontract.texts import MarkerReport, find_markers, is_blank, without_markers

Record = Mapping[str, Any]
Calls = Sequence[Mapping[str, Any]]


_KEPT_PASSAGES = (
    "expected_output.reference_contexts",
    "metadata.raw_metadata.imported.reference_contexts",
    "metadata.raw_metadata.reference_contexts",
)
"""Where texts that should be retrieved are kept, the first of these first."""


def value_at(record: Record, path: str) -> Any:
    """The value at a dotted path, None when any part of it is absent or null."""
    value: Any = record
    for name in _steps(path):
        # the first says the same of nearly all, and is cheap
        if type(value) is not dict and not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


@cache
def _steps(path: str) -> list[str]:
    return path.split(".")


class Case:
    """An item and a prediction for it; what several metrics share is computed once.

    `judged` are scores that others gave the prediction, by the name of the measure.
    """

    def __init__(
        self,
        item: Record,
        prediction: Record,
        options: MetricOptions,
        judged: Mapping[str, MetricScore] | None = None,
    ) -> None:
        self.item = item
        self.prediction = prediction
        self.options = options
        self.judged = judged or {}

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
    def has_words(self) -> bool:
        """Whether the response has a letter or a digit."""
        return any(map(str.isalnum, self.response))

    @cached_property
    def abstained(self) -> bool:
        """Whether the answer is that there is none: as recorded, else by a blank answer or a phrase of the options."""
        recorded = self.prediction.get("abstained")
        if recorded is not None:
            return bool(recorded)
        said = _plain(self.response)
        return is_blank(said) or any(_plain(phrase) in said for phrase in self.options.abstentions)

    @cached_property
    def citations(self) -> Sequence[Record]:
        return self.prediction.get("citations") or ()

    @cached_property
    def cited_ids(self) -> list[str]:
        return cited_documents(self.citations, self.sources.numbered, self.response)

    @cached_property
    def has_undeclared_markers(self) -> bool:
        """Whether the response has markers that no citation declares."""
        return bool(self.markers.unresolved)

    @cached_property
    def markers(self) -> MarkerReport:
        """The citation markers of the response."""
        return find_markers(self.response, self._declared)

    @cached_property
    def _declared(self) -> list[str]:
        return declared_markers(self.citations)

    @cached_property
    def expected_ids(self) -> list[str]:
        return [citation.get("document_id") for citation in self.expected["citations"]]

    @cached_property
    def answer(self) -> str:
        """The response with the markers that its citations declare blanked."""
        return without_markers(self.response, self.markers) if self._declared else self.response

    @cached_property
    def compared_answer(self) -> str:
        """The response without any marker, as answers are compared; an answer of markers only is kept."""
        return _uncited(self.response, self.markers)

    @cached_property
    def references(self) -> list[str]:
        """The right answers without markers: the expected response and its alternatives, as far as written."""
        texts = [self.expected.get("response"), *(self.expected.get("alternative_responses") or ())]
        declared = declared_markers(self.expected.get("citations") or ())
        return [_uncited(text, find_markers(text, declared)) for text in texts if text and text.strip()]

    @cached_property
    def supplied(self) -> Supplied:
        """(id, text) of what the item supplies to the answer; a text may have no id, and an id no text."""
        return supplied_by(value_at(self.item, "input.document_ids"), value_at(self.item, "input.context"))

    @cached_property
    def sources(self) -> Documents:
        """What the answer could rest on, recorded by the prediction or supplied by the item."""
        judged = self.expected.get("retrieval_ground_truth") is not None
        return documents_of(self.supplied, self.prediction.get("retrieved_documents"), judged=judged)

    @property
    def documents(self) -> Mapping[str, str | None] | None:
        """Text by id of the documents that the answer could rest on, None when neither side says."""
        known = self.sources.by_id or self.sources.retrieved is not None
        return self.sources.by_id if known else None

    @cached_property
    def retrieved_ids(self) -> list[str]:
        """The ids of the retrieved documents, best first; one without an id has a name that nothing cites."""
        return retrieved_ids(self.prediction["retrieved_documents"])

    @cached_property
    def partly_known(self) -> str | None:
        """How many of the retrieved documents have a text, None when all have."""
        return self.sources.partly_known

    @cached_property
    def contexts(self) -> ContextIndex | None:
        """The texts that the answer could rest on; None when none of them is known."""
        texts, retrieved = self.sources.texts, self.prediction.get("retrieved_documents")
        known = value_at(self.item, "input.context") is not None if retrieved is None else not retrieved
        return ContextIndex(texts) if texts or known else None

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
        """How similar each retrieved document with a text is to each reference passage."""
        found = []
        for texts in filter(None, self.sources.retrieved or ()):
            rows = similarities(texts, self.reference_passages)
            found.append([max(column) for column in zip(*rows, strict=True)])
        return found

    @cached_property
    def cited_sentences(self) -> CitedSentences:
        """The sentences of the response with what they cite; the contexts that were read are used again."""
        threshold, sources = self.options.support_threshold, self.sources
        assert threshold is not None
        return CitedSentences(
            self.response, self.citations, sources.by_id, threshold, self.contexts, sources.numbered
        )

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


def _uncited(text: str, markers: MarkerReport) -> str:
    cut = without_markers(text, markers)
    return cut if cut.strip() else text


def _coerced(call: Record, declared: Mapping[str, Record]) -> Record:
    parameters, args = declared.get(call.get("name", "")), call.get("args")
    if parameters is None or not isinstance(args, Mapping):
        return call
    return {**call, "args": coerce_arguments(args, parameters)}
