"""Metrics of one's own, and records of live traffic without a dataset."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcontract import is_valid
from evalcontract.errors import ContractError, UsageError
from evalcontract.reports import SCORES
from evalcontract.scoring import ScoreReport, ScoreRequest, ScoreSettings, score_files
from evalcontract.scoring import run as runs_of_scores
from tests.support.cli import run
from tests.support.scoring import dataset, item, measure, prediction, scored, write_json, write_lines

OWN = """
from evalcontract.metrics import MetricScore

calls = 0

def short(item, prediction):
    item.clear()
    text = prediction.pop("response") or ""
    return len(text) < 10

def explained(item, prediction):
    return MetricScore(0.5, "half of it")

def silent(item, prediction):
    return None

def only_long(item, prediction):
    return 1 if len(prediction["response"] or "") > 10 else None

def chatty(item, prediction):
    print("thinking")
    return True

def leaves(item, prediction):
    raise SystemExit(0)

def nan(item, prediction):
    return float("nan")

def large(item, prediction):
    return 10 ** 400

def text(item, prediction):
    return "good"

def raises(item, prediction):
    return prediction["nothing\\nof the kind"]

def raises_in_another_process(item, prediction):
    if item["item_id"] == "i39":
        raise ValueError("it is the last one")
    return 1

def always(item, prediction):
    return 1

answer_f1 = short
number = 3
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name = f"own_metrics_{abs(hash(str(tmp_path)))}"
    (tmp_path / f"{name}.py").write_text(OWN)
    (tmp_path / f"{name}_broken.py").write_text("raise RuntimeError('no licence')")
    (tmp_path / f"{name}_leaving.py").write_text("print('bye'); raise SystemExit(0)")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield name
    sys.modules.pop(name, None)


def test_a_function_is_a_measure_like_others(tmp_path: Path, own: str) -> None:
    settings = ScoreSettings(("answer_f1",), own=(f"{own}:short", f"{own}:explained", f"{own}:silent"))
    lines: list[bytes] = []
    runs = [prediction("a", "No."), prediction("b")]
    wanted = ScoreRequest(bounds={"short": 0.5, "explained": 0.4})
    report = scored(tmp_path, [item("a"), item("b"), item("c")], runs, settings, wanted, write=lines.append)
    assert measure(report, "short").mean == pytest.approx(1 / 3)
    assert measure(report, "silent").reasons == {"silent gives none": 2}
    assert [bound.met for bound in report.bounds] == [False, False]
    assert measure(report, "explained").worst[0].reason == "no prediction"
    record = json.loads(lines[0])
    assert is_valid(record, "score_record")
    assert record["scores"]["explained"] == {
        "value": 0.5,
        "reason": "half of it",
        "evaluator": f"{own}:explained",
    }
    assert record["scores"]["answer_f1"]["value"] == 0.0, "the function got a prediction of its own"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("{}:nan", "gave nan for item 'a'"),
        ("{}:large", "gave 1000"),
        ("{}:text", "gave str for item 'a'"),
        ("{}:raises", "failed on item 'a': KeyError"),
        ("{}:leaves", "failed on item 'a': SystemExit"),
        ("{}:none_such", "has no function none_such"),
        ("{}:number", "has no function number"),
        ("{}:answer_f1", "there is a metric answer_f1 already"),
        ("{}_broken:short", "can't be imported: RuntimeError: no licence"),
        ("{}_leaving:short", "can't be imported: SystemExit: 0"),
        ("{}.missing:short", "can't be imported: ModuleNotFoundError"),
        ("{}.short", "is no function"),
        ("os;{}:short", "is no function"),
    ],
)
def test_a_function_that_is_none_or_fails_is_one_line_and_writes_nothing(
    tmp_path: Path, own: str, path: str, said: str
) -> None:
    runs = write_lines(tmp_path / "predictions.jsonl", [prediction("a")])
    items = write_json(tmp_path / "dataset.json", dataset([item("a")]))
    records = tmp_path / "scores.jsonl"
    command = ["score", runs, "--dataset", items, "--metric", path.format(own), "--records", str(records)]
    done = run(*command)
    assert (done.code, done.out, records.exists()) == (2, "", False)
    assert said in done.err.removeprefix("bye\n").splitlines()[0]
    assert "Traceback" not in done.err


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_function_raises_is_the_same_error_whichever_process_it_ran_in(
    tmp_path: Path, own: str, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_of_scores, "TASKS_AT_ONCE", 1)
    monkeypatch.setattr(runs_of_scores, "ALONE_SECONDS", 0)
    names = [f"i{number}" for number in range(40)]
    settings = ScoreSettings(("answer_f1",), own=(f"{own}:raises_in_another_process",))
    with pytest.raises(ContractError) as caught:
        scored(tmp_path, map(item, names), map(prediction, names), settings, jobs=jobs)
    assert caught.value.message.endswith("failed on item 'i39': ValueError: it is the last one")


def live(item_id: str, question: str | None, **parts: Any) -> dict[str, Any]:
    asked = {"messages": [{"role": "user", "content": question}]} if question else None
    return prediction(item_id, **parts) | {"input": asked, "measurements": {"latency_ms": 120}}


