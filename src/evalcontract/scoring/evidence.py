"""What the metrics saw of an item and its answers, as plain data for reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from evalcontract.metrics import (
    Case,
    alternatives_as_one,
    cited_by_markers,
    is_nameless,
    paired_calls,
    passage_matches,
    quote_accuracy,
)
from evalcontract.scoring.item import Scorer
from evalcontract.scoring.known_fields import KnownFields
from evalcontract.scoring.settings import ScoreSettings
from evalcontract.texts import is_blank
from evalcontract.values import cut

Record = Mapping[str, Any]
Plain = dict[str, Any]

LONGEST_TEXT = 20_000
"""Characters of a text that are given; a longer one ends with an ellipsis, and offsets may lie beyond it."""
MOST = 100
"""Documents, citations, calls or sentences of an answer that are given."""


def evidence_of(
    item: Record,
    records: Sequence[Record] = (),
    settings: ScoreSettings | None = None,
    schema_type: str | None = None,
) -> Plain:
    """An item with its question and expected answer, and under `answers` what the metrics saw of each record.

    `item` and the prediction `records` keep their contracts; without a record there is one answer, the missing one.
    `schema_type` is the built-in type that the item follows, None where it follows none. An answer has these keys;
    null says that there was nothing to look at, an empty list that nothing was found:

    - `repetition`, `error`, `response`, `abstained`; `scores`, by measure of this package {value, reason}.
    - `sentences` of the response as groundedness saw them: {start, end, score, missing: [{start, end, text}]}, where
      `missing` are the terms that stand in no context.
    - `contexts` in the order of their rank: {rank, document_id, text, grade, cited}; `rank` is null for documents
      that the item supplies, `grade` for unjudged ones, `text` where it isn't known.
    - `not_retrieved`: relevant documents that were not, {document_id, grade}.
    - `passages`, the reference passages of data without ids: {text, rank, similarity} of the retrieved text nearest
      to each; `rank` is null below the threshold of `retrieved_text_recall`.
    - `markers` of the response: {start, end, text, document_ids, contexts}; `contexts` are places in the list of that
      name, from 0. No id where the marker leads nowhere.
    - `citations`: {document_id, response_marker, context, expected, quotes: [{quote, match, start, end}]}; `context` is
      the place of the document among the contexts, null when it was not supplied, and offsets of quotes lie in its
      text. `not_cited`: expected ids that are not.
    - `support`, with a support threshold: {start, end, supported, document_ids} of each sentence with what it cites.
    - `calls`: {expected, predicted, matched, argument_score}, what was paired side by side and the rest alone.
    - `handoff`: {expected_to, expected, to, happened}.

    Offsets count characters of `response`, ends are exclusive. A text is cut after 20,000 characters, a list after 100.
    """
    settings = replace(
        settings or ScoreSettings(), own=()
    )  # a function of one's own is called once for an answer
    known, _ = KnownFields().of(item, schema_type)
    scorer = Scorer(settings)
    found: Sequence[Record | None] = records or (None,)
    case = Case(known, {}, settings.options)
    expected = case.expected
    return {
        "item_id": item.get("item_id"),
        "question": cut(case.question, LONGEST_TEXT),
        "expected": {
            "response": _text(expected.get("response")),
            "alternative_responses": _texts(expected.get("alternative_responses")),
            "answerable": expected.get("answerable"),
        },
        "answers": [_answer(scorer, item, known, record, settings, schema_type) for record in found],
    }


def _answer(
    scorer: Scorer,
    item: Record,
    known: Record,
    record: Record | None,
    settings: ScoreSettings,
    schema_type: str | None,
) -> Plain:
    prediction = None if record is None else record.get("prediction") or {}
    error = None if record is None else record.get("error")
    scores = scorer.score(item, prediction, schema_type, error).scores
    case = Case(known, prediction or {}, settings.options)
    return {
        "repetition": None if record is None else record.get("repetition"),
        "error": error,
        "response": _text((prediction or {}).get("response")),
        "abstained": None if prediction is None else case.abstained,
        "scores": {name: {"value": score.value, "reason": score.reason} for name, score in scores.items()},
        "sentences": _sentences(case),
        "contexts": _contexts(case),
        "not_retrieved": _not_retrieved(case),
        "passages": _passages(case),
        "markers": _markers(case),
        "citations": _citations(case),
        "not_cited": _not_cited(case),
        "support": _support(case),
        "calls": _calls(case),
        "handoff": _handoff(case),
    }


def _sentences(case: Case) -> list[Plain] | None:
    if case.prediction.get("response") is None or case.groundedness is None:
        return None
    return _first(
        {
            "start": sentence.start,
            "end": sentence.end,
            "score": sentence.score,
            "missing": [{"start": m.start, "end": m.end, "text": m.text} for m in sentence.missing],
        }
        for sentence in case.groundedness.sentences
    )


def _grades(case: Case) -> Mapping[str, int]:
    rows = case.expected.get("retrieval_ground_truth") or ()
    return {row["document_id"]: row["relevance"] for row in rows}


def _contexts(case: Case) -> list[Plain] | None:
    """The retrieved documents, then those that the item supplies."""
    grades, cited = _grades(case), set(case.cited_ids)
    ranked: Sequence[str] = ()
    texts, nameless = case.sources.by_id, case.sources.nameless
    ids: Sequence[str] = ()
    if case.prediction.get("retrieved_documents") is not None:
        ids, ranked = case.retrieved_ids, case.ranked_ids
    rows: list[tuple[int | None, str | None, str | None]] = [
        (rank, None if is_nameless(id_) else id_, texts.get(id_)) for rank, id_ in enumerate(ids, 1)
    ]
    there = set(ids)
    rows += [(None, id_, text) for id_, text in texts.items() if id_ not in there]
    rows += [(None, None, text) for text in nameless]
    if not rows and case.contexts is None:
        return None
    return _first(
        {
            "rank": rank,
            "document_id": id_,
            "text": _text(text),
            "grade": grades.get(ranked[rank - 1] if rank else id_ or ""),
            "cited": id_ in cited,
        }
        for rank, id_, text in rows
    )


def _not_retrieved(case: Case) -> list[Plain] | None:
    judged = case.expected.get("retrieval_ground_truth")
    if judged is None or case.prediction.get("retrieved_documents") is None:
        return None
    ranked, grades = alternatives_as_one(case.ranked_ids, judged)
    there = set(ranked)
    return _first(
        {"document_id": id_, "grade": grade} for id_, grade in grades.items() if grade and id_ not in there
    )


def _passages(case: Case) -> list[Plain] | None:
    if not case.reference_passages or case.prediction.get("retrieved_documents") is None:
        return None
    matches = passage_matches(case.passage_similarities, len(case.reference_passages))
    return _first(
        {"text": _text(text), "rank": rank, "similarity": similarity}
        for text, (rank, similarity) in zip(case.reference_passages, matches, strict=True)
    )


def _places(case: Case) -> dict[str, int]:
    """Where each document first stands among the contexts."""
    recorded = case.prediction.get("retrieved_documents") is not None
    ids = case.retrieved_ids if recorded else []
    there = set(ids)
    others = (id_ for id_ in case.sources.by_id if id_ not in there)
    places: dict[str, int] = {}
    for place, id_ in enumerate(islice(chain(ids, others), MOST)):
        places.setdefault(id_, place)
    return places


def _markers(case: Case) -> list[Plain]:
    places = _places(case)
    return _first(
        {
            "start": marker.start,
            "end": marker.end,
            "text": marker.text,
            "document_ids": [id_ for id_ in ids if not is_nameless(id_)],
            "contexts": [places[id_] for id_ in ids if id_ in places],
        }
        for marker, ids in cited_by_markers(case.response, case.citations, case.sources.numbered)
    )


def _citations(case: Case) -> list[Plain] | None:
    if case.prediction.get("citations") is None:
        return None
    documents, wanted, places = case.documents, _expected_ids(case), _places(case)

    def quotes(citation: Record) -> list[Plain]:
        rows = quote_accuracy([citation], documents or {}).details["quotes"]
        return [{key: row.get(key) for key in ("quote", "match", "start", "end")} for row in rows]

    return _first(
        {
            "document_id": citation["document_id"],
            "response_marker": citation.get("response_marker"),
            "context": places.get(citation["document_id"]),
            "expected": None if wanted is None else citation["document_id"] in wanted,
            "quotes": quotes(citation) if documents is not None else [],
        }
        for citation in case.citations
    )


def _expected_ids(case: Case) -> set[str] | None:
    return None if case.expected.get("citations") is None else set(case.expected_ids)


def _not_cited(case: Case) -> list[str] | None:
    wanted = _expected_ids(case)
    return None if wanted is None else list(islice(sorted(wanted - set(case.cited_ids)), MOST))


def _support(case: Case) -> list[Plain] | None:
    if case.options.support_threshold is None or case.documents is None or is_blank(case.response):
        return None
    sentences = case.cited_sentences
    return _first(
        {**sentences.span(number), "supported": sentences.supported(number), "document_ids": ids}
        for number, ids in enumerate(sentences.cited)
    )


def _calls(case: Case) -> list[Plain] | None:
    if case.expected.get("tool_calls") is None and case.prediction.get("tool_calls") is None:
        return None
    expected = (case.expected.get("tool_calls") or ())[:MOST]
    predicted = (case.prediction.get("tool_calls") or ())[:MOST]
    return [
        {
            "expected": None if pair.expected is None else expected[pair.expected],
            "predicted": None if pair.predicted is None else predicted[pair.predicted],
            "matched": pair.matched,
            "argument_score": pair.argument_score,
        }
        for pair in paired_calls(*(case.coerced(predicted), case.coerced(expected)), case.options.args)
    ]


def _handoff(case: Case) -> Plain | None:
    found = {
        "expected_to": case.expected.get("handoff_to"),
        "expected": case.expected.get("handoff_expected"),
        "to": case.prediction.get("handoff_to"),
        "happened": case.prediction.get("handed_off"),
    }
    return found if any(value is not None for value in found.values()) else None


def _first(rows: Iterable[Plain]) -> list[Plain]:
    return list(islice(rows, MOST))


def _text(text: str | None) -> str | None:
    return None if text is None else cut(text, LONGEST_TEXT)


def _texts(texts: Sequence[str] | None) -> list[str] | None:
    return None if texts is None else [cut(text, LONGEST_TEXT) for text in texts[:MOST]]
