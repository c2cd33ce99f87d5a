"""Scores that others gave: a model that judges, a person, another program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import jiter

from evalcontract.errors import UsageError
from evalcontract.metrics import Case, Metric, MetricScore, undefined
from evalcontract.values import shown

_TYPES = ("qa", "rag", "agent", "rag_agent")
_KEPT = ("evaluator", "label", "explanation", "metadata")
_NOT_IN_A_NAME = re.compile(r"[\[\]=,\s]+")
_LONGEST = 190

Record = Mapping[str, Any]


def judged_name(metric: str, evaluator: str) -> str:
    """What a metric of another evaluator is called in a run: `helpfulness@judge-2`."""
    return _NOT_IN_A_NAME.sub("_", f"{metric}@{evaluator}")[:_LONGEST]


def judged_metric(name: str) -> Metric:
    """The metric whose values are what score records say."""
    evaluator = name.rpartition("@")[2]

    def measure(case: Case) -> MetricScore:
        return case.judged.get(name) or undefined(f"no score by {evaluator}", evaluator=evaluator)

    return Metric(name, "own", "what the evaluator says", "it says nothing", name, _TYPES, (), (), measure)


class JudgedScores:
    """Collects from score records which metrics they are of."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, str]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the measures, in the order in which they came up."""
        return tuple(self._names)

    def add(self, record: Record, file: str) -> None:
        """Take one record, which keeps its contract.

        Raises UsageError for scores of this package, which are compared and not taken over, and for two evaluators
        that can't be told apart.
        """
        for metric, score in record["scores"].items():
            evaluator = score.get("evaluator")
            if evaluator is None:
                raise UsageError(
                    f"{file}: {shown(metric)} of item {shown(record['item_id'])} doesn't say who scored",
                    hint="say it in evaluator; scores that evalcontract made are for --compare",
                )
            name = judged_name(metric, evaluator)
            other = self._names.setdefault(name, (metric, evaluator))
            if other != (metric, evaluator):
                raise UsageError(
                    f"{file}: {shown(evaluator)} and {shown(other[1])} would both be called {name}",
                    hint="give one of the evaluators another name",
                )


def judged_in(
    records: Sequence[bytes], prediction: Record | None, many: bool, digest: str
) -> dict[str, MetricScore]:
    """What records say of one prediction for their item; `many`: the item was predicted several times.

    A record that names a repetition is about that one, another about each. What was said of another run, or of an item
    with another `digest`, is no score. Raises UsageError for two scores by one evaluator.
    """
    found: dict[str, MetricScore] = {}
    repetition = ((prediction or {}).get("repetition") or 1) if many else None
    run = (prediction or {}).get("run_id")
    for record in map(jiter.from_json, records):
        about = record.get("repetition")
        if many and about is not None and about != repetition:
            continue
        scored, of_item = record.get("run_id"), record.get("item_digest")
        for metric, score in record["scores"].items():
            name = judged_name(metric, score["evaluator"])
            if name in found:
                raise UsageError(
                    f"item {shown(record['item_id'])} has two scores of {name}",
                    hint="keep one of them, or number them with repetition as the predictions are",
                )
            kept = {key: score[key] for key in _KEPT if score.get(key) is not None}
            if run is not None and scored is not None and run != scored:
                found[name] = undefined(f"the score is of the run {shown(scored, 60)}", **kept)
            elif of_item is not None and of_item != digest:
                found[name] = undefined("the score is of another version of the item", **kept)
            elif score.get("value") is None:
                found[name] = undefined(score.get("reason") or "the evaluator gave no value", **kept)
            else:
                found[name] = MetricScore(float(score["value"]), score.get("reason"), kept)
    return found
