"""Which contract applies to an item, and what is said about declarations that can't be followed."""

from __future__ import annotations

import pytest

from evalcontract.catalog import default_catalogue
from evalcontract.errors import UsageError
from evalcontract.validation import ItemChecker, ItemVerdict, Told
from evalcontract.validation.choice import told_type
from evalcontract.validation.sources import from_catalogue

CATALOGUE = default_catalogue()
QUESTION = {"messages": [{"role": "user", "content": "When did the bridge open?"}]}


def item(
    declared: str | None = None, version: str | None = None, *, context: object = ..., output: object = ...
) -> dict[str, object]:
    made: dict[str, object] = {"item_id": "q1", "input": dict(QUESTION)}
    if context is not ...:
        made["input"] = QUESTION | {"context": context}
    if output is not ...:
        made["expected_output"] = output
    raw = {"input_schema_type": declared, "input_schema_version": version}
    return made | {"metadata": {"raw_metadata": raw}}


ANSWER = {"response": "1879"}


def check(value: object, *, told: Told | None = None, dataset: object = None) -> ItemVerdict:
    return ItemChecker(CATALOGUE, told, dataset).check(value)


def errors(verdict: ItemVerdict) -> list[tuple[str, str]]:
    return [(each.code, each.pointer) for each in verdict.violations if each.severity == "error"]


DATASET = {"input_schema_type": "rag", "input_schema_version": "1.0"}


def test_what_the_caller_says_wins() -> None:
    told = Told(type=told_type(CATALOGUE, "rag"))
    verdict = check(item("qa", context="text", output=ANSWER), told=told)
    assert (verdict.contract, verdict.origin) == ("rag@1.0", "told")
    assert errors(verdict) == [("wrong-type", "/input/context")]


def test_then_what_the_item_declares() -> None:
    verdict = check(item("rag", context="text", output=ANSWER))
    assert (verdict.contract, verdict.origin) == ("rag@1.0", "item")
    assert errors(verdict) == [("wrong-type", "/input/context")]


def test_then_what_its_dataset_declares() -> None:
    verdict = check(item(context="text", output=ANSWER), dataset=DATASET)
    assert (verdict.contract, verdict.origin) == ("rag@1.0", "dataset")
    assert errors(verdict) == [("wrong-type", "/input/context")]


def test_else_the_envelope_alone() -> None:
    verdict = check(item(context="text"))
    assert (verdict.contract, verdict.origin) == ("evaluation_item@1.0", "envelope")
    assert errors(verdict) == []


def test_a_field_of_another_type_is_the_products_own() -> None:
    assert errors(check(item("qa", context="text", output=ANSWER))) == []


@pytest.mark.parametrize("output", [..., None])
def test_a_declared_type_needs_an_expected_output(output: object) -> None:
    verdict = check(item("qa", output=output))
    assert [pointer for _, pointer in errors(verdict)] == ["/expected_output"]
    assert "needs an expected output" in (verdict.violations[0].hint or "")


def test_an_item_without_a_type_needs_none() -> None:
    assert errors(check(item())) == []


def test_declarations_that_disagree_are_one_violation() -> None:
    verdict = check(item("qa", output=ANSWER), dataset=DATASET)
    assert errors(verdict) == [("declarations-disagree", "/metadata/raw_metadata/input_schema_type")]


def test_versions_that_disagree_are_one_violation() -> None:
    verdict = check(item("rag", "1.1", output=ANSWER), dataset=DATASET)
    assert errors(verdict) == [("declarations-disagree", "/metadata/raw_metadata/input_schema_version")]


def test_an_unknown_type_is_one_error_that_lists_the_known_ones() -> None:
    verdict = check(item("ragg", context="text"))
    (violation,) = verdict.violations
    assert violation.code == "unknown-schema-type"
    assert violation.expected == "known: qa@1.0, rag@1.0, agent@1.0, rag_agent@1.0"
    assert (violation.hint or "").startswith("did you mean rag?")


def test_a_type_of_the_products_own_is_checked_as_a_plain_item() -> None:
    verdict = check(item("triage", context="text"), told=Told(own_types=frozenset({"triage"})))
    assert (errors(verdict), verdict.origin) == ([], "envelope")


def test_a_type_of_the_products_own_with_a_told_schema_is_checked_against_it() -> None:
    told = Told(input=from_catalogue(CATALOGUE, "rag_input"))
    verdict = check(item("triage", context="text"), told=told)
    assert (errors(verdict), verdict.origin) == ([("wrong-type", "/input/context")], "told")


def test_an_unknown_minor_version_is_checked_against_the_newest_known_one_with_an_advice() -> None:
    verdict = check(item("rag", "1.7", context="text", output=ANSWER))
    assert verdict.contract == "rag@1.0"
    assert [each.code for each in verdict.violations] == ["unknown-minor-version", "wrong-type"]
    assert verdict.violations[0].severity == "advice"


def test_an_unknown_major_version_is_one_error() -> None:
    (violation,) = check(item("rag", "2.0", context="text")).violations
    assert (violation.code, violation.pointer) == (
        "unknown-schema-version",
        "/metadata/raw_metadata/input_schema_version",
    )


def test_a_malformed_version_is_reported_by_the_envelope_and_the_type_still_applies() -> None:
    verdict = check(item("rag", "one", context="text", output=ANSWER))
    assert sorted(pointer for _, pointer in errors(verdict)) == [
        "/input/context",
        "/metadata/raw_metadata/input_schema_version",
    ]


@pytest.mark.parametrize(
    "metadata", [None, "text", 3, [], {"raw_metadata": []}, {"raw_metadata": {"input_schema_type": 3}}]
)
def test_metadata_of_a_wrong_shape_declares_nothing(metadata: object) -> None:
    verdict = check({"item_id": "q1", "input": {}, "metadata": metadata})
    assert verdict.origin == "envelope"
    assert verdict.valid == (metadata is None)


def test_the_caller_must_name_a_known_type() -> None:
    with pytest.raises(UsageError, match="known: qa@1.0"):
        told_type(CATALOGUE, "ragg")
    with pytest.raises(UsageError):
        told_type(CATALOGUE, "rag@7.0")
