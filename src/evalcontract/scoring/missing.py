"""What an item asks for and a prediction may lack: an answer owed, and parts that were not recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from evalcontract.errors import MetricTypeError, MetricValueError
from evalcontract.metrics import Case, MetricOptions, MetricScore, value_at
from evalcontract.scoring.settings import Measure

Record = Mapping[str, Any]

NO_PREDICTION = "no prediction"
_ANY_DOCUMENT = "-"
_ANY_WORDS = "the tower of 1889 stands there"


def owes_answer(item: Record) -> bool:
    """Whether the item asks for an answer: not when it is unanswerable, nor when its expected response is blank."""
    gold = _gold(item)
    response = gold.get("response")
    return gold.get("answerable") is not False and (response is None or bool(response.strip()))


def probe(item: Record) -> dict[str, Any]:
    """A prediction that does all that the item asks for: what has no value even for it doesn't apply.

    A run that leaves out the items it can't do must not look better for it, so wherever this prediction
    has a value a missing one scores 0; where it has none, as a recall where nothing is relevant, there is
    nothing to miss.
    """
    gold = _gold(item)
    answer = gold.get("response") or _ANY_WORDS
    ids = _supplied(item)
    return {
        "response": answer,
        "citations": gold.get("citations"),
        "retrieved_documents": [{"document_id": id_, "content": answer} for id_ in ids],
        "tool_calls": gold.get("tool_calls"),
        "handoff_to": gold.get("handoff_to") if gold.get("handoff_expected") is not False else None,
        "handed_off": gold.get("handoff_expected"),
    }


def talkative_probe(item: Record) -> dict[str, Any]:
    """A prediction that records all that a metric could read, whether the item asks for it or not."""
    told = probe(item)
    first = _supplied(item)[0]
    told["response"] = f"{told['response']} {_ANY_WORDS} [1]"
    told["citations"] = [{"document_id": first, "response_marker": "[1]", "quotes": [_ANY_WORDS]}]
    told["tool_calls"] = told["tool_calls"] or []
    return told


class Reach:
    """What a dataset can judge of an item, worked out where a prediction leaves it open."""

    def __init__(self, item: Record, options: MetricOptions) -> None:
        self._item = item
        self._options = options

    def owed(self, measure: Measure, options: MetricOptions) -> bool:
        """Whether a prediction that does what the item asks for has a value."""
        return self._of(self._asked, measure, options).value is not None

    def why_not(self, measure: Measure, options: MetricOptions) -> str:
        """Why not even that prediction has a value."""
        return self._of(self._asked, measure, options).reason or ""

    def judged(self, measure: Measure, options: MetricOptions) -> bool:
        """Whether some prediction has a value."""
        return self._of(self._talkative, measure, options).value is not None

    @cached_property
    def _asked(self) -> Case:
        return Case(self._item, probe(self._item), self._options)

    @cached_property
    def _talkative(self) -> Case:
        return Case(self._item, talkative_probe(self._item), self._options)

    def _of(self, case: Case, measure: Measure, options: MetricOptions) -> MetricScore:
        case.options = options
        try:
            return measure.metric.run_case(case)
        except (MetricValueError, MetricTypeError) as error:
            return MetricScore(None, error.message)


def _gold(item: Record) -> Record:
    expected = item.get("expected_output")
    return expected if isinstance(expected, Mapping) else {}


def _supplied(item: Record) -> list[str]:
    judged: Sequence[Record] = _gold(item).get("retrieval_ground_truth") or ()
    wanted = [row["document_id"] for row in judged if row["relevance"]] or [_ANY_DOCUMENT]
    supplied: Sequence[str] = value_at(item, "input.document_ids") or ()
    return list(dict.fromkeys([*wanted, *supplied]))
