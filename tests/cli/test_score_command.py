"""`evalcontract score` from the outside: what it prints, what it writes, and when it fails."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest

from tests.support.cli import Finished, run
from tests.support.examples import PATHFINDER
from tests.support.scoring import dataset, item, prediction, write_json, write_lines

RAG = str(PATHFINDER / "pathfinder_rag_retrieval_v1.0.json")
RAG_11 = str(PATHFINDER / "pathfinder_rag_retrieval_v1.1.json")
PREDICTIONS = str(PATHFINDER / "predictions_rag.jsonl")
SMOKE = str(PATHFINDER / "pathfinder_smoke_v1.0.json")


def score(*arguments: str, stdin: bytes = b"") -> Finished:
    """Score the example's predictions with two metrics, so that a test takes no time."""
    few = [] if "--metrics" in arguments else ["--metrics", "answer_f1,recall_at_k"]
    return run("score", PREDICTIONS, "--dataset", RAG, *few, *arguments, stdin=stdin)


def small(folder: Path, *arguments: str) -> Finished:
    """Score three of four items, one of them badly, and a prediction for none of them."""
    items = [item(each) for each in "abcd"]
    runs = [prediction("a"), prediction("b", "No."), prediction("d"), prediction("x")]
    return run(
        "score",
        write_lines(folder / "predictions.jsonl", runs),
        "--dataset",
        write_json(folder / "dataset.json", dataset(items)),
        "--metrics",
        "answer_f1,recall_at_1,citation_f1",
        *arguments,
    )


def test_a_table_with_a_row_a_measure_and_the_outcome_last() -> None:
    done = run("score", PREDICTIONS, "--dataset", RAG)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "pathfinder retrieval 1.0: 12 items, 12 with a prediction"
    assert "recall_at_1                  0.5000  0.2904 to 0.7096  10 of 12" in lines
    assert (
        "  no support threshold is given (12 items): citation_support_recall, citation_support_precision"
        in lines
    )
    assert lines[-1] == "ok: 12 items scored on 42 measures"


def test_missing_and_extra_predictions_and_the_worst_items_are_named(tmp_path: Path) -> None:
    done = small(tmp_path)
    assert done.code == 0
    assert "note: 1 missing prediction scored 0: c" in done.out
    assert "note: 1 prediction for no item of the dataset: x" in done.out
    assert "the item has no expected_output.citations (4 items): citation_f1" in done.out
    assert "  0.0000  c\n          answer_f1 0.0000: no prediction\n" in done.out
    assert "recall_at_1  0.7500  0.1941 to 0.9937  4 of 4" in done.out


def test_json_holds_all_of_it_unrounded(tmp_path: Path) -> None:
    report = json.loads(small(tmp_path, "--format", "json").out)
    assert (report["ok"], report["items"], report["missing"], report["extra"]) == (True, 4, ["c"], ["x"])
    f1 = report["measures"][0]
    assert (f1["name"], f1["n_scored"], f1["worst"][0]["item_id"]) == ("answer_f1", 4, "b")
    assert report["worst"][0]["lowest"][0] == {
        "measure": "answer_f1",
        "value": 0.0,
        "reason": "no prediction",
    }
    assert report["comparison"] is None


def test_csv_has_a_row_a_measure_and_empty_cells_for_no_value(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(small(tmp_path, "--format", "csv").out)))
    assert [row["measure"] for row in rows] == ["answer_f1", "recall_at_1", "citation_f1"]
    assert float(rows[1]["mean"]) == 0.75
    assert (rows[2]["mean"], rows[2]["n_scored"], rows[2]["n_total"]) == ("", "0", "4")


def test_markdown_is_a_table_that_ids_can_not_break(tmp_path: Path) -> None:
    items = [item("a|b`c<i>*"), item("d")]
    done = run(
        "score",
        write_lines(tmp_path / "p.jsonl", [prediction("a|b`c<i>*", "No."), prediction("d")]),
        "--dataset",
        write_json(tmp_path / "d.json", dataset(items)),
        "--format",
        "markdown",
    )
    assert "| measure | mean | 95 % interval | scored |\n| --- | ---: | ---: | ---: |" in done.out
    assert r"a\|b\`c\<i\>\*" in done.out
    assert "<i>" not in done.out


def test_scores_are_records_that_validate_and_appear_whole(tmp_path: Path) -> None:
    scores = tmp_path / "scores.jsonl"
    scores.write_text("older")
    done = score("--records", str(scores))
    assert done.code == 0
    records = [json.loads(line) for line in scores.read_text().splitlines()]
    assert [each["item_id"] for each in records][:2] == ["delay-compensation-en", "verspaetung-zeitkarte-de"]
    assert run("validate", str(scores), "--contract", "score_record").code == 0
    assert run("validate", str(tmp_path)).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["scores.jsonl"]


