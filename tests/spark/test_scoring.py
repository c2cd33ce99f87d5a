"""Two tables are scored as two files with their rows are, to the last digit."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalcontract.checking import RunResult
from evalcontract.errors import UsageError
from evalcontract.scoring import ScoreReport, ScoreRequest, ScoreSettings, score_files
from evalcontract.spark import score_dataframe, validate_dataframe
from tests.spark.test_validating import frame, texts
from tests.support import scoring

IDS = [f"q{number:03}" for number in range(120)]
ANSWERS = ("The library opens at nine.", "It opens at ten [1].", "", "Nine, on weekdays.", None)


def a_run(seed: int = 3, repetitions: int = 1) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Items, and predictions for most of them and for some that there aren't."""
    chance = random.Random(seed)
    items = [
        scoring.item(id_, chance.choice(("The library opens at nine.", "At nine on weekdays.", "")))
        for id_ in IDS
    ]
    for item in items:
        item["metadata"] = {"raw_metadata": {"language": chance.choice(("de", "en")), **scoring.METADATA}}
    records = []
    for id_ in [*IDS, "extra-1", "extra-2"]:
        for repetition in range(1, repetitions + 1):
            if chance.random() < 0.9:
                record = scoring.prediction(
                    id_,
                    chance.choice(ANSWERS),
                    citations=chance.choice((None, [{"document_id": "hours", "response_marker": "[1]"}])),
                    retrieved_documents=chance.choice(
                        (None, [], [{"document_id": "fees"}, {"document_id": "hours"}])
                    ),
                )
                record["measurements"] = {
                    "latency_ms": chance.uniform(1, 500),
                    "cost_usd": chance.random() / 7,
                }
                if repetitions > 1:
                    record["repetition"] = repetition
                if chance.random() < 0.05:
                    record["error"] = "timeout"
                records.append(record)
    return items, records


def by_files(
    folder: Path, items: list[Any] | None, records: list[Any], *args: Any, metadata: Any = None
) -> tuple[Any, list[str]]:
    """What one process says of files whose rows stand in the order of their ids."""
    predictions = folder / "predictions.jsonl"
    predictions.write_text("".join(text + "\n" for text in texts(*_ordered(records))))
    dataset = None
    if items is not None:
        dataset = folder / "items.jsonl"
        dataset.write_text(
            "".join(text + "\n" for text in texts(*sorted(items, key=lambda item: item["item_id"])))
        )
        if metadata is not None:
            (folder / "items.metadata.json").write_text(json.dumps(metadata))
    lines: list[bytes] = []
    report = score_files(str(predictions), dataset and str(dataset), *args, write=lines.append)
    return report, sorted(line.decode().strip() for line in lines)


def _ordered(records: list[Any]) -> list[Any]:
    return sorted(
        records, key=lambda record: (record["item_id"], record.get("repetition") or 1, json.dumps(record))
    )


def same_report(ours: Any, theirs: Any) -> None:
    assert isinstance(ours, ScoreReport)
    assert isinstance(theirs, ScoreReport)
    named = {
        "predictions": theirs.predictions,
        "dataset": theirs.dataset,
        "extra": tuple(sorted(theirs.extra)),
    }
    named["missing"], named["incomplete"] = tuple(sorted(theirs.missing)), tuple(sorted(theirs.incomplete))
    for name in ScoreReport.__dataclass_fields__:
        ours_, theirs_ = (
            getattr(report, name) for report in (replace(ours, **named), replace(theirs, **named))
        )
        assert ours_ == theirs_, name


@pytest.mark.parametrize("repetitions", [1, 3])
def test_a_table_is_scored_as_a_file(spark: Any, tmp_path: Path, repetitions: int) -> None:
    items, records = a_run(repetitions=repetitions)
    wanted = ScoreRequest(
        by=("/metadata/raw_metadata/language",),
        bounds={"answer_f1": 0.5, "recall_at_5[language=de]": 0.2},
        ceilings={"latency_ms.p95": 400.0},
        worst=7,
    )
    table = score_dataframe(
        frame(spark, texts(*records)).repartition(3),
        frame(spark, texts(*items)).repartition(2),
        wanted=wanted,
        metadata=scoring.METADATA,
    )
    report, lines = by_files(tmp_path, items, records, None, wanted, metadata=scoring.METADATA)
    same_report(table.report(), report)
    assert sorted(row.value for row in table.records.collect()) == lines
    assert len({measure.name for measure in report.measures if measure.estimate}) > 15
    assert report.missing or report.incomplete
    assert report.extra
    assert report.advices == table.report().advices
    records_of_scores = validate_dataframe(table.records.select("value"), "score_record")
    assert records_of_scores.summary().exit_code == 0


