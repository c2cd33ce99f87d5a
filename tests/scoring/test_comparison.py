"""Two runs, pair by pair: other predictions, or scores that say which items they were made for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract import is_valid
from evalcontract.checking import RunResult
from evalcontract.errors import UsageError
from evalcontract.metrics import MetricOptions
from evalcontract.scoring import ScoreReport, ScoreRequest, ScoreSettings, score_files
from evalcontract.scoring.records import digest_of
from evalcontract.scoring.result import MeasureDifference, RunComparison
from tests.support.examples import PATHFINDER
from tests.support.scoring import dataset, item, prediction, write_json, write_lines

V10 = str(PATHFINDER / "pathfinder_rag_retrieval_v1.0.json")
V11 = str(PATHFINDER / "pathfinder_rag_retrieval_v1.1.json")
PREDICTIONS = str(PATHFINDER / "predictions_rag.jsonl")
FEW = ScoreSettings(("answer_f1", "recall_at_1", "ndcg_at_3"))
ITEMS = [item("a"), item("b"), item("c")]
OLD = [prediction("a"), prediction("b", "At ten."), prediction("c")]
NEW = [prediction("a", "At noon."), prediction("b"), prediction("c")]


def compared(
    folder: Path,
    new: list[Any],
    other: str,
    items: list[Any] | None = None,
    settings: ScoreSettings = FEW,
    *,
    across: bool = False,
) -> RunComparison:
    """`new` against the run in a file."""
    result = score_files(
        write_lines(folder / "new.jsonl", new),
        write_json(folder / "dataset.json", dataset(items or ITEMS)),
        settings,
        ScoreRequest(compare=other, across_versions=across),
    )
    assert isinstance(result, ScoreReport), result
    assert result.comparison is not None
    return result.comparison


def scores_of(
    folder: Path, runs: list[Any], items: list[Any] | None = None, settings: ScoreSettings = FEW
) -> str:
    """A file of the scores of predictions."""
    path = folder / "scores.jsonl"
    with path.open("wb") as file:
        result = score_files(
            write_lines(folder / "old.jsonl", runs),
            write_json(folder / "old.json", dataset(items or ITEMS)),
            settings,
            write=file.write,
        )
    assert isinstance(result, ScoreReport)
    return str(path)


def by_name(comparison: RunComparison) -> dict[str, MeasureDifference]:
    return {each.name: each for each in comparison.differences}


def test_differences_are_paired_and_count_both_ways(tmp_path: Path) -> None:
    found = compared(tmp_path, NEW, write_lines(tmp_path / "old.jsonl", OLD))
    f1 = by_name(found)["answer_f1"]
    assert (f1.better, f1.same, f1.worse, f1.estimate.n) == (1, 1, 1, 3)
    assert f1.estimate.mean == pytest.approx(f1.ours - f1.theirs)
    assert f1.estimate.low is not None
    assert f1.estimate.high is not None
    assert -1 <= f1.estimate.low < 0 < f1.estimate.high <= 1
    recall = by_name(found)["recall_at_1"]
    assert (recall.better, recall.same, recall.worse) == (0, 3, 0)
    assert (recall.estimate.low, recall.estimate.high) == (-1.0, 1.0)  # three equal pairs are not certain


def test_items_that_changed_most_come_first_with_both_values(tmp_path: Path) -> None:
    found = compared(tmp_path, NEW, write_lines(tmp_path / "old.jsonl", OLD))
    assert [each.item_id for each in found.changed] == ["a", "b"]
    ((name, theirs, ours),) = found.changed[0].most
    assert (name, theirs) == ("answer_f1", 1.0)
    assert ours < 1.0


def test_a_run_is_the_same_as_itself_by_predictions_and_by_scores(tmp_path: Path) -> None:
    for other in (write_lines(tmp_path / "same.jsonl", OLD), scores_of(tmp_path, OLD)):
        found = compared(tmp_path, OLD, other)
        assert found.changed == ()
        for each in found.differences:
            assert (each.estimate.mean, each.better, each.worse) == (0.0, 0, 0)


def test_scores_compare_as_their_predictions_do(tmp_path: Path) -> None:
    by_scores = compared(tmp_path, NEW, scores_of(tmp_path, OLD))
    by_predictions = compared(tmp_path, NEW, write_lines(tmp_path / "old.jsonl", OLD))
    assert by_scores.differences == by_predictions.differences
    assert by_scores.changed == by_predictions.changed


def test_what_the_other_run_left_out_scores_0_there_too(tmp_path: Path) -> None:
    found = compared(tmp_path, NEW, write_lines(tmp_path / "old.jsonl", [OLD[0], prediction("z")]))
    assert found.missing_there == ("b", "c")
    assert found.only_there == ("z",)
    assert by_name(found)["recall_at_1"].theirs == pytest.approx(1 / 3)


def test_records_keep_their_contract_and_say_what_they_were_made_for(tmp_path: Path) -> None:
    for line in Path(scores_of(tmp_path, OLD)).read_bytes().splitlines():
        record = json.loads(line)
        assert is_valid(record, "score_record")
        assert record["dataset"]["version"] == "1.0"
        assert record["settings"]["gain"] == "linear"
        assert record["item_digest"].startswith("sha256:")


def test_another_version_is_refused_with_both_names(tmp_path: Path) -> None:
    scores = tmp_path / "scores.jsonl"
    with scores.open("wb") as file:
        score_files(PREDICTIONS, V10, FEW, write=file.write)
    with pytest.raises(UsageError, match=r"retrieval 1\.0, not pathfinder retrieval 1\.1.*nachtlinien-de"):
        score_files(PREDICTIONS, V11, FEW, ScoreRequest(compare=str(scores)))
    result = score_files(PREDICTIONS, V11, FEW, ScoreRequest(compare=str(scores), across_versions=True))
    assert isinstance(result, ScoreReport)
    assert result.comparison is not None
    assert {each.estimate.n for each in result.comparison.differences} == {12, 10}
    assert result.comparison.missing_there == ("nachtlinien-de",)


def test_an_item_that_changed_is_refused_or_left_out(tmp_path: Path) -> None:
    scores = scores_of(tmp_path, OLD)
    changed = [item("a", "It opens at eight."), *ITEMS[1:]]
    with pytest.raises(UsageError, match="item 'a' is not the same in the other scores"):
        compared(tmp_path, NEW, scores, changed)
    found = compared(tmp_path, NEW, scores, changed, across=True)
    assert found.left_out == ("a",)
    assert by_name(found)["answer_f1"].estimate.n == 2


def test_an_item_that_is_gone_is_refused_or_listed(tmp_path: Path) -> None:
    scores = scores_of(tmp_path, OLD)
    with pytest.raises(UsageError, match="item 'c' is only in the other scores"):
        compared(tmp_path, NEW, scores, ITEMS[:2])
    assert compared(tmp_path, NEW, scores, ITEMS[:2], across=True).only_there == ("c",)


def test_a_new_version_number_with_the_same_items_is_the_same(tmp_path: Path) -> None:
    scores = scores_of(tmp_path, OLD)
    result = score_files(
        write_lines(tmp_path / "new.jsonl", NEW),
        write_json(tmp_path / "d.json", dataset(ITEMS, version="1.1")),
        FEW,
        ScoreRequest(compare=scores),
    )
    assert isinstance(result, ScoreReport)


def test_scores_that_say_nothing_are_paired_by_id_only_when_told(tmp_path: Path) -> None:
    plain = [{"item_id": each, "scores": {"answer_f1": {"value": 0.5}}} for each in "abc"]
    other = write_lines(tmp_path / "plain.jsonl", plain)
    with pytest.raises(UsageError, match="doesn't say which version of item 'a'"):
        compared(tmp_path, NEW, other)
    found = compared(tmp_path, NEW, other, across=True)
    assert by_name(found)["answer_f1"].theirs == 0.5
    assert found.not_in_both == ("recall_at_1", "ndcg_at_3")


def test_other_settings_are_refused_by_name(tmp_path: Path) -> None:
    scores = scores_of(
        tmp_path, OLD, settings=ScoreSettings(FEW.metrics, options=MetricOptions(gain="exponential"))
    )
    with pytest.raises(UsageError, match="other settings: gain 'exponential'"):
        compared(tmp_path, NEW, scores, across=True)


def test_a_score_outside_its_range_is_refused(tmp_path: Path) -> None:
    other = write_lines(tmp_path / "odd.jsonl", [{"item_id": "a", "scores": {"answer_f1": {"value": 3}}}])
    result = score_files(
        write_lines(tmp_path / "new.jsonl", NEW),
        write_json(tmp_path / "dataset.json", dataset(ITEMS)),
        FEW,
        ScoreRequest(compare=other, across_versions=True),
    )
    assert isinstance(result, RunResult)
    assert [found.pointer for found in result.violations if found.severity == "error"] == [
        "/scores/answer_f1/value"
    ]


def test_a_run_without_a_common_item_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no item is the same"):
        compared(tmp_path, NEW, write_lines(tmp_path / "old.jsonl", [prediction("z")]))
    scores = scores_of(tmp_path, [prediction("z")], [item("z")])
    with pytest.raises(UsageError, match="no item is the same"):
        compared(tmp_path, NEW, scores, across=True)


@pytest.mark.parametrize(
    "broken", [[{"item_id": "a", "scores": {"f": 0.5}}], [OLD[0], OLD[0]], [{"item_id": "a"}]]
)
def test_a_broken_file_to_compare_stops_the_run(tmp_path: Path, broken: list[Any]) -> None:
    result = score_files(
        write_lines(tmp_path / "new.jsonl", NEW),
        write_json(tmp_path / "d.json", dataset(ITEMS)),
        FEW,
        ScoreRequest(compare=write_lines(tmp_path / "broken.jsonl", broken)),
    )
    assert isinstance(result, RunResult)
    assert result.errors == 1


def test_the_digest_is_of_all_that_a_score_depends_on_and_of_nothing_else() -> None:
    one = item("a")
    assert digest_of(one) == digest_of(
        json.loads(json.dumps(one, sort_keys=True)) | {"metadata": {"note": "x"}}
    )
    assert digest_of(one) != digest_of(item("a", "It opens at ten."))
    assert digest_of(one) != digest_of(one | {"input": one["input"] | {"context": []}})
