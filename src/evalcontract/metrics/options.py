"""What a caller may choose about the metrics, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalcontract.errors import UsageError
from evalcontract.metrics._ranking import Gain, check_gain, check_k, check_min_grade
from evalcontract.metrics.answer_values import check_tolerance
from evalcontract.metrics.quotes import QuoteMode
from evalcontract.metrics.tool_calls import ArgsMode

__all__ = ["DEFAULT_OPTIONS", "MetricOptions", "check_k", "check_options"]

_ARGS = ("exact", "superset", "subset", "ignore")
_QUOTES = ("exact", "fuzzy")


@dataclass(frozen=True, slots=True)
class MetricOptions:
    """What a caller may choose; the defaults are those of the pure functions.

    `support_threshold` has no default: without it the citation_support metrics have no value.
    `chunk_separator` ("#") makes chunk ids count as their document. `tool_parameters` maps tool names to the
    JSON Schema of their parameters and lets "42" count as 42 where an integer is declared. `number_tolerance`
    is how far a number may lie off relative to the expected one (0.01: one per cent). An answer that holds one of
    `abstentions`, without regard to case and white space, abstains where the prediction doesn't say whether it did.
    """

    k: int = 10
    min_grade: int = 1
    gain: Gain = "linear"
    args: ArgsMode = "exact"
    quotes: QuoteMode = "exact"
    support_threshold: float | None = None
    chunk_separator: str | None = None
    tool_parameters: Mapping[str, Mapping[str, Any]] | None = None
    number_tolerance: float = 0.0
    abstentions: tuple[str, ...] = ()


DEFAULT_OPTIONS = MetricOptions()


def check_options(options: MetricOptions) -> None:
    """Raise UsageError or MetricValueError for an option that no metric can use."""
    check_k(options.k)
    check_min_grade(options.min_grade)
    check_tolerance(options.number_tolerance)
    check_gain(options.gain)
    for what, given, known in (("args", options.args, _ARGS), ("quotes", options.quotes, _QUOTES)):
        if given not in known:
            raise UsageError(
                f"there is no way {given!r} to compare {what}", hint=f"one of {', '.join(known)}"
            )
    threshold = options.support_threshold
    if threshold is not None and not 0 <= threshold <= 1:
        raise UsageError(f"the support threshold lies in 0..1, not at {threshold!r}")
    if not all(phrase.strip() for phrase in options.abstentions):
        raise UsageError(
            "a phrase that counts as an abstention is empty",
            hint='write for example --abstention "I don\'t know"',
        )
    if options.chunk_separator == "":
        raise UsageError(
            "the separator of chunk ids is empty", hint="write for example --chunk-separator '#'"
        )
