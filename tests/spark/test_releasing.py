"""A table is checked as a release as a file with its rows is; and so are many release files at once."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalcontract.errors import ContractViolation, UsageError
from evalcontract.release import ReleaseReport, check_release
from evalcontract.spark import check_release_dataframe, check_release_files
from tests.spark.test_validating import frame, texts
from tests.support import datasets

METADATA = datasets.metadata()
TOLD_OF_ANOTHER_ROW = ("unique-item-ids", "items-unremarkable", "fields-present", "ids-look-alike")
"""Checks whose findings name the first of several rows, which is another one where rows have no order."""


def by_file(folder: Path, items: list[Any], metadata: Mapping[str, Any] | None, name: str) -> str:
    """The items as JSON Lines in the order of their ids, with their metadata beside them."""
    file = folder / f"{name}.jsonl"
    datasets.write_lines(file, sorted(items, key=lambda item: str(item.get("item_id"))))
    if metadata is not None:
        (folder / f"{name}.metadata.json").write_text(json.dumps(metadata))
    return str(file)


def same_report(ours: ReleaseReport, theirs: ReleaseReport) -> None:
    for one, other in zip(ours.outcomes, theirs.outcomes, strict=True):
        assert (one.code, one.status, one.findings) == (other.code, other.status, other.findings)
        assert sorted(found.code for found in one.violations) == sorted(
            found.code for found in other.violations
        )
        assert (
            one.keys == other.keys or one.code == "items-unremarkable"
        )  # a table names the item that asks the same
        if one.code not in TOLD_OF_ANOTHER_ROW:
            assert (one.reason, one.items) == (other.reason, other.items)
    assert replace(ours, outcomes=(), file="", previous=None, notes=()) == replace(
        theirs, outcomes=(), file="", previous=None, notes=()
    )


def items_of(count: int, seed: int = 5) -> list[dict[str, Any]]:
    """Valid items with different keys."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        item = datasets.item(f"q{number:04}")
        if chance.random() < 0.3:
            item["input"]["topic"] = chance.choice((None, "fees", {"deep": [{"er": 1}]}))
        if chance.random() < 0.3:
            item["input"]["$schema"] = "https://example.org/input.json"  # it is no key of the data
        made.append(item)
    return made


def test_a_clean_table_may_go_out(spark: Any, tmp_path: Path) -> None:
    items = items_of(300)
    report = check_release_dataframe(
        frame(spark, texts(*items)).repartition(3), metadata=METADATA, name="pathfinder_rag_retrieval_v1.0"
    )
    assert report.ok
    same_report(report, check_release(by_file(tmp_path, items, METADATA, "pathfinder_rag_retrieval_v1.0")))
    assert {row.path for row in report.paths} >= {"input.messages[].role", "input.topic.deep[].er"}


def test_each_check_fails_as_on_a_file(spark: Any, tmp_path: Path) -> None:
    items = items_of(120)
    items[3]["input"]["available_tools"] = ["search"]
    items[4]["input"] = items[5]["input"]
    items[4]["expected_output"] = {"response": "Another year."}
    items[7] = {**items[8], "item_id": "q0007", "expected_output": None}
    items[9]["item_id"] = "Q0010"
    items.append({**items[11]})
    items += [{**items[12], "item_id": 77}, {**items[13], "item_id": "77", "input": {"messages": [{}]}}]
    previous = items_of(100, seed=6)
    for item in previous:
        item["input"]["region"] = "north"
    report = check_release_dataframe(
        frame(spark, texts(*items)).repartition(4),
        frame(spark, texts(*previous)).repartition(2),
        metadata=datasets.metadata("1.1"),
        previous_metadata=datasets.metadata("1.2"),
        name="pathfinder_rag_other_v1.1",
    )
    theirs = check_release(
        by_file(tmp_path, items, datasets.metadata("1.1"), "new"),
        by_file(tmp_path, previous, datasets.metadata("1.2"), "old"),
        name="pathfinder_rag_other_v1.1",
    )
    same_report(report, theirs)
    failed = {outcome.code for outcome in report.outcomes if outcome.status == "fail"}
    assert failed >= {
        "unique-item-ids",
        "fields-present",
        "type-matches-items",
        "name-matches-metadata",
        "keys-unchanged",
        "version-higher",
        "answers-agree",
        "ids-look-alike",
    }
    assert report.gone == theirs.gone


