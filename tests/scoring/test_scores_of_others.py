"""Scores of a judge or of people in a run: measured, broken down, compared and gated like ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Finished, run

DECLARED = {"metadata": {"raw_metadata": {"input_schema_type": "qa", "input_schema_version": "1.0"}}}


def lines(path: Path, *documents: Any) -> str:
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    return str(path)


def item(item_id: str) -> dict[str, Any]:
    asked = {"messages": [{"role": "user", "content": f"What is {item_id}?"}]}
    return {"item_id": item_id, "input": asked, "expected_output": {"response": "It is so."}, **DECLARED}


def judged(
    item_id: str, value: float | None, evaluator: str | None = "judge-2", **more: Any
) -> dict[str, Any]:
    score = {"value": value, "evaluator": evaluator} | ({"reason": "off topic"} if value is None else {})
    return {"item_id": item_id, "scores": {"tone": score}, **more}


class Run:
    def __init__(self, folder: Path, *, answers: tuple[str, ...] = ("It is so.", "It is so.", "No.")) -> None:
        self.folder = folder
        self.items = lines(folder / "items.jsonl", *map(item, "abc"))
        predictions = (
            {"item_id": item_id, "prediction": {"response": answer}}
            for item_id, answer in zip("abc", answers, strict=False)
        )
        self.predictions = lines(folder / "predictions.jsonl", *predictions)

    def score(self, *scores: Any, more: tuple[str, ...] = ()) -> Finished:
        file = lines(self.folder / "judge.jsonl", *scores)
        command = (
            "score",
            self.predictions,
            "--dataset",
            self.items,
            "--metrics",
            "answer_f1",
            "--scores",
            file,
        )
        return run(*command, *more)


def measures(done: Finished) -> dict[str, Any]:
    return {found["name"]: found for found in json.loads(done.out)["measures"]}


def test_they_join_the_table_the_records_and_the_gates(tmp_path: Path) -> None:
    scores = [judged("a", 1), judged("b", 0.5), judged("c", 0)]
    records = tmp_path / "records.jsonl"
    more = ("--records", str(records), "--fail-under", "tone@judge-2=0.6", "--format", "json")
    done = Run(tmp_path).score(*scores, more=more)
    assert done.code == 1
    found = measures(done)["tone@judge-2"]
    assert found["mean"] == 0.5
    assert found["n_recorded"] == 3
    first = json.loads(records.read_text().splitlines()[0])["scores"]["tone@judge-2"]
    assert first == {"value": 1.0, "reason": None, "evaluator": "judge-2"}
    again = Run(tmp_path).score(*scores, more=("--compare", str(records), "--fail-worse", "tone@judge-2"))
    assert again.code == 0, again.out + again.err


def test_an_item_that_nobody_scored_keeps_a_gate_shut(tmp_path: Path) -> None:
    more = ("--fail-under", "tone@judge-2=0.5")
    done = Run(tmp_path).score(judged("a", 1), judged("b", 1), more=more)
    assert done.code == 1
    assert "no score by judge-2 (1 item): tone@judge-2" in done.out
    assert "recorded in full for 2 of 3 items" in done.out
    assert (
        Run(tmp_path)
        .score(judged("a", 1), judged("b", 1), more=(*more, "--min-scored", "tone@judge-2=0.6"))
        .code
        == 0
    )


def test_silence_scores_0_whatever_the_judge_says(tmp_path: Path) -> None:
    done = Run(tmp_path, answers=("It is so.", "")).score(
        *(judged(item_id, 1) for item_id in "abc"), more=("--format", "json")
    )
    found = measures(done)["tone@judge-2"]
    assert found["mean"] == pytest.approx(1 / 3)


def test_evaluators_are_told_apart_and_what_is_of_no_item_is_said(tmp_path: Path) -> None:
    scores = [judged("a", 1), judged("a", 0, "anna"), judged("nowhere", 1)]
    done = Run(tmp_path).score(*scores, more=("--format", "json"))
    assert done.code == 0, done.out + done.err
    found = measures(done)
    assert (found["tone@judge-2"]["mean"], found["tone@anna"]["mean"]) == (1.0, 0.0)
    assert json.loads(done.out)["warnings"]["scored by others, and not in the dataset: 'nowhere'"] == 1


def test_scores_of_another_run_are_not_this_ones(tmp_path: Path) -> None:
    made = Run(tmp_path)
    records = [{"item_id": "a", "run_id": "one", "prediction": {"response": "It is so."}}]
    made.predictions = lines(tmp_path / "predictions.jsonl", *records)
    done = made.score(judged("a", 1, run_id="two"))
    assert "the score is of the run 'two'" in done.out
    done = made.score(judged("a", 1, run_id="one"), more=("--format", "json"))
    assert measures(done)["tone@judge-2"]["mean"] == pytest.approx(
        1 / 3
    )  # of two items nothing was predicted


def test_scores_of_another_version_of_an_item_are_none(tmp_path: Path) -> None:
    done = Run(tmp_path).score(judged("a", 1, item_digest="sha256:0"), judged("b", 1))
    assert "the score is of another version of the item (1 item): tone@judge-2" in done.out


def test_repetitions_are_scored_each(tmp_path: Path) -> None:
    made = Run(tmp_path)
    records = [
        {"item_id": "a", "repetition": number, "prediction": {"response": "It is so."}} for number in (1, 2)
    ]
    made.predictions = lines(tmp_path / "predictions.jsonl", *records)
    made.items = lines(tmp_path / "items.jsonl", item("a"))
    scores = [judged("a", 1, repetition=1), judged("a", 0, repetition=2)]
    done = made.score(*scores, more=("--format", "json"))
    assert measures(done)["tone@judge-2"]["mean"] == 0.5
    assert measures(made.score(judged("a", 1), more=("--format", "json")))["tone@judge-2"]["mean"] == 1.0


@pytest.mark.parametrize(
    ("scores", "code", "said"),
    [
        ([judged("a", 1, None)], 2, "doesn't say who scored"),
        ([judged("a", 1), judged("a", 0)], 1, "already has a score record by 'judge-2'"),
        ([judged("a", 2)], 1, "/scores/tone/value"),
        ([judged("a", 1, "j 2"), judged("b", 1, "j_2")], 2, "would both be called tone@j_2"),
    ],
)
def test_scores_that_can_not_be_taken_are_refused(
    tmp_path: Path, scores: list[Any], code: int, said: str
) -> None:
    done = Run(tmp_path).score(*scores)
    assert done.code == code, done.out
    assert said in done.out + done.err


def test_two_files_with_one_score_are_refused(tmp_path: Path) -> None:
    other = lines(tmp_path / "other.jsonl", judged("a", 0))
    done = Run(tmp_path).score(judged("a", 1), more=("--scores", other))
    assert done.code == 2
    assert "item 'a' has two scores of tone@judge-2" in done.err


def test_live_traffic_is_scored_by_others_too(tmp_path: Path) -> None:
    record = {"item_id": "a", "input": item("a")["input"], "prediction": {"response": "It is so."}}
    predictions = lines(tmp_path / "live.jsonl", record)
    scores = lines(tmp_path / "judge.jsonl", judged("a", 0.5))
    done = run("score", predictions, "--scores", scores, "--format", "json")
    assert done.code == 0, done.out + done.err
    assert measures(done)["tone@judge-2"]["mean"] == 0.5


def test_an_unknown_measure_of_a_gate_is_refused(tmp_path: Path) -> None:
    done = Run(tmp_path).score(judged("a", 1), more=("--fail-under", "tone@anna=0.5"))
    assert done.code == 2


def test_agreement_is_told_in_every_format(tmp_path: Path) -> None:
    scores = [judged("a", 1), judged("a", 0.75, "anna|x"), judged("b", 0), judged("b", 0.25, "anna|x")]
    file = lines(tmp_path / "judge.jsonl", *scores)
    command = ("agreement", file, "--reference", "anna|x")
    told = json.loads(run(*command, "--format", "json").out)
    (metric,) = told["metrics"]
    assert metric["judges"][0]["precision"] == metric["judges"][0]["recall"] == 1.0
    text = run(*command)
    assert text.code == 0
    assert "held against anna|x, positive from 0.5" in text.out
    assert "anna\\|x" in run(*command, "--format", "markdown").out
    assert run("agreement", file, "--threshold", "2").code == 2
    assert run("agreement", lines(tmp_path / "bad.jsonl", judged("a", 2))).code == 1
