"""Items that are passed at first sight: the report is that of the reference, which takes no short way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcontract.catalog import default_catalogue
from evalcontract.checking import Splitting, check_files, plan
from evalcontract.checking.findings import kind_of_place
from evalcontract.reports.json_report import json_report
from evalcontract.validation import ItemChecker
from tests.support.mutate import mutants

RAG = {"raw_metadata": {"input_schema_type": "rag", "input_schema_version": "1.0"}}


def item(item_id: object, **parts: Any) -> dict[str, Any]:
    return {
        "item_id": item_id,
        "input": {
            "messages": [{"role": "user", "content": f"When was {item_id}?"}],
            "context": ["In 1879."],
            **parts,
        },
        "expected_output": {
            "response": "1879 [1]",
            "citations": [{"document_id": "d", "response_marker": "[1]"}],
        },
        "metadata": RAG,
    }


CLEAN = json.dumps(item("a"))
CHANGES = (
    ('"a"', '"b"'),
    ('"a"', '"A"'),
    ('"a"', '""'),
    ('"a"', "3"),
    ('"a"', '"a", "item_id": "b"'),
    ("In 1879.", ""),
    ("In 1879.", " \\u2028"),
    ("In 1879.", "\\u0000"),
    ("In 1879.", "é 東京"),
    ('["In 1879."]', '[], "document_ids": ["d"]'),
    ('"context"', '"contxt"'),
    ('"context"', '"document_ids"'),
    ('"context"', '"own": [1e300], "context"'),
    ('"context"', '"own": 1e999, "context"'),
    ("[1]", "[2]"),
    ('"[1]"', '"【1】"'),
    ('"citations"', '"scores": {"x": 12345678901234567890}, "citations"'),
    ('"document_id": "d"', '"document_id": "d", "page_number": 0'),
    ('"document_id": "d"', '"document_id": "d", "page_number": 9007199254740992'),
    ('"document_id": "d"', '"document_id": "d", "own": {"x": [1e999]}'),
    ('"1.0"', '"7.0"'),
    ('"1.0"', "null"),
    ('"rag"', '"qa"'),
    ('"rag"', '["rag"]'),
    ("}}", "}"),
)
TEXTS = st.lists(st.sampled_from(CHANGES), max_size=2).map(
    lambda changes: _changed(CLEAN, changes)
) | st.sampled_from(["", " ", "[]", "7", '"x"', "null", '{"item_id": "a", "prediction": {}}'])


def _changed(text: str, changes: list[tuple[str, str]]) -> str:
    for before, after in changes:
        text = text.replace(before, after, 1)
    return text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
@given(
    texts=st.lists(TEXTS, max_size=6),
    told=st.sampled_from([{}, {"schema_type": "rag"}, {"contract": "dataset"}]),
)
@pytest.mark.parametrize("name", ["items.jsonl", "items.json"])
def test_the_report_is_that_of_the_reference(
    tmp_path: Path, name: str, texts: list[str], told: dict[str, str]
) -> None:
    file = tmp_path / name
    together = "\n".join(texts) if name == "items.jsonl" else f"[{','.join(filter(str.strip, texts))}]"
    file.write_text(together, encoding="utf-8")
    expected = json_report(check_files([file], plan(engine="reference", **told)))
    assert json_report(check_files([file], plan(**told))) == expected
    if name == "items.jsonl":
        in_parts = check_files([file], plan(**told), splitting=Splitting(1, 0, 500))
        assert json_report(in_parts) == expected


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change[1])
def test_each_change_alone_is_reported_as_by_the_reference(tmp_path: Path, change: tuple[str, str]) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text(_changed(CLEAN, [change]), encoding="utf-8")
    expected = json_report(check_files([file], plan(engine="reference")))
    assert json_report(check_files([file], plan())) == expected


def test_clean_items_are_passed_at_first_sight_and_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[object] = []
    closely = ItemChecker.check_closely

    def counting(self: ItemChecker, value: object, *how: bool) -> Any:
        looked_at.append(value)
        return closely(self, value, *how)

    monkeypatch.setattr(ItemChecker, "check_closely", counting)
    odd = item("odd", context=[""])
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in (item("a"), odd, item("b"), item("a"))))
    result = check_files([file], plan())
    assert looked_at == [odd, item("a")]
    assert [each.code for each in result.violations] == ["empty-passage", "duplicate-item-id"]
    assert result.files[0].contracts == (("rag@1.0", 4),)
    assert result.items == 4


def test_progress_counts_the_items_that_are_passed(tmp_path: Path) -> None:
    told: list[int] = []
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(item(f"item {number}")) + "\n" for number in range(2500)))
    check_files([file], plan(), progress=lambda name, items: told.append(items))
    assert told == [1000, 2000]


@pytest.mark.parametrize("schema_type", ["rag", "qa", "rag_agent"])
def test_findings_that_are_only_counted_are_those_that_are_told(tmp_path: Path, schema_type: str) -> None:
    declared = {"input_schema_type": schema_type, "input_schema_version": "1.0"}
    items = [item(number) | {"metadata": {"raw_metadata": declared}} for number in ("a", "b")]
    documents = [
        each.document
        for each in mutants(items, dict(default_catalogue().documents()).values(), seed=6, count=400)
    ]
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in documents))
    told = check_files([file], plan(), max_violations=10_000)
    counted = check_files([file], plan(), max_violations=0)
    assert counted.files == told.files
    groups = {(each.file, each.code, kind_of_place(each.pointer), each.severity) for each in told.violations}
    assert {(each.file, each.code, each.place, each.severity) for each in counted.groups} == groups
    assert sum(each.count for each in counted.groups) == len(told.violations)
