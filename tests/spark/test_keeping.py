"""Verdicts are computed once, unless the user says otherwise, and a lost worker changes nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcontract.errors import UsageError
from evalcontract.spark import validate_dataframe
from tests.spark.test_validating import frame, texts
from tests.support.tables import item, mixed


def noted(folder: Path) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """A step that leaves a file for each batch that it hands on."""

    def step(batches: Iterable[Any]) -> Iterator[Any]:
        import tempfile

        for batch in batches:
            with tempfile.NamedTemporaryFile(dir=str(folder), prefix=f"{batch.num_rows}-", delete=False):
                yield batch

    return step


def rows_seen(folder: Path) -> int:
    return sum(int(file.name.partition("-")[0]) for file in folder.iterdir())


def all_results(table: Any) -> tuple[int, int, int]:
    return table.valid.count(), table.violations.count(), table.summary().items


def test_written_results_are_read_from_there(spark: Any, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    seen.mkdir()
    rows = mixed(60)
    df = frame(spark, rows).mapInArrow(noted(seen), "value string")
    table = validate_dataframe(df, materialize=str(tmp_path / "checked"))
    assert rows_seen(seen) == 60
    told = all_results(table)
    assert rows_seen(seen) == 60
    assert told == all_results(validate_dataframe(frame(spark, rows)))
    with pytest.raises(UsageError, match="already"):
        validate_dataframe(df, materialize=str(tmp_path / "checked"))


def test_a_table_can_hold_the_results(spark: Any) -> None:
    rows = frame(spark, texts(item(1), {}))
    table = validate_dataframe(rows, materialize="checked_items")
    try:
        assert all_results(table) == (1, 2, 2)
        assert spark.table("checked_items").count() == 2
        with pytest.raises(UsageError, match="a table checked_items already"):
            validate_dataframe(rows, materialize="checked_items")
    finally:
        spark.sql("drop table checked_items")


def test_nothing_is_computed_before_it_is_asked_for_and_then_once(spark: Any, tmp_path: Path) -> None:
    if spark.engine == "sail":
        pytest.skip("skipped: Sail keeps nothing of a persisted frame; there materialize is given")
    df = frame(spark, mixed(60)).mapInArrow(noted(tmp_path), "value string")
    table = validate_dataframe(df)
    assert rows_seen(tmp_path) == 0
    all_results(table)
    all_results(table)
    assert rows_seen(tmp_path) == 60


def test_without_keeping_each_result_takes_one_pass(spark: Any, tmp_path: Path) -> None:
    df = frame(spark, mixed(60)).mapInArrow(noted(tmp_path), "value string")
    table = validate_dataframe(df, materialize=False)
    for passes, result in enumerate(
        (table.valid.count, table.violations.count, table.summary, table.summary), 1
    ):
        result()
        assert rows_seen(tmp_path) == 60 * min(passes, 3)


def test_a_worker_that_dies_is_replaced_and_nothing_is_there_twice(spark: Any, tmp_path: Path) -> None:
    if spark.engine == "sail":
        pytest.skip("skipped: Sail's workers are threads of its server here, which would die with them")
    marker = tmp_path / "died"

    def dies_once(batches: Iterable[Any]) -> Iterator[Any]:
        for number, batch in enumerate(batches):
            if number == 0 and not marker.exists():
                marker.touch()
                os._exit(1)
            yield batch

    rows = mixed(400)
    expected = all_results(validate_dataframe(frame(spark, rows)))
    df = frame(spark, rows).repartition(4).mapInArrow(dies_once, "value string")
    table = validate_dataframe(df, materialize=str(tmp_path / "checked"))
    assert marker.exists()
    assert all_results(table) == expected
    assert table.checked.count() == 400


def test_a_failure_reaches_the_caller_and_leaves_nothing_half_written(spark: Any, tmp_path: Path) -> None:
    def fails(batches: Iterable[Any]) -> Iterator[Any]:
        list(batches)
        raise ValueError("lost")
        yield

    df = frame(spark, texts(item(1))).mapInArrow(fails, "value string")
    with pytest.raises(Exception, match="lost"):
        validate_dataframe(df, materialize=str(tmp_path / "checked"))
    assert not list((tmp_path).rglob("_SUCCESS"))


@pytest.mark.parametrize("place", ["", " ", 3])
def test_a_place_is_a_table_or_a_path(spark: Any, place: Any) -> None:
    with pytest.raises(UsageError, match="a table, a path or False"):
        validate_dataframe(frame(spark, ["{}"]), materialize=place)
