from __future__ import annotations

import pytest

from evalcontract.metrics import coerce_arguments, parse_arguments


def test_text_is_parsed_once_and_objects_are_taken_as_they_are() -> None:
    assert parse_arguments('{"n": 1}').args == {"n": 1}
    assert parse_arguments('{"n": "{}"}').args == {"n": "{}"}
    assert parse_arguments({"n": 1}).args == {"n": 1}
    assert parse_arguments({"n": 1}).warnings == ()


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_empty_text_is_no_arguments_with_a_warning(text: str) -> None:
    parsed = parse_arguments(text, "/tool_calls/0/args")
    assert parsed.args == {}
    assert parsed.warnings == ("/tool_calls/0/args: empty text taken as no arguments",)


@pytest.mark.parametrize(
    ("text", "found"),
    [("[1]", "array"), ("1", "integer 1"), ('"a"', "string"), ("null", "null"), ("true", "boolean")],
)
def test_json_that_is_no_object_is_an_error_at_its_pointer(text: str, found: str) -> None:
    with pytest.raises(ValueError, match=f"^/tool_calls/0/args: expected an object, got {found}"):
        parse_arguments(text, "/tool_calls/0/args")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{'a': 1}",
        '{"a": NaN}',
        '{"a": 1, "a": 2}',
        "[" * 100_000,
        '{"a": Infinity}',
        '{"a": 1e400}',
        "9" * 400,
    ],
)
def test_text_that_is_no_strict_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not JSON"):
        parse_arguments(text)


@pytest.mark.parametrize("value", [None, 1, [], b"{}"])
def test_other_types_are_refused(value: object) -> None:
    with pytest.raises(TypeError, match="expected an object"):
        parse_arguments(value)


def coerce(value: object, declared: str) -> object:
    return coerce_arguments({"x": value}, {"type": "object", "properties": {"x": {"type": declared}}})["x"]


@pytest.mark.parametrize(
    ("value", "declared", "coerced"),
    [
        ("42", "integer", 42),
        ("-7", "integer", -7),
        ("020", "integer", "020"),
        ("4.0", "integer", "4.0"),
        ("020", "string", "020"),
        (20, "string", "20"),
        (True, "string", True),
        ("1.5", "number", 1.5),
        ("3", "float", 3),
        ("true", "boolean", True),
        ("True", "boolean", "True"),
        (1, "boolean", 1),
        ("42", "array", "42"),
        ("42", "unheard-of", "42"),
        ("9" * 400, "integer", "9" * 400),
    ],
)
def test_values_move_towards_the_declared_type_only(value: object, declared: str, coerced: object) -> None:
    result = coerce(value, declared)
    assert result == coerced
    assert type(result) is type(coerced)


def test_nested_objects_and_lists_are_coerced_under_either_name_of_object() -> None:
    parameters = {
        "type": "dict",
        "properties": {
            "f": {"type": "dict", "properties": {"year": {"type": "integer"}}},
            "ns": {"type": "array", "items": {"type": "integer"}},
        },
    }
    args = {"f": {"year": "2024"}, "ns": ["1", "x"], "other": "5"}
    assert coerce_arguments(args, parameters) == {"f": {"year": 2024}, "ns": [1, "x"], "other": "5"}
    assert args["f"] == {"year": "2024"}, "the caller's object is not changed"
    assert coerce_arguments(args, {}) == args
