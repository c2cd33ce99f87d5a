"""Tables in Delta Lake, without a JVM and offline: written by Sail or by deltalake, judged on Sail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evalcontract.spark import validate_dataframe
from tests.spark.engines import need
from tests.spark.test_validating import frame, texts
from tests.support.tables import comparable, item, mixed


@pytest.fixture
def sail(spark: Any) -> Any:
    if spark.engine != "sail":
        pytest.skip("skipped: Delta Lake on Spark needs a jar that is not in the package")
    need("deltalake")
    return spark


def test_a_table_written_by_deltalake_is_judged(sail: Any, tmp_path: Path) -> None:
    import deltalake
    import pyarrow as pa

    rows = mixed(200)
    deltalake.write_deltalake(str(tmp_path / "items"), pa.table({"value": rows[:150]}))
    deltalake.write_deltalake(str(tmp_path / "items"), pa.table({"value": rows[150:]}), mode="append")
    table = validate_dataframe(sail.read.format("delta").load(str(tmp_path / "items")))
    expected = validate_dataframe(frame(sail, rows))
    assert comparable(table.summary().violations) == comparable(expected.summary().violations)
    assert table.valid.count() == expected.valid.count() < 200


def test_valid_rows_and_violations_become_tables_that_deltalake_reads(sail: Any, tmp_path: Path) -> None:
    import deltalake

    table = validate_dataframe(frame(sail, texts(item(1), {}, item(2))))
    for name, df in (("valid", table.valid), ("quarantine", table.violations)):
        df.write.format("delta").save(str(tmp_path / name))
    read = {
        name: deltalake.DeltaTable(str(tmp_path / name)).to_pyarrow_table()
        for name in ("valid", "quarantine")
    }
    assert read["valid"].num_rows == 2
    assert set(read["quarantine"]["code"].to_pylist()) == {"missing-property"}