def test_without_metadata_the_items_say_what_they_are(spark: Any, tmp_path: Path) -> None:
    items = [{**item, "metadata": {"raw_metadata": METADATA}} for item in items_of(20)]
    report = check_release_dataframe(frame(spark, texts(*items)))
    assert report.ok
    same_report(report, replace(check_release(by_file(tmp_path, items, None, "x")), outcomes=report.outcomes))
    assert str(report.name) == "pathfinder_rag_retrieval_v1.0"
    items[3]["metadata"] = {"raw_metadata": {**METADATA, "scope": "other"}}
    report = check_release_dataframe(frame(spark, texts(*items)))
    assert report.outcome("type-matches-items").status == "fail"


def test_more_findings_than_are_kept_are_counted(spark: Any) -> None:
    items = [{"item_id": f"q{number}", "input": 3} for number in range(1500)]
    items += [{"item_id": "same", "input": {"messages": []}}] * 3
    report = check_release_dataframe(frame(spark, texts(*items)), metadata=METADATA)
    assert report.outcome("unique-item-ids").findings == 2
    fields = report.outcome("fields-present")
    assert fields.findings >= 1500
    assert len(fields.violations) == 100


def test_a_release_without_items_fails(spark: Any) -> None:
    report = check_release_dataframe(frame(spark, []), metadata=METADATA)
    assert not report.ok
    assert "0 items" in report.outcome("fields-present").reason


def test_waivers_and_wrong_calls(spark: Any) -> None:
    df = frame(spark, texts(*items_of(3), items_of(1)[0]))
    report = check_release_dataframe(
        df, metadata=METADATA, waive={"unique-item-ids": "counted twice on purpose"}
    )
    assert report.outcome("unique-item-ids").status == "waived"
    with pytest.raises(UsageError, match="no check 'nothing'"):
        check_release_dataframe(df, metadata=METADATA, waive={"nothing": "x"})
    with pytest.raises(UsageError, match="no column text"):
        check_release_dataframe(df, column="text")


def write_releases(folder: Path) -> None:
    changed = [datasets.item("a", region="north"), datasets.item("b", region="south")]
    datasets.write(folder, datasets.dataset("1.0"))
    datasets.write(folder, datasets.dataset("1.1"))
    datasets.write(folder, datasets.dataset("1.10", *changed))
    datasets.write(folder, datasets.dataset("2.0", *changed, datasets.item("c", region="x", tone="y")))


def release_files(spark: Any, folder: Path) -> Any:
    files = [(path.read_text(), path.name) for path in sorted(folder.glob("*.json"))]
    return spark.createDataFrame(files, "value string, file string")


def test_a_folder_of_releases_is_checked_each_against_the_one_before(spark: Any, tmp_path: Path) -> None:
    write_releases(tmp_path)
    (tmp_path / "broken.json").write_text('{"metadata": {}, "items": [')
    checked = check_release_files(release_files(spark, tmp_path))
    found = {(row["file"], row["check"]): row.asDict() for row in checked.outcomes.collect()}
    kinds = {file: row["kind"] for (file, _), row in found.items()}
    name = "pathfinder_rag_retrieval_v{}.json"
    assert kinds == {
        name.format("1.0"): "new",
        name.format("1.1"): "minor",
        name.format("1.10"): "minor",
        name.format("2.0"): "major",
        "broken.json": None,
    }
    assert found[name.format("1.10"), "keys-unchanged"]["previous"] == name.format("1.1")
    failures = {(row["file"], row["check"]) for row in checked.failures.collect()}
    assert failures == {(name.format("1.10"), "keys-unchanged"), ("broken.json", "readable")}
    for version, before in (("1.0", None), ("1.1", "1.0"), ("1.10", "1.1"), ("2.0", "1.10")):
        path = tmp_path / name.format(version)
        report = check_release(path, before and tmp_path / name.format(before))
        for outcome in report.outcomes:
            row = found[path.name, outcome.code]
            assert (row["status"], row["reason"]) == (outcome.status, outcome.reason)
    with pytest.raises(ContractViolation, match=r"broken\.json: readable: .*") as caught:
        checked.raise_if_failed()
    assert len(caught.value.violations) == 2


def test_files_are_read_whole_from_a_folder(spark: Any, tmp_path: Path) -> None:
    write_releases(tmp_path)
    (tmp_path / "pathfinder_rag_retrieval_v1.10.json").unlink()
    read = spark.read.text(str(tmp_path), wholetext=True)
    files = read.selectExpr("value", "get_json_object(value, '$.metadata.version') as version")
    files = files.selectExpr("value", "concat('pathfinder_rag_retrieval_v', version, '.json') as file")
    assert check_release_files(files).raise_if_failed() == 3


def test_no_files_are_a_failure(spark: Any) -> None:
    with pytest.raises(ContractViolation, match="no release file"):
        check_release_files(spark.createDataFrame([], "value string, file string")).raise_if_failed()
    with pytest.raises(UsageError, match="no column file.*_metadata.file_path"):
        check_release_files(frame(spark, ["{}"]))
