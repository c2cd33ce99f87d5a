"""Public verdicts against the conformance vectors, and what values built in Python may hold."""

from __future__ import annotations

import copy
import json
import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.catalog import default_catalogue, load_schema
from evalcontract.errors import (
    ContractError,
    ContractViolation,
    SchemaError,
    UnknownContract,
    UnknownVersion,
    UsageError,
)
from evalcontract.validation import Violation, is_valid, iter_violations, validate
from evalcontract.validation.hints import _OTHER_NAMES
from evalcontract.values import not_json

CATALOGUE = default_catalogue()
REFS = [entry.ref for entry in CATALOGUE.entries()]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("ref", REFS, ids=str)
def test_every_vector_gets_its_verdict_and_its_faults(ref: Any) -> None:
    folder = CATALOGUE.root / "conformance" / ref.name / ref.version
    for case in (folder / "valid").iterdir():
        found = list(iter_violations(json.loads(case.read_bytes()), str(ref)))
        assert found == [], case.name
    expected = json.loads((folder / "expected.json").read_bytes())
    for name, faults in expected.items():
        document = json.loads((folder / "invalid" / f"{name}.json").read_bytes())
        before = copy.deepcopy(document)
        found = list(iter_violations(document, ref.name, ref.version))
        assert {(each.pointer, each.keyword) for each in found} == {
            (fault["pointer"], fault["keyword"]) for fault in faults
        }, name
        assert document == before
        assert not is_valid(document, str(ref))


@given(instance=JSON, name=st.sampled_from(CATALOGUE.names()))
def test_any_value_gets_bounded_violations_and_is_not_changed(instance: Any, name: str) -> None:
    before = copy.deepcopy(instance)
    for each in iter_violations(instance, name):
        assert len(each.message) <= 300
        assert len(each.expected or "") <= 80
        assert len(each.actual or "") <= 80
        assert each.contract == f"{name}@1.0"
        assert each.severity == "error"
    assert instance == before


def test_a_long_value_is_shortened_in_every_text() -> None:
    huge = "x" * 100_000
    (violation,) = iter_violations({"role": huge, "content": "c"}, "message")
    assert len(str(violation)) < 400


def test_validate_raises_with_every_violation_and_a_readable_message() -> None:
    with pytest.raises(ContractViolation) as caught:
        validate({"messages": [{"role": "bot"}]}, "rag_input")
    assert [each.pointer for each in caught.value.violations] == ["/messages/0/role", "/messages/0/content"]
    assert "the value breaks rag_input@1.0" in str(caught.value)
    assert isinstance(caught.value, ContractError)
    assert isinstance(caught.value, ValueError)


def test_validate_returns_nothing_for_a_valid_value() -> None:
    validate({"messages": [{"role": "user", "content": "When?"}], "context": []}, "rag_input")


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_refused(number: float) -> None:
    document = {"retrieved_context": "text", "score": number}
    (violation,) = iter_violations(document, "rag_citation")
    assert (violation.code, violation.pointer) == ("not-json", "/score")


@pytest.mark.parametrize(
    "value",
    [("a",), Decimal("1"), b"bytes", {1, 2}, object(), "\ud800"],
    ids=lambda value: type(value).__name__,
)
def test_python_values_that_json_lacks_are_refused(value: object) -> None:
    (violation,) = iter_violations({"output": value, "name": "n", "args": {}}, "predicted_tool_call")
    assert (violation.code, violation.pointer) == ("not-json", "/output")


@pytest.mark.parametrize("integer", [2 * 10**308, -(10**5000)], ids=["positive", "negative"])
def test_integers_that_no_double_can_hold_are_refused(integer: int) -> None:
    for instance in (integer, {"role": "user", "content": "x", "more": [integer]}):
        (found,) = iter_violations(instance, "message")
        assert (found.code, "integer of" in found.message) == ("not-json", True)
    assert is_valid({"role": "user", "content": "x", "more": 10**308}, "message")


class Text(str):
    """A subclass that shows itself as something else."""

    def __str__(self) -> str:
        return "else"


class Role(StrEnum):
    USER = "user"


class Page(IntEnum):
    FIRST = 1
    NONE = 0


@pytest.mark.parametrize("schema", [True, False], ids=["schema", "contract"])
def test_subclasses_of_json_types_count_as_what_they_are(schema: bool) -> None:
    contract = load_schema("citation") | {"pattern": r"(?=x)"} if schema else "citation"
    good = OrderedDict({Text("document_id"): Text("a"), "page_number": Page.FIRST, "quotes": UserList()})
    bad = {"document_id": Role.USER, "page_number": Page.NONE, "quotes": [Role.USER, 1]}
    assert is_valid(good, contract)
    found = [(each.pointer, each.actual) for each in iter_violations(bad, contract)]
    assert found == [("/page_number", "integer 0"), ("/quotes/1", "integer 1")]
    assert type(bad["page_number"]) is Page


