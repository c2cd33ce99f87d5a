"""Whoever tells less of a run, or makes less of it, passes no gate that failed before: over random items and runs."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from pathlib import Path

from hypothesis import HealthCheck, assume, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from evalcontract.errors import UsageError
from evalcontract.metrics import MetricOptions
from evalcontract.scoring import STATISTICS, ScoreRequest, ScoreSettings
from evalcontract.scoring.result import MeasureResult
from tests.support.scoring import item, prediction, scored
from tests.support.scoring_runs import Run, measured, runs
from tests.support.telling_less import (
    TELLING_LESS,
    Change,
    Record,
    asked,
    blank,
    changed,
    emptied,
    of_prediction,
    without_the_last,
)

SETTINGS = ScoreSettings(
    ks=(1, 3), options=MetricOptions(support_threshold=0.5, abstentions=("I don't know",), quotes="fuzzy")
)
BY_ABSTAINING = {"abstained_when_unanswerable", "abstention_accuracy"}
BY_CITING_LESS = {
    "citation_precision",
    "citation_f1",
    "citation_validity",
    "citation_support_precision",
    "quote_accuracy",
}
BY_NUMBERS = {"citation_precision", "citation_recall", "citation_f1", "citation_support_precision"}
BY_RETRIEVING_LESS = {"retrieval_precision", "retrieved_text_precision", "empty_when_nothing_relevant"}
BY_CALLING_LESS = {
    "tool_calls_exact",
    "tool_calls_in_order",
    "tool_sequence_score",
    "tool_call_precision",
    "tool_call_f1",
}


def gate_is_not_passed(
    before: dict[str, MeasureResult], after: dict[str, MeasureResult], but: Iterable[str] = ()
) -> None:
    """No bound above 0, however high, is met afterwards that wasn't before."""
    for name, found in after.items():
        if name in but or not found.mean or found.n_recorded < found.n_judged:
            continue  # no bound above 0 is met
        was = before[name]
        assert was.n_recorded == was.n_judged, f"{name}: {was.n_judged - was.n_recorded} were not recorded"
        assert was.mean is not None, name
        assert found.mean <= was.mean + 1e-12, f"{name}: {was.mean} -> {found.mean}"


places = st.lists(st.integers(0, 9), min_size=1, max_size=3, unique=True)


@examples(max_examples=150)
@given(how=st.sampled_from(list(TELLING_LESS)), run=runs(), where=places)
def test_telling_less_passes_no_gate(how: str, run: Run, where: list[int]) -> None:
    less = changed(run, where, TELLING_LESS[how])
    assume(less.records)
    assume(asked(less) == asked(run))  # or nothing is left that says how often the items were asked
    gate_is_not_passed(
        measured(run, SETTINGS, asked(run)),
        measured(less, SETTINGS, asked(run)),
        but=BY_ABSTAINING if how == "an error" else (),
    )


@examples(max_examples=60)
@given(text=st.sampled_from(["", " \n", "\u200b", "\u2060 \ufe0f", "\u3164"]), run=runs(), where=places)
def test_blanking_an_answer_passes_no_gate(text: str, run: Run, where: list[int]) -> None:
    less = changed(run, where, blank(text))
    gate_is_not_passed(
        measured(run, SETTINGS, asked(run)), measured(less, SETTINGS, asked(run)), but=BY_ABSTAINING
    )


@examples(max_examples=30)
@given(text=st.sampled_from(["...", "\u2014", "\u2713"]), run=runs(), where=places)
def test_an_answer_without_words_passes_no_gate(text: str, run: Run, where: list[int]) -> None:
    """But for metrics that compare characters: "..." has the point of "At nine." in common with it."""
    less = changed(run, where, blank(text))
    gate_is_not_passed(
        measured(run, SETTINGS, asked(run)),
        measured(less, SETTINGS, asked(run)),
        but=BY_ABSTAINING | {"answered_when_answerable", "chrf", "bleu"},
    )


@examples(max_examples=30)
@given(run=runs(), where=places)
def test_abstaining_passes_no_gate_but_those_on_abstention(run: Run, where: list[int]) -> None:
    less = changed(run, where, of_prediction(lambda prediction: prediction.update(abstained=True)))
    gate_is_not_passed(
        measured(run, SETTINGS, asked(run)), measured(less, SETTINGS, asked(run)), but=BY_ABSTAINING
    )


LESS = st.sampled_from([without_the_last, emptied])


