"""A run over files: which metadata applies, what is remembered over a whole file, and what is counted."""

from __future__ import annotations

import json
import socket
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evalcontract.checking import RunResult, check_files, plan

QA = {"input_schema_type": "qa", "input_schema_version": "1.0"}
METADATA = {"product_id": "acme", "scope": "smoke", "version": "1.0", **QA}


def item(item_id: object = "q1", **more: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": f"When was {item_id} built?"}]
    return {
        "item_id": item_id,
        "input": {"messages": messages},
        "expected_output": {"response": "1879"},
    } | more


def check(path: Path | str, **told: Any) -> RunResult:
    return check_files([path], plan(**told))


def dataset(folder: Path, *items: object, **metadata: object) -> Path:
    path = folder / "dataset.json"
    path.write_text(json.dumps({"metadata": METADATA | metadata, "items": items}))
    return path


def json_lines(folder: Path, *documents: object, name: str = "items.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(each) + "\n" for each in documents))
    return path


def found(result: RunResult) -> list[tuple[str, str, int | None]]:
    return [(each.code, each.pointer, each.line) for each in result.violations]


def test_the_metadata_of_a_dataset_chooses_the_contract_of_its_items(tmp_path: Path) -> None:
    result = check(dataset(tmp_path, item(), item("q2", expected_output=None)))
    assert found(result) == [("wrong-type", "/expected_output", 1)]
    assert result.files[0].contracts == (("qa@1.0", 2),)
    assert (result.items, result.files[0].invalid, result.files[0].kind) == (2, 1, "dataset")


def test_metadata_may_follow_the_items(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(json.dumps({"items": [item(expected_output=None)], "metadata": METADATA}))
    assert found(check(path)) == [("wrong-type", "/expected_output", 1)]


def test_the_envelope_of_a_dataset_is_checked_too(tmp_path: Path) -> None:
    result = check(dataset(tmp_path, item(), version="1"))
    assert found(result) == [("pattern-mismatch", "/metadata/version", 1)]


def test_a_dataset_without_metadata_says_so(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(json.dumps({"items": [item()]}))
    assert found(check(path)) == [("missing-property", "/metadata", 1)]


def test_metadata_beside_json_lines_applies_to_them(tmp_path: Path) -> None:
    path = json_lines(tmp_path, item(expected_output=None))
    assert found(check(path)) == []
    (tmp_path / "items.metadata.json").write_text(json.dumps(METADATA))
    assert found(check(path)) == [("wrong-type", "/expected_output", 1)]


def test_metadata_beside_json_lines_is_checked_and_its_faults_are_not_swallowed(tmp_path: Path) -> None:
    path = json_lines(tmp_path, item())
    sidecar = tmp_path / "items.metadata.json"
    sidecar.write_text(json.dumps(METADATA | {"version": 1}))
    result = check(sidecar)
    assert (found(result), result.files[0].kind) == ([("wrong-type", "/version", 1)], "dataset_metadata")
    sidecar.write_text("{")
    (violation,) = check(path).violations
    assert violation.file == str(sidecar)


def test_a_repeated_id_is_reported_where_it_is_repeated(tmp_path: Path) -> None:
    result = check(json_lines(tmp_path, item("a"), item("b"), item("a")))
    assert found(result) == [("duplicate-item-id", "/item_id", 3)]
    assert result.violations[0].message == "item_id 'a' is already used by item 1 of the file"
    assert result.files[0].invalid == 1


def test_1_and_its_text_are_a_wrong_type_and_not_a_repetition(tmp_path: Path) -> None:
    result = check(json_lines(tmp_path, item(1), item("1")))
    assert found(result) == [("wrong-type", "/item_id", 1)]


@pytest.mark.parametrize(("one", "other"), [("Q1", "q1"), ("q1", "q1 "), ("caf\u00e9", "cafe\u0301")])
def test_ids_that_look_alike_are_advised_against(tmp_path: Path, one: str, other: str) -> None:
    result = check(json_lines(tmp_path, item(one), item(other)))
    assert [(each.code, each.severity) for each in result.violations] == [("look-alike-id", "advice")]
    assert result.exit_code == 0


def test_bad_lines_are_reported_and_reading_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(
        f'{json.dumps(item("a"))}\n{{"item_id": NaN}}\n\n{json.dumps(item("b"))}\n{{"item_id": "c"'
    )
    result = check(path)
    assert [each.line for each in result.violations if each.severity == "error"] == [2, 5]
    assert (result.items, result.files[0].invalid) == (4, 2)


def test_predictions_and_scores_are_recognised(tmp_path: Path) -> None:
    path = json_lines(
        tmp_path,
        {"item_id": "a", "prediction": {"response": 1}},
        {"item_id": "b", "scores": {"ndcg_at_k": {"value": "high"}}},
        item("c"),
    )
    result = check(path)
    assert found(result) == [
        ("wrong-type", "/prediction/response", 1),
        ("wrong-type", "/scores/ndcg_at_k/value", 2),
    ]
    assert dict(result.files[0].contracts) == {
        "prediction_record@1.0": 1,
        "score_record@1.0": 1,
        "evaluation_item@1.0": 1,
    }


def test_a_record_may_carry_the_input_that_it_answers(tmp_path: Path) -> None:
    asked = {"messages": [{"role": "user", "content": "Until when?"}]}
    documents = [
        {"item_id": "a", "input": asked, "prediction": {"response": 1}},
        {"item_id": "b", "input": None, "prediction": {"response": "x"}},
        {"item_id": "c", "input": None, "scores": {}},
        {"item_id": "d", "input": asked, "prediction": {}, "expected_output": {"response": "x"}},
        {"item_id": "e", "input": asked, "prediction": "x"},
        {"item_id": "f", "input": asked, "scores": {}},
    ]
    result = check(json_lines(tmp_path, *documents))
    counts = {"prediction_record@1.0": 2, "score_record@1.0": 1, "evaluation_item@1.0": 3}
    assert dict(result.files[0].contracts) == counts
    assert ("wrong-type", "/prediction/response", 1) in found(result)


def test_findings_in_records_name_their_item_and_predictions_get_advices(tmp_path: Path) -> None:
    citations = [{"document_id": "d", "response_marker": "[1]"}]
    path = json_lines(
        tmp_path,
        {"item_id": "a", "prediction": {"response": "x [1] [2]", "citations": citations}},
        {"item_id": "b", "prediction": {"response": "x\x00"}},
        {"item_id": "c", "scores": {"f1": 1}},
    )
    result = check(path)
    assert [(each.item_id, each.code, each.severity) for each in result.violations] == [
        ("a", "undeclared-marker", "advice"),
        ("b", "null-byte", "advice"),
        ("c", "wrong-type", "error"),
    ]
    assert {each.contract for each in result.violations} == {"prediction_record@1.0", "score_record@1.0"}


def test_a_told_contract_applies_to_every_document(tmp_path: Path) -> None:
    path = json_lines(tmp_path, {"role": "user", "content": "x"}, item())
    result = check(path, contract="message")
    assert [each.line for each in result.violations] == [2, 2]


def test_columns_are_those_of_the_value(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"item_id": "\u00fc\U0001f600", "input": 3}\n', encoding="utf-8")
    (violation,) = check(path).violations
    assert (violation.line, violation.column) == (1, 28)


def test_checking_needs_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert check(dataset(tmp_path, item())).exit_code == 0
    assert check(dataset(tmp_path, item(expected_output={"response": 1}))).exit_code == 1


@pytest.mark.parametrize("name", ["mixed.json", "mixed.jsonl"])
@pytest.mark.parametrize(
    "told", [{}, {"schema_type": "qa"}, {"contract": "message"}, {"input_schema": "rag_input"}]
)
def test_what_is_only_counted_is_counted_as_what_is_kept(
    tmp_path: Path, name: str, told: dict[str, Any]
) -> None:
    values = [
        1,
        2.5,
        "a\0",
        "",
        None,
        True,
        [1],
        [],
        {},
        item(),
        item("q2", input="text"),
        *range(40),
        *"abc",
    ] * 3
    path = tmp_path / name
    text = (
        json.dumps(values) if name.endswith("json") else "".join(json.dumps(value) + "\n" for value in values)
    )
    path.write_text(text)
    made = plan(**told)
    whole = Counter((v.code, v.severity) for v in check_files([path], made, max_violations=10**6).violations)
    few = check_files([path], made, max_violations=7)
    counted = Counter((v.code, v.severity) for v in few.violations)
    for group in few.groups:
        counted[group.code, group.severity] += group.count
    assert (len(few.violations), counted) == (7, whole)
