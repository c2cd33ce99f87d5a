"""The kinds of metrics in the table: what the metrics of a kind have in common, and how they read a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evalcontract.metrics import answer_values, citations, passages
from evalcontract.metrics._metric import Metric
from evalcontract.metrics._result import TEXTS_UNKNOWN, MetricScore, undefined
from evalcontract.metrics.case import Case

ALL = ("qa", "rag", "agent", "rag_agent")
QA = ("qa", "rag", "rag_agent")
RAG = ("rag", "rag_agent")
AGENT = ("agent", "rag_agent")

RESPONSE = "expected_output.response"
GROUND_TRUTH = "expected_output.retrieval_ground_truth"
ANSWERABLE = "expected_output.answerable"
CITATIONS = "expected_output.citations"
TOOL_CALLS = "expected_output.tool_calls"

QUESTION = ("input.messages",)

OWN = "evalcontract"
_KIT = "rag-quality-kit 0.1.0"
SQUAD = "SQuAD v1.1 (Rajpurkar et al., 2016)"
ALCE = "after ALCE (Gao et al., 2023)"
_NO_WORDS = "the answer has no words"
_NO_DOCUMENTS = "the supplied documents are not known"

_Measure = Callable[[Case], MetricScore]
_Documents = Mapping[str, str | None]
_OnDocuments = Callable[[Case, _Documents], MetricScore]


def on_references(
    name: str,
    formula: str,
    source: str,
    compare: Callable[[str, list[str]], MetricScore],
    null_when: str = "no reference answer",
) -> Metric:
    """A metric that compares the response with the reference answers."""

    def measure(case: Case) -> MetricScore:
        return compare(case.compared_answer, case.references)

    return Metric(name, "answers", formula, null_when, source, ALL, (RESPONSE,), (), measure)


def number_match(case: Case) -> MetricScore:
    """The numbers of the references in the response, within the tolerance of the options."""
    return answer_values.number_match(case.compared_answer, case.references, case.options.number_tolerance)


def on_terms(name: str, formula: str, field: str) -> Metric:
    """One of the term-overlap heuristics about the contexts; `field` is its name in QualityResult."""

    def measure(case: Case) -> MetricScore:
        if case.contexts is None:
            return undefined("no text of the contexts is known")
        if not case.has_words:
            return undefined(_NO_WORDS)
        return MetricScore(getattr(case.quality, field), case.partly_known)

    null_when = "an answer without words, or no context text is known"
    return Metric(name, "lexical", formula, null_when, _KIT, RAG, QUESTION, ("response",), measure)


def on_terms_of_answer(name: str, formula: str) -> Metric:
    """One of the term-overlap heuristics that need no context."""

    def measure(case: Case) -> MetricScore:
        if not case.has_words:
            return undefined(_NO_WORDS)
        return MetricScore(getattr(case.quality, name))

    return Metric(
        name, "lexical", formula, "an answer without words", _KIT, QA, QUESTION, ("response",), measure
    )


def on_passages(name: str, formula: str, compare: Callable[[list[list[float]], int], MetricScore]) -> Metric:
    """A metric on the similarities of the retrieved texts to the reference passages."""

    def measure(case: Case) -> MetricScore:
        if not case.reference_passages:
            return undefined(passages.NO_PASSAGES)
        if case.sources.retrieved and not any(case.sources.retrieved):
            return undefined(TEXTS_UNKNOWN)
        found = compare(case.passage_similarities, len(case.reference_passages))
        return MetricScore(found.value, case.partly_known)

    source, needs = "ragas 0.4, without a model", ("retrieved_documents",)
    null_when = (
        "no reference passage (`reference_contexts`, or `input.context` without ids), or no text is known"
    )
    return Metric(name, "retrieval", formula, null_when, source, RAG, (), needs, measure)


def groundedness(case: Case) -> MetricScore:
    """How far the known texts cover the response."""
    return case.groundedness or undefined("no text of the contexts is known")


def on_ranking(
    name: str, formula: str, source: str, measure: _Measure, null_when: str = "nothing is relevant"
) -> Metric:
    """A metric on the ranking joined with its judgements; a name in _at_k takes k."""
    needs, predicted, takes_k = (GROUND_TRUTH,), ("retrieved_documents",), name.endswith("_at_k")
    return Metric(name, "retrieval", formula, null_when, source, RAG, needs, predicted, measure, takes_k)


def on_cited_ids(name: str, formula: str, compare: Callable[[list[str], list[str]], MetricScore]) -> Metric:
    """A metric on the cited and the expected ids."""

    def measure(case: Case) -> MetricScore:
        return compare(case.cited_ids, case.expected_ids)

    null_when = "expected citations not annotated"
    return Metric(name, "citations", formula, null_when, OWN, RAG, (CITATIONS,), (), measure)


def on_documents(name: str, formula: str, null_when: str, source: str, compare: _OnDocuments) -> Metric:
    """A metric on the citations and the supplied documents."""

    def measure(case: Case) -> MetricScore:
        return undefined(_NO_DOCUMENTS) if case.documents is None else compare(case, case.documents)

    null_when = f"{null_when}, or {_NO_DOCUMENTS}"
    return Metric(name, "citations", formula, null_when, source, RAG, (), (), measure)


def on_sentences(measure: Callable[[citations.CitedSentences], MetricScore]) -> _OnDocuments:
    """What a metric on the response's sentences and what they cite does with a case."""

    def compare(case: Case, _: _Documents) -> MetricScore:
        if case.options.support_threshold is None:
            return undefined("no support threshold is given")
        return measure(case.cited_sentences)

    return compare


def on_calls(name: str, formula: str, measure: _Measure) -> Metric:
    """A metric on the predicted and the expected tool calls."""
    null_when = "expected tool calls not annotated"
    return Metric(name, "tool_calls", formula, null_when, OWN, AGENT, (TOOL_CALLS,), (), measure)


def on_abstention(name: str, formula: str, judged: tuple[bool, ...], null_when: str) -> Metric:
    """A metric on whether the prediction abstained, of the items whose `answerable` is one of `judged`."""

    def measure(case: Case) -> MetricScore:
        answerable = case.expected["answerable"]
        if answerable not in judged:
            return undefined(f"the item is {'answerable' if answerable else 'unanswerable'}")
        if case.abstained is not answerable:
            return MetricScore(1.0)
        return MetricScore(0.0, "abstained" if answerable else "answered an unanswerable question")

    return Metric(name, "abstention", formula, null_when, OWN, ALL, (ANSWERABLE,), (), measure)
