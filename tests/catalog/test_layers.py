from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from evalcontract.catalog import Catalogue, ContractRef, bundle, default_catalogue, flat
from evalcontract.catalog.keywords import references
from evalcontract.errors import CatalogError, SchemaError
from tests.support.layers import OURS, contract, extending, tenant_layer, text, write_layer


def test_a_layer_adds_its_names_to_those_below(tmp_path: Path) -> None:
    found = Catalogue.load(tenant_layer(tmp_path))
    assert set(found.names()) == {*default_catalogue().names(), "my_rag_input", "my_rag_expected_output"}
    assert found.own_names() == ("my_rag_expected_output", "my_rag_input")
    assert list(found.schema_types()) == [*default_catalogue().schema_types(), "my_rag"]
    assert found.root == tmp_path
    assert [layer.base_uri for layer in found.layers] == [OURS, "https://acme.example/schemas/"]


def test_a_contract_may_extend_one_of_a_lower_layer_by_its_id(tmp_path: Path) -> None:
    found = Catalogue.load(tenant_layer(tmp_path))
    ref = ContractRef("my_rag_input", "1.0")
    assert found.ancestors(ref) == (ContractRef("rag_input", "1.0"), ContractRef("base_input", "1.0"))
    valid = {"messages": [{"role": "user", "content": "Q"}], "tenant": "acme"}
    for make in (bundle, flat):
        schema = make(found, ref)
        assert schema["$id"].startswith("https://acme.example/schemas/")
        assert all(written.startswith("#") for written in references(schema))
        assert Draft202012Validator(schema).is_valid(valid)
        assert not Draft202012Validator(schema).is_valid({"messages": valid["messages"]})
        assert not Draft202012Validator(schema).is_valid({"tenant": "acme"})


def test_three_layers_lie_on_one_another(tmp_path: Path) -> None:
    middle, top = tenant_layer(tmp_path / "middle"), tmp_path / "top"
    parent = "https://acme.example/schemas/my_rag_input/1.0.json"
    write_layer(
        top,
        {"team_input@1.0": contract("TeamInput", {}, allOf=[{"$ref": parent}])},
        base_uri="https://team.example/s/",
    )
    found = Catalogue.load(middle, top)
    assert [str(ref) for ref in found.ancestors(ContractRef("team_input", "1.0"))] == [
        "my_rag_input@1.0",
        "rag_input@1.0",
        "base_input@1.0",
    ]


@pytest.mark.parametrize("kind", ["contract", "schema type"])
def test_a_name_that_a_lower_layer_has_is_an_error_that_names_both(tmp_path: Path, kind: str) -> None:
    if kind == "contract":
        write_layer(tmp_path, {"rag_input@2.0": contract("RAGInput", {})})
    else:
        refs = {"input": "base_input@1.0", "expected_output": "base_expected_output@1.0"}
        write_layer(tmp_path, {}, {"rag": {"2.0": refs}})
    with pytest.raises(CatalogError, match=f"two layers have the {kind} rag") as caught:
        Catalogue.load(tmp_path)
    assert str(default_catalogue().root) in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_another_edition_of_a_layer_takes_its_place(tmp_path: Path) -> None:
    edition = write_layer(tmp_path / "edition", {"note@1.0": contract("Note", {})}, base_uri=OURS)
    assert Catalogue.load(edition).names() == ("note",)


def test_a_folder_without_a_catalogue_is_refused_with_a_way_out(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"has no catalog\.json") as caught:
        Catalogue.load(tmp_path)
    assert "schema new" in str(caught.value.hint)


def test_a_schema_type_that_names_no_contract_is_refused(tmp_path: Path) -> None:
    refs = {"input": "rag_input@1.7", "expected_output": "base_expected_output@1.0"}
    write_layer(tmp_path, {}, {"mine": {"1.0": refs}})
    with pytest.raises(CatalogError, match=r"mine@1\.0 names rag_input@1\.7, which no layer has"):
        Catalogue.load(tmp_path)


def test_contracts_that_extend_one_another_in_a_circle_are_refused(tmp_path: Path) -> None:
    write_layer(
        tmp_path,
        {
            "a@1.0": contract("A", {}, allOf=[{"$ref": "../b/1.0.json"}]),
            "b@1.0": contract("B", {}, allOf=[{"$ref": "../a/1.0.json"}]),
        },
    )
    with pytest.raises(CatalogError, match=r"a@1\.0 -> b@1\.0 -> a@1\.0"):
        Catalogue.load(tmp_path).ancestors(ContractRef("a", "1.0"))


def test_a_reference_to_nothing_names_the_contract_that_has_it(tmp_path: Path) -> None:
    write_layer(tmp_path, {"a@1.0": contract("A", {"x": {"$ref": "../gone/1.0.json"}})})
    with pytest.raises(SchemaError, match=r"a@1\.0 refers to \.\./gone/1\.0\.json"):
        bundle(Catalogue.load(tmp_path), ContractRef("a", "1.0"))


def local_definitions(folder: Path) -> Path:
    place = contract("Place", {"name": text("Its name.")}, required=["name"])
    return write_layer(
        folder,
        {
            "tour@1.0": contract(
                "Tour",
                {
                    "start": {"$ref": "#/$defs/Place"},
                    "name": {"$ref": "#/$defs/Place/properties/name"},
                    "next": {"$ref": "#"},
                    "booking": {"$ref": "../booking/1.0.json#/$defs/Place"},
                    "kept": {"const": {"$ref": "#/nowhere"}},
                },
                **{"$defs": {"Place": place}},
            ),
            "booking@1.0": contract(
                "Booking", {}, **{"$defs": {"Place": {"type": "integer", "description": "A number."}}}
            ),
        },
    )


def test_local_definitions_of_two_contracts_do_not_meet_under_one_name(tmp_path: Path) -> None:
    found = Catalogue.load(local_definitions(tmp_path))
    schema = bundle(found, ContractRef("tour", "1.0"))
    assert set(schema["$defs"]) == {"Booking", "Place", "BookingPlace"}
    validator = Draft202012Validator(schema)
    good = {"start": {"name": "A"}, "name": "A", "next": {"start": {"name": "B"}}, "booking": 3}
    assert validator.is_valid(good)
    for key, bad in (("start", {}), ("name", 1), ("next", {"start": 1}), ("booking", "x"), ("kept", {})):
        assert not validator.is_valid(good | {key: bad}), key
    assert validator.is_valid(good | {"kept": {"$ref": "#/nowhere"}})


def test_an_anchor_is_refused_in_a_bundle_with_a_way_out(tmp_path: Path) -> None:
    write_layer(tmp_path, {"a@1.0": contract("A", {"x": {"$ref": "#here"}})})
    with pytest.raises(SchemaError, match="anchor") as caught:
        bundle(Catalogue.load(tmp_path), ContractRef("a", "1.0"))
    assert "$defs" in str(caught.value.hint)


def test_a_bundle_can_be_written_down(tmp_path: Path) -> None:
    found = Catalogue.load(tenant_layer(tmp_path))
    assert json.loads(json.dumps(bundle(found, ContractRef("my_rag_input", "1.0"))))["title"] == "MyRagInput"
    assert extending("rag_input") == found.document(ContractRef("my_rag_input", "1.0"))["allOf"]
