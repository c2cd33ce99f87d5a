"""Random small datasets of every schema type with runs over them, all of which keep their contracts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from evalcontract.scoring import ScoreSettings
from evalcontract.scoring.collect import CollectedScores
from evalcontract.scoring.missing import probe
from evalcontract.scoring.records import Header
from evalcontract.scoring.result import MeasureResult
from evalcontract.scoring.work import Done, Job, Task, Worker

TYPES = ("qa", "rag", "agent", "rag_agent")
IDS = ("d1", "d2", "d3")
TEXTS = (
    "The library opens at nine on weekdays.",
    "Late returns cost 2 euros a day.",
    "Die Bibliothek öffnet um 9 Uhr.",
    "図書館は九時に開きます。",
    "Dogs stay outside",
    "",
)
ANSWERS = (
    "The library opens at nine.",
    "The library opens at nine [1]. It costs 2 euros [2].",
    "It opens at ten [7].",
    "図書館は九時に開きます。",
    '{"opens": 9}',
    "I don't know.",
    "No",
    "It is.",
    "?!",
    "[1]",
    " ",
    "",
)

_ids = st.sampled_from(IDS)
_texts = st.sampled_from(TEXTS)
_answers = st.sampled_from(ANSWERS)
_flags = st.sampled_from([None, False, True])


def _or_null(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


def _few(strategy: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[list[Any]]:
    return st.lists(strategy, max_size=most)


_args = st.fixed_dictionaries({}, optional={"q": st.sampled_from(["a", 1, None]), "n": st.integers(0, 2)})
_calls = _few(st.fixed_dictionaries({"name": st.sampled_from(["find", "mail"]), "args": _args}))
_citations = _few(
    st.fixed_dictionaries(
        {"document_id": _ids},
        optional={
            "response_marker": st.sampled_from([None, "[1]", "[2]"]),
            "quotes": _or_null(_few(st.sampled_from(["opens at nine", "2 euros", "nothing like it"]), 2)),
        },
    )
)
_judged = st.dictionaries(_ids, st.integers(0, 2), max_size=3).map(
    lambda grades: [{"document_id": id_, "relevance": grade} for id_, grade in grades.items()]
)
_retrieved = _few(
    st.fixed_dictionaries({}, optional={"document_id": _or_null(_ids), "content": _or_null(_texts)}), 4
)
_handoff_to = st.sampled_from([None, "billing", "support"])

_messages = st.just([{"role": "user", "content": "When does the library open?"}])


@st.composite
def _items(draw: st.DrawFn, item_id: str, schema_type: str) -> dict[str, Any]:
    asked: dict[str, Any] = {"messages": draw(_messages)}
    expected: dict[str, Any] = {
        "response": draw(_answers),
        "answerable": draw(_flags),
        "alternative_responses": draw(_or_null(_few(_answers, 2))),
    }
    if schema_type in ("rag", "rag_agent"):
        expected |= {
            "retrieval_ground_truth": draw(_or_null(_judged)),
            "citations": draw(_or_null(_citations)),
        }
        if draw(st.booleans()):
            asked["context"] = draw(_or_null(_few(_texts)))
            if asked["context"] is not None and draw(st.booleans()):
                size = len(asked["context"])
                asked["document_ids"] = draw(st.permutations(IDS).map(lambda ids: list(ids)[:size]))
    if schema_type in ("agent", "rag_agent"):
        expected |= {
            "tool_calls": draw(_or_null(_calls)),
            "handoff_to": draw(_handoff_to),
            "handoff_expected": draw(_flags),
        }
    return {"item_id": item_id, "input": asked, "expected_output": expected}


_handoffs = st.sampled_from(
    [
        {},
        {"handed_off": None},
        {"handed_off": False, "handoff_to": None},
        {"handed_off": True},
        {"handoff_to": "billing"},
        {"handed_off": True, "handoff_to": "support"},
    ]
)
predictions = st.builds(
    lambda parts, handoff: {**parts, **handoff},
    st.fixed_dictionaries(
        {},
        optional={
            "response": _or_null(_answers),
            "citations": _or_null(_citations),
            "retrieved_documents": _or_null(_retrieved),
            "tool_calls": _or_null(_calls),
            "abstained": _flags,
        },
    ),
    _handoffs,
)
"""Predictions in which everything may be absent or null."""


@dataclass(frozen=True, slots=True)
class Run:
    """Items of one type and the records of a run over them, some of them repeated, some missing."""

    schema_type: str
    items: list[dict[str, Any]]
    records: list[dict[str, Any]]


@st.composite
def runs(draw: st.DrawFn, schema_types: tuple[str, ...] = TYPES) -> Run:
    """A run over one to three items, in which each item has up to `repetitions` records."""
    schema_type = draw(st.sampled_from(schema_types))
    names = [f"i{number}" for number in range(draw(st.integers(1, 3)))]
    items = [draw(_items(name, schema_type)) for name in names]
    repetitions = draw(st.integers(1, 2))
    records = []
    for name in names:
        for repetition in range(1, repetitions + 1):
            if draw(st.integers(0, 9)) == 0 and len(records) > 0:
                continue
            record: dict[str, Any] = {"item_id": name, "prediction": draw(predictions)}
            if repetitions > 1:
                record["repetition"] = repetition
            if draw(st.integers(0, 9)) == 0:
                record["error"] = "timed out"
            records.append(record)
    return Run(schema_type, items, records)


@st.composite
def compared_runs(draw: st.DrawFn, items: int = 8) -> tuple[Run, Run]:
    """A run and the one that it is compared with, over items that are alike but for their ids."""
    few = draw(runs())
    by_item = {of["item_id"]: [r for r in few.records if r["item_id"] == of["item_id"]] for of in few.items}
    told = draw(st.lists(st.sampled_from(few.items), min_size=items, max_size=items))
    ours: list[dict[str, Any]] = []
    theirs: list[dict[str, Any]] = []
    for number, of in enumerate(told):
        again = draw(st.booleans())  # what the item is told to have been answered elsewhere, or something new
        for record in by_item[of["item_id"]]:
            renamed = {**record, "item_id": f"c{number}"}
            ours.append(renamed if again else {**renamed, "prediction": draw(predictions)})
            theirs.append({**renamed, "prediction": draw(st.just(_best(of)) | predictions)})
    renamed_items = [{**of, "item_id": f"c{number}"} for number, of in enumerate(told)]
    return Run(few.schema_type, renamed_items, ours), Run(few.schema_type, renamed_items, theirs)


def _best(of: dict[str, Any]) -> dict[str, Any]:
    told = probe(of)
    return {name: value for name, value in told.items() if value is not None}


def done_of(run: Run, settings: ScoreSettings, repetitions: int, other: Run | None = None) -> list[Done]:
    """What becomes of each item, compared with another run where one is given."""
    job = Job(settings, Header(), None if other is None else "predictions", repetitions, repetitions)
    worker = Worker(job)
    return [
        done
        for of in run.items
        for done in worker(
            [Task(of, run.schema_type, _texts_of(run, of), () if other is None else _texts_of(other, of))]
        )
    ]


def _texts_of(run: Run, of: dict[str, Any]) -> tuple[bytes, ...]:
    return tuple(json.dumps(record).encode() for record in run.records if record["item_id"] == of["item_id"])


def measured(run: Run, settings: ScoreSettings, repetitions: int) -> dict[str, MeasureResult]:
    """The measures of a run of which each item was asked so often, without files."""
    collected = CollectedScores(settings.measures(), 0)
    for done in done_of(run, settings, repetitions):
        collected.add(done.item_id, done.scores, done.owed)
    return {found.name: found for found in collected.results()}
