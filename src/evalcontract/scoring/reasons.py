"""Why a score is below 1, in a few words, where more can be said than the number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from evalcontract.metrics import Case, MetricScore, alternatives_as_one, tool_calls_exact
from evalcontract.scoring.settings import Measure
from evalcontract.values import cut, listed

_NAMED = 3
_LONGEST = 60

Reason = Callable[[Case, Measure, MetricScore], str | None]


def reason_for(case: Case, measure: Measure, score: MetricScore) -> str | None:
    """The metric's own reason and what it found lacking; None for a perfect score without a reason."""
    if score.value is None or score.value == 1.0:
        return score.reason
    say = _REASONS.get(measure.metric.name) or _ROOMS.get(measure.metric.room)
    return _joined(score.reason, say(case, measure, score) if say else None)


def _listed(what: str, names: Iterable[object]) -> str | None:
    found = listed((cut(str(name), _LONGEST) for name in names), _NAMED)
    return f"{what} {found}" if found else None


def _joined(*parts: str | None) -> str | None:
    return "; ".join(part for part in parts if part) or None


def _groundedness(_: Case, __: Measure, score: MetricScore) -> str | None:
    sentences = score.details.get("sentences", ())
    terms = [term["text"] for sentence in sentences for term in sentence["missing"]]
    names = score.details.get("unsupported_numbers_names", ())
    return _listed("not in the contexts:", dict.fromkeys([*names, *terms]))


def _retrieval(case: Case, measure: Measure, _: MetricScore) -> str | None:
    """The relevant documents that are not where they should be."""
    ranked, grades = alternatives_as_one(case.ranked_ids, case.expected["retrieval_ground_truth"])
    within = list(dict.fromkeys(ranked))[: measure.k]
    relevant = [id_ for id_, grade in grades.items() if grade >= case.options.min_grade]
    what = "not retrieved:" if measure.k is None else f"not in the top {measure.k}:"
    first = next((rank for rank, id_ in enumerate(within, 1) if id_ in relevant), None)
    late = f"first relevant at rank {first}" if first and first > 1 else None
    return _joined(late, _listed(what, (id_ for id_ in relevant if id_ not in within)))


def _validity(_: Case, __: Measure, score: MetricScore) -> str | None:
    return _joined(
        _listed("unknown documents:", score.details["unknown_documents"]),
        _listed("unresolved markers:", score.details["unresolved_markers"]),
    )


def _cited(_: Case, measure: Measure, score: MetricScore) -> str | None:
    missing = _listed("not cited:", score.details["missing"])
    unexpected = _listed("not expected:", score.details["unexpected"])
    only = {"citation_precision": unexpected, "citation_recall": missing}
    return only.get(measure.name) or _joined(missing, unexpected)


def _support(case: Case, _: Measure, score: MetricScore) -> str | None:
    spans = score.details.get("unsupported_sentences", ())
    return _listed("unsupported:", (case.response[span["start"] : span["end"]] for span in spans))


def _quotes(case: Case, _: Measure, score: MetricScore) -> str | None:
    accepted = ("exact",) if case.options.quotes == "exact" else ("exact", "fuzzy")
    rows = score.details["quotes"]
    return _listed(
        "not in the document:", (row["quote"] for row in rows if row["match"] not in (*accepted, "unknown"))
    )


def _calls(case: Case, measure: Measure, _: MetricScore) -> str:
    """The names where they differ, else the calls whose arguments do."""
    predicted, expected = case.calls
    if [call["name"] for call in predicted] == [call["name"] for call in expected]:
        args = "exact" if measure.metric.name == "tool_argument_score" else case.options.args
        pairs = zip(predicted, expected, strict=True)
        others = (want["name"] for have, want in pairs if not tool_calls_exact([have], [want], args).value)
        return _listed("other arguments:", others) or "other arguments"
    return f"{_names('expected', expected)}; {_names('called', predicted)}"


def _names(what: str, calls: Iterable[Any]) -> str:
    return _listed(what, (call["name"] for call in calls)) or f"{what} nothing"


def _routing(case: Case, _: Measure, __: MetricScore) -> str:
    expected, predicted = case.expected, case.prediction
    stays = expected.get("handoff_expected") is False
    wanted = "no hand-off" if stays else expected.get("handoff_to") or "a hand-off"
    got = predicted.get("handoff_to") or ("a hand-off" if predicted.get("handed_off") else "no hand-off")
    return f"expected {wanted}, got {got}"


def _nothing(_: Case, __: Measure, ___: MetricScore) -> None:
    return None


_REASONS: dict[str, Reason] = {
    "judged_at_k": _nothing,
    "retrieved_text_precision": _nothing,
    "retrieved_text_recall": _nothing,
    "empty_when_nothing_relevant": _nothing,
    "citation_validity": _validity,
    "citation_support_recall": _support,
    "citation_support_precision": _support,
    "quote_accuracy": _quotes,
    "routing_match": _routing,
}
_ROOMS: dict[str, Reason] = {
    "groundedness": _groundedness,
    "retrieval": _retrieval,
    "citations": _cited,
    "tool_calls": _calls,
}
