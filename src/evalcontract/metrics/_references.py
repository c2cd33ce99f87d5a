"""One answer against one or several references."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evalcontract.errors import MetricTypeError
from evalcontract.metrics._result import MetricScore, undefined
from evalcontract.metrics.contexts import require_text

NO_REFERENCE = "no reference answer is annotated"


def best_of(
    answer: str,
    references: str | Sequence[str] | None,
    compare: Callable[[str, str], float | None],
    incomparable: str = NO_REFERENCE,
) -> MetricScore:
    """The best comparison of the answer with a reference; None without a reference, or with none that compares.

    `compare` gives None for a reference that it has nothing to say of; when it does so for all, `incomparable` is
    the reason. Raises MetricTypeError for what is no text.
    """
    require_text(answer, "answer")
    texts = reference_texts(references)
    if not texts:
        return undefined(NO_REFERENCE)
    values = [value for text in texts if (value := compare(answer, text)) is not None]
    return MetricScore(max(values)) if values else undefined(incomparable)


def reference_texts(references: str | Sequence[str] | None) -> list[str]:
    """The references as a list of texts; MetricTypeError for anything else."""
    if references is None:
        return []
    if isinstance(references, str):
        return [references]
    if isinstance(references, bytes) or not isinstance(references, Sequence):
        raise MetricTypeError(
            f"references must be a string or a list of strings, not {type(references).__name__}"
        )
    return [require_text(reference, f"references[{number}]") for number, reference in enumerate(references)]