@examples(max_examples=40)
@given(less_of=LESS, run=runs(("rag", "rag_agent")), where=places)
def test_retrieving_less_passes_no_gate_but_those_on_precision(
    less_of: Callable[[str], Change], run: Run, where: list[int]
) -> None:
    """A document without a text is not recorded; that none was there is a statement that nobody can check."""
    for record in run.records:
        for document in record["prediction"].get("retrieved_documents") or ():
            document["content"] = document.get("content") or "Closed on Sunday"
    less = changed(run, where, less_of("retrieved_documents"))
    gate_is_not_passed(
        measured(run, SETTINGS, asked(run)),
        measured(less, SETTINGS, asked(run)),
        but=BY_RETRIEVING_LESS | BY_NUMBERS,
    )


@examples(max_examples=40)
@given(less_of=LESS, run=runs(("rag", "rag_agent")), where=places)
def test_citing_less_passes_no_gate_but_those_on_precision(
    less_of: Callable[[str], Change], run: Run, where: list[int]
) -> None:
    """Where nothing is expected to be cited, citing nothing is right."""
    assume(all(of["expected_output"]["citations"] != [] for of in run.items))
    for record in run.records:
        answer = record["prediction"].get("response")
        if answer:  # [1] is what a citation declares, or else a number
            record["prediction"]["response"] = answer.replace("[", "(")
    less = changed(run, where, less_of("citations"))
    gate_is_not_passed(
        measured(run, SETTINGS, asked(run)), measured(less, SETTINGS, asked(run)), but=BY_CITING_LESS
    )


@examples(max_examples=40)
@given(less_of=LESS, run=runs(("agent", "rag_agent")), where=places)
def test_calling_less_passes_no_gate_but_those_on_precision(
    less_of: Callable[[str], Change], run: Run, where: list[int]
) -> None:
    """Where no call is expected, making none is right."""
    assume(all(of["expected_output"]["tool_calls"] != [] for of in run.items))
    less = changed(run, where, less_of("tool_calls"))
    gate_is_not_passed(
        measured(run, SETTINGS, asked(run)), measured(less, SETTINGS, asked(run)), but=BY_CALLING_LESS
    )


ABSTAINING = {
    "blank": blank(""),
    "abstained": of_prediction(lambda prediction: prediction.update(abstained=True)),
}


def recorded_share(found: MeasureResult) -> float:
    return found.n_recorded / found.n_judged if found.n_judged else 1.0


@examples(max_examples=150)
@given(how=st.sampled_from([*TELLING_LESS, *ABSTAINING]), run=runs(), where=places)
def test_telling_less_never_makes_more_of_a_run_recorded(how: str, run: Run, where: list[int]) -> None:
    """So that no `--min-scored` that wasn't met is met afterwards."""
    less = changed(run, where, (TELLING_LESS | ABSTAINING)[how])
    assume(less.records)
    before, after = (measured(told, SETTINGS, asked(run)) for told in (run, less))
    for name in before.keys() - (BY_ABSTAINING if how in (*ABSTAINING, "an error") else set()):
        assert recorded_share(after[name]) <= recorded_share(before[name]), name


TOOK = st.none() | st.sampled_from([1.0, 5.0, 20.0])


@examples(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    took=st.lists(st.lists(TOOK, min_size=2, max_size=2), min_size=2, max_size=4),
    dropped=st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.booleans()), min_size=1, max_size=3),
    statistic=st.sampled_from(STATISTICS),
    at_most=st.sampled_from([0.5, 4.0, 10.0, 50.0]),
)
def test_leaving_out_measurements_passes_no_ceiling(
    tmp_path: Path,
    took: list[list[float | None]],
    dropped: list[tuple[int, bool, bool]],
    statistic: str,
    at_most: float,
) -> None:
    """A measurement, or a record of one of two repetitions with it."""
    items = [item(f"i{number}") for number in range(len(took))]
    records = {
        (place, repetition): prediction(f"i{place}")
        | {"repetition": repetition, "measurements": None if value is None else {"latency_ms": value}}
        for place, values in enumerate(took)
        for repetition, value in enumerate(values, 1)
    }
    less = copy.deepcopy(records)
    for place, second, whole_record in dropped:
        key = (place % len(took), 1 + second)
        if whole_record:
            less.pop(key, None)
        elif key in less:
            less[key]["measurements"] = None
    assume(less)
    assert not holds(tmp_path, items, less.values(), statistic, at_most) or holds(
        tmp_path, items, records.values(), statistic, at_most
    )


def holds(
    folder: Path, items: list[Record], records: Iterable[Record], statistic: str, at_most: float
) -> bool:
    wanted = ScoreRequest(ceilings={f"latency_ms.{statistic}": at_most}, repetitions=2)
    try:
        return scored(folder, items, records, ScoreSettings(("answer_exact_match",)), wanted).exit_code == 0
    except UsageError:
        return False  # nothing is measured any more
