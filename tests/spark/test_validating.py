"""Every row of a table gets the verdict that one process gives the line of a file, on every engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.errors import ContractViolation
from evalcontract.spark import validate_dataframe
from tests.support.tables import comparable, in_table_order, item, mixed, validated

VALUE = "value string"


def frame(spark: Any, texts: list[Any], schema: str = VALUE) -> Any:
    rows = [(text,) if not isinstance(text, tuple) else text for text in texts]
    return spark.createDataFrame(rows, schema)


def texts(*items: Any) -> list[str]:
    return [json.dumps(item) for item in items]


def test_two_thousand_rows_are_judged_as_by_one_process(spark: Any, tmp_path: Path) -> None:
    rows = mixed(2000)
    table = validate_dataframe(frame(spark, rows).repartition(3))
    result = table.summary()
    expected = validated(in_table_order(rows), tmp_path)
    ours, theirs = result.files[0], expected.files[0]
    for name in ("kind", "items", "invalid", "errors", "advices"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert dict(ours.contracts) == dict(theirs.contracts)
    assert result.exit_code == expected.exit_code == 1
    assert theirs.errors > 100
    assert len({violation.code for violation in expected.violations}) > 10
    assert comparable(result.violations) == comparable(expected.violations)
    found = [row.asDict() for row in table.violations.collect()]
    assert len(found) == ours.errors + ours.advices
    refused = table.checked.where("not evalcontract.valid").count()
    assert table.valid.count() + refused == len(rows)
    assert refused == len(rows) - sum(1 for row in table.valid.collect() if row.value in rows)


def test_rows_keep_their_other_columns(spark: Any) -> None:
    rows = [(text, number, [number]) for number, text in enumerate(texts(item(1), {}, item(2)))]
    table = validate_dataframe(spark.createDataFrame(rows, "value string, `a b` int, list array<int>"))
    assert sorted(row["a b"] for row in table.valid.collect()) == [0, 2]
    assert table.valid.columns == ["value", "a b", "list"]
    assert [
        (row["a b"], list(row["list"])) for row in table.checked.where("not evalcontract.valid").collect()
    ] == [(1, [1])]


def test_a_clean_table_passes(spark: Any) -> None:
    result = validate_dataframe(frame(spark, texts(item(1), item(2)))).raise_if_failed()
    assert (result.exit_code, result.items, result.advices) == (0, 2, 0)
    assert result.files[0].contracts == (("rag@1.0", 2),)


def test_a_null_is_a_violation(spark: Any) -> None:
    table = validate_dataframe(frame(spark, [None, *texts(item(1)), None]))
    assert [row.code for row in table.violations.collect()] == ["null-cell", "null-cell"]
    assert table.valid.count() == 1
    assert table.summary().errors == 2


def test_a_table_without_rows_fails(spark: Any) -> None:
    table = validate_dataframe(frame(spark, []))
    assert [violation.code for violation in table.summary().violations] == ["nothing-checked"]
    with pytest.raises(ContractViolation, match="0 items checked"):
        table.raise_if_failed()
    assert table.valid.count() == table.violations.count() == 0


def test_of_rows_with_one_id_a_valid_one_stays(spark: Any) -> None:
    twice = {**item(1), "input": 3}
    table = validate_dataframe(frame(spark, texts(item(1), twice, item(1), item(2))))
    assert sorted(json.loads(row.value)["item_id"] for row in table.valid.collect()) == ["q00001", "q00002"]
    codes = sorted(row.code for row in table.violations.collect())
    assert codes == ["duplicate-item-id", "duplicate-item-id", "wrong-type"]
    again = validate_dataframe(frame(spark, texts(item(1), item(1))), unique=False)
    assert again.valid.count() == 2
    assert again.summary().exit_code == 0


def test_carriage_returns_inside_texts_are_no_ends_of_rows(spark: Any) -> None:
    odd = item(1)
    odd["input"]["context"] = ["one\rtwo\r\nthree", "\u2028", "\x85"]
    pretty = json.dumps(odd, indent=1).replace("\n", "\r\n")
    table = validate_dataframe(
        frame(spark, [pretty, json.dumps(odd, ensure_ascii=False).replace("q00001", "x")])
    )
    assert table.valid.count() == 2


def test_a_contract_judges_records(spark: Any) -> None:
    records = [
        {"item_id": "a", "prediction": {"response": "x"}},
        {"item_id": "a", "prediction": {"response": "y"}, "repetition": 2},
        {"item_id": "a", "prediction": {"response": "z"}},
        {"item_id": "b", "prediction": 3},
    ]
    table = validate_dataframe(frame(spark, texts(*records)), "prediction_record")
    found = sorted((row.item_id, row.code, row.contract) for row in table.violations.collect())
    assert found == [("a", "duplicate-prediction", None), ("b", "wrong-type", "prediction_record@1.0")]
    assert table.summary().files[0].kind == "prediction_record@1.0"


def test_metadata_tells_the_type_of_items_that_say_nothing(spark: Any) -> None:
    plain = {key: value for key, value in item(1).items() if key != "metadata"}
    broken = {**plain, "item_id": "b", "expected_output": None}
    df = frame(spark, texts(plain, broken))
    assert validate_dataframe(df).summary().exit_code == 0
    told = {"input_schema_type": "rag", "input_schema_version": "1.0"}
    for words in ({"metadata": told}, {"schema_type": "rag"}):
        result = validate_dataframe(df, **words).summary()
        assert [(found.item_id, found.severity) for found in result.violations] == [
            ("b", "advice"),
            ("b", "error"),
        ]


def test_the_id_column_names_what_cannot_be_read_and_must_agree(spark: Any) -> None:
    rows = [
        (text, id_)
        for text, id_ in zip([*texts(item(1), item(2)), "{", None], ["q00001", "y", "z", "n"], strict=True)
    ]
    table = validate_dataframe(spark.createDataFrame(rows, "value string, id string"), id_column="id")
    found = sorted((row.item_id, row.code) for row in table.violations.collect())
    assert found == [("n", "null-cell"), ("q00002", "id-column-disagrees"), ("z", "truncated")]


def test_only_so_many_violations_of_an_item_are_kept_and_all_are_counted(spark: Any) -> None:
    bad = item(1)
    bad["input"]["context"] = [1] * 50
    table = validate_dataframe(frame(spark, texts(bad)), max_violations_per_item=7)
    assert table.violations.count() == 7
    result = table.summary()
    assert result.errors == 50
    assert [(group.code, group.place, group.count) for group in result.groups] == [
        ("wrong-type", "/input/context/*", 43),
        ("not-parallel", "/input/document_ids", 1),
    ]


def test_text_at_the_limits_is_a_violation(spark: Any) -> None:
    deep = '{"item_id": "deep", "input": ' + "[" * 300 + "]" * 300 + "}"
    long = json.dumps(item(2, note="x" * 20_000_000))
    table = validate_dataframe(frame(spark, [deep, long]))
    assert [row.code for row in table.violations.collect()] == ["too-deep"]
    assert table.valid.count() == 1
