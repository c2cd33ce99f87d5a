"""What can't be judged is refused by name before anything runs; what engines lose is said."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evalcontract.catalog import Catalogue
from evalcontract.errors import UnknownContract, UnknownVersion, UsageError
from evalcontract.spark import validate_dataframe
from tests.spark.test_validating import frame, texts
from tests.support.layers import contract, extending, text, write_layer
from tests.support.tables import item


def test_a_missing_column_is_named_with_those_that_there_are(spark: Any) -> None:
    df = spark.createDataFrame([("{}", 1)], "json string, n int")
    with pytest.raises(UsageError, match="no column value .the columns are json, n"):
        validate_dataframe(df)
    with pytest.raises(UsageError, match="no column ids"):
        validate_dataframe(df, column="json", id_column="ids")


@pytest.mark.parametrize(
    ("schema", "cell", "said"),
    [
        ("value int", 3, "of the type integer, not text"),
        ("value array<string>", ["{}"], "of the type array, not text"),
        ("value struct<item_id: string>", ("a",), "is a struct, not text.*from_struct=True"),
        ("value map<string, string>", {"item_id": "a"}, "is a map, not text"),
        ("value string, evalcontract int", None, "column evalcontract already"),
        ("value string, EvalContract_Copy int", None, "column EvalContract_Copy already"),
        ("value string, VALUE int", None, "two columns value, as case counts for nothing"),
    ],
)
def test_a_column_that_is_no_text_is_refused(spark: Any, schema: str, cell: Any, said: str) -> None:
    row = ("{}", 1) if cell is None else (cell,)
    with pytest.raises(UsageError, match=said):
        validate_dataframe(spark.createDataFrame([row], schema))


@pytest.mark.parametrize("value", [None, [{}], {"value": "{}"}])
def test_what_is_no_frame_is_refused(value: Any) -> None:
    with pytest.raises(UsageError, match="is no DataFrame of Spark"):
        validate_dataframe(value)


def test_neither_spark_nor_a_sdk_is_imported_before_it_is_used() -> None:
    code = (
        "import sys, evalcontract.spark, evalcontract.exchange.volumes\n"
        "sys.exit(bool({'pyspark', 'pysail', 'pandas', 'databricks'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_two_columns_of_one_name_are_refused(spark: Any) -> None:
    df = frame(spark, ["{}"]).selectExpr("value", "value as n", "value as n")
    with pytest.raises(UsageError, match="two columns n"):
        validate_dataframe(df)


def test_contracts_that_are_not_known_are_refused(spark: Any) -> None:
    df = frame(spark, ["{}"])
    with pytest.raises(UnknownContract, match="did you mean rag_input"):
        validate_dataframe(df, "rag_imput")
    with pytest.raises(UnknownVersion, match="known versions"):
        validate_dataframe(df, "rag_input@9.9")
    with pytest.raises(UsageError, match="no schema type 'ragg'"):
        validate_dataframe(df, schema_type="ragg")
    with pytest.raises(UsageError, match="not a whole dataset"):
        validate_dataframe(df, "dataset")
    with pytest.raises(UsageError, match="1 or more"):
        validate_dataframe(df, max_violations_per_item=0)


@pytest.mark.parametrize(
    ("metadata", "said"),
    [([1], "not an object"), ({"a": {"b": float("nan")}}, "finite number, got nan at /a/b")],
)
def test_metadata_that_are_no_json_object_are_refused(spark: Any, metadata: Any, said: str) -> None:
    with pytest.raises(UsageError, match=f"no JSON object: .*{said}"):
        validate_dataframe(frame(spark, ["{}"]), metadata=metadata)


def test_what_is_called_is_what_was_agreed_on() -> None:
    names = inspect.signature(validate_dataframe).parameters
    told = {name: (of.kind.name, of.default) for name, of in names.items()}
    assert list(told.items())[:2] == [
        ("df", ("POSITIONAL_OR_KEYWORD", inspect.Parameter.empty)),
        ("contract", ("POSITIONAL_OR_KEYWORD", None)),
    ]
    by_name = {
        "column": "value",
        "id_column": None,
        "catalogue": None,
        "max_violations_per_item": 20,
        "materialize": None,
    }
    assert {name: told[name] for name in by_name} == {
        name: ("KEYWORD_ONLY", of) for name, of in by_name.items()
    }


def test_layers_go_to_the_workers_as_texts(spark: Any, tmp_path: Path) -> None:
    write_layer(
        tmp_path,
        {
            "ticket_input@1.0": contract(
                "TicketInput",
                {"queue": text("The queue.", minLength=2)},
                allOf=extending("base_input"),
                required=["queue"],
            ),
            "ticket_expected_output@1.0": contract(
                "TicketExpectedOutput", {"team": text("The team.")}, allOf=extending("base_expected_output")
            ),
        },
        {"ticket": {"1.0": {"input": "ticket_input@1.0", "expected_output": "ticket_expected_output@1.0"}}},
    )
    catalogue = Catalogue.load(tmp_path)
    good = item(1, metadata={"raw_metadata": {"input_schema_type": "ticket", "input_schema_version": "1.0"}})
    good["input"]["queue"] = "billing"
    bad = {**good, "item_id": "bad", "input": {**good["input"], "queue": "x"}}
    df = frame(spark, texts(good, bad))
    table = validate_dataframe(df, catalogue=catalogue)
    for file in sorted(tmp_path.rglob("*.json")):
        file.unlink()  # the workers have what they need
    result = table.summary()
    assert [(found.item_id, found.pointer) for found in result.violations if found.severity == "error"] == [
        ("bad", "/input/queue")
    ]
    assert result.files[0].contracts == (("ticket@1.0", 2),)
    assert result.layers[0] == "built in"
    codes = [row.code for row in validate_dataframe(df).violations.collect() if row.severity == "error"]
    assert codes == ["unknown-schema-type"] * 2


def test_a_struct_is_judged_when_asked_for_and_the_result_says_what_that_loses(spark: Any) -> None:
    df = frame(
        spark, texts(item(1), {**item(2), "expected_output": None}, {**item(3), "input": {"messages": []}})
    )
    kind = (
        "item_id string, input struct<messages: array<struct<role: string, content: string>>, context: array<string>>, "
        "expected_output struct<response: string>, "
        "metadata struct<raw_metadata: struct<input_schema_type: string, input_schema_version: string>>"
    )
    structs = df.selectExpr(f"from_json(value, '{kind}') as value")
    table = validate_dataframe(structs, from_struct=True)
    assert "null and missing keys" in table.notes[0]
    found = {(row.item_id, row.pointer, row.severity) for row in table.violations.collect()}
    assert {("q00002", "/expected_output", "error"), ("q00003", "/input/messages", "error")} <= found
    assert table.valid.count() == 1
    assert table.valid.columns == ["value"]


def test_what_structs_lose_is_shown(spark: Any) -> None:
    """A null that the contract refuses, a duplicate key, and a number written as text pass as structs."""
    lost = [
        '{"item_id": "a", "input": {"messages": [{"role": "user", "content": "q"}]}, "input": {"messages": 1}}',
        '{"item_id": "b", "input": {"messages": [{"role": "user", "content": 3}]}, '
        '"expected_output": {"response": "x"}}',
        '{"item_id": null, "Item_Id": "c", "input": {"messages": [{"role": "user", "content": "q"}]}}',
    ]
    df = frame(spark, lost)
    assert validate_dataframe(df, schema_type="rag").valid.count() == 0
    kind = (
        "item_id string, input struct<messages: array<struct<role: string, content: string>>>, "
        "expected_output struct<response: string>"
    )
    structs = df.selectExpr(f"from_json(value, '{kind}') as value")
    table = validate_dataframe(structs, schema_type="qa", from_struct=True)
    assert "b" in [
        json.loads(row.text)["item_id"] for row in table.valid.selectExpr("to_json(value) as text").collect()
    ]


def test_bytes_show_what_text_hides(spark: Any) -> None:
    raw = json.dumps(item(1)).encode().replace(b"Which", b"Wh\xffch")
    df = spark.createDataFrame([(bytearray(raw),)], "value binary")
    assert [row.code for row in validate_dataframe(df).violations.collect()] == ["invalid-utf8"]