def test_no_scores_are_written_when_the_data_is_wrong(tmp_path: Path) -> None:
    scores = tmp_path / "scores.jsonl"
    scores.write_text("older")
    predictions = write_lines(tmp_path / "p.jsonl", [prediction("a"), prediction("b", 5)])  # type: ignore[arg-type]
    done = run("score", predictions, "--dataset", RAG, "--records", str(scores))
    assert done.code == 1
    assert f"{predictions}:2:" in done.out
    assert "/prediction/response: expected string or null, got integer 5 [wrong-type]" in done.out
    assert scores.read_text() == "older"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.jsonl", "scores.jsonl"]


def test_wrong_data_is_reported_as_json_when_json_is_wanted(tmp_path: Path) -> None:
    predictions = write_lines(tmp_path / "p.jsonl", [prediction("a"), prediction("a")])
    done = run("score", predictions, "--dataset", RAG, "--format", "json")
    report = json.loads(done.out)
    assert (done.code, report["ok"]) == (1, False)
    assert [each["code"] for each in report["violations"]] == ["duplicate-prediction"]


def test_scores_never_replace_what_they_are_made_from(tmp_path: Path) -> None:
    predictions = write_lines(tmp_path / "p.jsonl", [prediction("a")])
    done = run("score", predictions, "--dataset", RAG, "--records", predictions)
    assert done.code == 2
    assert "is read and would be written" in done.err
    assert json.loads(Path(predictions).read_text()) == prediction("a")


def test_a_folder_that_is_not_there_is_no_place_for_scores(tmp_path: Path) -> None:
    done = score("--records", str(tmp_path / "none" / "scores.jsonl"))
    assert (done.code, "can't be written" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("bound", "code", "last"),
    [
        ("recall_at_5=0.9", 0, "ok: 12 items scored on 4 measures, 1 bound met"),
        ("recall_at_5=0.96", 1, "failed: recall_at_5 is 0.9500, below 0.96"),
        ("tool_call_f1=0", 1, "failed: tool_call_f1 has no value on any item, 0 is demanded"),
    ],
)
def test_bounds_decide_the_exit_code(bound: str, code: int, last: str) -> None:
    metrics = "answer_f1,recall_at_k" if "recall" in bound else "answer_f1,tool_call_f1"
    done = score("--metrics", metrics, "--fail-under", bound)
    assert done.code == code
    assert done.out.splitlines()[-1] == last


