"""A gate can't be passed by saying less: blanking, leaving out and abstaining never help."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from evalcontract.errors import UsageError
from evalcontract.metrics import MetricOptions
from evalcontract.scoring import ScoreReport, ScoreRequest, ScoreSettings
from evalcontract.scoring.item import Scorer
from tests.support.scoring import item, measure, prediction, scored

KS = ScoreSettings(ks=(5,), options=MetricOptions(support_threshold=0.5))
RIGHT = "The library opens at nine."
TEXTS = [{"document_id": "hours", "content": "The library opens at nine on weekdays."}]
SILENT = [
    {"item_id": f"i{n}", "prediction": {"response": "", "retrieved_documents": None}} for n in range(1, 10)
]


def good(item_id: str, **parts: Any) -> dict[str, Any]:
    return prediction(item_id, **({"response": RIGHT, "retrieved_documents": TEXTS} | parts))


def ten() -> list[dict[str, Any]]:
    return [item(f"i{n}") for n in range(10)]


def test_one_good_answer_and_nine_silent_ones_meet_no_bound(tmp_path: Path) -> None:
    bounds = {"groundedness": 0.9, "term_groundedness": 0.9, "recall_at_5": 0.9}
    report = scored(tmp_path, ten(), [good("i0"), *SILENT], KS, ScoreRequest(bounds=bounds))
    assert report.exit_code == 1
    assert [bound.met for bound in report.bounds] == [False, False, False]
    assert measure(report, "groundedness").mean == 0.1
    assert measure(report, "term_groundedness").mean == 0.1
    recall = measure(report, "recall_at_5")
    assert (recall.mean, recall.n_recorded, recall.n_judged) == (1.0, 1, 10)


def test_a_bound_may_be_asked_of_a_share(tmp_path: Path) -> None:
    runs = [good("i0"), *SILENT]
    for share, met in ((0.1, True), (0.11, False)):
        wanted = ScoreRequest(bounds={"recall_at_5": 0.9}, min_scored={"recall_at_5": share})
        assert scored(tmp_path, ten(), runs, KS, wanted).bounds[0].met is met
    with pytest.raises(UsageError, match="has no bound"):
        scored(tmp_path, ten(), runs, KS, ScoreRequest(min_scored={"recall_at_5": 0.5}))


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("retrieved_documents", "recall_at_5"),
        ("citations", "citation_recall"),
        ("tool_calls", "tool_call_f1"),
    ],
)
def test_what_was_not_recorded_is_missing_and_what_was_empty_is_measured(
    tmp_path: Path, part: str, name: str
) -> None:
    items = [item("a", citations=[{"document_id": "hours"}], tool_calls=[{"name": "look", "args": {}}])]
    settings = ScoreSettings((name,))
    runs = [good("a", **{part: None}), good("b")]
    found = measure(scored(tmp_path, items, runs, settings), name)
    assert (found.mean, found.n_recorded, found.n_judged) == (None, 0, 1)
    assert found.reasons == {f"the prediction has no {part}": 1}
    found = measure(scored(tmp_path, items, [good("a", **{part: []})], settings), name)
    assert (found.mean, found.n_recorded, found.n_judged) == (0.0, 1, 1)


def test_texts_that_are_not_recorded_keep_a_bound_on_groundedness_from_being_met(tmp_path: Path) -> None:
    report = scored(
        tmp_path,
        [item("a"), item("b")],
        [good("a"), good("b", retrieved_documents=[{"document_id": "other"}])],
        KS,
        ScoreRequest(bounds={"groundedness": 0.1}),
    )
    assert measure(report, "groundedness").n_recorded == 1
    assert not report.bounds[0].met


def test_an_item_without_a_reference_owes_no_answer(tmp_path: Path) -> None:
    report = scored(tmp_path, [item("a", "")], [good("a", response=None)], KS)
    assert measure(report, "recall_at_5").mean == 1.0
    assert measure(report, "conciseness").mean is None


UNANSWERABLE = item("u", "That is not known.", (), answerable=False, citations=[])
ANSWERABLE = item("a", answerable=True, citations=[{"document_id": "hours"}])
ABSTENTIONS: list[dict[str, Any]] = [
    {"response": "I can't say.", "abstained": True},
    {"response": ""},
    {"response": None},
    {"response": "Sorry, I  DON'T know."},
]
PHRASES = ScoreSettings(ks=(5,), options=MetricOptions(abstentions=("I don't know",), support_threshold=0.5))


def values(of: dict[str, Any], *, settings: ScoreSettings = KS, **parts: Any) -> dict[str, float | None]:
    """Every measure of one prediction for one item."""
    found = Scorer(settings).score(of, good("x", **parts)["prediction"], "rag_agent").scores
    return {name: score.value for name, score in found.items()}


@pytest.mark.parametrize("said", ABSTENTIONS)
def test_abstaining_is_right_where_there_is_no_answer_and_wrong_elsewhere(said: dict[str, Any]) -> None:
    right = values(UNANSWERABLE, settings=PHRASES, **said)
    assert (right["abstained_when_unanswerable"], right["abstention_accuracy"]) == (1.0, 1.0)
    assert right["answered_when_answerable"] is None
    wrong = values(ANSWERABLE, settings=PHRASES, **said)
    assert (wrong["answered_when_answerable"], wrong["abstention_accuracy"]) == (0.0, 0.0)
    for name in ("answer_f1", "groundedness", "conciseness", "quality_overall", "citation_recall"):
        assert right[name] is None
        assert wrong[name] == 0.0


def test_a_recorded_false_is_no_abstention() -> None:
    assert values(UNANSWERABLE, response="", abstained=False)["abstained_when_unanswerable"] == 0.0


def test_an_item_that_does_not_say_counts_as_answerable_but_not_for_abstention() -> None:
    found = values(item("a"), response="", citations=[])
    assert (found["answer_f1"], found["abstention_accuracy"]) == (0.0, None)


@examples(deadline=None)
@given(
    response=st.text(min_size=1).filter(str.strip) | st.just(RIGHT),
    citations=st.sampled_from([None, [], [{"document_id": "hours", "quotes": ["The library opens"]}]]),
    said=st.sampled_from(ABSTENTIONS),
    gold=st.sampled_from([None, [], [{"document_id": "hours"}]]),
)
def test_a_run_that_abstains_rightly_beats_one_that_invents(
    response: str, citations: Any, said: dict[str, Any], gold: Any
) -> None:
    of = item("u", RIGHT, (), answerable=False, citations=gold)
    honest = values(of, settings=PHRASES, citations=citations, **said)
    inventor = values(of, settings=PHRASES, response=response, citations=citations, abstained=False)
    for name, value in honest.items():
        other = inventor[name]
        assert (value is None) == (other is None), name
        assert value is None or other is None or value >= other, name
    assert (honest["abstention_accuracy"], inventor["abstention_accuracy"]) == (1.0, 0.0)


def test_the_worst_items_are_the_inventions(tmp_path: Path) -> None:
    items = [UNANSWERABLE | {"item_id": name} for name in "ab"]
    runs = [good("a", response="At noon."), good("b", response="", abstained=True)]
    assert scored(tmp_path, items, runs, KS).worst[0].item_id == "a"


@pytest.mark.parametrize("said", ["It is.", "?!", "[1]"])
def test_an_answer_in_which_nothing_can_be_judged_is_worth_no_more_than_none(said: str) -> None:
    empty, blank = (values(ANSWERABLE, response=text, citations=[]) for text in (said, ""))
    for name, value in blank.items():
        other = empty[name]
        # nobody has to quote: a blank answer scores 0 and, as one without a quote, counts as not recorded
        assert (value is None) == (other is None) or name == "quote_accuracy", name
    assert empty["groundedness"] == empty["citation_support_recall"] == 0.0


def test_what_lacks_its_texts_is_still_unknown() -> None:
    textless = [{"document_id": "elsewhere"}]
    found = values(ANSWERABLE, response="It is.", citations=[], retrieved_documents=textless)
    assert (found["groundedness"], found["citation_support_recall"]) == (None, None)


def repeated(item_id: str, *answers: str) -> list[dict[str, Any]]:
    """Records of one item, numbered."""
    return [
        good(item_id, response=answer) | {"repetition": number} for number, answer in enumerate(answers, 1)
    ]


def test_repetitions_are_averaged_before_anything_else(tmp_path: Path) -> None:
    runs = [*repeated("a", RIGHT, "No.", RIGHT, RIGHT), *repeated("b", RIGHT, RIGHT, RIGHT, RIGHT)]
    report = scored(tmp_path, [item("a"), item("b")], runs, ScoreSettings(("answer_exact_match",)))
    found = measure(report, "answer_exact_match")
    assert (found.mean, found.n_scored, report.repetitions) == (0.875, 2, 4)
    (spread,) = report.repeated
    assert spread.spread == pytest.approx((0.5 + 0) / 2)
    assert spread.at_least_once == pytest.approx({1: 0.875, 2: 1.0, 3: 1.0, 4: 1.0})
    assert spread.always == pytest.approx({1: 0.875, 2: 0.75, 3: 0.625, 4: 0.5})


def test_a_repetition_that_is_missing_or_failed_counts_as_a_wrong_answer(tmp_path: Path) -> None:
    failed = good("b", response="", retrieved_documents=None) | {"repetition": 2, "error": "timed out"}
    runs = [*repeated("a", RIGHT), *repeated("b", RIGHT), failed]
    report = scored(
        tmp_path, [item("a"), item("b")], runs, ScoreSettings(("answer_exact_match", "recall_at_5"))
    )
    assert measure(report, "answer_exact_match").mean == 0.5
    assert measure(report, "recall_at_5").mean == 0.5
    assert report.incomplete == ("a",)


def test_dropping_a_bad_repetition_of_every_item_is_seen_where_it_is_told_how_often_they_were_asked(
    tmp_path: Path,
) -> None:
    settings = ScoreSettings(("answer_exact_match",))
    good_ones = [*repeated("a", RIGHT), *repeated("b", RIGHT)]
    (bound,) = scored(
        tmp_path,
        [item("a"), item("b")],
        good_ones,
        settings,
        ScoreRequest(bounds={"answer_exact_match": 0.6}),
    ).bounds
    assert bound.met  # nothing says that there were others
    wanted = ScoreRequest(bounds={"answer_exact_match": 0.6}, repetitions=2)
    report = scored(tmp_path, [item("a"), item("b")], good_ones, settings, wanted)
    assert (report.exit_code, report.repetitions, report.incomplete) == (1, 2, ("a", "b"))
    assert measure(report, "answer_exact_match").mean == 0.5
    with pytest.raises(UsageError, match="item 'a' has 3 predictions, not 2 at most"):
        scored(tmp_path, [item("a")], repeated("a", RIGHT, RIGHT, RIGHT), settings, wanted)
    for times in (0, 1001):
        with pytest.raises(UsageError, match="1 to 1,000 times"):
            scored(tmp_path, [item("a")], good_ones, settings, ScoreRequest(repetitions=times))


def test_each_repetition_has_its_record_and_records_compare_as_their_predictions(tmp_path: Path) -> None:
    items = [item("a"), item("b")]
    runs = [*repeated("a", RIGHT, "No."), *repeated("b", RIGHT, RIGHT)]
    lines: list[bytes] = []
    few = ScoreSettings(("answer_exact_match",))
    scored(tmp_path, items, runs, few, write=lines.append)
    assert len(lines) == 4
    (tmp_path / "scores.jsonl").write_bytes(b"".join(lines))
    again = scored(tmp_path, items, runs, few, ScoreRequest(compare=str(tmp_path / "scores.jsonl")))
    assert again.comparison is not None
    (found,) = again.comparison.differences
    assert (found.ours, found.theirs, found.same) == (0.75, 0.75, 2)


ITEMS = [
    item("a", citations=[{"document_id": "hours"}], tool_calls=[], answerable=True),
    item("b", citations=[]),
    UNANSWERABLE,
    item("r", ""),
    item("n", judged=None) | {"input": {"messages": [{"role": "user", "content": "When?"}]}},
]
ANSWERS = st.fixed_dictionaries(
    {
        "response": st.sampled_from([RIGHT, "It opens at ten [1].", "No.", "", None]),
        "citations": st.sampled_from(
            [None, [], [{"document_id": "hours", "quotes": ["opens at ten"]}], [{"document_id": "x"}]]
        ),
        "retrieved_documents": st.sampled_from(
            [None, [], TEXTS, [{"document_id": "fees"}, {"document_id": "hours"}]]
        ),
        "tool_calls": st.sampled_from([None, [], [{"name": "look", "args": {}}]]),
        "abstained": st.sampled_from([None, False, True]),
        "handed_off": st.sampled_from([None, False]),
    }
)
FIELDS = ("response", "citations", "retrieved_documents", "tool_calls")
LESS = st.sampled_from(["record", "abstain", "texts", *FIELDS])
BY_ABSTAINING = {"abstained_when_unanswerable", "abstention_accuracy"}


def with_less(record: dict[str, Any], how: str) -> dict[str, Any] | None:
    """The record with something taken from it; None when all is."""
    less = copy.deepcopy(record)
    if how == "record":
        return None
    if how == "abstain":
        less["prediction"]["abstained"] = True
    elif how == "texts":
        for document in less["prediction"]["retrieved_documents"] or ():
            document.pop("content", None)
    else:
        less["prediction"][how] = None
    return less


def bounds_met(report: ScoreReport) -> set[str]:
    return {bound.name for bound in report.bounds if bound.met}


@examples(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    answers=st.lists(ANSWERS, min_size=len(ITEMS), max_size=len(ITEMS)),
    less=st.lists(st.tuples(st.integers(1, len(ITEMS) - 1), LESS), min_size=1, max_size=4),
    at_least=st.sampled_from([0.01, 0.3, 0.5, 0.75, 0.9, 1.0]),
)
def test_taking_information_from_a_run_never_makes_a_gate_pass(
    tmp_path: Path, answers: list[dict[str, Any]], less: list[tuple[int, str]], at_least: float
) -> None:
    whole = [
        {"item_id": of["item_id"], "prediction": answer} for of, answer in zip(ITEMS, answers, strict=True)
    ]
    rest: list[dict[str, Any] | None] = list(whole)
    for place, how in less:
        record = rest[place]
        if record is not None:
            rest[place] = with_less(record, how)
    bounds = {each.name: at_least for each in KS.measures() if each.name not in BY_ABSTAINING}
    before = scored(tmp_path, ITEMS, whole, KS, ScoreRequest(bounds=bounds))
    after = scored(tmp_path, ITEMS, [record for record in rest if record], KS, ScoreRequest(bounds=bounds))
    assert bounds_met(after) <= bounds_met(before)
