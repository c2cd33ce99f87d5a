"""Every metric in one table, which `score` and the reference page read; `selection` looks things up in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evalcontract.metrics import answer_values, answers, citations, overlap, passages, retrieval, tool_calls
from evalcontract.metrics._metric import HANDOFF, Metric
from evalcontract.metrics._result import TEXTS_UNKNOWN, MetricScore, undefined
from evalcontract.metrics.case import Case
from evalcontract.metrics.quotes import quote_accuracy

ALL = ("qa", "rag", "agent", "rag_agent")
QA = ("qa", "rag", "rag_agent")
RAG = ("rag", "rag_agent")
AGENT = ("agent", "rag_agent")

RESPONSE = "expected_output.response"
GROUND_TRUTH = "expected_output.retrieval_ground_truth"
CITATIONS = "expected_output.citations"
TOOL_CALLS = "expected_output.tool_calls"

QUESTION = ("input.messages",)

_OWN = "evalcontract"
_KIT = "rag-quality-kit 0.1.0"
_SQUAD = "SQuAD v1.1 (Rajpurkar et al., 2016)"
_ALCE = "after ALCE (Gao et al., 2023)"
_NO_DOCUMENTS = "the supplied documents are not known"

_Measure = Callable[[Case], MetricScore]
_Documents = Mapping[str, str | None]
_OnDocuments = Callable[[Case, _Documents], MetricScore]


def _answer(
    name: str,
    formula: str,
    source: str,
    compare: Callable[[str, list[str]], MetricScore],
    null_when: str = "no reference answer",
) -> Metric:
    def measure(case: Case) -> MetricScore:
        return compare(case.compared_answer, case.references)

    return Metric(name, "answers", formula, null_when, source, ALL, (RESPONSE,), (), measure)


def _number_match(case: Case) -> MetricScore:
    return answer_values.number_match(case.compared_answer, case.references, case.options.number_tolerance)


def _lexical(name: str, formula: str, field: str) -> Metric:
    def measure(case: Case) -> MetricScore:
        if case.contexts is None:
            return undefined("no text of the contexts is known")
        return MetricScore(getattr(case.quality, field), case.partly_known)

    null_when = "no answer, or no context text is known"
    return Metric(name, "lexical", formula, null_when, _KIT, RAG, QUESTION, ("response",), measure)


def _lexical_of_answer(name: str, formula: str) -> Metric:
    def measure(case: Case) -> MetricScore:
        return MetricScore(getattr(case.quality, name))

    return Metric(name, "lexical", formula, "no answer", _KIT, QA, QUESTION, ("response",), measure)


def _on_passages(name: str, formula: str, compare: Callable[[list[list[float]], int], MetricScore]) -> Metric:
    def measure(case: Case) -> MetricScore:
        if not case.reference_passages:
            return undefined(passages.NO_PASSAGES)
        if not case.known_texts and case.documents:
            return undefined(TEXTS_UNKNOWN)
        found = compare(case.passage_similarities, len(case.reference_passages))
        return MetricScore(found.value, case.partly_known)

    source, needs = "ragas 0.4, without a model", ("retrieved_documents",)
    null_when = (
        "no reference passage (`reference_contexts` or `input.context`), or no retrieved text is known"
    )
    return Metric(name, "retrieval", formula, null_when, source, RAG, (), needs, measure)


def _groundedness(case: Case) -> MetricScore:
    return case.groundedness or undefined("no text of the contexts is known")


def _retrieval(
    name: str, formula: str, source: str, measure: _Measure, null_when: str = "nothing is relevant"
) -> Metric:
    needs, predicted, takes_k = (GROUND_TRUTH,), ("retrieved_documents",), name.endswith("_at_k")
    return Metric(name, "retrieval", formula, null_when, source, RAG, needs, predicted, measure, takes_k)


def _overlap(name: str, formula: str, compare: Callable[[list[str], list[str]], MetricScore]) -> Metric:
    def measure(case: Case) -> MetricScore:
        return compare(case.cited_ids, case.expected_ids)

    null_when = "expected citations not annotated"
    return Metric(name, "citations", formula, null_when, _OWN, RAG, (CITATIONS,), (), measure)


def _on_documents(name: str, formula: str, null_when: str, source: str, compare: _OnDocuments) -> Metric:
    def measure(case: Case) -> MetricScore:
        return undefined(_NO_DOCUMENTS) if case.documents is None else compare(case, case.documents)

    null_when = f"{null_when}, or {_NO_DOCUMENTS}"
    return Metric(name, "citations", formula, null_when, source, RAG, (), (), measure)


def _on_sentences(measure: Callable[[citations.CitedSentences], MetricScore]) -> _OnDocuments:
    def compare(case: Case, _: _Documents) -> MetricScore:
        if case.options.support_threshold is None:
            return undefined("no support threshold is given")
        return measure(case.cited_sentences)

    return compare


def _tool_call(name: str, formula: str, measure: _Measure) -> Metric:
    null_when = "expected tool calls not annotated"
    return Metric(name, "tool_calls", formula, null_when, _OWN, AGENT, (TOOL_CALLS,), (), measure)


METRICS: tuple[Metric, ...] = (
    _answer(
        "answer_exact_match",
        "1 if the normalised response equals a reference, else 0; best over references",
        _SQUAD,
        answers.answer_exact_match,
    ),
    _answer(
        "answer_f1",
        "F1 over the multisets of normalised tokens; both empty 1, one empty 0",
        _SQUAD,
        answers.answer_f1,
    ),
    _answer(
        "answer_recall",
        "tokens of the reference in the response / tokens of the reference, as multisets",
        _SQUAD,
        answers.answer_recall,
    ),
    _answer(
        "answer_contains",
        "1 if the normalised reference stands in the normalised response as whole words, else 0",
        _OWN,
        answers.answer_contains,
    ),
    _answer(
        "rouge_l",
        "F1 of the longest common subsequence of words",
        "Lin (2004); rouge-score 0.1.2",
        overlap.rouge_l,
    ),
    _answer(
        "chrf",
        "F2 over runs of 1 to 6 characters without white space",
        "Popovic (2015); sacrebleu 2.6",
        overlap.chrf,
    ),
    _answer(
        "bleu",
        "geometric mean of the precisions of 1 to 4 tokens, smoothed, times the brevity penalty",
        "Papineni et al. (2002); sacrebleu 2.6",
        overlap.bleu,
    ),
    Metric(
        "number_match",
        "answers",
        "numbers of the reference found in the response within the tolerance / numbers of the reference",
        "no reference answer, or no number in it",
        _OWN,
        ALL,
        (RESPONSE,),
        (),
        _number_match,
    ),
    _answer(
        "json_match",
        "matched keys / union of keys, places / longer array, nested; 0 if the response is no JSON",
        _OWN,
        answer_values.json_match,
        "no reference answer that is a JSON object or array",
    ),
    _lexical(
        "context_relevance",
        "share of question terms over 3 characters found in the contexts",
        "context_relevance",
    ),
    _lexical_of_answer("answer_relevance", "share of question terms found in the answer"),
    _lexical_of_answer(
        "conciseness", "1 up to twice the question's term count, falling linearly to 0 at ten times"
    ),
    _lexical("term_groundedness", "share of answer terms found in any context", "groundedness"),
    _lexical(
        "quality_overall",
        "mean of term_groundedness, context_relevance, answer_relevance and conciseness",
        "overall",
    ),
    Metric(
        "groundedness",
        "groundedness",
        "mean over sentences of terms found anywhere and close together, times neighbours kept; second formula",
        "the answer has no scorable term, or no context text is known",
        _OWN,
        RAG,
        (),
        ("response",),
        _groundedness,
    ),
    _retrieval(
        "precision_at_k",
        "relevant in top k / k",
        "trec_eval P_k",
        lambda case: retrieval.precision(case.ranking, case.options.k, case.options.min_grade),
    ),
    _retrieval(
        "recall_at_k",
        "relevant in top k / all relevant",
        "trec_eval recall_k",
        lambda case: retrieval.recall(case.ranking, case.options.k, case.options.min_grade),
    ),
    _retrieval(
        "capped_recall_at_k",
        "relevant in top k / min(k, all relevant)",
        "BEIR (Thakur et al., 2021)",
        lambda case: retrieval.capped_recall(case.ranking, case.options.k, case.options.min_grade),
    ),
    _retrieval(
        "hit_rate_at_k",
        "1 if any relevant document is in the top k, else 0",
        "trec_eval success_k",
        lambda case: retrieval.hit_rate(case.ranking, case.options.k, case.options.min_grade),
    ),
    _retrieval(
        "reciprocal_rank",
        "1 / rank of the first relevant document, else 0; the mean is MRR",
        "trec_eval recip_rank",
        lambda case: retrieval.first_rank(case.ranking, case.options.min_grade),
    ),
    _retrieval(
        "average_precision",
        "mean over all relevant documents of the precision at their rank; the mean is MAP",
        "trec_eval map",
        lambda case: retrieval.mean_precision(case.ranking, case.options.min_grade),
    ),
    _retrieval(
        "r_precision",
        "precision at R, the number of relevant documents",
        "trec_eval Rprec",
        lambda case: retrieval.precision_at_r(case.ranking, case.options.min_grade),
    ),
    _retrieval(
        "ndcg_at_k",
        "DCG / ideal DCG, discount log2(rank + 1), gain linear or 2^grade - 1",
        "trec_eval ndcg_cut_k (linear gain)",
        lambda case: retrieval.ndcg(case.ranking, case.options.k, case.options.gain),
    ),
    _retrieval(
        "retrieval_precision",
        "relevant retrieved / retrieved, however many; 0 if none was",
        "trec_eval set_P",
        lambda case: retrieval.precision_of_all(case.ranking, case.options.min_grade),
    ),
    _on_passages(
        "retrieved_text_precision",
        "mean over the retrieved texts that are reference passages of the precision at their rank",
        passages.precision_of,
    ),
    _on_passages(
        "retrieved_text_recall",
        "reference passages found among the retrieved texts / reference passages",
        passages.recall_of,
    ),
    _retrieval(
        "judged_at_k",
        "judged in top k / k: tells 0 because unjudged from 0 because bad",
        _OWN,
        lambda case: retrieval.judged_share(case.ranking, case.options.k),
        "no document is judged",
    ),
    _retrieval(
        "empty_when_nothing_relevant",
        "for unanswerable items: 1 if nothing was retrieved, else 0",
        _OWN,
        lambda case: retrieval.empty_is_right(case.ranking),
        "something is relevant",
    ),
    _on_documents(
        "citation_validity",
        "citations whose id or marker resolves to a supplied document / citations",
        "no citation",
        _OWN,
        lambda case, documents: citations.citation_validity(case.citations, documents, case.response),
    ),
    _overlap(
        "citation_precision",
        "cited ids that are expected / cited ids; both empty 1, one empty 0",
        citations.citation_precision,
    ),
    _overlap(
        "citation_recall",
        "expected ids that are cited / expected ids; both empty 1, one empty 0",
        citations.citation_recall,
    ),
    _overlap("citation_f1", "harmonic mean of citation_precision and citation_recall", citations.citation_f1),
    _on_documents(
        "citation_support_recall",
        "sentences whose cited documents jointly reach groundedness >= threshold / sentences",
        "no scorable sentence, no threshold given",
        _ALCE,
        _on_sentences(citations.support_recall_of),
    ),
    _on_documents(
        "citation_support_precision",
        "citations that alone support their sentence, or without which it is unsupported / citations",
        "no citation, no threshold given",
        _ALCE,
        _on_sentences(citations.support_precision_of),
    ),
    _on_documents(
        "quote_accuracy",
        "quotes found in the cited document / quotes",
        "no citation carries a quote",
        _OWN,
        lambda case, documents: quote_accuracy(case.citations, documents, case.options.quotes),
    ),
    _tool_call(
        "tool_calls_exact",
        "1 if same length, names in order and args equal, else 0",
        lambda case: tool_calls.tool_calls_exact(*case.calls, case.options.args),
    ),
    _tool_call(
        "tool_calls_in_order",
        "longest common subsequence / longer list; both empty 1, one empty 0",
        lambda case: tool_calls.tool_calls_in_order(*case.calls, case.options.args),
    ),
    _tool_call(
        "tool_sequence_score",
        "best pairing by name that keeps the order, each pair by its arguments / longer list",
        lambda case: tool_calls.tool_sequence_score(*case.calls),
    ),
    _tool_call(
        "tool_call_precision",
        "best one-to-one matching on name and args / predicted calls; both empty 1, one empty 0",
        lambda case: tool_calls.tool_call_precision(*case.calls, case.options.args),
    ),
    _tool_call(
        "tool_call_recall",
        "best one-to-one matching on name and args / expected calls; both empty 1, one empty 0",
        lambda case: tool_calls.tool_call_recall(*case.calls, case.options.args),
    ),
    _tool_call(
        "tool_call_f1",
        "harmonic mean of tool_call_precision and tool_call_recall",
        lambda case: tool_calls.tool_call_f1(*case.calls, case.options.args),
    ),
    _tool_call(
        "tool_argument_score",
        "mean over expected calls of matched expected keys / union of keys, best pairing by name",
        lambda case: tool_calls.tool_argument_score(*case.calls),
    ),
    Metric(
        "routing_match",
        "tool_calls",
        "1 if handoff_to equals the expected one, else 0; handoff_expected false: 1 if nothing was handed off; "
        "true without a target: 1 if it went to anyone",
        "expected hand-off not annotated, or whether there was one not recorded",
        _OWN,
        AGENT,
        (HANDOFF,),
        (),
        lambda case: tool_calls.routing_match(
            case.prediction.get("handoff_to"),
            case.expected.get("handoff_to"),
            handed_off=case.prediction.get("handed_off"),
            handoff_expected=case.expected.get("handoff_expected"),
        ),
    ),
)