class UserList(list[str]):
    """A subclass of list."""


def test_a_key_with_a_lone_surrogate_is_refused() -> None:
    (found,) = iter_violations({"role": "user", "content": "x", "\ud800": 1}, "message")
    assert (found.code, found.pointer) == ("not-json", "/'\\ud800'")


@pytest.mark.parametrize(
    "value", [10**5000, {1, 2}, math.nan, {1: 2}, "\ud800"], ids=["huge", "set", "nan", "key", "surrogate"]
)
@pytest.mark.parametrize("keyword", ["const", "x", "$ref", "required", "minimum"])
def test_a_schema_that_is_not_json_is_refused(keyword: str, value: object) -> None:
    with pytest.raises(SchemaError, match="the schema is not JSON: at /"):
        is_valid({}, {keyword: value})


@pytest.mark.parametrize("version", [1.0, ["1.0"], {}])
def test_a_version_that_is_no_text_is_refused_by_the_verdicts(version: Any) -> None:
    with pytest.raises(UsageError, match="is not a schema version"):
        is_valid({}, "message", version)


def test_keys_that_are_not_strings_are_refused() -> None:
    found = list(iter_violations({"name": "n", "args": {1: "a"}}, "tool_call"))
    assert [(each.code, each.pointer) for each in found] == [("not-json", "/args/1")]


def test_a_value_that_contains_itself_is_refused_instead_of_followed() -> None:
    args: dict[str, Any] = {}
    args["again"] = args
    (violation,) = iter_violations({"name": "n", "args": args}, "tool_call")
    assert violation.code == "too-deep"


@pytest.mark.parametrize(
    "pair", [lambda part: [part, part], lambda part: {"left": part, "right": part}], ids=["array", "object"]
)
def test_a_value_that_holds_its_parts_over_and_over_is_refused_instead_of_written_out(
    pair: Callable[[Any], Any],
) -> None:
    tower: Any = "end"
    for _ in range(40):
        tower = pair(tower)
    (violation,) = iter_violations({"name": "n", "args": {"tower": tower}}, "tool_call")
    assert violation.code == "too-many-shared"
    with pytest.raises(SchemaError, match="the schema is not JSON: at /default"):
        is_valid({}, {"default": tower})


def test_a_large_value_may_share_much() -> None:
    tools = ["search", "timetable", "fares", "lost_property", "weather", "seats", "refund", "groups"]
    items = [{"item_id": str(index), "input": {"available_tools": tools}} for index in range(120_000)]
    assert list(not_json({"items": items})) == []


def test_the_first_fault_of_a_value_decides_that_it_is_not_valid() -> None:
    tower: Any = math.nan
    for _ in range(200):
        tower = [tower, tower]
    assert not is_valid({"name": "n", "args": {"tower": tower}}, "tool_call")


def test_parts_that_a_value_holds_a_few_times_are_fine() -> None:
    shared = ["Nordau", {"zone": 3}]
    assert is_valid({"name": "n", "args": {"stops": [shared] * 1000}}, "tool_call")
    unshared = {"stops": [[index] for index in range(300_000)]}
    assert is_valid({"name": "n", "args": {**unshared, "more": list(range(1_000_000))}}, "tool_call")


def test_a_violation_is_a_frozen_value() -> None:
    with pytest.raises(FrozenInstanceError):
        Violation("code", "message").code = "other"  # type: ignore[misc]


def test_a_missing_property_is_reported_where_it_has_to_be_written() -> None:
    (violation,) = iter_violations({"role": "user"}, "message")
    assert (violation.pointer, violation.keyword, violation.code) == (
        "/content",
        "required",
        "missing-property",
    )
    assert (violation.expected, violation.actual) == ("string", "nothing")


def test_a_misspelt_required_key_is_named() -> None:
    (violation,) = iter_violations({"role": "user", "contnet": "x"}, "message")
    assert violation.hint == "unknown key contnet: did you mean content?"


@pytest.mark.parametrize(
    ("contract", "document", "hint"),
    [
        ("evaluation_item", {"id": "q1", "input": {}}, "unknown key id: did you mean item_id?"),
        ("base_expected_output", {"answer": "1879"}, "unknown key answer: did you mean response?"),
        ("tool_call", {"name": "search", "arguments": {}}, "unknown key arguments: did you mean args?"),
    ],
)
def test_a_key_under_its_name_in_other_tools_is_recognised(
    contract: str, document: dict[str, Any], hint: str
) -> None:
    (violation,) = iter_violations(document, contract)
    assert violation.hint == hint


