"""The conformance vectors are complete, and independent validators agree with every one of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from referencing.jsonschema import DRAFT202012

from evalcontract.authoring import mutants_of
from evalcontract.catalog import ContractRef, default_catalogue, default_registry, load_schema
from evalcontract.catalog.bundle import parent_of
from tests.support.engines import Engine, python_engine, rust_engine
from tests.support.vectors import CONFORMANCE, WHOLE, Fault, cases_of, contracts, expected_of, folder_of

CONTRACTS = contracts()

# `$` of JSON Schema is the very end of the text; that of Python's `re` also stands before a final line break.
ACCEPTED_BY_PYTHON_PATTERNS = {
    "dataset_metadata@1.0/invalid/created-at-with-a-line-break",
    "dataset_metadata@1.0/invalid/input-schema-type-with-a-line-break",
    "dataset_metadata@1.0/invalid/product-id-with-a-line-break",
    "dataset_metadata@1.0/invalid/scope-with-a-line-break",
    "dataset_metadata@1.0/invalid/version-with-a-line-break",
    "prediction_record@1.0/invalid/created-at-with-a-line-break",
    "prediction_record@1.0/invalid/schema-version-with-a-line-break",
    "score_record@1.0/invalid/created-at-with-a-line-break",
    "score_record@1.0/invalid/schema-version-with-a-line-break",
    "dataset_metadata@1.0/invalid/input-schema-version-with-a-line-break",
    "raw_metadata@1.0/invalid/input-schema-version-with-a-line-break",
}

# jsonschema_rs leaves an empty key out of the path of an error.
MISPLACED_BY_RUST = {
    "prediction_record@1.0/invalid/measurement-with-an-empty-name": {Fault("/measurements", "type")}
}

each_contract = pytest.mark.parametrize("contract", CONTRACTS, ids=str)


@cache
def python_of(contract: ContractRef) -> Engine:
    return python_engine(load_schema(contract.name, contract.version), default_registry())


@cache
def rust_of(contract: ContractRef) -> Engine:
    return rust_engine(load_schema(contract.name, contract.version), default_registry())


@cache
def properties_of(contract: ContractRef) -> dict[str, dict[str, Any]]:
    """The properties of a contract, inherited ones included."""
    parent = parent_of(default_catalogue(), contract)
    inherited = properties_of(parent) if parent else {}
    own: dict[str, dict[str, Any]] = load_schema(contract.name, contract.version)["properties"]
    return inherited | own


@cache
def required_of(contract: ContractRef) -> frozenset[str]:
    parent = parent_of(default_catalogue(), contract)
    inherited = required_of(parent) if parent else frozenset()
    return inherited | frozenset(load_schema(contract.name, contract.version).get("required", []))


def admits_null(schema: dict[str, Any]) -> bool:
    return "default" in schema


@each_contract
def test_jsonschema_finds_exactly_the_expected_faults(contract: ContractRef) -> None:
    for case in cases_of(contract):
        expected = frozenset() if str(case) in ACCEPTED_BY_PYTHON_PATTERNS else case.faults
        assert python_of(contract)(case.document) == expected, case.name


@each_contract
def test_jsonschema_rs_finds_exactly_the_expected_faults(contract: ContractRef) -> None:
    for case in cases_of(contract):
        assert rust_of(contract)(case.document) == MISPLACED_BY_RUST.get(str(case), case.faults), case.name


def test_every_folder_belongs_to_a_contract() -> None:
    folders = {path for path in CONFORMANCE.glob("*/*") if path.is_dir()}
    readings = {CONFORMANCE / "reading" / verdict for verdict in ("accepted", "refused")}
    whole = {CONFORMANCE / name / "1.0" for name in WHOLE}
    assert folders - readings - whole == {folder_of(contract) for contract in CONTRACTS}


@each_contract
def test_expected_lists_the_invalid_files_and_no_others(contract: ContractRef) -> None:
    files = {path.stem for path in (folder_of(contract) / "invalid").iterdir()}
    assert expected_of(contract).keys() == files


@each_contract
def test_expected_faults_are_unrepeated_and_sorted(contract: ContractRef) -> None:
    for name, faults in expected_of(contract).items():
        pairs = [(fault["pointer"], fault["keyword"]) for fault in faults]
        assert pairs, name
        assert pairs == sorted(set(pairs)), name
        assert all(fault.keys() == {"pointer", "keyword"} for fault in faults), name


@each_contract
def test_there_are_enough_cases(contract: ContractRef) -> None:
    cases = cases_of(contract)
    assert sum(case.valid for case in cases) >= 3
    assert sum(not case.valid for case in cases) >= 6


@each_contract
def test_no_two_cases_are_the_same(contract: ContractRef) -> None:
    texts = [path.read_bytes() for path in folder_of(contract).glob("*/*.json")]
    assert len(texts) == len(set(texts))


@each_contract
def test_full_gives_every_property_a_value_and_minimal_only_the_required(contract: ContractRef) -> None:
    documents = {case.name: case.document for case in cases_of(contract)}
    assert documents["valid/full"].keys() == properties_of(contract).keys()
    assert None not in documents["valid/full"].values()
    assert documents["valid/minimal"].keys() == required_of(contract)


@each_contract
def test_each_nullable_property_is_null_in_a_valid_case(contract: ContractRef) -> None:
    nullable = {name for name, schema in properties_of(contract).items() if admits_null(schema)}
    valid = [case.document for case in cases_of(contract) if case.valid]
    assert nullable <= {name for document in valid for name, value in document.items() if value is None}


@each_contract
def test_each_required_property_is_null_in_one_invalid_case_and_absent_in_another(
    contract: ContractRef,
) -> None:
    alone = {case.faults: case for case in cases_of(contract) if isinstance(case.document, dict)}
    for name in required_of(contract):
        assert frozenset({Fault(f"/{name}", "required")}) in alone, name
        null = [
            case
            for case in cases_of(contract)
            if Fault(f"/{name}", "type") in case.faults and case.document.get(name, 0) is None
        ]
        assert null, name


@each_contract
def test_a_valid_case_has_unknown_fields(contract: ContractRef) -> None:
    valid = [case.document for case in cases_of(contract) if case.valid]
    assert any(document.keys() - properties_of(contract).keys() for document in valid)


@each_contract
def test_each_array_that_may_be_empty_is_so_in_a_valid_case(contract: ContractRef) -> None:
    own = load_schema(contract.name, contract.version)["properties"]
    arrays = {name for name, schema in own.items() if "items" in schema and schema.get("minItems", 0) == 0}
    valid = [case.document for case in cases_of(contract) if case.valid]
    assert arrays <= {name for document in valid for name, value in document.items() if value == []}


@each_contract
def test_a_document_that_is_no_object_is_in_the_invalid_cases(contract: ContractRef) -> None:
    whole = [case.document for case in cases_of(contract) if case.faults == {Fault("", "type")}]
    assert {type(document) for document in whole} >= {list, str, type(None)}


INTEGERS = [
    (contract, name)
    for contract in CONTRACTS
    for name, schema in load_schema(contract.name, contract.version)["properties"].items()
    if "integer" in str(schema.get("type"))
]


@pytest.mark.parametrize(("contract", "name"), INTEGERS, ids=str)
def test_an_integer_meets_its_lookalikes(contract: ContractRef, name: str) -> None:
    cases = [case for case in cases_of(contract) if isinstance(case.document, dict)]
    valid = [case.document.get(name) for case in cases if case.valid]
    wrong = [case.document.get(name) for case in cases if Fault(f"/{name}", "type") in case.faults]
    assert any(type(value) is float and value.is_integer() for value in valid)
    assert any(value is True for value in wrong)
    assert "2" in wrong


@each_contract
def test_the_cases_notice_every_change_of_the_contract(contract: ContractRef) -> None:
    schema = load_schema(contract.name, contract.version)
    unnoticed = []
    found = {case.name: MISPLACED_BY_RUST.get(str(case), case.faults) for case in cases_of(contract)}
    for what, changed, _ in mutants_of(schema):
        resource = DRAFT202012.create_resource(changed)
        engine = rust_engine(changed, default_registry().with_resource(schema["$id"], resource))
        if all(engine(case.document) == found[case.name] for case in cases_of(contract)):
            unnoticed.append(what)
    assert not unnoticed
