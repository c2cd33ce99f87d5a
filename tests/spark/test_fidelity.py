"""What a table has lost of the text before it is judged, each loss shown, and how it is avoided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract.spark import validate_dataframe
from tests.spark.test_validating import frame, texts
from tests.support.tables import item


def test_a_bare_carriage_return_ends_a_row_unless_line_ends_are_told(spark: Any, tmp_path: Path) -> None:
    pretty = json.dumps(item(1)).replace(', "', ',\r "')
    (tmp_path / "items.jsonl").write_bytes(pretty.encode() + b"\n")
    split = validate_dataframe(spark.read.text(str(tmp_path)))
    whole = validate_dataframe(spark.read.text(str(tmp_path), lineSep="\n"))
    assert split.valid.count() == 0
    assert split.checked.count() > 1
    assert (whole.valid.count(), whole.checked.count()) == (1, 1)


def test_bytes_that_are_no_utf8_are_seen_until_they_are_collected(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_bytes(
        json.dumps(item(1)).encode().replace(b"Which", b"Wh\xffch") + b"\n"
    )
    text = spark.read.text(str(tmp_path), lineSep="\n")
    if spark.engine == "sail":
        with pytest.raises(Exception, match="invalid UTF-8"):
            validate_dataframe(text).valid.count()
        return
    assert [row.code for row in validate_dataframe(text).violations.collect()] == ["invalid-utf8"]
    if spark.engine == "connect":
        with pytest.raises(UnicodeDecodeError):
            text.collect()
        return
    collected = [row.value for row in text.collect()]
    assert "\ufffd" in collected[0]
    assert validate_dataframe(frame(spark, collected)).valid.count() == 1


def test_a_variant_is_judged_when_asked_for_and_says_what_it_loses(spark: Any) -> None:
    if spark.engine == "sail":
        pytest.skip("skipped: Sail has no column of the type variant")
    if int(spark.version.partition(".")[0]) < 4:
        pytest.skip("skipped: Spark has variants from 4.0 on")
    written = json.dumps(item(1))[:-1] + ', "size": 1.0}'
    df = frame(spark, [written, *texts({**item(2), "input": 3})]).selectExpr("parse_json(value) as value")
    table = validate_dataframe(df, from_struct=True)
    assert "from a variant, not from text" in table.notes[0]
    assert table.checked.where("evalcontract.valid").count() == 1
    found = [row.pointer for row in table.violations.collect() if row.severity == "error"]
    assert found == ["/input"]
