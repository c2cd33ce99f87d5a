"""Verdicts are computed once, unless the user says otherwise, and a lost worker changes nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcontract.errors import UsageError
from evalcontract.spark import check_release_dataframe, score_dataframe, validate_dataframe
from tests.spark.test_scoring import a_run
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


def test_a_score_takes_one_pass_for_the_verdicts_and_one_for_the_records(spark: Any, tmp_path: Path) -> None:
    items, records = a_run()
    (tmp_path / "items").mkdir()
    (tmp_path / "records").mkdir()
    frames = (
        frame(spark, texts(*rows)).mapInArrow(noted(tmp_path / name), "value string")
        for name, rows in (("records", records), ("items", items))
    )
    scored = score_dataframe(*frames, repetitions=1, materialize=False)
    assert rows_seen(tmp_path / "items") == rows_seen(tmp_path / "records") == 0
    scored.report()
    scored.report()
    assert rows_seen(tmp_path / "items") == 2 * len(items)
    assert rows_seen(tmp_path / "records") == 2 * len(records)


def test_what_is_kept_is_scored_and_released_in_no_more_passes_than_it_has_results(
    spark: Any, tmp_path: Path
) -> None:
    items, records = a_run()
    seen = {name: tmp_path / name for name in ("items", "records", "release")}
    for folder in seen.values():
        folder.mkdir()
    place = str(tmp_path / "kept") if spark.engine == "sail" else None

    def rows(name: str, of: list[Any]) -> Any:
        return frame(spark, texts(*of)).mapInArrow(noted(seen[name]), "value string")

    scored = score_dataframe(rows("records", records), rows("items", items), materialize=place)
    scored.report()
    assert scored.records.count() == len(items)
    assert [rows_seen(seen[name]) for name in ("items", "records")] == [len(items), len(records)]
    check_release_dataframe(rows("release", items), materialize=place and f"{place}_release")
    assert rows_seen(seen["release"]) == 2 * len(items), "one for the verdicts, one for keys and paths"


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
