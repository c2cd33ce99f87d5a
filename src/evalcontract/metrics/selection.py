"""Metrics by name and by schema type, and several of them of one prediction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evalcontract.errors import MetricTypeError, UsageError
from evalcontract.metrics._metric import Metric
from evalcontract.metrics._result import MetricScore
from evalcontract.metrics.case import Case, Record
from evalcontract.metrics.options import DEFAULT_OPTIONS, MetricOptions
from evalcontract.metrics.table import METRICS

_BY_NAME = {metric.name: metric for metric in METRICS}


def metric(name: str) -> Metric:
    """The metric of that name; UsageError names close ones when there is none."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    from difflib import get_close_matches

    close = get_close_matches(name, _BY_NAME, 3)
    hint = f"did you mean {' or '.join(close)}?" if close else f"one of {', '.join(_BY_NAME)}"
    raise UsageError(f"there is no metric {name!r}", hint=hint)


def metrics_for(schema_type: str | None) -> tuple[Metric, ...]:
    """The metrics that a schema type enables; all of them when the type is not known."""
    if schema_type is None:
        return METRICS
    return tuple(metric for metric in METRICS if schema_type in metric.schema_types)


def score_item(
    item: Record,
    prediction: Record,
    metrics: Iterable[Metric] = METRICS,
    options: MetricOptions = DEFAULT_OPTIONS,
) -> dict[str, MetricScore]:
    """Several metrics of one prediction by name; contexts, ranking and calls are read once for all.

    Raises MetricTypeError for a whole prediction record: the prediction is a part of it.
    """
    if isinstance(prediction.get("prediction"), Mapping):
        raise MetricTypeError(
            "this is a prediction record, not a prediction", hint='pass record["prediction"] to score_item'
        )
    case = Case(item, prediction, options)
    return {metric.name: metric.run_case(case) for metric in metrics}
