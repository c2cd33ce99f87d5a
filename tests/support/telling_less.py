"""Ways to tell less of a run, or to make less of it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

from tests.support.scoring_runs import Run

Record = dict[str, Any]
Change = Callable[[Record], Record | None]


def of_prediction(change: Callable[[Record], object]) -> Change:
    """What a change of the prediction makes of a record."""

    def changed(record: Record) -> Record:
        less = copy.deepcopy(record)
        change(less["prediction"])
        return less

    return changed


def absent(field: str) -> Change:
    return of_prediction(lambda prediction: prediction.pop(field, None))


def null(field: str) -> Change:
    return of_prediction(lambda prediction: prediction.update({field: None}))


def blank(text: str) -> Change:
    return of_prediction(lambda prediction: prediction.update(response=text))


def documents_without(field: str, *, blank: bool = False) -> Change:
    """The retrieved documents without their texts or ids."""

    def change(prediction: Record) -> None:
        for document in prediction.get("retrieved_documents") or ():
            document.pop(field, None)
            if blank:
                document[field] = ""

    return of_prediction(change)


def without_handoff(prediction: Record) -> None:
    prediction.pop("handoff_to", None)
    prediction.pop("handed_off", None)


def failed(record: Record) -> Record:
    return {**record, "prediction": {}, "error": "timed out"}


def failed_after_all(record: Record) -> Record:
    return {**record, "error": "timed out"}


TOLD = ("response", "citations", "retrieved_documents", "tool_calls")
TELLING_LESS: dict[str, Change] = {
    "the record": lambda record: None,
    "all but an error": failed,
    "an error": failed_after_all,
    "all": lambda record: {**record, "prediction": {}},
    **{f"{field} absent": absent(field) for field in TOLD},
    **{f"{field} null": null(field) for field in TOLD},
    "handoff_to": absent("handoff_to"),
    "handed_off": absent("handed_off"),
    "the hand-off": of_prediction(without_handoff),
    "texts absent": documents_without("content"),
    "texts blank": documents_without("content", blank=True),
    "ids": documents_without("document_id"),
}


def asked(run: Run) -> int:
    """How often each item was asked, as far as the records tell."""
    counts = [sum(r["item_id"] == of["item_id"] for r in run.records) for of in run.items]
    return max([*counts, *(record.get("repetition", 1) for record in run.records)])


def changed(run: Run, places: Iterable[int], change: Change) -> Run:
    records: list[Record | None] = list(run.records)
    for place in places:
        record = records[place % len(records)]
        records[place % len(records)] = None if record is None else change(record)
    return Run(run.schema_type, run.items, [record for record in records if record is not None])


def without_the_last(field: str) -> Change:
    def change(prediction: Record) -> None:
        if prediction.get(field):
            prediction[field] = prediction[field][:-1]

    return of_prediction(change)


def emptied(field: str) -> Change:
    return of_prediction(lambda prediction: prediction.get(field) and prediction.update({field: []}))
