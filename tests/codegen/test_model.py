from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcontract.catalog import Catalogue, ContractRef, default_catalogue
from evalcontract.codegen.model import Model, Value, model_of, package_of, pascal
from evalcontract.errors import CatalogError, SchemaError
from tests.support.layers import contract, tenant_layer, text, write_layer
from tests.support.projects import ARCHIVE, edit_json


@pytest.fixture(scope="module")
def model() -> Model:
    return model_of(default_catalogue())


def test_every_contract_has_its_properties_with_its_ancestors(model: Model) -> None:
    catalogue = default_catalogue()
    assert {found.ref for found in model.contracts} == {entry.ref for entry in catalogue.entries()}
    for found in model.contracts:
        line = [found.ref, *catalogue.ancestors(found.ref)]
        expected = [name for ref in reversed(line) for name in catalogue.document(ref)["properties"]]
        assert [property_.name for property_ in model.all_properties(found)] == expected
        assert found.newest


def test_parents_stand_before_their_children(model: Model) -> None:
    seen: set[ContractRef] = set()
    for found in model.contracts:
        assert found.parent is None or found.parent in seen
        seen.add(found.ref)


def test_values_are_what_the_schemas_say(model: Model) -> None:
    values = {
        f"{found.ref.name}.{property_.name}": property_
        for found in model.contracts
        for property_ in found.properties
    }
    role = values["message.role"]
    assert (role.required, role.nullable, role.value) == (
        True,
        False,
        Value("string", enum=("user", "assistant", "system")),
    )
    messages = values["base_input.messages"].value
    assert (messages.kind, messages.bounds) == ("array", {"minItems": 1})
    assert messages.element == Value("contract", ContractRef("message", "1.0"))
    page = values["citation.page_number"]
    assert (page.required, page.nullable, page.value.kind) == (False, True, "integer")
    assert values["predicted_tool_call.output"].value == Value("any")
    metadata = values["evaluation_item.metadata"]
    assert (metadata.nullable, metadata.value.kind) == (True, "contract")
    scores = values["score_record.scores"].value
    assert (scores.kind, scores.element) == ("object", Value("contract", ContractRef("metric_score", "1.0")))
    assert values["evaluation_item.input"].value == Value("object")


def judging(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for keyword, said in schema.items():
            yield keyword
            yield from judging(list(said.values()) if keyword == "properties" else said)
    elif isinstance(schema, list):
        for part in schema:
            yield from judging(part)


def test_the_table_holds_what_judges_and_nothing_else(model: Model) -> None:
    table = json.loads(model.table)
    assert set(judging(list(table["contracts"].values()))) <= {
        *(
            "type",
            "enum",
            "properties",
            "required",
            "allOf",
            "anyOf",
            "$ref",
            "items",
            "additionalProperties",
        ),
        *("minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems"),
    }
    assert table["contracts"]["rag_input@1.0"]["allOf"] == [{"$ref": "base_input@1.0"}]
    assert table["newest"]["rag_input"] == "1.0"
    assert table["schema_types"]["rag"]["1.0"]["expected_output"] == "rag_expected_output@1.0"


def test_a_property_may_be_called_like_a_keyword_that_says_nothing(tmp_path: Path) -> None:
    fields = {"title": text("What it is called."), "description": text("What it is.")}
    folder = write_layer(tmp_path, {"book@1.0": contract("Book", fields, required=["title", "description"])})
    table = json.loads(model_of(Catalogue.load(folder)).table)
    assert table["contracts"]["book@1.0"]["properties"] == {
        "title": {"type": "string"},
        "description": {"type": "string"},
    }


def test_two_versions_of_a_contract_have_two_names() -> None:
    names = {str(found.ref): found.class_name for found in model_of(Catalogue(ARCHIVE)).contracts}
    notes = {ref: name for ref, name in names.items() if ref.startswith("note@")}
    assert notes == {
        "note@1.0": "NoteV1x0",
        "note@1.9": "NoteV1x9",
        "note@1.10": "Note",  # the newest that is released
        "note@2.0": "NoteV2x0",
    }
    assert len(set(names.values())) == len(names)


def test_a_title_that_is_the_name_of_an_older_version_is_refused(tmp_path: Path) -> None:
    described = {"body": text("What it says.")}
    folder = write_layer(
        tmp_path,
        {
            "memo@1.0": contract("Memo", described),
            "memo@1.1": contract("Memo", described),
            "odd@1.0": contract("MemoV1x0", described),
        },
    )
    with pytest.raises(
        SchemaError, match=r"(memo|odd)@1\.0 and (memo|odd)@1\.0 would both be called MemoV1x0"
    ):
        model_of(Catalogue.load(folder))


def test_contracts_of_a_layer_extend_those_below(tmp_path: Path) -> None:
    model = model_of(Catalogue.load(tenant_layer(tmp_path)))
    own = model.by_ref[ContractRef("my_rag_input", "1.0")]
    assert [found.class_name for found in model.lineage(own)] == ["BaseInput", "RAGInput", "MyRagInput"]
    assert (model.package, model.version, model.host) == ("acme", "0.1.0", "acme.example")
    assert json.loads(model.table)["schema_types"]["my_rag"]["1.0"]["input"] == "my_rag_input@1.0"


@pytest.mark.parametrize(
    "package",
    [[], "acme", {"name": "Acme"}, {"name": "../x"}, {"name": 1}, {"version": "1.0"}, {"version": "1.0.0\n"}],
)
def test_a_package_that_no_registry_takes_is_refused(tmp_path: Path, package: object) -> None:
    folder = tenant_layer(tmp_path)
    edit_json(folder / "catalog.json", package=package)
    with pytest.raises(CatalogError, match="package"):
        package_of(Catalogue.load(folder))


def test_a_package_is_called_as_the_catalogue_says(tmp_path: Path) -> None:
    folder = tenant_layer(tmp_path)
    edit_json(folder / "catalog.json", package={"name": "tenants", "version": "2.0.1-rc.1"})
    assert package_of(Catalogue.load(folder)) == ("tenants", "2.0.1-rc.1")


def test_names_in_other_styles() -> None:
    assert pascal("response_marker") == "ResponseMarker"
