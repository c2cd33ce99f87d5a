"""The verdict as a function: on rows of a stream, in SQL, in the checks of others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.errors import UnknownContract, UsageError
from evalcontract.spark import contract_udf, validate_dataframe
from tests.spark.test_validating import frame, texts
from tests.support.tables import item, mixed

RECORD = {"item_id": "a", "prediction": {"response": "x"}}


def test_a_row_is_judged_as_by_validate_dataframe(spark: Any) -> None:
    rows = [text for text in mixed(300) if "q" in text]
    df = frame(spark, rows)
    alone = df.select("value", contract_udf(advices=True)("value").alias("found")).selectExpr(
        "explode(found) as f"
    )
    expected = validate_dataframe(df, unique=False).violations
    one, other = (
        sorted(map(str, found.collect()))
        for found in (alone.selectExpr("f.*"), expected.select(alone.selectExpr("f.*").columns))
    )
    assert one == other
    assert one


def test_an_empty_array_is_a_valid_row(spark: Any) -> None:
    rows = [*texts(RECORD, {**RECORD, "prediction": 3}), None, "{", ""]
    spark.udf.register("violations", contract_udf("prediction_record"))
    frame(spark, rows).createOrReplaceTempView("records")
    found = spark.sql("select value, size(violations(value)) as n from records").collect()
    assert [row.n for row in found] == [0, 1, 1, 1, 1]
    told = spark.sql("select violations(value)[0].code as code from records where value like '%3%'").collect()
    assert [row.code for row in told] == ["wrong-type"]


def test_advices_are_left_out_unless_asked_for(spark: Any) -> None:
    odd = item(1)
    odd["input"]["context"] = [""]
    df = frame(spark, texts(odd))
    assert df.select(contract_udf()("value").alias("v")).collect()[0].v == []
    told = df.select(contract_udf(advices=True)("value").alias("v")).collect()[0].v
    assert {row.severity for row in told} == {"advice"}


def test_so_many_violations_and_no_more(spark: Any) -> None:
    bad = item(1)
    bad["input"]["context"] = [1] * 50
    df = frame(spark, texts(bad))
    assert len(df.select(contract_udf(max_violations=3)("value").alias("v")).collect()[0].v) == 3
    with pytest.raises(UsageError, match="1 or more"):
        contract_udf(max_violations=0)
    with pytest.raises(UnknownContract):
        contract_udf("nothing")


def test_bad_rows_of_a_stream_go_into_quarantine(spark: Any, tmp_path: Path) -> None:
    if spark.engine == "sail":
        pytest.skip("skipped: Sail has no file source for streams")
    source = tmp_path / "in"
    source.mkdir()
    stream = spark.readStream.text(str(source), lineSep="\n")
    judged = stream.withColumn("violations", contract_udf()("value"))

    def run() -> None:
        for name, rows in (("valid", "size(violations) = 0"), ("quarantine", "size(violations) > 0")):
            (
                judged.where(rows)
                .writeStream.format("parquet")
                .option("checkpointLocation", str(tmp_path / f"{name}-checkpoint"))
                .trigger(availableNow=True)
                .start(str(tmp_path / name))
                .awaitTermination()
            )

    (source / "1.jsonl").write_text("\n".join(texts(item(1), {"item_id": "bad"}, item(2))) + "\n")
    run()
    (source / "2.jsonl").write_text("\n".join([*texts(item(3)), "{"]) + "\n")
    run()
    valid = [
        json.loads(row.value)["item_id"] for row in spark.read.parquet(str(tmp_path / "valid")).collect()
    ]
    assert sorted(valid) == ["q00001", "q00002", "q00003"]
    quarantine = spark.read.parquet(str(tmp_path / "quarantine")).selectExpr(
        "explode(violations) as v", "value"
    )
    assert sorted((row.v.code, row.value) for row in quarantine.collect()) == [
        ("missing-property", '{"item_id": "bad"}'),
        ("truncated", "{"),
    ]
    with pytest.raises(UsageError, match="contract_udf, or call this in foreachBatch"):
        validate_dataframe(stream)
