"""Every metric in one table, which `score` and the reference page read; `selection` looks things up in it."""

from __future__ import annotations

from evalcontract.metrics import answer_values, answers, citations, overlap, passages, retrieval, tool_calls
from evalcontract.metrics._kinds import (
    AGENT,
    ALCE,
    ALL,
    OWN,
    RAG,
    RESPONSE,
    SQUAD,
    groundedness,
    number_match,
    on_abstention,
    on_calls,
    on_cited_ids,
    on_documents,
    on_passages,
    on_ranking,
    on_references,
    on_sentences,
    on_terms,
    on_terms_of_answer,
)
from evalcontract.metrics._metric import HANDOFF, Metric
from evalcontract.metrics.quotes import quote_accuracy

METRICS: tuple[Metric, ...] = (
    on_references(
        "answer_exact_match",
        "1 if the normalised response equals a reference, else 0; best over references",
        SQUAD,
        answers.answer_exact_match,
    ),
    on_references(
        "answer_f1",
        "F1 over the multisets of normalised tokens; both empty 1, one empty 0",
        SQUAD,
        answers.answer_f1,
    ),
    on_references(
        "answer_recall",
        "tokens of the reference in the response / tokens of the reference, as multisets",
        SQUAD,
        answers.answer_recall,
    ),
    on_references(
        "answer_contains",
        "1 if the normalised reference stands in the normalised response as whole words, else 0",
        OWN,
        answers.answer_contains,
    ),
    on_references(
        "rouge_l",
        "F1 of the longest common subsequence of words",
        "Lin (2004); rouge-score 0.1.2",
        overlap.rouge_l,
    ),
    on_references(
        "chrf",
        "F2 over runs of 1 to 6 characters without white space",
        "Popovic (2015); sacrebleu 2.6",
        overlap.chrf,
    ),
    on_references(
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
        OWN,
        ALL,
        (RESPONSE,),
        (),
        number_match,
    ),
    on_references(
        "json_match",
        "matched keys / union of keys, places / longer array, nested; 0 if the response is no JSON",
        OWN,
        answer_values.json_match,
        "no reference answer that is a JSON object or array",
    ),
    on_terms(
        "context_relevance",
        "share of question terms over 3 characters found in the contexts",
        "context_relevance",
    ),
    on_terms_of_answer("answer_relevance", "share of question terms found in the answer"),
    on_terms_of_answer(
        "conciseness", "1 up to twice the question's term count, falling linearly to 0 at ten times"
    ),
    on_terms("term_groundedness", "share of answer terms found in any context", "groundedness"),
    on_terms(
        "quality_overall",
        "mean of term_groundedness, context_relevance, answer_relevance and conciseness",
        "overall",
    ),
    Metric(
        "groundedness",
        "groundedness",
        "mean over sentences of terms found anywhere and close together, times neighbours kept; second formula",
        "the answer has no scorable term, or no context text is known",
        OWN,
        RAG,
        (),
        ("response",),
        groundedness,
    ),
    on_ranking(
        "precision_at_k",
        "relevant in top k / k",
        "trec_eval P_k",
        lambda case: retrieval.precision(case.ranking, case.options.k, case.options.min_grade),
    ),
    on_ranking(
        "recall_at_k",
        "relevant in top k / all relevant",
        "trec_eval recall_k",
        lambda case: retrieval.recall(case.ranking, case.options.k, case.options.min_grade),
    ),
    on_ranking(
        "capped_recall_at_k",
        "relevant in top k / min(k, all relevant)",
        "BEIR (Thakur et al., 2021)",
        lambda case: retrieval.capped_recall(case.ranking, case.options.k, case.options.min_grade),
    ),
    on_ranking(
        "hit_rate_at_k",
        "1 if any relevant document is in the top k, else 0",
        "trec_eval success_k",
        lambda case: retrieval.hit_rate(case.ranking, case.options.k, case.options.min_grade),
    ),
    on_ranking(
        "reciprocal_rank",
        "1 / rank of the first relevant document, else 0; the mean is MRR",
        "trec_eval recip_rank",
        lambda case: retrieval.first_rank(case.ranking, case.options.min_grade),
    ),
    on_ranking(
        "average_precision",
        "mean over all relevant documents of the precision at their rank; the mean is MAP",
        "trec_eval map",
        lambda case: retrieval.mean_precision(case.ranking, case.options.min_grade),
    ),
    on_ranking(
        "r_precision",
        "precision at R, the number of relevant documents",
        "trec_eval Rprec",
        lambda case: retrieval.precision_at_r(case.ranking, case.options.min_grade),
    ),
    on_ranking(
        "ndcg_at_k",
        "DCG / ideal DCG, discount log2(rank + 1), gain linear or 2^grade - 1",
        "trec_eval ndcg_cut_k (linear gain)",
        lambda case: retrieval.ndcg(case.ranking, case.options.k, case.options.gain),
    ),
    on_ranking(
        "retrieval_precision",
        "relevant retrieved / retrieved, however many; 0 if none was",
        "trec_eval set_P",
        lambda case: retrieval.precision_of_all(case.ranking, case.options.min_grade),
    ),
    on_passages(
        "retrieved_text_precision",
        "mean over the retrieved texts that are reference passages of the precision at their rank",
        passages.precision_of,
    ),
    on_passages(
        "retrieved_text_recall",
        "reference passages found among the retrieved texts / reference passages",
        passages.recall_of,
    ),
    on_ranking(
        "judged_at_k",
        "judged in top k / k: tells 0 because unjudged from 0 because bad",
        OWN,
        lambda case: retrieval.judged_share(case.ranking, case.options.k),
        "no document is judged",
    ),
    on_ranking(
        "empty_when_nothing_relevant",
        "for unanswerable items: 1 if nothing was retrieved, else 0",
        OWN,
        lambda case: retrieval.empty_is_right(case.ranking),
        "something is relevant",
    ),
    on_documents(
        "citation_validity",
        "citations whose id or marker resolves to a supplied document / citations",
        "no citation",
        OWN,
        lambda case, documents: citations.citation_validity(
            case.citations, documents, case.response, case.sources.numbered
        ),
    ),
    on_cited_ids(
        "citation_precision",
        "cited ids that are expected / cited ids; both empty 1, one empty 0",
        citations.citation_precision,
    ),
    on_cited_ids(
        "citation_recall",
        "expected ids that are cited / expected ids; both empty 1, one empty 0",
        citations.citation_recall,
    ),
    on_cited_ids(
        "citation_f1", "harmonic mean of citation_precision and citation_recall", citations.citation_f1
    ),
    on_documents(
        "citation_support_recall",
        "sentences whose cited documents jointly reach groundedness >= threshold / sentences",
        "no scorable sentence, no threshold given",
        ALCE,
        on_sentences(citations.support_recall_of),
    ),
    on_documents(
        "citation_support_precision",
        "citations that alone support their sentence, or without which it is unsupported / citations",
        "no citation, no threshold given",
        ALCE,
        on_sentences(citations.support_precision_of),
    ),
    on_documents(
        "quote_accuracy",
        "quotes found in the cited document / quotes",
        "no citation carries a quote",
        OWN,
        lambda case, documents: quote_accuracy(case.citations, documents, case.options.quotes),
    ),
    on_calls(
        "tool_calls_exact",
        "1 if same length, names in order and args equal, else 0",
        lambda case: tool_calls.tool_calls_exact(*case.calls, case.options.args),
    ),
    on_calls(
        "tool_calls_in_order",
        "longest common subsequence / longer list; both empty 1, one empty 0",
        lambda case: tool_calls.tool_calls_in_order(*case.calls, case.options.args),
    ),
    on_calls(
        "tool_sequence_score",
        "best pairing by name that keeps the order, each pair by its arguments / longer list",
        lambda case: tool_calls.tool_sequence_score(*case.calls),
    ),
    on_calls(
        "tool_call_precision",
        "best one-to-one matching on name and args / predicted calls; both empty 1, one empty 0",
        lambda case: tool_calls.tool_call_precision(*case.calls, case.options.args),
    ),
    on_calls(
        "tool_call_recall",
        "best one-to-one matching on name and args / expected calls; both empty 1, one empty 0",
        lambda case: tool_calls.tool_call_recall(*case.calls, case.options.args),
    ),
    on_calls(
        "tool_call_f1",
        "harmonic mean of tool_call_precision and tool_call_recall",
        lambda case: tool_calls.tool_call_f1(*case.calls, case.options.args),
    ),
    on_calls(
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
        OWN,
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
    on_abstention(
        "abstained_when_unanswerable",
        "1 if the prediction abstained, else 0",
        (False,),
        "the item is answerable, or doesn't say whether it is",
    ),
    on_abstention(
        "answered_when_answerable",
        "1 if the prediction didn't abstain, else 0",
        (True,),
        "the item is unanswerable, or doesn't say whether it is",
    ),
    on_abstention(
        "abstention_accuracy",
        "1 if the prediction abstained just where the item is unanswerable, else 0",
        (True, False),
        "the item doesn't say whether it is answerable",
    ),
)
