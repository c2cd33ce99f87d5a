"""Rows of other tools, known by their keys: what to import them with."""

from __future__ import annotations

from collections.abc import Iterable

# The first set that a row has all keys of tells where it comes from. The importing presets know every key here.
TELL_TALES: tuple[tuple[str, frozenset[str]], ...] = (
    ("langfuse", frozenset({"input", "expectedOutput", "datasetId"})),
    ("langfuse", frozenset({"input", "expected_output", "dataset_id"})),
    ("ragas", frozenset({"user_input", "retrieved_contexts"})),
    ("ragas", frozenset({"user_input", "reference_contexts"})),
    ("ragas", frozenset({"user_input", "reference"})),
    ("ragas", frozenset({"user_input", "response"})),
    ("ragas", frozenset({"question", "contexts"})),
    ("ragas", frozenset({"question", "ground_truths"})),
    ("deepeval", frozenset({"input", "actual_output"})),
    ("deepeval", frozenset({"input", "retrieval_context"})),
    ("deepeval", frozenset({"input", "expected_tools"})),
    ("deepeval", frozenset({"input", "actualOutput"})),
    ("deepeval", frozenset({"input", "expectedOutput"})),
    ("langsmith", frozenset({"inputs", "outputs"})),
    ("langsmith", frozenset({"inputs", "reference_outputs"})),
    ("promptfoo-results", frozenset({"testCase", "response"})),
    ("promptfoo", frozenset({"vars", "assert"})),
    ("promptfoo-csv", frozenset({"__expected"})),
    ("promptfoo-csv", frozenset({"__expected1"})),
    ("inspect_ai", frozenset({"input", "target"})),
    ("llamaindex", frozenset({"query", "reference_answer"})),
    ("llamaindex", frozenset({"query", "reference_contexts"})),
    ("mlflow", frozenset({"inputs", "expectations"})),
    ("pydantic-evals", frozenset({"inputs", "expected_output"})),
    ("adk", frozenset({"eval_id", "conversation"})),
    ("agent-skills", frozenset({"prompt", "expected_output"})),
    ("agent-skills", frozenset({"prompt", "assertions"})),
    ("openai-evals", frozenset({"item", "sample"})),
    ("braintrust", frozenset({"input", "expected"})),
    ("azure", frozenset({"query", "retrieval_ground_truth"})),
    ("azure", frozenset({"query", "tool_definitions"})),
    ("azure", frozenset({"query", "ground_truth"})),
    ("azure", frozenset({"query", "context", "response"})),
    ("squad", frozenset({"question", "answers", "is_impossible"})),
    ("squad", frozenset({"question", "answers", "context"})),
    ("golden", frozenset({"question", "answer"})),
    ("golden", frozenset({"question", "expected_answer"})),
    ("golden", frozenset({"question", "ground_truth"})),
    ("openai-evals", frozenset({"input", "ideal"})),
)


def foreign_format(keys: Iterable[str]) -> str | None:
    """The preset that a row with these keys is read with, or None."""
    return next(iter(foreign_formats(keys)), None)


def foreign_formats(keys: Iterable[str]) -> list[str]:
    """All presets of which a row has every key of a set, the likeliest first."""
    found = set(keys)
    return list(dict.fromkeys(name for name, needed in TELL_TALES if needed <= found))
