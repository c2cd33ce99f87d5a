"""Arguments move towards the types that their tool declares, and only where there is one reading."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.metrics import coerce_arguments
from evalcontract.predictions.coercion import coerced_arguments, parameters_by_name
from evalcontract.values import Notice, coerced


def towards(value: Any, schema: Any) -> Any:
    notices: list[Notice] = []
    schema = {"properties": {"p": schema}}
    found = coerced_arguments({"p": value}, schema, (), notices)["p"]
    assert coerce_arguments({"p": value}, schema) == {"p": found}
    assert bool(notices) == (found is not value and not isinstance(value, dict | list))
    return found


@pytest.mark.parametrize(
    ("value", "declared", "expected"),
    [
        ("42", "integer", 42),
        ("-7", "integer", -7),
        ("020", "integer", "020"),
        ("020", "string", "020"),
        (20, "string", "20"),
        (20.5, "string", 20.5),
        (True, "string", True),
        ("4.0", "integer", "4.0"),
        ("1e3", "number", 1000.0),
        ("NaN", "number", "NaN"),
        ("true", "boolean", True),
        ("True", "boolean", "True"),
        (1, "boolean", 1),
        ('{"a":1}', "dict", {"a": 1}),
        ('{"a":1}', "string", '{"a":1}'),
        ("[1]", "array", [1]),
        ("[1]", "object", "[1]"),
        ("{'a': 1}", "object", "{'a': 1}"),
        ("42", ["integer", "string"], "42"),
        ("42", None, "42"),
        ("12345678901234567890", "integer", 12345678901234567890),
        ("1" * 308, "integer", int("1" * 308)),
        ("1" * 309 + "0", "integer", "1" * 309 + "0"),
        ("2" + "0" * 308, "number", "2" + "0" * 308),
        ("1" * 308 + "e99", "number", "1" * 308 + "e99"),
        ("1e400", "number", "1e400"),
        ("-1e308", "number", -1e308),
        ('{"a":1e400}', "object", '{"a":1e400}'),
        ('{"a":NaN}', "object", '{"a":NaN}'),
        ('{"a":1,"a":2}', "object", '{"a":1,"a":2}'),
        ('["\\ud800"]', "array", '["\\ud800"]'),
        ("[" * 5000 + "]" * 5000, "array", "[" * 5000 + "]" * 5000),
        ("٤٢", "integer", "٤٢"),
    ],
)
def test_one_value_towards_one_type(value: Any, declared: Any, expected: Any) -> None:
    found = towards(value, {"type": declared} if declared else {})
    assert found == expected
    assert type(found) is type(expected)


values = st.sampled_from(["42", "020", "x", "true", "", "{}", "[2]", "1.5", 3, 2.5, True, None])
types = st.sampled_from(
    ["integer", "number", "boolean", "string", "object", "array", "dict", "float", "null"]
)


@given(value=values, declared=types)
def test_doing_it_twice_is_doing_it_once(value: Any, declared: str) -> None:
    once = towards(value, {"type": declared})
    assert towards(once, {"type": declared}) == once


@given(value=values | st.lists(values, max_size=2))
def test_without_a_declared_type_nothing_changes(value: Any) -> None:
    assert towards(value, {"description": "anything"}) == value
    assert coerced({"p": value}, {}) == {"p": value}


@given(
    number=st.floats(allow_nan=False) | st.integers(-(10**400), 10**400),
    declared=st.sampled_from(["number", "integer"]),
)
def test_a_number_is_read_back_and_never_becomes_infinite(number: float, declared: str) -> None:
    text = f"{Decimal(number)}" if isinstance(number, int) else repr(number)
    found = coerced(text, {"type": declared})
    assert found == text or (found == number and math.isfinite(float(found)))
    if isinstance(number, int) and abs(number) < 1e308:
        assert found == number


def test_definitions_of_tools_are_read_in_the_shapes_of_openai_and_anthropic() -> None:
    schema = {"type": "object", "properties": {}}
    found = parameters_by_name(
        [
            {"type": "function", "function": {"name": "a", "parameters": schema}},
            {"type": "function", "name": "b", "parameters": schema},
            {"name": "c", "input_schema": schema},
            {"type": "web_search"},
        ]
    )
    assert list(found) == ["a", "b", "c"]
