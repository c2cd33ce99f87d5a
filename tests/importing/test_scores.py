"""`evalcontract import --scores`: tables of scores that a judge or people gave."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.cli import Finished, run

ROWS = [
    {"item_id": "a", "metric": "tone", "score": 4, "annotator": "anna", "comment": "friendly", "team": "x"},
    {"item_id": "a", "metric": "help", "score": 1, "annotator": "anna"},
    {"item_id": "a", "metric": "tone", "score": 3, "annotator": "ben"},
    {"item_id": "b", "metric": "tone", "score": 5, "annotator": "anna"},
]


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    if path.suffix == ".csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(dict.fromkeys(key for row in rows for key in row)))
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".json":
        path.write_text(json.dumps({"data": rows}))
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def imported(folder: Path, rows: list[dict[str, Any]], *more: str, suffix: str = "jsonl") -> Finished:
    source = write(folder / f"rows.{suffix}", rows)
    return run("import", source, "--scores", "-o", str(folder / "scores.jsonl"), *more)


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "scores.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv"])
def test_rows_become_a_record_for_each_item_and_evaluator(tmp_path: Path, suffix: str) -> None:
    done = imported(tmp_path, ROWS, "--scale", "1,5", suffix=suffix)
    assert done.code == 0, done.out
    first, second, third = records(tmp_path)
    assert first["scores"]["tone"] == {
        "value": 0.75,
        "explanation": "friendly",
        "metadata": {"team": "x", "value": 4, "scale": [1.0, 5.0]},
        "evaluator": "anna",
    }
    assert first["scores"]["help"]["value"] == 0.0
    assert second["scores"]["tone"]["evaluator"] == "ben"
    assert third["item_id"] == "b"
    assert run("validate", "--strict", str(tmp_path / "scores.jsonl")).code == 0


@given(value=st.floats(-1e6, 1e6), low=st.integers(-100, 100), width=st.integers(1, 100))
def test_a_scale_is_made_0_to_1_and_nothing_beyond_it_passes(
    tmp_path_factory: pytest.TempPathFactory, value: float, low: int, width: int
) -> None:
    folder = tmp_path_factory.mktemp("scale")
    row = {"item_id": "a", "metric": "m", "score": value, "evaluator": "j"}
    done = imported(folder, [row], f"--scale={low},{low + width}")
    if low <= value <= low + width:
        assert done.code == 0, done.out
        score = records(folder)[0]["scores"]["m"]
        assert score["value"] == pytest.approx((value - low) / width)
        assert score["metadata"]["value"] == value
    else:
        assert done.code == 1
        assert not (folder / "scores.jsonl").exists()


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"score": 4}, "rows.jsonl:1:"),
        ({"score": 4}, "/score: expected number from 0 to 1, got integer 4"),
        ({"score": 4}, "--scale MIN,MAX"),
        ({"score": "good"}, 'got string "good"'),
        ({"score": "good"}, "a word belongs in a column label"),
        ({"score": None}, "a score is required"),
        ({"item_id": None}, "item_id is required"),
        ({"item_id": 7.5}, "/item_id: expected string"),
        ({"metric": None}, "metric is required"),
        ({"evaluator": ""}, "evaluator is required"),
        ({"evaluator": None}, "--evaluator NAME"),
        ({"repetition": 0}, "repetition, from 1"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"metrc": "m"}, "did you mean"),
        ({"scores": {"m": {"value": 1}}}, "this is a score record already"),
    ],
)
def test_a_row_that_is_no_score_is_refused_at_its_place(
    tmp_path: Path, row: dict[str, Any], said: str
) -> None:
    base = {"item_id": "a", "metric": "m", "score": 1, "evaluator": "j"}
    if "metrc" in row:
        del base["metric"]
    done = imported(tmp_path, [base | row])
    assert done.code == 1, done.out
    assert said in done.out
    assert not (tmp_path / "scores.jsonl").exists()


def test_one_evaluator_scores_an_item_once(tmp_path: Path) -> None:
    row = {"item_id": "a", "metric": "m", "score": 1, "evaluator": "j"}
    done = imported(tmp_path, [row, row])
    assert done.code == 1
    assert "rows.jsonl:2:13: error [row 2] /item_id: row 1 has a score of m by j" in done.out
    assert imported(tmp_path, [row | {"repetition": number} for number in (1, 2)]).code == 0


def test_labels_and_truth_values_are_scores_too(tmp_path: Path) -> None:
    base = {"item_id": "a", "evaluator": "j"}
    rows = [base | {"metric": "m", "label": "good"}, base | {"metric": "n", "score": True}]
    assert imported(tmp_path, rows).code == 0
    (record,) = records(tmp_path)
    assert record["scores"]["m"] == {
        "value": None,
        "reason": "given as a label",
        "label": "good",
        "evaluator": "j",
    }
    assert record["scores"]["n"]["value"] == 1.0


def test_what_all_rows_share_is_told_once(tmp_path: Path) -> None:
    done = imported(tmp_path, [{"id": 7, "rating": 0.5}], "--evaluator", "judge-2", "--metric-name", "tone")
    assert done.code == 0, done.out
    assert records(tmp_path) == [{"item_id": "7", "scores": {"tone": {"value": 0.5, "evaluator": "judge-2"}}}]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--scores", "--map", "golden"), "--map is not for scores"),
        (("--map", "golden", "--scale", "1,5"), "--scale is for scores"),
        (("--scores", "--scale", "5"), "a scale is MIN,MAX"),
        (("--scores", "--scale", "5,1"), "a scale is MIN,MAX"),
        (("--scores", "--scale", "nan,1"), "a scale is MIN,MAX"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    source = write(tmp_path / "rows.jsonl", ROWS)
    done = run("import", source, *words, "-o", str(tmp_path / "scores.jsonl"))
    assert done.code == 2
    assert said in done.err
