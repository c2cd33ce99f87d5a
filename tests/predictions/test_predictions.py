"""Every builder on sources in their documented shape: what comes out, and what is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evalcontract import errors
from evalcontract.errors import ContractError, ContractViolation, UnexpectedShape, UsageError
from evalcontract.predictions import (
    BuiltPrediction,
    ListAt,
    from_messages,
    from_response,
    from_result,
    from_trace,
    from_transcript,
)
from evalcontract.validation import is_valid
from tests.support.fixtures import fixtures_in, load, name_of

DATA = Path(__file__).parent / "data"
BUILDERS: dict[str, Callable[..., BuiltPrediction]] = {
    "messages": from_messages,
    "response": from_response,
    "result": from_result,
    "trace": from_trace,
    "transcript": from_transcript,
}
CASES = fixtures_in(DATA)


def as_mapping(written: Any) -> Any:
    """A mapping as it stands in a file: a list is `{"each": pointer, "fields": {...}}`."""
    if isinstance(written, str):
        return written
    if written.keys() == {"each", "fields"}:
        return ListAt(written["each"], as_mapping(written["fields"]))
    return {name: as_mapping(inner) for name, inner in written.items()}


def built(path: Path, source: Any = None, **more: Any) -> BuiltPrediction:
    case = load(path)
    options = {**case.get("options", {}), "keep_source": False, **more}
    if "mapping" in options:
        options["mapping"] = as_mapping(options["mapping"])
    return BUILDERS[path.parent.name]("item-1", case["source"] if source is None else source, **options)


def test_every_builder_has_a_source_and_a_failing_one_and_no_file_is_left_out() -> None:
    assert {path.parent.name for path in CASES.good} == BUILDERS.keys()
    assert {path.parent.name for path in CASES.bad} == BUILDERS.keys()
    assert sorted([*CASES.good, *CASES.bad]) == CASES.all


@pytest.mark.parametrize("path", CASES.good, ids=name_of)
def test_a_source_becomes_the_record_that_was_expected(path: Path) -> None:
    expected = load(path.with_suffix(".expected.json"))
    found = built(path)
    assert found.record == expected["record"]
    assert [
        {"code": each.code, "message": each.message, "pointer": each.pointer} for each in found.notices
    ] == (expected["notices"])
    assert is_valid(found.record, "prediction_record")


@pytest.mark.parametrize("path", CASES.good, ids=name_of)
def test_the_source_is_kept_unchanged_and_apart_from_the_record(path: Path) -> None:
    source = load(path)["source"]
    before = copy.deepcopy(source)
    record = built(path, source, keep_source=True).record
    assert source == before
    assert record["source_transcript"] == before
    record["source_transcript"].clear()
    record["prediction"]["response"] = "changed"
    assert source == before


@pytest.mark.parametrize("path", CASES.bad, ids=name_of)
def test_a_source_that_is_partial_or_not_as_documented_is_refused(path: Path) -> None:
    expected = load(path.with_suffix(".error.json"))
    with pytest.raises(ContractError) as caught:
        built(path)
    assert type(caught.value) is getattr(errors, expected["error"])
    assert caught.value.message == expected["message"]
    assert list(getattr(caught.value, "missing", ())) == expected.get("missing", [])


@pytest.mark.parametrize("path", CASES.good, ids=name_of)
def test_a_source_with_any_one_value_spoilt_is_read_or_refused_with_a_contract_error(path: Path) -> None:
    for spoilt in spoilt_copies(load(path)["source"]):
        with suppress(ContractError):
            assert is_valid(built(path, spoilt).record, "prediction_record")


def spoilt_copies(document: Any) -> list[Any]:
    """The document with one value below its top replaced by one of another type, for up to 150 values."""
    places: list[tuple[Any, ...]] = []
    waiting: list[tuple[Any, tuple[Any, ...]]] = [(document, ())]
    while waiting:
        node, path = waiting.pop()
        places.append(path)
        steps = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        waiting.extend((child, (*path, step)) for step, child in steps)
    copies = []
    for index, path in enumerate(places[1 :: max(1, len(places) // 150)]):
        for value in (*(None, -1, [], {})[index % 2 :: 2], ["x"], "{"):
            whole = copy.deepcopy(document)
            holder = whole
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = value
            copies.append(whole)
    return copies


def test_arguments_are_compared_as_they_were_sent_unless_the_tools_are_known() -> None:
    path = DATA / "messages" / "as_sent.json"
    (first, second) = built(path).record["prediction"]["tool_calls"]
    assert first["args"]["n"] == "42"
    assert first["args"]["zip"] == 20
    tools = load(DATA / "messages" / "towards_declared_types.json")["options"]["tools"]
    (first, second) = built(path, tools=tools).record["prediction"]["tool_calls"]
    assert first["args"]["n"] == 42
    assert second["args"]["n"] == "020"


NO_OBJECTS = [
    DATA / "messages" / f"{kind}_arguments.json"
    for kind in ("array", "python", "repeated_key", "text_in_text")
]


@pytest.mark.parametrize("path", NO_OBJECTS, ids=name_of)
def test_arguments_that_are_no_object_are_kept_as_they_were_written(path: Path) -> None:
    found = built(path)
    (call,) = found.record["prediction"]["tool_calls"]
    (written,) = [message["tool_calls"][0]["function"]["arguments"] for message in load(path)["source"][1:]]
    assert (call["args"], call["raw_args"]) == ({}, written)
    assert [notice.code for notice in found.notices] == ["arguments-not-object"]


def test_an_empty_item_id_is_refused() -> None:
    with pytest.raises(errors.ContractViolation, match="/item_id: expected at least 1 character"):
        from_result("", {"response": "x"})


def test_an_unknown_platform_lists_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        from_transcript("i", {}, platform="teams")
    assert caught.value.hint == "known: open_webui, copilot_studio"


class Message:
    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self) -> dict[str, Any]:
        return self.fields


def test_messages_of_an_sdk_are_read_like_their_json() -> None:
    messages = [
        Message(role="user", content="Tide?"),
        Message(role="assistant", content="High.", tool_calls=None),
    ]
    record = from_messages("i", messages).record
    assert record["prediction"]["response"] == "High."
    assert record["source_transcript"] == [message.fields for message in messages]


def test_a_dataclass_is_read_by_its_field_names() -> None:
    @dataclass
    class Answered:
        response: str
        tool_calls: list[dict[str, Any]]

    prediction = from_result("i", Answered("High.", [{"name": "tide", "args": {}}])).record["prediction"]
    assert prediction["response"] == "High."
    assert prediction["tool_calls"] == [{"name": "tide", "args": {}}]


def test_a_path_that_counts_in_superscripts_leads_nowhere() -> None:
    with pytest.raises(UnexpectedShape, match="leads to nothing"):
        from_result("i", {"answers": ["High."]}, {"response": "/answers/\u00b2"})


def test_a_dataclass_that_holds_a_part_over_and_over_is_refused() -> None:
    @dataclass
    class Answered:
        response: str
        tool_calls: Any

    tower: Any = []
    for _ in range(40):
        tower = [tower, tower]
    with pytest.raises(ContractViolation, match="the same parts stand again"):
        from_result("i", Answered("High.", tower))
