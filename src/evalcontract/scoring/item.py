"""The scores of one prediction for one item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from evalcontract.errors import MetricTypeError, MetricValueError, UsageError
from evalcontract.metrics import Case, MetricOptions, MetricScore, undefined
from evalcontract.scoring.known_fields import KnownFields
from evalcontract.scoring.missing import NO_PREDICTION, Reach, owes_answer
from evalcontract.scoring.reasons import reason_for
from evalcontract.scoring.settings import Measure, ScoreSettings
from evalcontract.texts import is_blank

Record = Mapping[str, Any]


_OF_THE_ANSWER = frozenset({"answers", "lexical", "groundedness", "citations"})
"""The rooms of metrics that judge an answer and what it cites."""
_ON_QUOTES = "quote_accuracy"
_ON_TEXTS = frozenset(
    {
        "context_relevance",
        "term_groundedness",
        "quality_overall",
        "groundedness",
        "citation_support_recall",
        "citation_support_precision",
        _ON_QUOTES,
    }
)
"""The metrics that depend on what stands in the documents."""
_ON_IDS = "citation_validity"
_ON_NUMBERS = frozenset(
    {
        "citation_validity",
        "citation_precision",
        "citation_recall",
        "citation_f1",
        "citation_support_recall",
        "citation_support_precision",
    }
)
"""The metrics that depend on which document a marker such as [2] means."""
_UNANSWERABLE = "the item is unanswerable: no answer is right"
_NO_ANSWER = "no answer"
_ABSTAINED = "abstained"


@dataclass(frozen=True, slots=True)
class ItemScores:
    """Each measure of one prediction, and what was odd about the prediction.

    `owed` names the measures that the dataset can judge and the prediction doesn't record enough for.
    """

    scores: Mapping[str, MetricScore]
    warnings: tuple[str, ...] = ()
    owed: frozenset[str] = frozenset()


class Scorer:
    """Scores predictions item by item; keeps what is built once for all of them."""

    def __init__(self, settings: ScoreSettings) -> None:
        self._measures = settings.measures()
        self._chosen_by_type = settings.metrics is None
        self._enabled: dict[str, tuple[Measure, ...]] = {}
        self._default = settings.options
        self._options: dict[int | None, MetricOptions] = {
            measure.k: replace(settings.options, k=measure.k or settings.options.k)
            for measure in self._measures
        }
        self._known_fields = KnownFields()

    def score(
        self,
        item: Record,
        prediction: Record | None,
        schema_type: str | None,
        error: str | None = None,
        judged: Mapping[str, MetricScore] | None = None,
    ) -> ItemScores:
        """Score a prediction, None where there is none; both sides keep their contracts.

        A missing prediction scores 0 on every measure on which an answer to this item can have a value, and so does
        one with an `error` on all that it doesn't record. An answer owed and not given scores 0 on all that
        judges answers and what they cite. `judged` are the scores that others gave it.
        """
        known, dropped = self._known_fields.of(item, schema_type)
        case = Case(known, prediction or {}, self._default, judged)
        failed = NO_PREDICTION if prediction is None else f"error: {error}" if error is not None else None
        judge = _MeasureJudge(case, Reach(known, self._default), failed)
        scores: dict[str, MetricScore] = {}
        warnings: dict[str, None] = {}
        for measure in self._measures_for(schema_type):
            case.options = self._options[measure.k]  # nothing that a case keeps depends on k
            score = judge.score(measure)
            if score.value is None:
                reason = _dropped(measure, dropped) or score.reason or ""
                scores[measure.name] = MetricScore(None, reason, _kept(measure, score))
            else:
                scores[measure.name] = MetricScore(score.value, score.reason, _kept(measure, score))
                warnings.update(dict.fromkeys(score.details.get("warnings", ())))
        return ItemScores(scores, tuple(warnings), frozenset(judge.owed))

    def _measures_for(self, schema_type: str | None) -> tuple[Measure, ...]:
        if schema_type is None or not self._chosen_by_type:
            return self._measures
        if schema_type not in self._enabled:
            self._enabled[schema_type] = tuple(
                measure for measure in self._measures if schema_type in measure.metric.schema_types
            )
        return self._enabled[schema_type]


class _MeasureJudge:
    """Decides measure by measure whether there is something to measure, and what it means when there isn't."""

    def __init__(self, case: Case, reach: Reach, failed: str | None) -> None:
        self._case = case
        self._reach = reach
        self._failed = failed
        self._silent = failed or _silence(case)
        self._owes_answer = owes_answer(case.item)
        self.owed: set[str] = set()

    def score(self, measure: Measure) -> MetricScore:
        """The score with its reason; a measure without a value that the dataset can judge joins `owed`."""
        metric, case = measure.metric, self._case
        if not metric.applies(case.item):
            return metric.run_case(case)
        if metric.room in _OF_THE_ANSWER:
            if case.expected.get("answerable") is False:
                return undefined(_UNANSWERABLE)
            if self._silent is not None:
                owed = self._is_owed(measure)
                return self._zero(measure, self._silent) if owed else self._open(measure, _NO_ANSWER)
        if metric.room == "own":
            return self._own(measure)
        unrecorded = _unrecorded(measure, case)
        if self._failed is not None and (unrecorded or metric.room == "abstention"):
            return self._zero(measure, self._failed)
        if unrecorded:
            return self._open(measure, f"the prediction has no {unrecorded}")
        found = _run(measure, case)
        if found.value is None:
            says_nothing = metric.room in _OF_THE_ANSWER and self._is_owed(measure)
            if says_nothing and not self._wants_more(measure):
                return self._zero(measure, found.reason or "")
            return self._open(measure, found.reason or "")
        if self._lacks(measure):
            self.owed.add(measure.name)
        return MetricScore(found.value, reason_for(case, measure, found), found.details)

    def _own(self, measure: Measure) -> MetricScore:
        """What a function gives; no answer where one is expected in words is 0, whatever the function would say.

        Neither that nor None counts as recorded: nobody else knows what the function judges.
        """
        expected = self._case.expected
        in_words = self._owes_answer and (not expected or expected.get("response") is not None)
        reason = self._failed or (self._silent if in_words else None)
        found = _run(measure, self._case) if reason is None else MetricScore(0.0, reason)
        if reason is not None or found.value is None:
            self.owed.add(measure.name)
        return found

    def _is_owed(self, measure: Measure) -> bool:
        """Whether the item asks for what an answer metric judges; an answer without it is worth no more than none."""
        return self._owes_answer or _expects_citations(measure)

    def _zero(self, measure: Measure, reason: str) -> MetricScore:
        options = self._case.options
        if self._reach.owed(measure, options):
            if self._failed is not None or self._wants_more(measure):
                self.owed.add(measure.name)
            return MetricScore(0.0, reason)
        return self._open(measure, self._reach.why_not(measure, options))

    def _wants_more(self, measure: Measure) -> bool:
        """Whether an answer that isn't there couldn't have been judged either: blanking it makes nothing recorded."""
        if _unrecorded(measure, self._case) or self._lacks(measure):
            return True
        name = measure.metric.name
        if name == _ON_QUOTES:  # nobody has to quote, so that an answer without a quote has no value
            return not any(citation.get("quotes") for citation in self._case.citations)
        if measure.metric.room == "citations":
            return (name in _ON_TEXTS or name == _ON_IDS) and self._case.documents is None
        return name in _ON_TEXTS and self._case.contexts is None

    def _lacks(self, measure: Measure) -> bool:
        """Whether a value rests on less than the dataset can judge: more of the prediction could lower it."""
        name, prediction = measure.metric.name, self._case.prediction
        if measure.metric.room == "abstention":
            said = prediction.get("abstained") is not None or prediction.get("response") is not None
            return not said and self._case.expected.get("answerable") is False
        if name in _ON_NUMBERS and self._reads_numbers:
            return True
        if name in _ON_TEXTS and self._case.partly_known is not None:
            return True
        return (name in _ON_TEXTS or name == _ON_IDS) and self._retrieval_lacks

    @cached_property
    def _retrieval_lacks(self) -> bool:
        """Whether the item judges what was retrieved and the prediction doesn't record it."""
        judged = self._case.expected.get("retrieval_ground_truth") is not None
        return judged and self._case.prediction.get("retrieved_documents") is None

    @cached_property
    def _reads_numbers(self) -> bool:
        """Whether a marker is read as the number of a document, without a record of what was cited or retrieved."""
        prediction = self._case.prediction
        unrecorded = prediction.get("citations") is None or prediction.get("retrieved_documents") is None
        return unrecorded and self._case.has_undeclared_markers

    def _open(self, measure: Measure, reason: str) -> MetricScore:
        if self._reach.judged(measure, self._case.options):
            self.owed.add(measure.name)
        return undefined(reason)


