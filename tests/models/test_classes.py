from __future__ import annotations

import ast
import json
from enum import Enum
from typing import Any, get_type_hints

import evalcontract_models
import evalcontract_models.types
import evalcontract_models.v1
import pytest
from evalcontract_models.registry import CONTRACTS, MODELS
from pydantic import BaseModel, ValidationError

import evalcontract.models
from evalcontract.catalog import Schema, default_catalogue, flat
from evalcontract.errors import ContractViolation, SchemaError
from evalcontract.models import (
    Citation,
    ContractModel,
    Message,
    MetricScore,
    PredictionRecord,
    RAGAgentInput,
    RAGExpectedOutput,
    RAGInput,
    contract_of,
    from_contract,
)
from tests.support.projects import PROJECT

PARENTS = {
    "AgentExpectedOutput": ["BaseExpectedOutput"],
    "AgentInput": ["BaseInput"],
    "BaseExpectedOutput": [],
    "BaseInput": [],
    "Citation": [],
    "Dataset": [],
    "DatasetMetadata": [],
    "EvaluationItem": [],
    "EvaluationItemMetadata": [],
    "Message": [],
    "MetricScore": [],
    "PredictedToolCall": ["ToolCall"],
    "Prediction": [],
    "PredictionRecord": [],
    "QualityResult": [],
    "RAGAgentExpectedOutput": ["RAGExpectedOutput", "BaseExpectedOutput"],
    "RAGAgentInput": ["RAGInput", "BaseInput"],
    "RAGChoice": [],
    "RAGCitation": [],
    "RAGContext": [],
    "RAGExpectedOutput": ["BaseExpectedOutput"],
    "RAGInput": ["BaseInput"],
    "RAGMessage": [],
    "RAGResponse": [],
    "RawMetadata": [],
    "RetrievalGroundTruth": [],
    "RetrievedDocument": [],
    "ScoreRecord": [],
    "TextSpan": [],
    "ToolCall": [],
}
QUESTION = [{"role": "user", "content": "Where is the archive?"}]

each_model = pytest.mark.parametrize(("model", "ref"), CONTRACTS.items(), ids=lambda each: str(each))


def schema_of(ref: tuple[str, str]) -> Schema:
    catalogue = default_catalogue()
    return flat(catalogue, catalogue.resolve(*ref))


class ProductCitation(Citation):
    shelf: int


class ProductInput(RAGInput):
    tenant: str
    """Whose documents may be used."""
    locale: str | None = None


def test_the_ancestors_of_every_class() -> None:
    found = {model.__name__: [each.__name__ for each in model.__mro__[1:]] for model in CONTRACTS}
    end = ["ContractModel", "BaseModel", "object"]
    assert found == {name: [*parents, *end] for name, parents in PARENTS.items()}


def test_every_contract_has_a_class_named_by_its_title() -> None:
    catalogue = default_catalogue()
    titles = {name: catalogue.document(catalogue.resolve(name))["title"] for name in catalogue.names()}
    assert {name: model.__name__ for name, model in MODELS.items()} == titles


def test_the_library_offers_every_class() -> None:
    assert set(evalcontract.models.__all__) == {*PARENTS, "ContractModel", "contract_of", "from_contract"}
    for name in evalcontract_models.__all__:
        assert getattr(evalcontract.models, name) is getattr(evalcontract_models, name)


@each_model
def test_docstrings_are_the_descriptions(model: type[ContractModel], ref: tuple[str, str]) -> None:
    schema = schema_of(ref)
    assert model.__doc__ == schema["description"]
    descriptions = {name: field.description for name, field in model.model_fields.items()}
    assert descriptions == {name: field["description"] for name, field in schema["properties"].items()}


@each_model
def test_the_typed_dict_has_the_same_keys(model: type[ContractModel], ref: tuple[str, str]) -> None:
    schema, typed = schema_of(ref), getattr(evalcontract_models.types, model.__name__)
    required = set(schema.get("required", []))
    assert typed.__required_keys__ == required
    assert typed.__optional_keys__ == schema["properties"].keys() - required


