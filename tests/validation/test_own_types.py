"""Types that a layer declares are checked, named, released and scored as the built-in ones are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalcontract import DatasetName, check_release, is_valid, normalize_dataset_item
from evalcontract.catalog import Catalogue, default_catalogue
from evalcontract.checking import check_files, plan
from evalcontract.errors import UnknownContract, UsageError
from evalcontract.scoring import ScoreRequest, ScoreSettings, score_files
from evalcontract.scoring.result import ScoreReport
from tests.support.layers import tenant_layer

MESSAGES = [{"role": "user", "content": "When does the museum open?"}]


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return Catalogue.load(tenant_layer(tmp_path_factory.mktemp("layer")))


def item(item_id: str = "a", **input_: Any) -> dict[str, Any]:
    ground_truth = [{"document_id": "d1", "relevance": 2}]
    return {
        "item_id": item_id,
        "input": {
            "messages": [{"role": "user", "content": f"When was {item_id} built?"}],
            "tenant": "acme",
            **input_,
        },
        "expected_output": {"response": "At nine.", "retrieval_ground_truth": ground_truth},
        "metadata": {"raw_metadata": {"input_schema_type": "my_rag", "input_schema_version": "1.0"}},
    }


def dataset(*items: dict[str, Any]) -> dict[str, Any]:
    return {
        "metadata": {
            "product_id": "museum",
            "scope": "golden",
            "version": "1.0",
            "input_schema_type": "my_rag",
            "input_schema_version": "1.0",
        },
        "items": list(items),
    }


def test_a_contract_of_a_layer_is_known_by_name_where_its_catalogue_is_given(catalogue: Catalogue) -> None:
    value = {"messages": MESSAGES, "tenant": "acme"}
    assert is_valid(value, "my_rag_input", catalogue=catalogue)
    assert not is_valid({"messages": MESSAGES}, "my_rag_input", catalogue=catalogue)
    with pytest.raises(UnknownContract):
        is_valid(value, "my_rag_input")


def test_items_that_declare_an_own_type_are_checked_against_it(catalogue: Catalogue, tmp_path: Path) -> None:
    rag = item("b") | {"metadata": {"raw_metadata": {"input_schema_type": "rag"}}}
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(value) + "\n" for value in (item(), item("c", tenant=""), rag)))
    result = check_files([str(file)], plan(catalogue=catalogue))
    assert [(found.item_id, found.pointer) for found in result.violations] == [("c", "/input/tenant")]
    assert dict(result.files[0].contracts) == {"my_rag@1.0": 2, "rag@1.0": 1}


def test_the_input_of_an_own_type_is_made_flat(catalogue: Catalogue) -> None:
    wrapped = {"request": {"tenant": "acme"}}
    assert normalize_dataset_item(wrapped, "my_rag_input", catalogue=catalogue) == {"tenant": "acme"}


def test_a_name_is_read_with_the_types_of_the_layers(catalogue: Catalogue) -> None:
    name = DatasetName.parse("museum_my_rag_golden_v1.0", product_id="museum", catalogue=catalogue)
    assert name.series == ("museum", "my_rag", "golden")


def test_a_dataset_of_an_own_type_is_released(catalogue: Catalogue, tmp_path: Path) -> None:
    file = tmp_path / "museum_my_rag_golden_v1.0.json"
    file.write_text(json.dumps(dataset(item("a"), item("b", messages=[MESSAGES[0] | {"content": "Why?"}]))))
    report = check_release(file, catalogue=catalogue)
    assert report.ok, [outcome for outcome in report.outcomes if outcome.status == "fail"]
    statuses = {outcome.code: outcome.status for outcome in report.outcomes}
    assert statuses["type-matches-items"] == "pass"


def test_a_field_of_an_own_type_is_foreign_to_a_built_in_one(catalogue: Catalogue, tmp_path: Path) -> None:
    made = dataset(item("a") | {"metadata": None})
    made["metadata"]["input_schema_type"] = "rag"
    file = tmp_path / "museum_rag_golden_v1.0.json"
    file.write_text(json.dumps(made))
    (found,) = [
        outcome
        for outcome in check_release(file, catalogue=catalogue).outcomes
        if outcome.code == "type-matches-items"
    ]
    assert found.status == "fail"
    assert "my_rag" in found.reason


def test_an_own_type_has_the_metrics_of_the_type_that_it_extends(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    assert catalogue.base_type(catalogue.schema_types()["my_rag"]["1.0"]) == "rag"
    items, predictions = tmp_path / "items.json", tmp_path / "run.jsonl"
    items.write_text(json.dumps(dataset(item())))
    prediction = {"response": "At nine.", "retrieved_documents": [{"document_id": "d1", "content": "Nine."}]}
    predictions.write_text(json.dumps({"item_id": "a", "prediction": prediction}))
    report = score_files(str(predictions), str(items), ScoreSettings(), ScoreRequest(catalogue=catalogue))
    assert isinstance(report, ScoreReport)
    means = {measure.name: measure.mean for measure in report.measures}
    assert means["recall_at_5"] == 1.0
    assert "tool_calls_exact" not in {name for name, mean in means.items() if mean is not None}


def test_the_built_in_catalogue_alone_does_not_know_the_type() -> None:
    with pytest.raises(UsageError):
        plan(schema_type="my_rag", catalogue=default_catalogue())
