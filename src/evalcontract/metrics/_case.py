"""One item with one prediction in the contract's shapes, read once for all metrics.

Absent and null both mean "not provided". Citations, tool calls and a hand-off that a prediction doesn't show
were not made; retrieved documents that it doesn't show were not recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalcontract._markers import find_markers, without_markers
from evalcontract.metrics._ranking import Gain, JudgedRanking, judge
from evalcontract.metrics.arguments import coerce_arguments
from evalcontract.metrics.citations import cited_documents
from evalcontract.metrics.contexts import ContextIndex
from evalcontract.metrics.grounding import GroundednessScore, groundedness
from evalcontract.metrics.lexical import QualityResult, score
from evalcontract.metrics.quotes import QuoteMode
from evalcontract.metrics.runs import alternatives_as_one, chunks_to_documents
from evalcontract.metrics.tool_calls import ArgsMode

Record = Mapping[str, Any]
Calls = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class MetricOptions:
    """What a caller may choose; the defaults are those of the pure functions.

    `support_threshold` has no default: without it the citation_support metrics have no value.
    `chunk_separator` ("#") makes chunk ids count as their document. `tool_parameters` maps tool names to the
    JSON Schema of their parameters and lets "42" count as 42 where an integer is declared.
    """

    k: int = 10
    min_grade: int = 1
    gain: Gain = "linear"
    args: ArgsMode = "exact"
    quotes: QuoteMode = "exact"
    support_threshold: float | None = None
    chunk_separator: str | None = None
    tool_parameters: Mapping[str, Record] | None = None


DEFAULT_OPTIONS = MetricOptions()


def value_at(record: Record, path: str) -> Any:
    """The value at a dotted path, None when any part of it is absent or null."""
    value: Any = record
    for name in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


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
    def documents(self) -> dict[str, str | None] | None:
        """Text by id of the documents supplied to the answer, None when neither side says.

        The prediction's retrieved documents, else those that the item supplies; a text that the retrieved
        documents lack is taken from the item.
        """
        ids = value_at(self.item, "input.document_ids") or ()
        given = dict(zip(ids, value_at(self.item, "input.context") or (), strict=False))
        retrieved = self.prediction.get("retrieved_documents")
        if retrieved is None:
            return given or None
        found: dict[str, str | None] = {}
        for id_, document in _named(retrieved):
            text = document.get("content") or given.get(id_)
            found[id_] = "\n\n".join(filter(None, (found.get(id_), text))) or None
        return found

    @cached_property
    def contexts(self) -> ContextIndex | None:
        """The texts that the answer could rest on; None when none of them is known."""
        retrieved = self.prediction.get("retrieved_documents")
        if retrieved is None:
            supplied = value_at(self.item, "input.context")
            return None if supplied is None else ContextIndex(supplied)
        texts = [text for text in (self.documents or {}).values() if text]
        return ContextIndex(texts) if texts or not retrieved else None

    @cached_property
    def quality(self) -> QualityResult | None:
        if self.contexts is None:
            return None
        return score(self.question, self.contexts, self.answer)

    @cached_property
    def groundedness(self) -> GroundednessScore | None:
        return None if self.contexts is None else groundedness(self.answer, self.contexts)

    @cached_property
    def ranking(self) -> JudgedRanking:
        """The retrieved ids joined with the item's ground truth."""
        retrieved = self.prediction["retrieved_documents"]
        ranked: Iterable[str] = [id_ for id_, _ in _named(retrieved)]
        if self.options.chunk_separator:
            ranked = chunks_to_documents(ranked, self.options.chunk_separator)
        return judge(*alternatives_as_one(ranked, self.expected["retrieval_ground_truth"]))

    @cached_property
    def calls(self) -> tuple[Calls, Calls]:
        """(predicted, expected) tool calls, coerced towards declared types where the options say so."""
        return self._coerced(self.prediction.get("tool_calls")), self._coerced(self.expected["tool_calls"])

    def _coerced(self, calls: Calls | None) -> Calls:
        declared = self.options.tool_parameters
        return [_coerced(call, declared) for call in calls or ()] if declared else calls or ()


def _uncited(text: str, citations: Sequence[Record]) -> str:
    declared = [marker for citation in citations if (marker := citation.get("response_marker"))]
    cut = without_markers(text, find_markers(text, declared))
    return cut if cut.strip() else text


def _coerced(call: Record, declared: Mapping[str, Record]) -> Record:
    parameters, args = declared.get(call.get("name", "")), call.get("args")
    if parameters is None or not isinstance(args, Mapping):
        return call
    return {**call, "args": coerce_arguments(args, parameters)}


def _named(retrieved: Sequence[Record]) -> Iterator[tuple[str, Record]]:
    """Retrieved documents by id. One without an id keeps its rank and its text under a name that nothing cites."""
    for rank, document in enumerate(retrieved, 1):
        yield document.get("document_id") or f"\x00{rank}", document
