"""A metric as a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from evalcontract.metrics._result import MetricScore, undefined
from evalcontract.metrics.case import Case, Record, value_at
from evalcontract.metrics.options import DEFAULT_OPTIONS, MetricOptions

Room = Literal[
    "answers", "lexical", "groundedness", "retrieval", "citations", "tool_calls", "abstention", "own"
]

HANDOFF = "expected_output.handoff_to"
_INSTEAD = {HANDOFF: "expected_output.handoff_expected"}
"""What annotates an item as well as the field that a metric names."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: what it measures, what it needs, when it has no value, how it runs."""

    name: str
    room: Room
    formula: str
    null_when: str
    source: str
    schema_types: tuple[str, ...]
    item_fields: tuple[str, ...]
    """Dotted paths that the item must carry; without one of them the metric has no value."""
    prediction_fields: tuple[str, ...]
    """Fields that the prediction must carry; without one of them the metric has no value."""
    measure: Callable[[Case], MetricScore]
    takes_k: bool = False
    range: tuple[float, float] = (0.0, 1.0)
    direction: Literal["higher"] = "higher"

    def applies(self, item: Record) -> bool:
        """Whether the item is annotated for this metric, whatever was predicted."""
        return self._absent_field(item) is None

    def run(self, item: Record, prediction: Record, options: MetricOptions = DEFAULT_OPTIONS) -> MetricScore:
        """Score one prediction for one item; both in the contract's shapes, neither is changed."""
        return self.run_case(Case(item, prediction, options))

    def run_case(self, case: Case) -> MetricScore:
        """Score a case that other metrics may share."""
        absent = self._absent_field(case.item)
        if absent:
            return undefined(f"the item has no {absent}")
        for name in self.prediction_fields:
            if case.prediction.get(name) is None:
                return undefined(f"the prediction has no {name}")
        return self.measure(case)

    def _absent_field(self, item: Record) -> str | None:
        for path in self.item_fields:
            if value_at(item, path) is None and value_at(item, _INSTEAD.get(path, path)) is None:
                return path
        return None
