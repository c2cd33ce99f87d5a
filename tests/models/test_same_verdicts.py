"""A model and its schema give every document the same verdict, as a Python value and as JSON text."""

from __future__ import annotations

import json
from typing import Any, Literal

import jsonschema_rs
import pytest
from evalcontract_models.registry import MODELS
from pydantic import ValidationError

from evalcontract import is_valid
from evalcontract.catalog import ContractRef, bundle, default_catalogue, flat
from evalcontract.models import Citation
from evalcontract.reading.strict import parse
from evalcontract.values import same_value
from tests.languages.hostile import typed
from tests.languages.protocol import cases_of as pack_cases
from tests.languages.protocol import expected
from tests.support.mutate import mutants
from tests.support.projects import PROJECT
from tests.support.vectors import cases_of, contracts

AGREED = (
    ("citation", {"document_id": "d", "page_number": "3"}, False),
    ("citation", {"document_id": "d", "page_number": "3.0"}, False),
    ("citation", {"document_id": "d", "page_number": " 3 "}, False),
    ("citation", {"document_id": "d", "page_number": True}, False),
    ("citation", {"document_id": "d", "page_number": 9007199254740991.0}, True),
    ("citation", {"document_id": "d", "page_number": 9007199254740992.0}, False),
    ("citation", {"document_id": "d", "page_number": 0.0}, False),
    ("retrieval_ground_truth", {"document_id": "d", "relevance": True}, False),
    ("retrieval_ground_truth", {"document_id": "d", "relevance": False}, False),
    ("metric_score", {"value": "0.5"}, False),
    ("metric_score", {"value": "1e-3"}, False),
    ("metric_score", {"value": True}, False),
    ("metric_score", {"value": 1}, True),
    ("prediction_record", {"item_id": "q", "prediction": {}, "measurements": {"a": "1"}}, False),
    ("prediction_record", {"item_id": "q", "prediction": {}, "measurements": {"a": True}}, False),
    ("prediction_record", {"item_id": "q", "prediction": {}, "measurements": {"a": 10**30}}, True),
    ("citation", {"document_id": "d", "page_number": 3.0}, True),
    ("citation", {"document_id": "d", "page_number": 3.5}, False),
    ("citation", {"document_id": "d", "page_number": 2**53}, False),
    ("citation", {"document_id": "d", "page_number": "three"}, False),
    ("citation", {"document_id": 3}, False),
    ("retrieval_ground_truth", {"document_id": "d", "relevance": 2.0}, True),
    ("retrieval_ground_truth", {"document_id": "d", "relevance": "2"}, False),
    ("retrieval_ground_truth", {"document_id": "d", "relevance": None}, False),
    ("retrieved_document", {"score": 10**30}, True),
    ("metric_score", {"reason": 1}, False),
    ("raw_metadata", {"input_schema_version": "1.0\n"}, False),
    ("tool_call", {"name": "n", "args": "{}"}, False),
    ("tool_call", {"name": "n", "args": [["a", 1]]}, False),
    ("rag_input", {"messages": [{"role": "user", "content": "?"}], "context": "abc"}, False),
    ("rag_input", {"messages": [{"role": "user", "content": "?"}], "context": {"a": 1}}, False),
)

each_contract = pytest.mark.parametrize("contract", contracts(), ids=str)


def model_accepts(contract: str, document: Any) -> bool:
    """The verdict of a model, which must be the same for the document and for its JSON text."""
    verdicts = set()
    for read, data in (
        (MODELS[contract].model_validate, document),
        (MODELS[contract].model_validate_json, json.dumps(document)),
    ):
        try:
            read(data)
            verdicts.add(True)
        except ValidationError:
            verdicts.add(False)
    (verdict,) = verdicts
    return verdict


def validator_of(contract: ContractRef) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(bundle(default_catalogue(), contract))


def schema_accepts(contract: str, document: Any) -> bool:
    return validator_of(default_catalogue().resolve(contract)).is_valid(document)


@pytest.mark.parametrize(("contract", "document", "accepted"), AGREED, ids=str)
def test_what_could_differ_and_does_not(contract: str, document: dict[str, Any], accepted: bool) -> None:
    assert model_accepts(contract, document) is schema_accepts(contract, document) is accepted


@each_contract
def test_the_verdicts_on_the_vectors(contract: ContractRef) -> None:
    for case in cases_of(contract):
        assert model_accepts(contract.name, case.document) is case.valid, str(case)


@each_contract
def test_the_verdicts_on_mutated_documents_and_that_dumps_are_valid(contract: ContractRef) -> None:
    validator, schema = validator_of(contract), flat(default_catalogue(), contract)
    parts = [schema, *schema.get("$defs", {}).values()]
    seeds = [case.document for case in cases_of(contract)]
    for mutant in mutants(seeds, parts, seed=3, count=150):
        document = mutant.document
        accepted = model_accepts(contract.name, document)
        assert accepted is validator.is_valid(document), document
        if accepted:
            dumped = MODELS[contract.name].model_validate(document).model_dump_json()
            assert validator.is_valid(json.loads(dumped)), document


@pytest.mark.parametrize("huge", [10**400, -(10**400)], ids=["above", "below"])
def test_a_number_that_no_double_can_hold_is_refused_like_everywhere(huge: int) -> None:
    document = {"item_id": "q", "prediction": {}, "measurements": {"a": huge}}
    assert not is_valid(document, "prediction_record")
    assert not model_accepts("prediction_record", document)


@pytest.mark.parametrize("text", [b"d", bytearray(b"d"), 3, True])
def test_text_is_text(text: Any) -> None:
    for document in ({"document_id": text}, {"document_id": "d", "quotes": [text]}):
        with pytest.raises(ValidationError, match="valid string"):
            MODELS["citation"].model_validate(document)


def test_a_whole_number_becomes_an_integer() -> None:
    citation = MODELS["citation"].model_validate({"document_id": "d", "page_number": 2.0})
    assert citation.model_dump_json(include={"page_number"}) == '{"page_number":2}'


def test_what_a_derived_class_adds_behaves_as_ever() -> None:
    class Product(Citation):
        shelf: int
        grade: Literal[0, 1] = 0
        label: str = ""

    product = Product.model_validate({"document_id": "d", "shelf": "3", "grade": True, "label": b"a"})
    assert (product.shelf, product.grade, product.label) == (3, 1, "a")
    with pytest.raises(ValidationError, match="page_number"):
        Product.model_validate({"document_id": "d", "shelf": 3, "page_number": "3"})


def test_every_property_takes_and_keeps_the_same_values_as_in_other_languages() -> None:
    fields = {
        file.name.removesuffix(".schema.json").replace("-", "@"): json.loads(file.read_bytes())["properties"]
        for file in (PROJECT / "generated" / "flat").glob("*-*.schema.json")
    }
    minimal = [
        case
        for case in pack_cases(PROJECT / "schemas" / "conformance")
        if case.name.endswith("/valid/minimal.json")
    ]
    tried = 0
    for case in typed(minimal, fields):
        wanted = expected(case)
        if wanted.fault is not None:
            continue
        value, _ = parse(case.text)
        model = MODELS[case.contract.partition("@")[0]]
        tried += 1
        try:
            kept = model.model_validate(value).model_dump(mode="json", exclude_unset=True)
        except ValidationError:
            assert wanted.findings, (case.contract, case.name)
        else:
            assert not wanted.findings, (case.contract, case.name)
            assert same_value(kept, value), (case.contract, case.name)
    assert tried > 5000