def test_annotations_are_those_that_a_person_would_write() -> None:
    hints = get_type_hints(RAGAgentInput)
    assert hints["messages"] == list[Message]
    assert hints["context"] == hints["document_ids"] == list[str] | None
    assert str(get_type_hints(Message)["role"]) == "typing.Literal['user', 'assistant', 'system']"
    assert not any(
        isinstance(each, type) and issubclass(each, Enum) for each in vars(evalcontract_models.v1).values()
    )


def test_the_models_do_not_import_the_library() -> None:
    imported = set()
    for file in (PROJECT / "generated" / "python" / "evalcontract_models").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                imported.add((node.module or "").partition(".")[0])
    ours = {"evalcontract_models", "pydantic", "pydantic_core", "typing_extensions"}
    assert imported == ours | {"collections", "typing"}


def test_unknown_fields_are_kept_at_every_depth() -> None:
    document = {
        "item_id": "q1",
        "prediction": {
            "response": "In the cellar",
            "citations": [{"document_id": "d1", "shelf": 3}],
            "model": "m",
        },
        "run": {"seed": 7},
    }
    dumped = PredictionRecord.model_validate(document).model_dump(exclude_unset=True)
    assert dumped == document


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_json_does_not_have_are_refused(value: Any) -> None:
    with pytest.raises(ValidationError, match="finite number"):
        MetricScore(value=value)
    with pytest.raises(ValidationError, match="finite number"):
        PredictionRecord.model_validate(
            {"item_id": "q1", "prediction": {}, "measurements": {"latency_ms": value}}
        )


def test_a_product_adds_fields_of_its_own() -> None:
    item = ProductInput.model_validate(
        {"messages": QUESTION, "tenant": "north", "context": ["a"], "other": 1}
    )
    assert isinstance(item, RAGInput)
    assert json.loads(item.model_dump_json()) == {
        "messages": QUESTION,
        "context": ["a"],
        "document_ids": None,
        "tenant": "north",
        "locale": None,
        "other": 1,
    }
    assert ProductInput.model_fields["tenant"].description == "Whose documents may be used."
    with pytest.raises(ValidationError, match="tenant"):
        ProductInput.model_validate({"messages": QUESTION})


def test_a_part_with_fields_of_its_own_is_dumped_whole() -> None:
    part = ProductCitation(document_id="d1", shelf=3)
    output = RAGExpectedOutput(response="In the cellar", citations=[part])
    assert output.model_dump()["citations"][0]["shelf"] == 3
    assert json.loads(output.model_dump_json())["citations"][0]["shelf"] == 3


def test_a_class_knows_its_contract() -> None:
    assert contract_of(RAGInput) == contract_of(ProductInput) == ("rag_input", "1.0")
    assert contract_of(RAGAgentInput) == ("rag_agent_input", "1.0")


@pytest.mark.parametrize("model", [BaseModel, ContractModel])
def test_a_class_of_no_contract_is_refused(model: type[BaseModel]) -> None:
    with pytest.raises(SchemaError, match=f"{model.__name__} is not derived from a model of a contract"):
        from_contract(model, {})


def test_the_schema_is_asked_before_the_model() -> None:
    wrong = {"document_id": "d1", "page_number": "3"}
    with pytest.raises(ContractViolation) as caught:
        from_contract(Citation, wrong)
    assert [each.pointer for each in caught.value.violations] == ["/page_number"]  # type: ignore[attr-defined]
    assert from_contract(Citation, wrong | {"page_number": 3.0}).page_number == 3


def test_a_derived_class_is_asked_after_the_schema() -> None:
    with pytest.raises(ContractViolation, match="messages"):
        from_contract(ProductInput, {"tenant": "north"})
    with pytest.raises(ValidationError, match="tenant"):
        from_contract(ProductInput, {"messages": QUESTION})
    assert from_contract(ProductInput, {"messages": QUESTION, "tenant": "north"}).tenant == "north"


def test_making_a_model_leaves_the_data_as_it_was() -> None:
    data = {"messages": [{"role": "user", "content": "?", "extra": [1]}], "tenant": "north"}
    before = json.dumps(data)
    from_contract(ProductInput, data)
    assert json.dumps(data) == before