def test_a_bound_on_what_no_item_is_measured_on_fails() -> None:
    done = run("score", PREDICTIONS, "--dataset", RAG, "--fail-under", "tool_call_f1=0.5")
    assert done.code == 1
    assert "tool_call_f1 has no value on any item" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--metrics", "answer_f2"], "there is no metric 'answer_f2'\n  hint: did you mean answer_f1"),
        (["--metrics", ""], "no metric is named"),
        (["--fail-under", "answer_f2=1"], "there is no metric 'answer_f2'"),
        (["--fail-under", "recall_at_7=1"], "recall_at_7 is not measured in this run"),
        (["--fail-under", "answer_f1"], "a bound is METRIC=VALUE"),
        (["--fail-under", "answer_f1=high"], "a bound is METRIC=VALUE"),
        (["--fail-under", "answer_f1=nan"], "the bound of answer_f1 lies in 0..1"),
        (["--worst-by", "groundedness"], "groundedness is not measured in this run"),
        (["--k", "0"], "k must be an integer of at least 1"),
        (["--k", "five"], "k is a list of whole numbers"),
        (["--format", "xml"], "there is no format 'xml'"),
        (["--gain", "cubic"], "unknown gain 'cubic'"),
        (["--type", "rags"], "there is no schema type"),
        (["--compare", "nothing.jsonl"], "no such file"),
        (["--compare", "-"], "standard input can be the predictions or the dataset only"),
    ],
)
def test_wrong_usage_is_a_line_and_exit_code_2(arguments: list[str], said: str) -> None:
    done = score(*arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_predictions_for_another_dataset_are_wrong_usage() -> None:
    done = run("score", PREDICTIONS, "--dataset", SMOKE)
    assert (done.code, done.out) == (2, "")
    assert "no prediction of" in done.err
    assert "were they made for another dataset?" in done.err


def test_both_on_standard_input_are_wrong_usage() -> None:
    done = run("score", "-", "--dataset", "-")
    assert (done.code, "standard input" in done.err) == (2, True)


def test_predictions_come_from_standard_input_and_from_packed_files(tmp_path: Path) -> None:
    raw = Path(PREDICTIONS).read_bytes()
    packed = tmp_path / "p.jsonl.gz"
    packed.write_bytes(gzip.compress(raw))
    rest = ["--dataset", RAG, "--metrics", "answer_f1"]
    piped = run("score", "-", *rest, stdin=b"[" + b",".join(raw.splitlines()) + b"]")
    assert piped.out == run("score", str(packed), *rest).out == run("score", PREDICTIONS, *rest).out


def test_a_dataset_of_lines_has_its_metadata_beside_it(tmp_path: Path) -> None:
    whole = json.loads(Path(RAG).read_bytes())
    lines = write_lines(tmp_path / "d.jsonl", whole["items"])
    write_json(tmp_path / "d.metadata.json", whole["metadata"])
    assert (
        run("score", PREDICTIONS, "--dataset", lines).out == run("score", PREDICTIONS, "--dataset", RAG).out
    )


def test_two_runs_are_compared(tmp_path: Path) -> None:
    scores = tmp_path / "scores.jsonl"
    score("--records", str(scores))
    rows = [json.loads(line) for line in Path(PREDICTIONS).read_text().splitlines()]
    rows[0]["prediction"]["response"] = "No."
    worse = write_lines(tmp_path / "worse.jsonl", rows)
    done = run(
        "score", worse, "--dataset", RAG, "--metrics", "answer_f1,recall_at_1", "--compare", str(scores)
    )
    assert done.code == 0
    assert "answer_f1 0.5717 0.5161 -0.0556 -0.2248 to +0.1137 0 11 1 12" in " ".join(done.out.split())
    assert "the same on all 10 pairs: recall_at_1" in done.out
    assert "  0.3333  delay-compensation-en  answer_f1 0.6667 -> 0.0000" in done.out
    for report_format in ("json", "csv", "markdown"):
        arguments = ["--dataset", RAG, "--compare", str(scores), "--format", report_format]
        assert run("score", worse, *arguments, "--metrics", "answer_f1,ndcg_at_2").code == 0


def test_scores_of_another_version_are_compared_only_when_told(tmp_path: Path) -> None:
    scores = tmp_path / "scores.jsonl"
    score("--records", str(scores))
    arguments = [
        "score",
        PREDICTIONS,
        "--dataset",
        RAG_11,
        "--metrics",
        "answer_f1",
        "--compare",
        str(scores),
    ]
    refused = run(*arguments)
    assert (refused.code, refused.out) == (2, "")
    assert (
        "another version of the dataset (pathfinder retrieval 1.0, not pathfinder retrieval 1.1)"
        in refused.err
    )
    told = run(*arguments, "--across-versions")
    assert told.code == 0
    assert "1 item missing there: nachtlinien-de" in told.out


def test_control_characters_of_the_data_do_not_reach_the_terminal(tmp_path: Path) -> None:
    done = run(
        "score",
        write_lines(tmp_path / "p.jsonl", [prediction("a\x1b[31m", "No \x1b[2J."), prediction("b")]),
        "--dataset",
        write_json(tmp_path / "d.json", dataset([item("a\x1b[31m"), item("b"), item("c\u202e")])),
    )
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out


@pytest.mark.parametrize(
    ("options", "code", "last"),
    [
        (["--fail-worse", "answer_f1"], 0, "ok: 12 items scored on 4 measures, 1 bound met"),
        (["--fail-worse", "answer_f1=0.1"], 0, "ok: 12 items scored on 4 measures, 1 bound met"),
        (
            ["--by", "/metadata/raw_metadata/topic", "--fail-worse", "recall_at_5[topic=unanswerable]"],
            1,
            "failed: recall_at_5[topic=unanswerable] has no value in both runs on any item",
        ),
    ],
)
def test_a_run_is_held_against_another(options: list[str], code: int, last: str) -> None:
    done = score("--compare", PREDICTIONS, *options)
    assert (done.code, done.out.splitlines()[-1]) == (code, last)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--fail-worse", "answer_f1"], "there is no run to be worse than"),
        (["--fail-over", "latency_ms.p95"], "a bound is METRIC=VALUE"),
        (
            ["--by", "/item_id", "--fail-under", "answer_f1[item_id=?]=0.1"],
            "no item is of the slice item_id=?",
        ),
        (["--abstention", " "], "a phrase that counts as an abstention is empty"),
        (["--min-scored", "answer_f1=0.5"], "answer_f1 has no bound"),
    ],
)
def test_a_gate_on_nothing_is_one_line_and_writes_nothing(
    tmp_path: Path, options: list[str], said: str
) -> None:
    done = score("--records", str(tmp_path / "scores.jsonl"), *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err.splitlines()[0]
    assert list(tmp_path.iterdir()) == []