TEXTS = [{"document_id": "hours", "content": "The library opens at nine on weekdays."}]
LIVE = [
    live("1", "When does the library open?", retrieved_documents=TEXTS, citations=[{"document_id": "hours"}]),
    live("2", None, retrieved_documents=TEXTS),
    live("3", "When?", response="", retrieved_documents=TEXTS),
]


def live_report(folder: Path, **more: Any) -> ScoreReport:
    report = score_files(write_lines(folder / "live.jsonl", LIVE), None, **more)
    assert isinstance(report, ScoreReport)
    return report


def test_live_traffic_is_measured_on_what_needs_no_reference(tmp_path: Path) -> None:
    report = live_report(tmp_path)
    names = {found.name for found in report.measures}
    assert {"groundedness", "citation_validity", "conciseness", "context_relevance"} <= names
    assert not names & {"answer_f1", "recall_at_5", "citation_recall", "abstention_accuracy", "tool_call_f1"}
    grounded = measure(report, "groundedness")
    assert (grounded.n_scored, grounded.worst[0].item_id) == (3, "3")
    assert measure(report, "conciseness").reasons == {"the item has no input.messages": 1}
    assert measure(report, "citation_validity").n_recorded == 1
    assert report.measurements[0].mean == 120
    text = SCORES.write("text", report)
    assert text.startswith(f"{tmp_path / 'live.jsonl'}: 3 records without a dataset\n")
    assert "1 of 3 recorded: citation_validity" in text


def test_live_traffic_is_gated_and_compared(tmp_path: Path) -> None:
    lines: list[bytes] = []
    live_report(tmp_path, write=lines.append)
    (tmp_path / "scores.jsonl").write_bytes(b"".join(lines))
    wanted = ScoreRequest(
        compare=str(tmp_path / "scores.jsonl"),
        bounds={"groundedness": 0.9},
        margins={"groundedness": 0.0},
        ceilings={"latency_ms.p95": 200},
    )
    report = live_report(tmp_path, wanted=wanted)
    assert [gate.met for gate in report.gates] == [False, True, True]


def test_a_bound_on_what_needs_a_reference_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="answer_f1 is not measured in this run"):
        live_report(tmp_path, wanted=ScoreRequest(bounds={"answer_f1": 0.5}))


def test_an_item_that_an_own_metric_cannot_judge_is_not_recorded(tmp_path: Path, own: str) -> None:
    items = [item("a"), item("b")]
    runs = [prediction("a"), prediction("b", "No.")]
    settings = ScoreSettings(("answer_f1",), own=(f"{own}:only_long",))
    for shares, met in (({}, False), ({"only_long": 0.5}, True)):
        wanted = ScoreRequest(bounds={"only_long": 0.5}, min_scored=shares)
        report = scored(tmp_path, items, runs, settings, wanted)
        found = measure(report, "only_long")
        assert (found.n_scored, found.n_recorded, found.n_judged) == (1, 1, 2)
        assert report.bounds[0].met is met
        assert "1 of 2 recorded: only_long" in SCORES.write("text", report)


@pytest.mark.parametrize(
    "said", [{"response": ""}, {"response": None}, {"response": "Yes", "abstained": True}]
)
def test_no_answer_helps_no_metric_of_ones_own(tmp_path: Path, own: str, said: dict[str, Any]) -> None:
    items = [item("a"), item("b"), item("u", answerable=False)]
    runs = [prediction("a"), *(prediction(name, **said) for name in "bu")]
    report = scored(tmp_path, items, runs, ScoreSettings(("answer_f1",), own=(f"{own}:always",)))
    found = measure(report, "always")
    assert found.mean == pytest.approx(2 / 3)
    assert (found.n_scored, found.n_recorded, found.n_judged) == (3, 2, 3)


def test_what_a_function_prints_is_no_part_of_the_report(tmp_path: Path, own: str) -> None:
    runs = write_lines(tmp_path / "predictions.jsonl", [prediction("a")])
    items = write_json(tmp_path / "dataset.json", dataset([item("a")]))
    done = run("score", runs, "--dataset", items, "--metric", f"{own}:chatty", "--format", "json")
    measures = {found["name"]: found["mean"] for found in json.loads(done.out)["measures"]}
    assert (done.code, measures["chatty"], done.err) == (0, 1.0, "thinking\n")


def test_a_tolerance_lets_numbers_lie_a_little_off(tmp_path: Path) -> None:
    runs = write_lines(tmp_path / "predictions.jsonl", [prediction("a", "It costs 101 euros.")])
    items = write_json(tmp_path / "dataset.json", dataset([item("a", "It costs 100 euros.")]))
    for tolerance, code in (("0.01", 0), ("0.001", 1)):
        command = ["score", runs, "--dataset", items, "--metrics", "number_match"]
        done = run(*command, "--number-tolerance", tolerance, "--fail-under", "number_match=1")
        assert done.code == code, done.out
    done = run("score", runs, "--dataset", items, "--number-tolerance", "-1")
    assert (done.code, done.out) == (2, "")
    assert "the tolerance must be a number of at least 0" in done.err
