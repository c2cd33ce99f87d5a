"""Each operation of a migration, by itself and on whatever JSON there is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcontract.errors import MigrationRefused
from evalcontract.evolution.migrating.operations import Operation, apply

KEYS = st.sampled_from(("a", "b", "list", "~", "/"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(("", "x")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
PATHS = st.lists(st.sampled_from(("a", "b", "list", "*", "0", "~0", "~1")), min_size=1, max_size=3).map(
    lambda steps: "".join(f"/{step}" for step in steps)
)

TO_WORDS = ((1, "one"), (True, "yes"))


@st.composite
def operations(draw: st.DrawFn) -> Operation:
    op = draw(
        st.sampled_from(
            ("rename", "drop", "set_default", "map_values", "wrap_array", "null_to_absent", "move")
        )
    )
    values = tuple(draw(st.lists(st.tuples(JSON, JSON), max_size=2)))
    to = draw(PATHS).replace("*", "a") if op == "move" else "b"
    return Operation(op, draw(PATHS), to=to, value=draw(JSON), values=values)


def moved(document: Any, *operations: Operation) -> Any:
    return apply(document, operations)[0]


@pytest.mark.parametrize(
    ("operation", "before", "after", "records"),
    [
        (Operation("rename", "/a", to="b"), {"z": 0, "a": 1, "y": 2}, {"z": 0, "b": 1, "y": 2}, ["rename /a to /b"]),
        (Operation("rename", "/l/*/a", to="b"), {"l": [{"a": 1}]}, {"l": [{"b": 1}]}, ["rename /l/0/a to /l/0/b"]),
        (Operation("move", "/a/b", to="/c/d"), {"a": {"b": 1}}, {"a": {}, "c": {"d": 1}}, ["move /a/b to /c/d"]),
        (Operation("move", "/a", to="/a/b"), {"a": 1}, {"a": {"b": 1}}, ["move /a to /a/b"]),
        (
            Operation("move", "/l/*/a", to="/l/*/p/q"),
            {"l": [{"a": 1}, {"a": 2}]},
            {"l": [{"p": {"q": 1}}, {"p": {"q": 2}}]},
            ["move /l/0/a to /l/0/p/q", "move /l/1/a to /l/1/p/q"],
        ),
        (Operation("drop", "/a"), {"a": [1], "b": 2}, {"b": 2}, ["drop /a: [1]"]),
        (Operation("drop", "/l/*"), {"l": [1, 2]}, {"l": []}, ["drop /l/1: 2", "drop /l/0: 1"]),
        (Operation("set_default", "/a", value=None), {}, {"a": None}, ["set_default /a: None"]),
        (Operation("set_default", "/a", value=1), {"a": None}, {"a": None}, []),
        (Operation("set_default", "/a/b", value=1), {"a": None}, {"a": None}, []),
        (Operation("map_values", "/a", values=TO_WORDS), {"a": True}, {"a": "yes"}, ["map_values /a: True -> 'yes'"]),
        (Operation("map_values", "/a", values=TO_WORDS), {"a": 1.0}, {"a": "one"}, ["map_values /a: 1.0 -> 'one'"]),
        (Operation("map_values", "/a", values=TO_WORDS), {"a": 2}, {"a": 2}, []),
        (Operation("wrap_array", "/a"), {"a": 0}, {"a": [0]}, ["wrap_array /a"]),
        (Operation("wrap_array", "/a"), {"a": None}, {"a": None}, []),
        (Operation("wrap_array", "/a"), {"a": [0]}, {"a": [0]}, []),
        (Operation("null_to_absent", "/*"), {"a": None, "b": 0}, {"b": 0}, ["null_to_absent /a"]),
        (Operation("drop", "/a~1b/~0"), {"a/b": {"~": 1}}, {"a/b": {}}, ["drop /a~1b/~0: 1"]),
        (Operation("drop", "/nothing/there/*"), {"a": 1}, {"a": 1}, []),
    ],
)  # fmt: skip
def test_an_operation_does_what_it_says_and_records_it(
    operation: Operation, before: Any, after: Any, records: list[str]
) -> None:
    found, done = apply(before, (operation,))
    assert found == after
    assert list(found) == list(after)
    assert [str(record) for _, record in done] == records
    assert {by for by, _ in done} <= {operation}


@pytest.mark.parametrize(
    ("operation", "document"),
    [
        (Operation("rename", "/a", to="b"), {"a": 1, "b": 2}),
        (Operation("move", "/a", to="/b"), {"a": 1, "b": 2}),
        (Operation("move", "/a", to="/b/c"), {"a": 1, "b": 2}),
        (Operation("move", "/a", to="/b/c"), {"a": 1, "b": [2]}),
        (Operation("move", "/a", to="/b/c"), {"a": 1, "b": None}),
        (Operation("move", "/l/*", to="/x"), {"l": [1, 2]}),
    ],
)
def test_an_operation_never_overwrites_or_guesses_a_place(operation: Operation, document: Any) -> None:
    with pytest.raises(MigrationRefused, match="can't be"):
        apply(document, (operation,))


@given(JSON, st.lists(operations(), max_size=4))
def test_the_document_given_is_never_changed_and_the_result_shares_nothing_with_it(
    document: Any, found: list[Operation]
) -> None:
    before = json.dumps(document)
    try:
        result, _ = apply(document, tuple(found))
    except MigrationRefused:
        result = None
    if isinstance(result, dict):
        result.clear()
    assert json.dumps(document) == before


@given(JSON, operations())
def test_no_record_means_no_change(document: Any, operation: Operation) -> None:
    try:
        result, records = apply(document, (operation,))
    except MigrationRefused:
        return
    if not records:
        assert result == document


@given(st.dictionaries(KEYS, JSON, max_size=4))
def test_a_rename_there_and_back_changes_nothing(document: dict[str, Any]) -> None:
    there = Operation("rename", "/a", to="fresh")
    back = Operation("rename", "/fresh", to="a")
    assert json.dumps(moved(document, there, back)) == json.dumps(document)


@given(JSON, operations())
def test_what_keeps_values_loses_none(document: Any, operation: Operation) -> None:
    if operation.op in ("rename", "move"):
        try:
            result, _ = apply(document, (operation,))
        except MigrationRefused:
            return
        assert leaves(result) == leaves(document)


def leaves(value: Any) -> list[str]:
    if isinstance(value, dict) and value:
        return sorted(leaf for each in value.values() for leaf in leaves(each))
    if isinstance(value, list) and value:
        return sorted(leaf for each in value for leaf in leaves(each))
    return [] if value in ({}, []) and not isinstance(value, bool | int) else [repr(value)]
