"""Slices of a dataset, measurements of the records, and the gates on both."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.errors import ContractError, UsageError
from evalcontract.reports import SCORES
from evalcontract.scoring import ScoreReport, ScoreRequest, ScoreSettings
from tests.support.scoring import item, prediction, scored, write_lines

EXACT = ScoreSettings(("answer_exact_match",))
BY = "/metadata/raw_metadata/language"


def spoken(item_id: str, language: Any) -> dict[str, Any]:
    return item(item_id) | {"metadata": {"raw_metadata": {"language": language}}}


ITEMS = [spoken("a", "de"), spoken("b", "de"), spoken("c", "en"), spoken("d", ["en", "fr"]), item("e")]


def took(
    item_id: str, milliseconds: float | None, answer: str = "The library opens at nine."
) -> dict[str, Any]:
    return prediction(item_id, answer) | {
        "measurements": {"latency_ms": milliseconds} if milliseconds else None
    }


RUN = [took("a", 100), took("b", 200, "No."), took("c", 300), took("d", 400), took("e", 1000)]


def report_of(folder: Path, runs: list[dict[str, Any]] | None = None, **wanted: Any) -> ScoreReport:
    return scored(folder, ITEMS, runs or RUN, EXACT, ScoreRequest(**{"by": (BY,)} | wanted))


def test_every_measure_is_broken_down_by_a_value_of_the_items(tmp_path: Path) -> None:
    found = {part.name: part for part in report_of(tmp_path).slices}
    assert {name: part.items for name, part in found.items()} == {
        "language=de": 2,
        "language=en": 2,
        "language=fr": 1,
    }
    assert found["language=de"].measures[0].mean == 0.5
    assert found["language=en"].measures[0].mean == 1.0
    assert found["language=de"].measurements[0].mean == 150


def test_a_gate_may_name_a_slice(tmp_path: Path) -> None:
    bounds = {"answer_exact_match[language=de]": 0.8, "answer_exact_match[language=en]": 0.8}
    report = report_of(tmp_path, bounds=bounds)
    assert [bound.met for bound in report.bounds] == [False, True]
    assert report.exit_code == 1
    assert "answer_exact_match[language=de] is 0.5000, below 0.8" in SCORES.write("text", report)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"bounds": {"answer_exact_match[language=xx]": 0.8}}, "no item is of the slice language=xx"),
        ({"bounds": {"answer_exact_match[topic=x]": 0.8}}, "isn't broken down by topic"),
        ({"bounds": {"answer_exakt[language=de]": 0.8}}, "there is no metric 'answer_exakt'"),
        ({"bounds": {"answer_exact_match[": 0.8}}, "names no measure"),
        ({"by": ("language",)}, "is not a JSON pointer"),
        ({"by": (BY, "/input/language")}, "two pointers"),
        ({"by": ("",)}, "needs the pointer"),
        ({"by": ("/metadata/nothing",)}, "no item has a value nothing"),
        ({"margins": {"answer_exact_match": 0.1}}, "no run to be worse than"),
        ({"ceilings": {"latency_ms": 10}}, "is no statistic"),
        ({"ceilings": {"latency_ms.p99": 10}}, "is no statistic"),
        ({"ceilings": {"latency.p95": 10}}, "no record measures latency"),
        ({"ceilings": {"latency_ms.p95": float("nan")}}, "is a number"),
    ],
)
def test_what_can_not_be_gated_is_refused(tmp_path: Path, wanted: dict[str, Any], said: str) -> None:
    with pytest.raises(ContractError, match=said) as caught:
        report_of(tmp_path, **wanted)
    assert isinstance(caught.value, UsageError) or "pointer" in said


def test_measurements_have_their_statistics(tmp_path: Path) -> None:
    (found,) = report_of(tmp_path).measurements
    assert (found.n, found.records, found.mean, found.p50, found.sum) == (5, 5, 400, 300, 2000)
    assert found.p95 == pytest.approx(880)


def test_a_ceiling_holds_only_when_every_record_has_the_measurement(tmp_path: Path) -> None:
    ceilings = {"latency_ms.p95": 2000.0}
    assert report_of(tmp_path, ceilings=ceilings).exit_code == 0
    assert report_of(tmp_path, ceilings={"latency_ms.p95": 500.0}).exit_code == 1
    fewer = [*RUN[:4], took("e", None)]
    assert report_of(tmp_path, fewer, ceilings=ceilings).exit_code == 1
    assert report_of(tmp_path, RUN[:4], ceilings=ceilings).exit_code == 1
    relaxed = report_of(tmp_path, fewer, ceilings=ceilings, min_scored={"latency_ms.p95": 0.8})
    assert relaxed.exit_code == 0
    assert "asked of a share of 0.8, not of all" in SCORES.write("text", relaxed)


@pytest.mark.parametrize("tenths", range(1, 10))
def test_so_many_tenths_of_the_items_are_that_share(tmp_path: Path, tenths: int) -> None:
    items = [item(f"i{n}") for n in range(10)]
    runs = [took(f"i{n}", 5 if n < tenths else None) for n in range(10)]

    def met(share: float) -> bool:
        wanted = ScoreRequest(ceilings={"latency_ms.mean": 9}, min_scored={"latency_ms.mean": share})
        return scored(tmp_path, items, runs, EXACT, wanted).ceilings[0].met

    assert met(tenths / 10)
    assert not met(tenths / 10 + 0.01)


def test_a_run_that_is_worse_beyond_chance_fails(tmp_path: Path) -> None:
    items = [item(f"i{n}") for n in range(40)]
    best = write_lines(tmp_path / "best.jsonl", [prediction(f"i{n}") for n in range(40)])

    def verdict(wrong: int, margin: float = 0.0, said: str | None = "No.") -> tuple[str, bool]:
        runs = [prediction(f"i{n}", said if n < wrong else "The library opens at nine.") for n in range(40)]
        wanted = ScoreRequest(compare=best, margins={"answer_exact_match": margin})
        (found,) = scored(tmp_path, items, runs, EXACT, wanted).regressions
        return found.verdict, found.met

    assert verdict(0) == ("not worse", True)
    assert verdict(1) == ("can't tell", True)
    assert verdict(20) == ("worse", False)
    assert verdict(20, said=None) == ("worse", False)
    assert verdict(20, margin=0.6) == ("not worse", True)
    assert verdict(20, margin=0.45) == ("can't tell", True)


def test_leaving_out_pairs_does_not_hide_that_a_run_is_worse(tmp_path: Path) -> None:
    other = write_lines(tmp_path / "other.jsonl", [prediction(name) for name in "abcde"])
    runs = [prediction("a"), *(prediction(name, retrieved_documents=None) for name in "bcde")]
    wanted = ScoreRequest(compare=other, margins={"recall_at_1": 0.0})
    report = scored(tmp_path, ITEMS, runs, ScoreSettings(("recall_at_1",)), wanted)
    assert (report.regressions[0].met, report.exit_code) == (False, 1)
    text = SCORES.write("text", report)
    assert "recall_at_1 can be compared on 1 of 5 items, all are demanded" in text
    assert "the same on the only pair: recall_at_1" in text
    assert "4 items without a pair, with a value only there: b, c, d, e (recall_at_1)" in text


def test_every_format_has_slices_and_measurements(tmp_path: Path) -> None:
    other = write_lines(tmp_path / "other.jsonl", RUN)
    report = report_of(tmp_path, compare=other)
    document = json.loads(SCORES.write("json", report))
    assert [part["name"] for part in document["slices"]] == ["language=de", "language=en", "language=fr"]
    assert document["measurements"][0]["p95"] == pytest.approx(880)
    rows = list(csv.DictReader(io.StringIO(SCORES.write("csv", report))))
    assert {row["slice"] for row in rows} == {"", "language=de", "language=en", "language=fr"}
    assert next(row["mean"] for row in rows if row["measure"] == "latency_ms.sum") == "2000.0"
    for name in ("text", "markdown"):
        text = SCORES.write(name, report)
        assert "language=fr" in text
        assert "latency_ms" in text
        assert "other run" in text
