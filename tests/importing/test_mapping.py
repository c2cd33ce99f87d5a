"""Mapping files: their schema, the fields they lead to, and what is said about a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from evalcontract.catalog import default_catalogue
from evalcontract.errors import MappingError
from evalcontract.importing import load_mapping, preset_names
from evalcontract.importing.mapping import mapping_schema
from evalcontract.importing.targets import newest_types, smallest_type
from evalcontract.importing.transforms import TRANSFORMS

HEAD = 'mapping_version: "1.0"\nname: own\nitem_id: {from: [id], otherwise: error}\n'
FIELD = "fields:\n  - {from: [q], to: /input/messages, as: messages}\n"


def refused(tmp_path: Path, text: str) -> str:
    path = tmp_path / "own.yaml"
    path.write_text(text)
    with pytest.raises(MappingError) as caught:
        load_mapping(str(path))
    return str(caught.value).replace(str(tmp_path), "")


def test_the_schema_is_json_schema_and_knows_the_transforms_and_their_options() -> None:
    schema = mapping_schema()
    Draft202012Validator.check_schema(schema)
    field = schema["$defs"]["field"]["properties"]
    assert field["as"]["enum"] == [each.name for each in TRANSFORMS]
    options = {option for each in TRANSFORMS for option in each.options}
    assert options == field.keys() - {"from", "to", "as", "required", "default"}


@pytest.mark.parametrize("name", preset_names())
def test_each_preset_is_a_valid_mapping_of_its_own_name(name: str) -> None:
    mapping = load_mapping(name)
    assert mapping.name == name
    assert mapping.description
    assert any(each.required for each in mapping.fields)


def field(line: str) -> str:
    return f"fields:\n  - {{{line}}}\n"


BAD = {
    field("from: [q], to: /input/mesages, as: messages"): "did you mean /input/messages?",
    field("from: [q], to: /expected_output/answer, as: text"): "there is no field answer in expected_output",
    field("from: [q], to: /question, as: text"): "/question is no field that a mapping can fill",
    field("from: [q], to: /prediction/citation, as: json"): "did you mean /prediction/citations?",
    field("from: [q], to: /metadata/raw_metadata/imported, as: json"): "is no field",
    field("from: [q], to: /input/messages, as: messages, requird: true"): "did you mean required?",
    field("from: [q], to: /input/messages, as: eval"): "/fields/0/as: expected one of",
    field("from: [a], to: /expected_output/response, as: text, role_key: r"): "text has no option role_key",
    FIELD + "  - {from: [q], to: /expected_output/response, as: text}\n": "a source stands in two fields",
    "schema_type: qa\n"
    + field("from: [c], to: /input/context, as: list"): "there is no field context in input",
    "": "fields is required",
    FIELD + "name: other\n": "duplicate key",
}


@pytest.mark.parametrize(("text", "said"), BAD.items(), ids=BAD.values())
def test_a_bad_mapping_is_a_sentence_with_the_way_out(tmp_path: Path, text: str, said: str) -> None:
    assert said in refused(tmp_path, HEAD + text)


def test_a_bad_mapping_is_told_with_its_line(tmp_path: Path) -> None:
    assert refused(tmp_path, HEAD + FIELD + "  - {from: [a], to: /nowhere, as: text}\n").startswith(
        "/own.yaml:6:5: "
    )


def test_an_unknown_preset_lists_the_known_ones() -> None:
    with pytest.raises(MappingError, match="did you mean deepeval"):
        load_mapping("deepevals")


@pytest.mark.parametrize(
    ("used", "name"),
    [
        ({("input", "messages")}, "qa"),
        ({("input", "messages"), ("expected_output", "answerable")}, "qa"),
        ({("input", "context")}, "rag"),
        ({("expected_output", "tool_calls")}, "agent"),
        ({("input", "context"), ("expected_output", "handoff_to")}, "rag_agent"),
    ],
)
def test_the_smallest_type_has_all_fields_in_use(used: set[tuple[str, str]], name: str) -> None:
    found = smallest_type(default_catalogue(), used)
    assert found
    assert found.name == name


def test_types_come_smallest_first() -> None:
    names = [type_.name for type_ in newest_types(default_catalogue())]
    assert (names[0], names[-1]) == ("qa", "rag_agent")
