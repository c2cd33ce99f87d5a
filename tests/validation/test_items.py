"""Verdicts on whole items: small inputs that users of such tools have reported, and the advices."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evalcontract.catalog import default_catalogue
from evalcontract.validation import Engine, ItemChecker, ItemVerdict, Told
from evalcontract.validation.choice import told_type
from evalcontract.validation.violation import MOST_FINDINGS

CATALOGUE = default_catalogue()
QUESTION = [{"role": "user", "content": "When?"}]


def check(item: object, schema_type: str | None = None) -> ItemVerdict:
    told = Told(type=told_type(CATALOGUE, schema_type)) if schema_type else None
    return ItemChecker(CATALOGUE, told).check(item)


def rag_item(context: object, **more: Any) -> dict[str, Any]:
    return {
        "item_id": "q1",
        "input": {"messages": QUESTION, "context": context, **more},
        "expected_output": {"response": "1879"},
    }


def test_an_answer_without_context_is_a_valid_question_and_answer_item() -> None:
    item = {"item_id": "q1", "input": {"messages": QUESTION}, "expected_output": {"response": "1879"}}
    assert check(item, "qa").violations == ()


@pytest.mark.parametrize("context", ["['a','b']", "abc"])
def test_a_list_written_as_text_is_neither_parsed_nor_taken_apart(context: str) -> None:
    (violation,) = check(rag_item(context), "rag").violations
    assert violation.pointer == "/input/context"
    assert violation.message.startswith("expected array of strings or null, got string")


def test_an_empty_context_is_valid() -> None:
    assert check(rag_item([]), "rag").violations == ()


def test_an_empty_passage_is_valid_with_an_advice() -> None:
    verdict = check(rag_item([""]), "rag")
    assert verdict.valid
    assert [(each.code, each.pointer) for each in verdict.violations] == [
        ("empty-passage", "/input/context/0")
    ]


@pytest.mark.parametrize(
    ("context", "pointer"), [([None], "/input/context/0"), (["a", ["b"]], "/input/context/1")]
)
def test_an_element_of_a_wrong_type_is_named(context: object, pointer: str) -> None:
    assert [each.pointer for each in check(rag_item(context), "rag").violations] == [pointer]


def test_rows_of_another_tool_fail_instead_of_passing_unread() -> None:
    verdict = check({"vars": {"x": 1}, "assert": []}, "qa")
    assert {each.pointer for each in verdict.violations} == {"/item_id", "/input", "/expected_output"}


def test_only_the_branch_of_the_declared_type_is_reported() -> None:
    item = rag_item("not a list") | {"metadata": {"raw_metadata": {"input_schema_type": "rag"}}}
    (violation,) = check(item).violations
    assert (violation.pointer, violation.expected) == ("/input/context", "array of strings or null")


def test_an_item_that_is_no_object_gets_one_violation() -> None:
    (violation,) = check("text", "rag").violations
    assert (violation.pointer, violation.message) == ("", 'expected object, got string "text"')


def test_every_violation_carries_the_item_and_its_contract() -> None:
    for each in check({"item_id": "q7", "input": {"messages": 3}}, "rag").violations:
        assert (each.item_id, each.contract) == ("q7", "rag@1.0")


def test_ids_that_are_not_parallel_to_the_passages_are_advised_against() -> None:
    verdict = check(rag_item(["a", "b"], document_ids=["d1"]), "rag")
    assert [(each.code, each.severity) for each in verdict.violations] == [("not-parallel", "advice")]


def test_a_misspelt_optional_key_is_advised_against() -> None:
    item = rag_item([])
    item["input"] = {"messages": QUESTION, "contxt": []}
    (advice,) = check(item, "rag").violations
    assert (advice.code, advice.pointer, advice.severity) == ("unknown-key", "/input/contxt", "advice")
    assert advice.message == "unknown key contxt: did you mean context?"


def test_a_misspelling_that_explains_an_error_is_told_once() -> None:
    item = rag_item([]) | {"expected_output": {"respones": "1879"}}
    (error,) = check(item, "rag").violations
    assert (error.pointer, error.severity) == ("/expected_output/response", "error")
    assert error.hint == "unknown key respones: did you mean response?"


def test_keys_of_the_products_own_are_not_advised_against() -> None:
    assert check(rag_item([], tenant="north", Zeit="x"), "rag").violations == ()


@pytest.mark.parametrize(
    ("misplaced", "pointer", "home"),
    [
        ({"metadata": {"input_schema_type": "rag"}}, "/metadata/input_schema_type", "metadata.raw_metadata"),
        ({"input_schema_version": "1.0"}, "/input_schema_version", "metadata.raw_metadata"),
        ({"input": {"input_schema_type": "rag"}}, "/input/input_schema_type", "metadata.raw_metadata"),
        ({"raw_metadata": {"input_schema_type": "rag"}}, "/raw_metadata", "metadata"),
    ],
)
@pytest.mark.parametrize("type_", [None, "qa"])
def test_a_declaration_that_stands_where_nothing_reads_it_is_advised_against(
    misplaced: dict[str, Any], pointer: str, home: str, type_: str | None
) -> None:
    item = rag_item([])
    item["input"] = {"messages": QUESTION} | misplaced.get("input", {})
    checker = ItemChecker(CATALOGUE, Told(told_type(CATALOGUE, type_)) if type_ else None)
    verdict = checker.check({**item, **misplaced, "input": item["input"]}, may_hold_null_bytes=False)
    (advice,) = verdict.violations
    assert (advice.code, advice.pointer, advice.severity) == ("misplaced-key", pointer, "advice")
    assert advice.hint == f"move it into {home}"


def test_what_is_declared_in_its_place_too_is_not_misplaced() -> None:
    declared = {"input_schema_type": "rag", "input_schema_version": "1.0"}
    item = rag_item([]) | {"metadata": {"raw_metadata": declared, **declared}}
    assert ItemChecker(CATALOGUE).check(item).violations == ()
    item["metadata"] = {"input_schema_type": None, "raw_metadata": None}
    assert ItemChecker(CATALOGUE).check(item).violations == ()


def test_null_bytes_are_advised_against() -> None:
    (advice,) = ItemChecker(CATALOGUE).check(rag_item(["a\x00b"])).violations
    assert (advice.code, advice.pointer, advice.severity) == ("null-byte", "/input/context/0", "advice")


def test_text_of_white_space_only_is_an_empty_passage_whatever_the_white_space() -> None:
    spaces = [chr(code) for code in range(0x110000) if chr(code).isspace()]
    verdict = ItemChecker(CATALOGUE).check(rag_item(["".join(spaces), *spaces]), may_hold_null_bytes=False)
    assert [each.code for each in verdict.violations] == ["empty-passage"] * (len(spaces) + 1)


def test_checking_changes_nothing() -> None:
    item = rag_item("text")
    before = json.dumps(item)
    check(item, "rag")
    assert json.dumps(item) == before


@pytest.mark.parametrize("item", [None, 0, "", [], False])
def test_what_is_no_object_is_no_item_for_a_checker_that_has_seen_none(item: object) -> None:
    for check in (ItemChecker.check, ItemChecker.check_closely):
        (found,) = check(ItemChecker(default_catalogue()), item).violations
        assert (found.code, found.pointer) == ("wrong-type", "")


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize(
    "context",
    [[1] * 20_000, [{}] * 20_000, [""] * 20_000, ["\0"] * 20_000],
    ids=["wrong types", "objects", "blank passages", "null bytes"],
)
def test_an_item_with_more_findings_than_anybody_reads_is_refused(context: list[Any], engine: Engine) -> None:
    told = Told(type=told_type(CATALOGUE, "rag"))
    verdict = ItemChecker(CATALOGUE, told, engine=engine).check(rag_item(context))
    told_of, (last,) = verdict.violations[:MOST_FINDINGS], verdict.violations[MOST_FINDINGS:]
    assert last.code == "too-many-findings"
    assert len({violation.pointer for violation in told_of}) == MOST_FINDINGS
    assert not verdict.valid


def test_an_item_with_as_many_findings_as_are_told_is_judged_whole() -> None:
    verdict = check(rag_item([""] * MOST_FINDINGS), "rag")
    assert len(verdict.violations) == MOST_FINDINGS
    assert verdict.valid


def test_null_bytes_are_found_at_every_depth_from_the_end() -> None:
    item = rag_item(["a\0", "b"], own={"x": [["\0"], None, 3, "\0"]}) | {"tags": ["\0"]}
    found = [each.pointer for each in check(item, "rag").violations if each.code == "null-byte"]
    assert found == ["/tags/0", "/input/own/x/3", "/input/own/x/0/0", "/input/context/0"]