@pytest.mark.parametrize(
    ("contract", "document", "hints"),
    [
        (
            "rag_input",
            {"query": {"messages": []}},
            ["messages stands in 'query', one level too deep"],
        ),
        (
            "base_expected_output",
            {"answer": {"response": "1879"}},
            ["response stands in 'answer', one level too deep"],
        ),
        (
            "evaluation_item",
            {"item_id": "a", "messages": [], "context": []},
            ["move messages, context into input"],
        ),
        (
            "dataset",
            {"product_id": "p", "scope": "s", "items": []},
            ["move product_id, scope into metadata"],
        ),
    ],
)
def test_a_key_on_the_wrong_level_is_named_with_the_right_one(
    contract: str, document: dict[str, Any], hints: list[str]
) -> None:
    assert [each.hint for each in iter_violations(document, contract)] == hints


def test_the_names_of_other_tools_stand_for_properties_of_ours() -> None:
    ours = {name for _, document in CATALOGUE.documents() for name in document["properties"]}
    assert set(_OTHER_NAMES) <= ours


def test_a_key_that_means_something_elsewhere_is_no_misspelling() -> None:
    (violation,) = iter_violations({"role": "assistant", "content": "text"}, "rag_message")
    assert (violation.pointer, violation.hint) == ("/context", None)


@pytest.mark.parametrize(
    ("page", "hint"),
    [
        (0, "page numbers start at 1; is this a 0-based index?"),
        ("iv", "a printed page label belongs in a key of your own, such as page_label"),
        ("2", "write the number without quotes"),
        (True, "true and false are not numbers"),
        (-1, None),
    ],
)
def test_a_wrong_page_number_comes_with_what_to_do(page: object, hint: str | None) -> None:
    (violation,) = iter_violations({"document_id": "d", "page_number": page}, "citation")
    assert (violation.pointer, violation.hint) == ("/page_number", hint)


def test_a_whole_number_with_a_point_is_an_integer() -> None:
    assert is_valid({"document_id": "d", "page_number": 7.0}, "citation")


def test_alternatives_that_differ_by_type_are_reported_as_one_wrong_type() -> None:
    (violation,) = iter_violations({"item_id": "a", "input": {}, "metadata": "none"}, "evaluation_item")
    assert (violation.pointer, violation.keyword) == ("/metadata", "type")
    assert violation.expected == "object or null"


def test_the_branch_that_was_meant_is_reported() -> None:
    document = {"item_id": "a", "input": {}, "metadata": {"raw_metadata": {"input_schema_version": "1"}}}
    (violation,) = iter_violations(document, "evaluation_item")
    assert violation.pointer == "/metadata/raw_metadata/input_schema_version"
    assert violation.hint == "write major.minor, for example 1.0"


def test_a_pattern_means_what_it_means_in_javascript() -> None:
    (violation,) = iter_violations({"input_schema_version": "1.0\n"}, "raw_metadata")
    assert violation.keyword == "pattern"


def test_unknown_names_and_versions_list_what_there_is() -> None:
    with pytest.raises(UnknownContract, match="did you mean rag_input"):
        is_valid({}, "rag_inptu")
    with pytest.raises(UnknownVersion, match=r"known versions: 1\.0"):
        is_valid({}, "rag_input", "9.9")


def test_a_schema_of_ones_own_may_refer_to_the_catalogue() -> None:
    own = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "allOf": [{"$ref": "https://evalcontract.example/schemas/rag_input/1.0.json"}],
        "required": ["tenant"],
    }
    document = {"messages": [{"role": "user", "content": "c"}]}
    assert [each.pointer for each in iter_violations(document, own)] == ["/tenant"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "strnig"},
        {"$ref": "https://elsewhere.example/other.json"},
        {"$ref": "#/$defs/absent"},
        {"pattern": "("},
        {"properties": {"a": 3}},
    ],
    ids=json.dumps,
)
def test_a_schema_that_cannot_be_used_is_refused_before_any_verdict(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaError):
        is_valid({}, schema)


def test_a_loaded_schema_is_a_copy() -> None:
    load_schema("rag_input")["properties"].clear()
    assert load_schema("rag_input")["properties"]


@given(st.lists(JSON, max_size=5))
def test_a_repeated_element_is_found_whatever_lies_in_between(elements: list[Any]) -> None:
    independent = jsonschema_rs.validator_for({"uniqueItems": True})
    for value in (
        elements,
        [[1], [True], [1]],
        [elements, elements],
        [{"a": [1]}, {"a": [True]}, {"a": [1.0]}],
    ):
        assert is_valid(value, {"uniqueItems": True}) is independent.is_valid(value)


@pytest.mark.parametrize(
    ("value", "divisor", "multiple"),
    [
        (4.35, 0.01, True),
        (0.3, 0.1, True),
        (0.35, 0.1, False),
        (2**53 + 1, 2.0, False),
        (2**53 + 2, 2.0, True),
        (10**300, 0.5, True),
        (10**300 + 1, 10, False),
        (1e308, 0.5, True),
        (7.0, 7, True),
        (True, 7, True),
    ],
)
def test_multiples_are_those_of_the_numbers_as_written(value: Any, divisor: float, multiple: bool) -> None:
    assert is_valid(value, {"multipleOf": divisor}) is multiple
