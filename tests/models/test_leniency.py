"""Where models and schemas disagree: every known difference, and the proof that there is no other."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import jsonschema_rs
import pytest
from evalcontract_models.registry import MODELS
from pydantic import ValidationError

from evalcontract.catalog import ContractRef, bundle, default_catalogue, flat
from tests.support.mutate import mutants
from tests.support.vectors import cases_of, contracts

HUGE = 10**400


@dataclass(frozen=True, slots=True)
class Difference:
    """A document on which a model and its schema disagree, and why."""

    contract: str
    document: dict[str, Any]
    model_accepts: bool
    why: str


KNOWN = (
    Difference("citation", {"document_id": "d", "page_number": "3"}, True, "digits are read as an integer"),
    Difference("citation", {"document_id": "d", "page_number": "3.0"}, True, "digits are read as an integer"),
    Difference("citation", {"document_id": "d", "page_number": " 3 "}, True, "digits are read as an integer"),
    Difference("citation", {"document_id": "d", "page_number": True}, True, "true is 1 in Python"),
    Difference(
        "retrieval_ground_truth", {"document_id": "d", "relevance": True}, True, "true is 1 in Python"
    ),
    Difference(
        "retrieval_ground_truth", {"document_id": "d", "relevance": False}, True, "false is 0 in Python"
    ),
    Difference("metric_score", {"value": "0.5"}, True, "digits are read as a number"),
    Difference("retrieved_document", {"score": "1e3"}, True, "digits are read as a number"),
    Difference("metric_score", {"value": True}, True, "true is 1 in Python"),
    Difference(
        "prediction_record",
        {"item_id": "q", "prediction": {}, "measurements": {"a": "1"}},
        True,
        "the same in a map",
    ),
    Difference("retrieved_document", {"score": HUGE}, False, "a float can't hold it"),
    Difference("retrieved_document", {"score": -HUGE}, False, "a float can't hold it"),
)
AGREED = (
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


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: f"{known.contract}-{known.document}"[:70])
def test_the_known_differences(known: Difference) -> None:
    assert model_accepts(known.contract, known.document) is known.model_accepts
    assert schema_accepts(known.contract, known.document) is not known.model_accepts


@pytest.mark.parametrize(("contract", "document", "accepted"), AGREED, ids=str)
def test_what_could_differ_and_does_not(contract: str, document: dict[str, Any], accepted: bool) -> None:
    assert model_accepts(contract, document) is schema_accepts(contract, document) is accepted


@each_contract
def test_no_other_difference_on_the_vectors(contract: ContractRef) -> None:
    for case in cases_of(contract):
        assert_no_other_difference(contract, case.document)


@each_contract
def test_no_other_difference_on_mutated_documents(contract: ContractRef) -> None:
    schema = flat(default_catalogue(), contract)
    parts = [schema, *schema.get("$defs", {}).values()]
    seeds = [case.document for case in cases_of(contract)]
    for mutant in mutants(seeds, parts, seed=3, count=150):
        assert_no_other_difference(contract, mutant.document)


def assert_no_other_difference(contract: ContractRef, document: Any) -> None:
    """The verdicts agree, or the model has read text or a boolean as a number. Its dump is valid in any case."""
    validator = validator_of(contract)
    accepted = model_accepts(contract.name, document)
    odd = [error for error in validator.iter_errors(document) if not accepted or not _read_as_number(error)]
    assert accepted is (odd == []), (document, odd)
    if accepted:
        dumped = MODELS[contract.name].model_validate(document).model_dump_json()
        assert validator.is_valid(json.loads(dumped)), document


def _read_as_number(error: jsonschema_rs.ValidationError) -> bool:
    match error.kind:
        case jsonschema_rs.ValidationErrorKind.Type(types=types):
            return isinstance(error.instance, str | bool) and not {"integer", "number"}.isdisjoint(types)
        case jsonschema_rs.ValidationErrorKind.Enum(options=options):
            return isinstance(error.instance, bool) and int(error.instance) in options
        case _:
            return False
