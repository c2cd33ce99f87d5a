"""The scores of one prediction for one item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from evalcontract.errors import MetricTypeError, MetricValueError, UsageError
from evalcontract.metrics import Case, MetricOptions, MetricScore, undefined
from evalcontract.scoring.known_fields import KnownFields
from evalcontract.scoring.missing import NO_PREDICTION, probe
from evalcontract.scoring.reasons import reason_for
from evalcontract.scoring.settings import Measure, Settings

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ItemScores:
    """Each measure of one prediction, and what was odd about the prediction."""

    scores: Mapping[str, MetricScore]
    warnings: tuple[str, ...] = ()


class Scorer:
    """Scores predictions item by item; keeps what is built once for all of them."""

    def __init__(self, settings: Settings) -> None:
        self._measures = settings.measures()
        self._chosen_by_type = settings.metrics is None
        self._enabled: dict[str, tuple[Measure, ...]] = {}
        self._default = settings.options
        self._options: dict[int | None, MetricOptions] = {
            measure.k: replace(settings.options, k=measure.k or settings.options.k)
            for measure in self._measures
        }
        self._known_fields = KnownFields()

    def score(self, item: Record, prediction: Record | None, schema_type: str | None) -> ItemScores:
        """Score a prediction, None where there is none; both sides keep their contracts.

        A missing prediction scores 0 on every measure on which an answer to this item can have a value.
        """
        known, dropped = self._known_fields.of(item, schema_type)
        case = Case(known, probe(known) if prediction is None else prediction, self._default)
        scores: dict[str, MetricScore] = {}
        warnings: dict[str, None] = {}
        for measure in self._measures_for(schema_type):
            case.options = self._options[measure.k]  # nothing that a case keeps depends on k
            score = _run(measure, case, item)
            if score.value is None:
                scores[measure.name] = undefined(_dropped(measure, dropped) or score.reason or "")
            elif prediction is None:
                scores[measure.name] = MetricScore(0.0, NO_PREDICTION)
            else:
                scores[measure.name] = MetricScore(score.value, reason_for(case, measure, score))
                warnings.update(dict.fromkeys(score.details.get("warnings", ())))
        return ItemScores(scores, tuple(warnings))

    def _measures_for(self, schema_type: str | None) -> tuple[Measure, ...]:
        if schema_type is None or not self._chosen_by_type:
            return self._measures
        if schema_type not in self._enabled:
            self._enabled[schema_type] = tuple(
                measure for measure in self._measures if schema_type in measure.metric.schema_types
            )
        return self._enabled[schema_type]


def _run(measure: Measure, case: Case, item: Record) -> MetricScore:
    try:
        return measure.metric.run_case(case)
    except (MetricValueError, MetricTypeError) as error:
        raise UsageError(
            f"item {item.get('item_id')!r} can't be scored by {measure.name}: {error.message}",
            hint=error.hint,
        ) from error


def _dropped(measure: Measure, dropped: frozenset[str]) -> str | None:
    for path in measure.metric.item_fields:
        if path in dropped:
            return f"the item's {path} is not what a schema type calls so"
    return None
