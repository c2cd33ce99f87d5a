"""Inputs wrapped by a trace, made flat."""

from __future__ import annotations

import copy
import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from evalcontract.datasets.normalize import (
    PositionalArguments,
    normalize_dataset_item,
    normalized,
    schema_fields,
)
from evalcontract.errors import ContractError, UnknownContract
from evalcontract.models import RAGInput

M = {"role": "user", "content": "When?"}
FLAT = {"messages": [M], "context": []}
KEYS = st.sampled_from(["messages", "context", "request", "args", "kwargs", "input", "x"])
VALUES = st.recursive(
    st.none() | st.text(max_size=3) | st.just([M]) | st.just([]),
    lambda inner: st.dictionaries(KEYS, inner, max_size=3) | st.lists(inner, max_size=2),
    max_leaves=8,
)
SCHEMAS = st.sampled_from(["rag_input", "base_input", "tool_call", "agent_input"]) | st.sets(
    KEYS, max_size=4
).map(lambda names: {"properties": {name: {} for name in sorted(names)}})


class ProductInput(RAGInput):
    tenant: str


class OwnInput(BaseModel):
    question: str


@pytest.mark.parametrize(
    "schema", ["rag_input", "rag_input@1.0", RAGInput, ProductInput, {"properties": {"messages": {}}}]
)
@pytest.mark.parametrize(
    "item",
    [
        {"input": FLAT},
        {"request": FLAT},
        {"request": {"messages": "not even valid"}},
        {"args": [], "kwargs": {"query": FLAT}},
        {"args": [], "kwargs": FLAT},
    ],
)
def test_with_a_schema_a_wrapper_of_its_fields_is_removed(item: dict[str, Any], schema: Any) -> None:
    found = normalize_dataset_item(item, schema)
    assert "messages" in found
    assert normalize_dataset_item(found, schema) == found


@pytest.mark.parametrize(
    "item",
    [
        FLAT,
        {"messages": [M]},
        {"messages": {"context": []}},
        {"messages": [M], "anything": 1},
        {},
    ],
)
def test_with_a_schema_a_flat_input_is_not_touched_and_not_remarked(
    item: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    assert normalize_dataset_item(item, "rag_input") is item
    assert caplog.records == []


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ({"request": FLAT, "user": "u1"}, "'request', 'user'"),
        ({"a": {"b": FLAT}}, "'b'"),
        ({"request": {"other": 1}}, "'other'"),
        ({"request": "text"}, "holds no object"),
        ({"request": '{"messages": []}'}, "holds no object"),
        ({"args": [], "kwargs": {}}, "no keys"),
        ({"args": [], "kwargs": {"x": 1, "y": 2}}, "'x', 'y'"),
    ],
)
def test_with_a_schema_a_doubtful_input_is_left_with_a_warning(
    item: dict[str, Any], said: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    assert normalize_dataset_item(item, "rag_input") is item
    (record,) = caplog.records
    assert (record.levelname, record.name) == ("WARNING", "evalcontract.datasets.normalize")
    assert said in record.getMessage()


@pytest.mark.parametrize(
    ("item", "flat", "key"),
    [
        ({"request": FLAT}, FLAT, "request"),
        ({"messages": {"x": 1}}, {"x": 1}, "messages"),
        ({"a": {"b": FLAT}}, {"b": FLAT}, "a"),
        ({"args": [], "kwargs": {"query": FLAT}}, FLAT, "kwargs.query"),
    ],
)
def test_without_a_schema_the_only_key_is_removed_and_named_at_info(
    item: dict[str, Any], flat: dict[str, Any], key: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    assert normalize_dataset_item(item) == flat
    (record,) = caplog.records
    assert record.levelname == "INFO"
    assert repr(key) in record.getMessage()
    assert normalized(item, None).removed == key


@pytest.mark.parametrize("item", [FLAT, {}, {"messages": [M]}, {"text": "{}"}, {"a": {}, "b": {}}])
def test_without_a_schema_a_flat_input_is_not_touched(item: dict[str, Any]) -> None:
    assert normalize_dataset_item(item) is item


@pytest.mark.parametrize("value", ['{"request": {"messages": []}}', "text", None, 3, [FLAT], True])
@pytest.mark.parametrize("schema", [None, "rag_input"])
def test_a_value_that_is_no_object_comes_back_as_it_is(value: Any, schema: Any) -> None:
    assert normalize_dataset_item(value, schema) is value


@pytest.mark.parametrize("schema", [None, "rag_input"])
def test_positional_arguments_are_refused_by_name(schema: Any) -> None:
    with pytest.raises(PositionalArguments, match=r"args\[0\] is 'What\?'; args\[1\] is 7") as caught:
        normalize_dataset_item({"args": ["What?", 7], "kwargs": {}}, schema)
    assert isinstance(caught.value, ContractError)
    assert caught.value.hint is not None


def test_a_schema_with_a_field_called_args_makes_it_no_recorded_call() -> None:
    call = {"name": "search", "args": {}}
    assert normalize_dataset_item({"args": ["x"], "kwargs": {}}, "tool_call") == {"args": ["x"], "kwargs": {}}
    assert normalize_dataset_item({"call": call}, "tool_call") == call


@given(item=VALUES, schema=SCHEMAS)
def test_with_a_schema_once_is_enough_and_nothing_is_changed(item: Any, schema: Any) -> None:
    before = copy.deepcopy(item)
    try:
        once = normalize_dataset_item(item, schema)
    except PositionalArguments:
        assert item["args"]
        return
    finally:
        assert item == before
    assert normalize_dataset_item(once, schema) == once


@given(item=VALUES)
def test_without_a_schema_one_level_goes_at_most(item: Any) -> None:
    try:
        found = normalize_dataset_item(item)
    except PositionalArguments:
        return
    below = [item]
    if isinstance(item, dict):
        below += item.values()
        if isinstance(item.get("kwargs"), dict):
            below += item["kwargs"].values()
    assert any(found is each for each in below)


def test_fields_are_those_of_the_schema_and_its_parents() -> None:
    assert schema_fields("rag_agent_input") == {"messages", "context", "document_ids", "available_tools"}
    assert schema_fields(ProductInput) == {"messages", "context", "document_ids", "tenant"}
    assert schema_fields(OwnInput) == {"question"}
    nested = {
        "anyOf": [{"$ref": "#/$defs/a"}, {"properties": {"y": {}}}],
        "$defs": {"a": {"properties": {"x": {}}}},
    }
    assert schema_fields(nested) == {"x", "y"}


def test_a_schema_that_refers_to_itself_has_fields_too() -> None:
    assert schema_fields({"allOf": [{"$ref": "#"}], "properties": {"x": {}}}) == {"x"}


def test_an_unknown_schema_is_an_error() -> None:
    with pytest.raises(UnknownContract):
        normalize_dataset_item({"a": {}}, "no_such_contract")