def test_live_traffic_is_scored_without_items(spark: Any, tmp_path: Path) -> None:
    _, records = a_run(repetitions=2)
    for record in records:
        record["input"] = {"messages": [{"role": "user", "content": f"When? {record['item_id']}"}]}
    table = score_dataframe(frame(spark, texts(*records)))
    report, lines = by_files(tmp_path, None, records)
    same_report(table.report(), report)
    assert sorted(row.value for row in table.records.collect()) == lines


def test_settings_and_named_metrics_reach_the_workers(spark: Any, tmp_path: Path) -> None:
    items, records = a_run()
    table = score_dataframe(
        frame(spark, texts(*records)), frame(spark, texts(*items)), metrics=("recall_at_3", "answer_f1")
    )
    report, _ = by_files(tmp_path, items, records, ScoreSettings(metrics=("recall_at_3", "answer_f1")))
    same_report(table.report(), report)


def test_tables_that_break_their_contract_are_not_scored(spark: Any, tmp_path: Path) -> None:
    items, records = a_run()
    records[3]["prediction"] = 3
    items[5]["input"] = None
    items.append(items[7])
    table = score_dataframe(frame(spark, texts(*records)), frame(spark, texts(*items)))
    result = table.report()
    report, _ = by_files(tmp_path, items, records)
    assert isinstance(result, RunResult)
    assert isinstance(report, RunResult)
    assert [file.file for file in result.files] == ["<predictions>", "<items>"]
    for name in ("items", "invalid", "errors"):
        assert [getattr(file, name) for file in result.files] == [
            getattr(file, name) for file in report.files
        ]
    codes = Counter(found.code for found in result.violations if found.severity == "error")
    assert codes == Counter(found.code for found in report.violations if found.severity == "error")


def test_results_can_be_written_somewhere(spark: Any, tmp_path: Path) -> None:
    items, records = a_run()
    place = str(tmp_path / "run")
    table = score_dataframe(frame(spark, texts(*records)), frame(spark, texts(*items)), materialize=place)
    report, _ = by_files(tmp_path, items, records)
    same_report(table.report(), report)
    assert {path.name for path in tmp_path.iterdir()} >= {"run", "run_items", "run_predictions"}


def test_what_cannot_be_meant_is_refused(spark: Any) -> None:
    df = frame(spark, texts(scoring.prediction("a")))
    items = frame(spark, texts(scoring.item("b")))
    with pytest.raises(UsageError, match="no_such_metric"):
        score_dataframe(df, items, metrics=("no_such_metric",))
    with pytest.raises(UsageError, match="tuple of names"):
        score_dataframe(df, items, metrics="answer_f1")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="1 prediction or more, not 0"):
        score_dataframe(df, items, repetitions=0)
    twice = frame(spark, texts(*({**scoring.prediction("b"), "repetition": number} for number in (1, 2))))
    with pytest.raises(UsageError, match="'b' has 2 predictions, not 1 at most"):
        score_dataframe(twice, items, repetitions=1).report()
    with pytest.raises(UsageError, match="named twice"):
        score_dataframe(df, items, metrics=("answer_f1",), settings=ScoreSettings())
    with pytest.raises(UsageError, match="not compared"):
        score_dataframe(df, items, wanted=ScoreRequest(compare="other.jsonl"))
    with pytest.raises(
        UsageError, match="no prediction of <predictions> is for an item of <items>: 'a' is none"
    ):
        score_dataframe(df, items).report()
    with pytest.raises(UsageError, match="no item has a value topic"):
        score_dataframe(
            df, frame(spark, texts(scoring.item("a"))), wanted=ScoreRequest(by=("/topic",))
        ).report()
    empty = score_dataframe(frame(spark, []), items).report()
    assert isinstance(empty, RunResult)
    assert [found.code for found in empty.violations] == ["nothing-checked"]