def _expects_citations(measure: Measure) -> bool:
    """Whether a measure is on citations that the item expects, whatever answer it expects."""
    metric = measure.metric
    return metric.room == "citations" and any(
        path.startswith("expected_output") for path in metric.item_fields
    )


def _kept(measure: Measure, score: MetricScore) -> Mapping[str, Any]:
    """The details that go into a record: who scored, where it wasn't this package."""
    return score.details if measure.metric.room == "own" else {}


def _silence(case: Case) -> str | None:
    """Why there is no answer, None where there is one."""
    if is_blank(case.response):
        return _NO_ANSWER
    return _ABSTAINED if case.abstained else None


def _unrecorded(measure: Measure, case: Case) -> str | None:
    """The part of a prediction that a measure rests on and that was not recorded."""
    prediction, room = case.prediction, measure.metric.room
    if room == "retrieval":
        return "retrieved_documents" if prediction.get("retrieved_documents") is None else None
    if measure.metric.name == "routing_match":
        routed = prediction.get("handed_off") is not None or prediction.get("handoff_to") is not None
        return None if routed else "handed_off"
    if room == "tool_calls":
        return "tool_calls" if prediction.get("tool_calls") is None else None
    if room == "citations" and prediction.get("citations") is None:
        return None if case.has_undeclared_markers else "citations"
    return None


def _run(measure: Measure, case: Case) -> MetricScore:
    try:
        return measure.metric.run_case(case)
    except (MetricValueError, MetricTypeError) as error:
        raise UsageError(
            f"item {case.item.get('item_id')!r} can't be scored by {measure.name}: {error.message}",
            hint=error.hint,
        ) from error


def _dropped(measure: Measure, dropped: frozenset[str]) -> str | None:
    for path in measure.metric.item_fields:
        if path in dropped:
            return f"the item's {path} is not what a schema type calls so"
    return None
