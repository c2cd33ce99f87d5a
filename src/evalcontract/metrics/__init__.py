"""Deterministic metrics for answers, retrieval, citations and tool calls: pure functions on plain values.

Every metric gives a MetricScore in [0, 1], or one without a value and with the reason. Modules are loaded
when a name of theirs is first used, so importing this package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcontract.lazy import lazily

if TYPE_CHECKING:
    from evalcontract.metrics._documents import is_nameless as is_nameless
    from evalcontract.metrics._json import (
        json_equal,
    )
    from evalcontract.metrics._metric import (
        Metric,
    )
    from evalcontract.metrics._result import (
        Aggregate,
        MetricScore,
        aggregate,
        undefined,
    )
    from evalcontract.metrics.answer_values import (
        json_match,
        number_match,
    )
    from evalcontract.metrics.answers import (
        answer_contains,
        answer_exact_match,
        answer_f1,
        answer_recall,
    )
    from evalcontract.metrics.arguments import (
        ParsedArguments,
        coerce_arguments,
        parse_arguments,
    )
    from evalcontract.metrics.case import Case as Case
    from evalcontract.metrics.case import value_at as value_at
    from evalcontract.metrics.citations import (
        citation_f1,
        citation_precision,
        citation_recall,
        citation_support_precision,
        citation_support_recall,
        citation_validity,
    )
    from evalcontract.metrics.citations import cited_by_markers as cited_by_markers
    from evalcontract.metrics.contexts import (
        ContextIndex,
    )
    from evalcontract.metrics.grounding import (
        GROUNDEDNESS_FORMULA,
        GroundednessScore,
        MissingTerm,
        SentenceScore,
        groundedness,
    )
    from evalcontract.metrics.lexical import (
        QualityResult,
        missing_evidence,
        score,
        score_rag,
    )
    from evalcontract.metrics.options import (
        MetricOptions,
    )
    from evalcontract.metrics.options import check_k as check_k
    from evalcontract.metrics.options import check_options as check_options
    from evalcontract.metrics.overlap import (
        bleu,
        chrf,
        rouge_l,
    )
    from evalcontract.metrics.passages import passage_matches as passage_matches
    from evalcontract.metrics.passages import (
        retrieved_text_precision,
        retrieved_text_recall,
    )
    from evalcontract.metrics.quotes import (
        QuoteMatch,
        find_quote,
        quote_accuracy,
    )
    from evalcontract.metrics.retrieval import (
        average_precision,
        capped_recall_at_k,
        empty_when_nothing_relevant,
        hit_rate_at_k,
        judged_at_k,
        ndcg_at_k,
        precision_at_k,
        r_precision,
        recall_at_k,
        reciprocal_rank,
        retrieval_precision,
    )
    from evalcontract.metrics.runs import (
        Ranking,
        RunScores,
        alternatives_as_one,
        chunks_to_documents,
        rank_by_score,
        relevance_by_id,
        score_run,
    )
    from evalcontract.metrics.selection import metric, metrics_for, score_item
    from evalcontract.metrics.table import METRICS
    from evalcontract.metrics.tool_calls import (
        argument_score,
        routing_match,
        tool_argument_score,
        tool_call_f1,
        tool_call_precision,
        tool_call_recall,
        tool_calls_exact,
        tool_calls_in_order,
        tool_sequence_score,
    )
    from evalcontract.metrics.tool_calls import paired_calls as paired_calls
    from evalcontract.texts import Marker, MarkerReport, find_markers

_MODULES = {
    ".texts": "Marker MarkerReport find_markers",
    "_json": "json_equal",
    "_metric": "Metric",
    "_result": "Aggregate MetricScore aggregate undefined",
    "answer_values": "json_match number_match",
    "answers": "answer_contains answer_exact_match answer_f1 answer_recall",
    "arguments": "ParsedArguments coerce_arguments parse_arguments",
    "selection": "metric metrics_for score_item",
    "citations": (
        "citation_f1 citation_precision citation_recall citation_support_precision "
        "citation_support_recall citation_validity cited_by_markers"
    ),
    "contexts": "ContextIndex",
    "grounding": "GROUNDEDNESS_FORMULA GroundednessScore MissingTerm SentenceScore groundedness",
    "lexical": "QualityResult missing_evidence score score_rag",
    "_documents": "is_nameless",
    "case": "Case value_at",
    "options": "MetricOptions check_k check_options",
    "overlap": "bleu chrf rouge_l",
    "passages": "passage_matches retrieved_text_precision retrieved_text_recall",
    "quotes": "QuoteMatch find_quote quote_accuracy",
    "retrieval": (
        "average_precision capped_recall_at_k empty_when_nothing_relevant hit_rate_at_k judged_at_k "
        "ndcg_at_k precision_at_k r_precision recall_at_k reciprocal_rank retrieval_precision"
    ),
    "runs": "Ranking RunScores alternatives_as_one chunks_to_documents rank_by_score relevance_by_id score_run",
    "table": "METRICS",
    "tool_calls": (
        "argument_score paired_calls routing_match tool_argument_score tool_call_f1 tool_call_precision "
        "tool_call_recall tool_calls_exact tool_calls_in_order tool_sequence_score"
    ),
}

__all__ = [
    "GROUNDEDNESS_FORMULA",
    "METRICS",
    "Aggregate",
    "ContextIndex",
    "GroundednessScore",
    "Marker",
    "MarkerReport",
    "Metric",
    "MetricOptions",
    "MetricScore",
    "MissingTerm",
    "ParsedArguments",
    "QualityResult",
    "QuoteMatch",
    "Ranking",
    "RunScores",
    "SentenceScore",
    "aggregate",
    "alternatives_as_one",
    "answer_contains",
    "answer_exact_match",
    "answer_f1",
    "answer_recall",
    "argument_score",
    "average_precision",
    "bleu",
    "capped_recall_at_k",
    "chrf",
    "chunks_to_documents",
    "citation_f1",
    "citation_precision",
    "citation_recall",
    "citation_support_precision",
    "citation_support_recall",
    "citation_validity",
    "coerce_arguments",
    "empty_when_nothing_relevant",
    "find_markers",
    "find_quote",
    "groundedness",
    "hit_rate_at_k",
    "json_equal",
    "json_match",
    "judged_at_k",
    "metric",
    "metrics_for",
    "missing_evidence",
    "ndcg_at_k",
    "number_match",
    "parse_arguments",
    "precision_at_k",
    "quote_accuracy",
    "r_precision",
    "rank_by_score",
    "recall_at_k",
    "reciprocal_rank",
    "relevance_by_id",
    "retrieval_precision",
    "retrieved_text_precision",
    "retrieved_text_recall",
    "rouge_l",
    "routing_match",
    "score",
    "score_item",
    "score_rag",
    "score_run",
    "tool_argument_score",
    "tool_call_f1",
    "tool_call_precision",
    "tool_call_recall",
    "tool_calls_exact",
    "tool_calls_in_order",
    "tool_sequence_score",
    "undefined",
]


__getattr__ = lazily(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
