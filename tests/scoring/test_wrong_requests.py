"""What can't be asked of a scoring run is one line with the way out, exit code 2, and nothing is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.cli import run
from tests.support.scoring import dataset, item, prediction, write_json, write_lines


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--fail-under nope=0.5", "there is no metric 'nope'"),
        ("--fail-under recall_at_7=0.5", "recall_at_7 is not measured in this run"),
        ("--fail-under answer_f1[tags=z]=0.5 --by /tags", "no item is of the slice tags=z"),
        ("--fail-under answer_f1[tags=x]=0.5", "the run isn't broken down by tags"),
        ("--fail-under answer_f1", "a bound is METRIC=VALUE, not 'answer_f1'"),
        ("--fail-under answer_f1=nan", "the bound of answer_f1 lies in 0..1, not at nan"),
        ("--fail-under answer_f1=50", "the bound of answer_f1 lies in 0..1, not at 50.0"),
        ("--fail-under answer_f1=.1 --fail-under answer_f1=.9", "--fail-under names answer_f1 twice"),
        ("--min-scored answer_f1=0.5", "answer_f1 has no bound"),
        (
            "--fail-under answer_f1=.1 --min-scored answer_f1=2",
            "the share of items of answer_f1 lies in 0..1",
        ),
        ("--fail-over cost_usd.sum=3", "no record measures cost_usd"),
        ("--fail-over latency_ms.p99=3", "'latency_ms.p99' is no statistic of a measurement"),
        ("--fail-over latency_ms.p95=inf", "the bound of latency_ms.p95 is a number, not inf"),
        ("--fail-worse answer_f1", "there is no run to be worse than"),
        ("--compare {other} --fail-worse answer_f1 --fail-worse answer_f1=.1", "names answer_f1 twice"),
        ("--compare {other}", "no item is the same in"),
        ("--by /nowhere", "no item has a value nowhere"),
        ("--by nowhere", "'nowhere' is not a JSON pointer"),
        ("--abstention=", "a phrase that counts as an abstention is empty"),
        ("--k 0", "k must be an integer of at least 1, not 0"),
        ("--metrics answer_f1,nope", "there is no metric 'nope'"),
        ("--metrics ,", "no metric is named"),
        ("--worst-by nope", "there is no metric 'nope'"),
        ("--support-threshold nan", "the support threshold lies in 0..1, not at nan"),
        ("--number-tolerance nan", "the tolerance must be a number of at least 0, not nan"),
        ("--chunk-separator=", "the separator of chunk ids is empty"),
        ("--repetitions 1001", "an item is asked 1 to 1,000 times, not 1,001"),
        ("--fail-under answer_f1[tags=x=0.5 --by /tags", "names no measure"),
    ],
)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_it_is_said_in_one_line(tmp_path: Path, options: str, said: str, jobs: str) -> None:
    measured = prediction("b") | {"measurements": {"latency_ms": 3}}
    runs = write_lines(tmp_path / "predictions.jsonl", [prediction("a"), measured])
    items = write_json(
        tmp_path / "dataset.json", dataset([item("a") | {"tags": ["x"]}, item("b") | {"tags": ["y"]}])
    )
    other = write_lines(tmp_path / "other.jsonl", [prediction("z")])
    records, report = tmp_path / "scores.jsonl", tmp_path / "report.json"
    asked = ["score", runs, "--dataset", items, "--records", str(records), "-o", str(report)]
    done = run(*asked, *options.format(other=other).split(), "--jobs", jobs)
    assert (done.code, done.out, records.exists(), report.exists()) == (2, "", False, False)
    first, *more = done.err.splitlines()
    assert first.startswith("error: ")
    assert said in first
    assert all(line.startswith("  hint: ") for line in more)


@pytest.mark.parametrize(
    ("first", "second", "pointer"),
    [
        ({"repetition": 1}, {"repetition": 1}, "/item_id"),
        ({"repetition": 1.0}, {"repetition": 1}, "/item_id"),
        ({}, {"repetition": 1}, "/item_id"),
        ({}, {}, "/item_id"),
        ({"repetition": 1}, {"repetition": 0}, "/repetition"),
        ({"repetition": 1}, {"repetition": "2"}, "/repetition"),
    ],
)
def test_repetitions_that_are_none_are_shown_as_faults_of_the_data(
    tmp_path: Path, first: dict[str, object], second: dict[str, object], pointer: str
) -> None:
    runs = write_lines(tmp_path / "predictions.jsonl", [prediction("a") | first, prediction("a") | second])
    items = write_json(tmp_path / "dataset.json", dataset([item("a")]))
    records = tmp_path / "scores.jsonl"
    done = run("score", runs, "--dataset", items, "--records", str(records))
    assert (done.code, records.exists()) == (1, False)
    assert re.match(rf"{re.escape(runs)}:2:\d+: error \[a\] {pointer}: ", done.out)
