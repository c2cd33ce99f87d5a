"""The reference tables of the metrics, as they stand in docs/metrics.md."""

from __future__ import annotations

from itertools import groupby

from evalcontract.metrics._metric import Metric
from evalcontract.metrics.table import METRICS

_TITLES = {
    "answers": "Answers",
    "lexical": "Term overlap",
    "groundedness": "Groundedness",
    "retrieval": "Retrieval",
    "citations": "Citations and quotes",
    "tool_calls": "Tool calls and routing",
    "abstention": "Abstention",
}


def metrics_table_markdown() -> str:
    """One table per kind of metric: formula, needs, range, when it has no value, schema types, source."""
    parts: list[str] = []
    for room, metrics in groupby(METRICS, key=lambda metric: metric.room):
        parts.append(f"### {_TITLES[room]}\n")
        parts.append("| metric | formula | needs | range | null when | schema types | source |")
        parts.append("|---|---|---|---|---|---|---|")
        parts.extend(_row(metric) for metric in metrics)
        parts.append("")
    return "\n".join(parts)


def _row(metric: Metric) -> str:
    needs = [f"`{path}`" for path in metric.item_fields]
    needs += [f"`prediction.{name}`" for name in metric.prediction_fields]
    low, high = metric.range
    cells = [
        f"`{metric.name}`",
        metric.formula,
        ", ".join(needs) or "-",
        f"{low:g} to {high:g}, {metric.direction} is better",
        metric.null_when,
        ", ".join(metric.schema_types),
        metric.source,
    ]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
