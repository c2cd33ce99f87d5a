"""Each faulty example has the fault that its item_id names, and no other."""

from __future__ import annotations

from typing import Any

from evalcontract.catalog import default_catalogue
from tests.support.examples import FAULTS, json_lines
from tests.support.judge import faults_of_item, marked
from tests.support.vectors import Fault

GRADE = "/expected_output/retrieval_ground_truth/0/relevance"
CITED = "/expected_output/citations/0"
CALLED = "/expected_output/tool_calls/0"
VIOLATIONS: dict[str, set[Fault]] = {
    "response-is-missing": {Fault("/expected_output/response", "required")},
    "response-key-is-misspelt": {Fault("/expected_output/response", "required")},
    "expected-output-is-null-under-a-declared-type": {Fault("/expected_output", "type")},
    "context-is-a-string": {Fault("/input/context", "type")},
    "relevance-is-3": {Fault(GRADE, "enum")},
    "relevance-is-true": {Fault(GRADE, "type"), Fault(GRADE, "enum")},
    "page-number-is-0": {Fault(f"{CITED}/page_number", "minimum")},
    "page-number-is-a-roman-numeral": {Fault(f"{CITED}/page_number", "type")},
    "citation-has-no-document-id": {Fault(f"{CITED}/document_id", "required")},
    "messages-are-empty": {Fault("/input/messages", "minItems")},
    "role-is-human": {Fault("/input/messages/0/role", "enum")},
    "input-is-still-wrapped-in-request": {Fault("/input/messages", "required")},
    "inputs-and-outputs-instead-of-input-and-expected-output": {Fault("/input", "required")},
    "schema-version-is-a-number": {Fault("/metadata/raw_metadata/input_schema_version", "type")},
    "tool-args-are-a-json-string": {Fault(f"{CALLED}/args", "type")},
    "tool-call-is-wrapped-in-function": {
        Fault(f"{CALLED}/name", "required"),
        Fault(f"{CALLED}/args", "required"),
    },
    "handoff-is-a-list": {Fault("/expected_output/handoff_to", "type")},
}
WITHIN_THE_CONTRACTS = {
    "nothing-wrong-here",
    "context-key-is-misspelt-retrived-context",
    "document-ids-are-not-parallel-to-context",
    "passage-is-empty",
    "response-marker-2-is-declared-by-nobody",
    "declared-marker-is-not-in-the-response",
    "schema-type-is-unknown",
    "schema-version-is-unknown",
    "declares-qa-but-has-tools",
    "item-id-is-used-twice",
}


def faulty(item_id: str) -> dict[str, Any]:
    return next(item for item in json_lines(FAULTS) if item["item_id"] == item_id)


def test_each_faulty_item_breaks_the_contracts_where_it_says() -> None:
    found = {item["item_id"]: faults_of_item(item) for item in json_lines(FAULTS)}
    assert found == VIOLATIONS | {item_id: set() for item_id in WITHIN_THE_CONTRACTS}


def test_faults_that_no_schema_can_see_are_there() -> None:
    types = default_catalogue().schema_types()
    assert "context" not in faulty("context-key-is-misspelt-retrived-context")["input"]
    parts = faulty("document-ids-are-not-parallel-to-context")["input"]
    assert len(parts["context"]) != len(parts["document_ids"])
    assert faulty("passage-is-empty")["input"]["context"] == [""]
    for item_id in ("response-marker-2-is-declared-by-nobody", "declared-marker-is-not-in-the-response"):
        output = faulty(item_id)["expected_output"]
        declared = {citation["response_marker"] for citation in output["citations"]}
        assert (marked(output["response"]) > declared) == (
            item_id == "response-marker-2-is-declared-by-nobody"
        )
        assert (marked(output["response"]) < declared) == (
            item_id == "declared-marker-is-not-in-the-response"
        )
    assert faulty("schema-type-is-unknown")["metadata"]["raw_metadata"]["input_schema_type"] not in types
    assert (
        faulty("schema-version-is-unknown")["metadata"]["raw_metadata"]["input_schema_version"]
        not in types["rag"]
    )
    assert "available_tools" in faulty("declares-qa-but-has-tools")["input"]
    ids = [item["item_id"] for item in json_lines(FAULTS)]
    assert [item_id for item_id in set(ids) if ids.count(item_id) > 1] == ["item-id-is-used-twice"]
