"""A run that is worse stays so whatever less it tells, or makes, of its items: gates on comparisons."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from evalcontract.metrics import MetricOptions
from evalcontract.scoring import Regression, ScoreReport, ScoreRequest, ScoreSettings, score_files
from evalcontract.scoring.collect import CollectedScores
from evalcontract.scoring.compare import Compared
from evalcontract.scoring.gating import regressions_of
from evalcontract.scoring.intervals import difference_estimate, gated_estimate
from evalcontract.scoring.result import PartResult
from evalcontract.scoring.work import Done
from tests.scoring.test_intervals import BINARY, CONTINUOUS, MIXTURES, SIZES, moments
from tests.support.scoring import item, prediction, scored, write_lines
from tests.support.scoring_runs import Run, compared_runs, done_of
from tests.support.telling_less import TELLING_LESS, Change, asked, blank, changed, of_prediction

SETTINGS = ScoreSettings(
    ks=(1, 3), options=MetricOptions(support_threshold=0.5, abstentions=("I don't know",), quotes="fuzzy")
)
NAMES = tuple(measure.name for measure in SETTINGS.measures())
BY_ABSTAINING = {"abstained_when_unanswerable", "abstention_accuracy"}
ABSTAINING: dict[str, Change] = {
    "blank": blank(""),
    "white space": blank(" \n"),
    "abstained": of_prediction(lambda told: told.update(abstained=True)),
    # A record that says that it does not abstain would make an answer of the phrase.
    "a phrase": of_prediction(lambda told: told.update(response="Sorry, I don't know", abstained=None)),
}
LESS = TELLING_LESS | ABSTAINING

differences = st.lists(
    st.floats(-1, 1, allow_subnormal=False) | st.sampled_from([-1.0, -0.5, -0.1, 0.0, 0.5]),
    min_size=2,
    max_size=30,
)


def high(values: list[float]) -> float:
    """The upper end that a gate looks at."""
    found = gated_estimate(values).high
    assert found is not None
    return found


@examples(max_examples=300)
@given(differences, st.data())
def test_a_lower_difference_never_raises_an_upper_end_below_0(
    values: list[float], data: st.DataObject
) -> None:
    lower = [value if data.draw(st.booleans()) else data.draw(st.floats(-1, value)) for value in values]
    assert high(lower) <= max(0.0, high(values) + 1e-11) or not any(lower)


@examples(max_examples=100)
@given(differences)
def test_the_upper_end_is_the_least_of_students_for_differences_nowhere_lower(values: list[float]) -> None:
    """Against a search over levels: raising the lowest differences to one of them."""
    plain = difference_estimate(moments(values))
    assert plain.high is not None
    found = high(values)
    assert found <= plain.high + 1e-11
    levels = [*values, *np.linspace(min(values), max(values), 60).tolist()]
    ends = [difference_estimate(moments([max(value, level) for value in values])).high for level in levels]
    least = min(end for end in ends if end is not None)
    assert found <= least + 1e-9
    if min(map(abs, values)) >= 0.05 and len(values) > 4:  # where no level near 0 makes the end jump
        assert found >= least - 0.1


def test_equal_runs_are_hardly_ever_said_to_be_worse() -> None:
    lines = [f"{'said to be worse in %, n =':28}" + "".join(f"{n:8}" for n in SIZES)]
    for name, (draw, _) in (BINARY | CONTINUOUS | MIXTURES).items():
        rng = np.random.default_rng(23)
        found: dict[int, float] = {}
        for n in SIZES:
            shape = (1000 if n < 1000 else 300, n)
            rows = (draw(rng, shape) - draw(rng, shape)).tolist()
            found[n] = sum(high(row) < 0 for row in rows) / len(rows)
        lines.append(f"{name:28}" + "".join(f"{100 * share:8.1f}" for share in found.values()))
        assert max(found.values()) <= 0.06, name
    print("\n" + "\n".join(lines))


def regressions(done: list[Done], margin: float, share: float) -> dict[str, Regression]:
    compared, collected = Compared(SETTINGS.measures(), 0, NAMES), CollectedScores(SETTINGS.measures(), 0)
    for of in done:
        collected.add(of.item_id, of.scores, of.owed)
        values = {name: score.value for name, score in of.scores.items() if score.value is not None}
        compared.add(of.item_id, values, of.other or {}, of.owed)
    part = PartResult(None, len(done), collected.results(), compared.differences(), ())
    margins = dict.fromkeys(NAMES, margin)
    return {found.name: found for found in regressions_of(margins, dict.fromkeys(NAMES, share), {None: part})}


def gated_values(done: list[Done]) -> list[dict[str, float]]:
    """What a gate counts of each item that the other run has a value on."""
    return [
        {name: 0.0 if name in of.owed else of.scores[name].value or 0.0 for name in of.other or ()}
        for of in done
    ]


def kept_out(how: str) -> set[str]:
    return BY_ABSTAINING if how in (*ABSTAINING, "an error") else set()


places = st.lists(st.integers(0, 15), min_size=1, max_size=8, unique=True)


@examples(max_examples=50)
@given(how=st.sampled_from(list(LESS)), runs=compared_runs(), where=places, margin=st.sampled_from([0, 0.1]))
def test_telling_less_makes_no_run_that_is_worse_pass(
    how: str, runs: tuple[Run, Run], where: list[int], margin: float
) -> None:
    run, other = runs
    less = changed(run, where, LESS[how])
    assume(less.records)
    repetitions = max(asked(run), asked(other))
    before, after = (done_of(told, SETTINGS, repetitions, other) for told in (run, less))
    for was, now in zip(gated_values(before), gated_values(after), strict=True):
        for name in was.keys() - kept_out(how):
            assert now[name] <= was[name] + 1e-12, name
    for share in (1.0, 0.5):
        was_found, found = regressions(before, margin, share), regressions(after, margin, share)
        for name in was_found.keys() - kept_out(how):
            assert was_found[name].verdict != "worse" or found[name].verdict in ("worse", "no pair"), name
            assert share < 1 or was_found[name].met or not found[name].met, name


ITEMS = [
    item(f"i{n}") | {"metadata": {"raw_metadata": {"language": "de" if n % 2 else "en"}}} for n in range(20)
]
DOCUMENTS = [{"document_id": "hours", "content": "The library opens at nine on weekdays."}]
THERE = [prediction(of["item_id"], retrieved_documents=DOCUMENTS, citations=[]) for of in ITEMS]
HERE = [
    prediction(of["item_id"], answer, retrieved_documents=DOCUMENTS, citations=[])
    for of, answer in zip(
        ITEMS,
        ["The library opens at nine or ten.", "The library often opens at nine."] * 10,
        strict=True,
    )
]
GATED = ("answer_f1", "answer_f1[language=de]")


def gates(folder: Path, records: Sequence[object], share: float = 1.0) -> dict[str, Regression]:
    wanted = ScoreRequest(
        compare=write_lines(folder / "there.jsonl", THERE),
        margins=dict.fromkeys(GATED, 0.02),
        min_scored=dict.fromkeys(GATED, share),
        by=("/metadata/raw_metadata/language",),
    )
    report: ScoreReport = scored(folder, ITEMS, records, ScoreSettings(("answer_f1",)), wanted)
    return {found.name: found for found in report.regressions}


def test_a_run_that_is_a_little_worse_everywhere_is_worse(tmp_path: Path) -> None:
    assert [found.verdict for found in gates(tmp_path, HERE).values()] == ["worse", "worse"]


@pytest.mark.parametrize("share", [1.0, 0.5])
@pytest.mark.parametrize("blanked", [1, 2, 5, 9])
@pytest.mark.parametrize("how", [*ABSTAINING, "the record", "all", "an error"])
def test_a_few_answers_that_are_not_there_leave_it_worse(
    tmp_path: Path, how: str, blanked: int, share: float
) -> None:
    """They spread the differences so that Student's interval of the mean would hold 0."""
    chosen = random.Random(blanked).sample(range(20), blanked)
    records = [LESS[how](record) if n in chosen else record for n, record in enumerate(HERE)]
    found = gates(tmp_path, [record for record in records if record], share)
    assert [gate.verdict for gate in found.values()] == ["worse", "worse"]


def test_a_repetition_that_was_left_out_leaves_it_worse(tmp_path: Path) -> None:
    twice = [{**record, "repetition": n} for record in HERE for n in (1, 2)]
    for left_out in ([3], [3, 8], range(1, 40, 3)):
        some = [record for n, record in enumerate(twice) if n not in left_out]
        assert gates(tmp_path, some)["answer_f1"].verdict == "worse"


def test_live_traffic_that_leaves_out_what_the_other_run_has_fails(tmp_path: Path) -> None:
    asked = {"input": {"messages": [{"role": "user", "content": "When does the library open?"}]}}
    other = write_lines(tmp_path / "there.jsonl", [{**record, **asked} for record in THERE])
    for size, met in ((20, True), (19, False)):
        here = write_lines(tmp_path / "here.jsonl", [{**record, **asked} for record in THERE[:size]])
        wanted = ScoreRequest(compare=other, margins={"conciseness": 0.0})
        report = score_files(here, None, None, wanted)
        assert isinstance(report, ScoreReport)
        (found,) = report.regressions
        assert (found.met, found.n_recorded, found.n_judged) == (met, size, 20)
