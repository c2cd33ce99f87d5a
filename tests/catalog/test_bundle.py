from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evalcontract.catalog import Catalogue, ContractRef, Schema, bundle, default_catalogue, flat
from evalcontract.catalog.bundle import class_names, definitions, parent_of
from evalcontract.catalog.keywords import references
from evalcontract.errors import SchemaError
from tests.support.projects import ARCHIVE, copy_archive, edit_json

EVERY_CONTRACT = [entry.ref for entry in default_catalogue().entries()]


@pytest.fixture(scope="module")
def archive() -> Catalogue:
    return Catalogue(ARCHIVE)


@pytest.mark.parametrize("make", [bundle, flat])
@pytest.mark.parametrize("ref", EVERY_CONTRACT, ids=str)
def test_a_bundle_refers_to_nothing_outside_itself(make: Any, ref: ContractRef) -> None:
    schema = make(default_catalogue(), ref)
    local = {"#"} | {f"#/$defs/{name}" for name in schema.get("$defs", {})}
    assert set(references(schema)) <= local
    assert "$id" in schema
    assert not any("$id" in each or "$schema" in each for each in schema.get("$defs", {}).values())
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("ref", EVERY_CONTRACT, ids=str)
def test_a_bundle_holds_just_what_the_contract_needs(ref: ContractRef) -> None:
    schema = bundle(default_catalogue(), ref)
    assert {f"#/$defs/{name}" for name in schema.get("$defs", {})} == set(references(schema))


@pytest.mark.parametrize("ref", EVERY_CONTRACT, ids=str)
def test_a_flat_file_has_no_inheritance(ref: ContractRef) -> None:
    schema = flat(default_catalogue(), ref)
    assert not any("allOf" in each for each in (schema, *schema.get("$defs", {}).values()))


def test_a_flat_type_has_the_fields_of_its_ancestors_first() -> None:
    schema = flat(default_catalogue(), ContractRef("rag_agent_expected_output", "1.0"))
    assert list(schema["properties"]) == [
        "response",
        "answerable",
        "alternative_responses",
        "citations",
        "retrieval_ground_truth",
        "tool_calls",
        "handoff_to",
        "handoff_expected",
    ]
    assert schema["required"] == ["response"]


def test_a_field_that_a_parent_has_too_is_refused(tmp_path: Any) -> None:
    root = copy_archive(tmp_path) / "schemas"
    text = {"type": "string", "description": "Another text altogether."}
    edit_json(root / "reminder" / "1.1.json", properties={"text": text}, required=["text"])
    with pytest.raises(SchemaError, match=r"reminder@1\.1 declares text again"):
        flat(Catalogue(root), ContractRef("reminder", "1.1"))


def test_two_versions_of_one_contract_meet_under_two_names(archive: Catalogue) -> None:
    schema = bundle(archive, ContractRef("binder", "1.0"))
    assert {name: each["title"] for name, each in schema["$defs"].items()} == {
        "Note": "Note",
        "NoteV1x9": "NoteV1x9",
    }
    valid: Schema = {"notes": [{"text": "a", "author": 3}], "cover": {"text": "b", "author": "C"}}
    assert Draft202012Validator(schema).is_valid(valid)
    assert not Draft202012Validator(schema).is_valid(valid | {"cover": valid["notes"][0]})


def test_class_names_are_those_of_the_definitions(archive: Catalogue) -> None:
    refs = [ContractRef("binder", "1.0"), ContractRef("reminder", "1.0")]
    assert class_names(archive, refs) == {
        ContractRef("binder", "1.0"): "Binder",
        ContractRef("note", "1.10"): "Note",
        ContractRef("note", "1.9"): "NoteV1x9",
        ContractRef("reminder", "1.0"): "Reminder",
    }
    found = definitions(archive, refs)
    assert found.keys() == set(class_names(archive, refs).values())
    assert found["Reminder"]["allOf"] == [{"$ref": "#/$defs/NoteV1x9"}]


@pytest.mark.parametrize("base", ["https://example.org/contracts", "https://example.org/contracts/"])
def test_a_publisher_sets_the_base_of_the_id(archive: Catalogue, base: str) -> None:
    ref = ContractRef("note", "1.9")
    assert (
        bundle(archive, ref, base_uri=base)["$id"]
        == "https://example.org/contracts/bundles/note-1.9.schema.json"
    )
    assert (
        flat(archive, ref, base_uri=base)["$id"] == "https://example.org/contracts/flat/note-1.9.schema.json"
    )


def test_the_parent_of_a_contract(archive: Catalogue) -> None:
    assert parent_of(archive, ContractRef("reminder", "1.1")) == ContractRef("note", "1.10")
    assert parent_of(archive, ContractRef("note", "1.10")) is None


def test_a_reference_to_a_foreign_schema_is_refused(tmp_path: Any) -> None:
    root = copy_archive(tmp_path) / "schemas"
    edit_json(root / "note" / "2.0.json", properties={"other": {"$ref": "https://elsewhere.example/x.json"}})
    with pytest.raises(SchemaError, match=r"elsewhere\.example"):
        bundle(Catalogue(root), ContractRef("note", "2.0"))


def test_making_a_bundle_leaves_the_catalogue_as_it_was(archive: Catalogue) -> None:
    before = {uri: repr(document) for uri, document in archive.documents()}
    bundle(archive, ContractRef("binder", "1.0"))
    flat(archive, ContractRef("reminder", "1.0"))
    assert {uri: repr(document) for uri, document in archive.documents()} == before
